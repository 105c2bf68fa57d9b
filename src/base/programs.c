#define _POSIX_C_SOURCE 200809L // readlink, fileno
#include "base/programs.h"

#include "base/child.h"
#include "base/memory_file.h"
#include "base/platform.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char SELF[] = "/proc/self/exe";

// Where the program lies, or lay before a `make` beside it put a new one there.
static bool own_path(char self[4096])
{
    static const char deleted[] = " (deleted)";
    ssize_t length = readlink(SELF, self, 4096 - 1), rest = length - (ssize_t)strlen(deleted);
    if (length < 0)
        return false;
    self[length] = '\0';
    if (rest > 0 && strcmp(self + rest, deleted) == 0)
        self[rest] = '\0';
    return true;
}

bool kit_path(const char *inside, char path[KIT_PATH_SIZE])
{
    char self[4096];
    if (!own_path(self))
        return false;
    for (int i = 0; i < 3; i++) { // from build/gpu/run up
        char *slash = strrchr(self, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    return snprintf(path, KIT_PATH_SIZE, "%s/%s", self, inside) < KIT_PATH_SIZE;
}

bool program_list_path(char path[KIT_PATH_SIZE])
{
    char self[4096];
    return own_path(self) && snprintf(path, KIT_PATH_SIZE, "%s.sources", self) < KIT_PATH_SIZE;
}

bool program_path(bool simulated, char path[KIT_PATH_SIZE])
{
    if (simulated == platform.simulated)
        return snprintf(path, KIT_PATH_SIZE, "%s", SELF) > 0; // this one, also where a new one lies
    return kit_path(simulated ? "build/sim/run" : "build/gpu/run", path) && access(path, X_OK) == 0;
}

// What the program wrote, and one byte more than is expected if it is too much.
static size_t read_output(FILE *output, char *text, size_t most)
{
    rewind(output);
    size_t used = fread(text, 1, most + 1, output);
    text[used] = '\0';
    return used;
}

// Whether something happens to the child within that many seconds.
static bool stirs_within(const struct child *child, int seconds)
{
    struct pollfd events = {.fd = child->events, .events = POLLIN};
    return seconds == 0 || poll(&events, 1, 1000 * seconds) != 0;
}

char *program_output(char *const *argv, size_t most, int limit_s, int *status)
{
    bool late = false;
    struct child_end end = {0};
    struct child child;
    FILE *output = memory_file();
    char *text = malloc(most + 2);
    end.error = !output ? errno
                : !text ? ENOMEM
                        : child_start(argv, fileno(output), STDERR_FILENO, &child);
    if (!end.error && (late = !stirs_within(&child, limit_s)))
        child_close(&child);
    else if (!end.error)
        child_wait(&child, &end);
    size_t used = end.error || late ? 0 : read_output(output, text, most);
    bool good = !end.error && !late && !end.signal && used <= most;
    *status = end.error ? *status : late ? EXIT_TOO_LATE : end.signal ? -1 : end.status;
    if (end.error)
        fprintf(stderr, "apodkit: starting %s: %s\n", argv[0], strerror(end.error));
    else if (!good && !late)
        fprintf(stderr, "apodkit: %s %s\n", argv[0],
                used > most ? "wrote more than is expected of it" : "was ended by a signal");
    if (output)
        fclose(output);
    if (good)
        return text;
    free(text);
    return NULL;
}
