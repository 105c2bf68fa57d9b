#define _GNU_SOURCE // faccessat, O_CLOEXEC, mkstemps
#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, MAX_LINKS = 40, TRIED_BYTES = 1 << 16 };

// What a name stands for.
struct target {
    const char *name;
    char path[PATH_SIZE]; // the file itself, with links followed: perhaps one that is not there yet
    bool exists;
    struct stat now; // if so
    bool is_plain;   // it cannot be replaced, but written into
    int standard;    // it is open as this standard stream, 0: it is not
};

// Where a chain of symbolic links ends. What the last one points to need not be there.
static int follow_links(const char *name, char path[PATH_SIZE])
{
    if (snprintf(path, PATH_SIZE, "%s", name) >= PATH_SIZE)
        return ENAMETOOLONG;
    for (int i = 0; i < MAX_LINKS; i++) {
        char link[PATH_SIZE];
        ssize_t length = readlink(path, link, sizeof link - 1);
        if (length < 0)
            return 0; // it is none
        link[length] = '\0';
        char *slash = strrchr(path, '/');
        size_t folder = *link == '/' || !slash ? 0 : (size_t)(slash + 1 - path);
        if (folder + (size_t)length >= PATH_SIZE)
            return ENAMETOOLONG;
        memcpy(path + folder, link, (size_t)length + 1);
    }
    return ELOOP;
}

static bool is_same_file(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

static int standard_stream(const struct stat *file)
{
    struct stat open;
    for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
        if (fstat(i, &open) == 0 && is_same_file(&open, file))
            return i;
    return 0;
}

// Returns an error number, or 0.
static int find_target(const char *name, struct target *target)
{
    bool is_dash = strcmp(name, "-") == 0;
    *target = (struct target){.name = name};
    target->exists = (is_dash ? fstat(STDOUT_FILENO, &target->now) : stat(name, &target->now)) == 0;
    if (!target->exists)
        return errno == ENOENT && *name ? follow_links(name, target->path) : errno;
    target->standard = is_dash ? STDOUT_FILENO : standard_stream(&target->now);
    if (target->standard)
        return 0;
    if (S_ISDIR(target->now.st_mode))
        return EISDIR;
    struct stat found;
    int error = follow_links(name, target->path);
    // /dev/fd/3 may be a link to a file that has no name.
    target->is_plain = !S_ISREG(target->now.st_mode) || lstat(target->path, &found) != 0 ||
                       !is_same_file(&found, &target->now);
    return error;
}

static int write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, text, size);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            text += written;
            size -= (size_t)written;
        }
    }
    return 0;
}

// Does not wait for the reader of a FIFO, nor for a modem; writing may wait.
static int open_plain(const char *name)
{
    int file = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    if (file >= 0)
        (void)fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
}

static int write_plain(const struct target *target, const char *text, size_t size)
{
    if (target->standard) {
        fflush(stdout); // what was printed before comes before
        return write_all(target->standard, text, size);
    }
    int file = open_plain(target->name);
    if (file < 0)
        return errno;
    int error = write_all(file, text, size);
    if (!error && S_ISREG(target->now.st_mode) && ftruncate(file, (off_t)size) != 0)
        error = errno;
    return close(file) != 0 && !error ? errno : error;
}

// Makes a file beside the target, with the permissions that are to be its.
static int open_beside(const struct target *target, char path[PATH_SIZE], int *file)
{
    const char *slash = strrchr(target->path, '/');
    int folder = slash ? (int)(slash + 1 - target->path) : 0;
    for (int i = 0; i < 100; i++) {
        if (snprintf(path, PATH_SIZE, "%.*s.apodkit-%ld-%d.new", folder, target->path,
                     (long)getpid(), i) >= PATH_SIZE)
            return ENAMETOOLONG;
        *file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*file >= 0 || errno != EEXIST) // a process that was killed may have left one
            break;
    }
    if (*file < 0)
        return errno;
    if (!target->exists)
        return 0;
    int error = fchown(*file, target->now.st_uid, target->now.st_gid) == 0 ? 0 : errno;
    if (error == EPERM) // only root gives files away
        error = 0;
    if (!error && fchmod(*file, target->now.st_mode & 0777) != 0)
        error = errno;
    if (error) {
        close(*file);
        (void)unlink(path);
    }
    return error;
}

// Of a folder that takes no new file, as /proc is (ENOENT), the files may be writable. One that was mounted by itself
// cannot be replaced.
static bool is_for_plain(const struct target *target, int error)
{
    return target->exists && (error == EACCES || error == EPERM || error == EROFS ||
                              error == EBUSY || error == ENOENT);
}

// Gives the new file its name. One that must not be there is linked: of several at once, the first has it.
static int give_name(const char *beside, const struct target *target, bool must_be_new)
{
    if (!must_be_new)
        return rename(beside, target->path) == 0 ? 0 : errno;
    if (link(beside, target->path) == 0)
        return unlink(beside) == 0 ? 0 : errno;
    if (errno == EEXIST)
        return errno;
    int claimed =
        open(target->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); // no links here
    if (claimed < 0)
        return errno;
    close(claimed);
    int error = rename(beside, target->path) == 0 ? 0 : errno;
    if (error)
        (void)unlink(target->path);
    return error;
}

static int write_beside(const struct target *target, const char *text, size_t size,
                        bool must_be_new)
{
    char beside[PATH_SIZE];
    int file, error = open_beside(target, beside, &file);
    if (error)
        return error;
    error = write_all(file, text, size);
    if (!error && fsync(file) != 0 && errno != EINVAL)
        error = errno;
    if (close(file) != 0 && !error)
        error = errno;
    if (!error)
        error = give_name(beside, target, must_be_new);
    if (error)
        (void)unlink(beside);
    return error;
}

// Nobody ends the program while there is a file beside the target.
static void hold_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, before);
}

static int replace(const struct target *target, const char *text, size_t size, bool must_be_new)
{
    sigset_t before;
    hold_signals(&before);
    int error = write_beside(target, text, size, must_be_new);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

static int write_target(const struct target *target, const char *text, size_t size)
{
    if (target->standard || target->is_plain)
        return write_plain(target, text, size);
    int error = replace(target, text, size, false);
    return is_for_plain(target, error) ? write_plain(target, text, size) : error;
}

static void ignore(int number)
{
    (void)number;
}

// By a handler, which the programs that are started do not inherit.
void output_survive(int signal)
{
    sigaction(signal, &(struct sigaction){.sa_handler = ignore, .sa_flags = SA_RESTART}, NULL);
}

static int try_plain(const struct target *target)
{
    if (target->standard)
        return (fcntl(target->standard, F_GETFL) & O_ACCMODE) == O_RDONLY ? EBADF : 0;
    int file = open_plain(target->name);
    if (file < 0)
        return errno;
    // The reader of a FIFO must not see its end before there is anything to read, also when the other of the kit's
    // programs goes on in this one's place.
    if (!S_ISFIFO(target->now.st_mode))
        close(file);
    return 0;
}

// Whether there is room for a part of it: as much as a file may have at most.
static int try_room(int file)
{
    static const char zeros[TRIED_BYTES];
    struct rlimit most;
    bool is_less = getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < TRIED_BYTES;
    return write_all(file, zeros, !is_less ? TRIED_BYTES : most.rlim_cur ? most.rlim_cur : 1);
}

static int try_beside(const struct target *target)
{
    char beside[PATH_SIZE];
    sigset_t before;
    hold_signals(&before);
    int file, error = open_beside(target, beside, &file);
    if (!error) {
        error = try_room(file);
        close(file);
        (void)unlink(beside);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

int output_try(const char *name)
{
    struct target target;
    int error = find_target(name, &target);
    if (error)
        return error;
    if (strcmp(name, "-") != 0)
        output_survive(SIGPIPE);
    if (target.standard || target.is_plain)
        return try_plain(&target);
    if (target.exists && faccessat(AT_FDCWD, target.path, W_OK, AT_EACCESS) != 0)
        return errno;
    error = try_beside(&target);
    return is_for_plain(&target, error) ? try_plain(&target) : error;
}

static const char *reason(const char *name, int error)
{
    struct stat file;
    bool unread = error == ENXIO && stat(name, &file) == 0 && S_ISFIFO(file.st_mode);
    return unread           ? "nobody reads from that FIFO"
           : error == EFBIG ? "it is longer than a file may be here (ulimit -f)"
                            : strerror(error);
}

static const char *shown(const char *name)
{
    return strcmp(name, "-") == 0 ? "standard output" : name;
}

bool output_possible(const char *what, const char *name)
{
    int error = output_try(name);
    if (error)
        fprintf(stderr, "apodkit: %s %s: %s\n", what, shown(name), reason(name, error));
    return error == 0;
}

int output_create(const char *name, const char *text, size_t size)
{
    struct target target;
    int error = find_target(name, &target);
    return error ? error : target.exists ? EEXIST : replace(&target, text, size, true);
}

// In a new file of that folder, whose name ends as the wanted one does. Returns whether that went well.
static bool keep_in(const char *folder, const char *name, const char *text, size_t size)
{
    char path[PATH_SIZE];
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    dot = dot ? dot : "";
    if (snprintf(path, sizeof path, "%s/apodkit-XXXXXX%s", folder, dot) >= PATH_SIZE)
        return false;
    int file = mkstemps(path, (int)strlen(dot));
    if (file < 0)
        return false;
    int error = write_all(file, text, size);
    error = close(file) != 0 ? errno : error;
    if (error)
        (void)unlink(path);
    else
        fprintf(stderr, "It is kept in %s.\n", path);
    return !error;
}

void output_keep_elsewhere(const char *what, const char *name, const char *text, size_t size,
                           int error)
{
    const char *folder = getenv("TMPDIR");
    fprintf(stderr, "apodkit: %s %s: %s\n", what, name, reason(name, error));
    if ((folder && *folder && keep_in(folder, name, text, size)) ||
        keep_in("/tmp", name, text, size))
        return;
    fprintf(stderr, "It is kept in no file of /tmp either, and follows on standard output.\n");
    fflush(stdout);
    if ((error = write_all(STDOUT_FILENO, text, size)))
        fprintf(stderr, "apodkit: standard output cannot be written: %s\n", strerror(error));
}

bool output_write(const char *what, const char *name, const char *text, size_t size)
{
    struct target target;
    int error = find_target(name, &target);
    if (!error)
        error = write_target(&target, text, size);
    if (error && strcmp(name, "-") == 0)
        fprintf(stderr, "apodkit: %s %s: %s\n", what, shown(name), strerror(error));
    else if (error)
        output_keep_elsewhere(what, name, text, size, error);
    return error == 0;
}

// Two files that are not there yet are one if they have a folder and a name in common.
static bool is_same_place(const char *one, const char *other)
{
    char folders[2][PATH_SIZE];
    const char *paths[] = {one, other}, *names[2];
    struct stat found[2];
    for (int i = 0; i < 2; i++) {
        const char *slash = strrchr(paths[i], '/');
        names[i] = slash ? slash + 1 : paths[i];
        snprintf(folders[i], PATH_SIZE, "%.*s.", (int)(names[i] - paths[i]), paths[i]);
        if (stat(folders[i], &found[i]) != 0)
            return false;
    }
    return is_same_file(&found[0], &found[1]) && strcmp(names[0], names[1]) == 0;
}

bool output_is_stdout(const char *name)
{
    struct target target;
    return strcmp(name, "-") == 0 ||
           (find_target(name, &target) == 0 && target.standard == STDOUT_FILENO);
}

bool output_is_same(const char *one, const char *other)
{
    struct target a, b;
    if (find_target(one, &a) || find_target(other, &b) || a.exists != b.exists)
        return false;
    if (!a.exists)
        return is_same_place(a.path, b.path);
    bool both_dashes = strcmp(one, "-") == 0 && strcmp(other, "-") == 0;
    return is_same_file(&a.now, &b.now) && (!S_ISCHR(a.now.st_mode) || both_dashes);
}
