// ./run watch: builds and runs again whenever a step's file is saved.
#define _POSIX_C_SOURCE 200809L // stat, struct timespec, setenv
#include "base/child.h"
#include "facts/steps.h"
#include "verbs/run_options.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK_EVERY_MS = 200, MAX_TARGETS = MAX_STEPS + 2, GIVEN_SIZE = 4096 };

// When the file was saved last. One that is not there, as while an editor replaces it, was not saved since.
static void look_at(const char *file, struct timespec *saved)
{
    char path[KIT_PATH_SIZE];
    struct stat found;
    bool is_there =
        file[0] == '/' ? stat(file, &found) == 0 : kit_path(file, path) && stat(path, &found) == 0;
    if (is_there)
        *saved = found.st_mtim;
}

static void look_at_all(struct timespec saved[MAX_STEPS])
{
    for (int i = 0; i < step_count(); i++)
        look_at(step_at(i)->file, &saved[i]);
}

// The file of the step that was saved after `saved` was found, or NULL.
static const char *changed_since(struct timespec saved[MAX_STEPS])
{
    for (int i = 0; i < step_count(); i++) {
        struct timespec now = saved[i];
        look_at(step_at(i)->file, &now);
        if (now.tv_sec != saved[i].tv_sec || now.tv_nsec != saved[i].tv_nsec)
            return step_at(i)->file;
    }
    return NULL;
}

// Whether the program could be started; what came of it, it has said itself.
static bool start(char *const *argv, struct child_end *end)
{
    struct child child;
    fflush(stdout);
    *end = (struct child_end){.error = child_start(argv, STDOUT_FILENO, STDERR_FILENO, &child)};
    if (!end->error)
        child_wait(&child, end);
    if (end->error)
        fprintf(stderr, "apodkit: starting %s: %s\n", argv[0], strerror(end->error));
    return !end->error;
}

// Make shall have the variables that it had on its command line when ./run was made (build/run.given), unless
// those that it inherits do. False after a message.
static bool give_variables(void)
{
    char path[KIT_PATH_SIZE], given[GIVEN_SIZE] = "", flags[2 * GIVEN_SIZE];
    const char *inherited = getenv("MAKEFLAGS");
    FILE *file = kit_path("build/run.given", path) ? fopen(path, "r") : NULL;
    if (file) {
        if (!fgets(given, sizeof given, file))
            *given = '\0'; // none was given
        fclose(file);
    }
    given[strcspn(given, "\n")] = '\0';
    if (!*given || (inherited && strchr(inherited, '=')))
        return true;
    snprintf(flags, sizeof flags, "%.*s -- %s", GIVEN_SIZE, inherited ? inherited : "", given);
    if (setenv("MAKEFLAGS", flags, true) == 0)
        return true;
    fprintf(stderr, "apodkit: watch has no memory for make's variables: end other programs\n");
    return false;
}

// The make that built this program. False when it cannot be started.
static bool build(const char *kit, struct child_end *end)
{
    char command[MAKE_COMMAND_SIZE], *words[MAX_TARGETS + 4] = {"make", "-s", "-C", (char *)kit};
    int count = 4;
    int last = step_at(step_count() - 1)->number;
    rebuild_command(last < OWN_KERNEL ? last : 0, command);
    strtok(command, " "); // the word make
    for (char *word; count < MAX_TARGETS + 3 && (word = strtok(NULL, " "));)
        words[count++] = word;
    return start(words, end);
}

// With the arguments that stand behind the verb.
static bool run(const char *kit, char *const *argv, struct child_end *end)
{
    char path[KIT_PATH_SIZE + 8];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/run", kit);
    while (argv[count + 1])
        count++;
    char **words = calloc(count + 1, sizeof *words);
    if (!words) {
        fprintf(stderr, "apodkit: the host has no memory for the arguments\n");
        return false;
    }
    words[0] = path;
    for (size_t i = 1; i < count; i++)
        words[i] = argv[i + 1];
    bool started = start(words, end);
    free(words);
    return started;
}

static int watch(const struct options *options)
{
    struct timespec saved[MAX_STEPS] = {0};
    struct child_end end;
    char kit[KIT_PATH_SIZE];
    if (!kit_path(".", kit)) {
        fprintf(stderr, "apodkit: watch cannot tell where the kit is\n");
        return EXIT_WRONG;
    }
    if (!give_variables())
        return EXIT_WRONG;
    for (;;) {
        look_at_all(saved); // what is saved while it is built is built again
        if (!build(kit, &end))
            return EXIT_WRONG;
        bool built = !end.signal && end.status == 0;
        if (built && !run(kit, options->argv, &end))
            return EXIT_WRONG;
        printf("\nWatching the steps' files, %s the last: save one%s, or end this with Ctrl-C.\n",
               step_at(step_count() - 1)->file, built ? "" : " that compiles");
        fflush(stdout);
        const char *changed;
        while (!(changed = changed_since(saved)))
            (void)poll(NULL, 0, LOOK_EVERY_MS);
        printf("\n%s was saved.\n", changed);
    }
}

const struct verb watch_verb = {
    .name = "watch",
    .summary = "builds and runs again whenever a step's file is saved",
    .takes = "[STEP...|all]",
    .about = "Builds the steps that this program has and runs them, and again whenever the file of "
             "one is saved, until Ctrl-C. The options are those of ./run.",
    .words = STEP_WORDS,
    .options = run_options,
    .defaults = &run_defaults,
    .check = any_step_is_built,
    .main = watch,
};
