#define _POSIX_C_SOURCE 200809L // getline, setenv
#include "command_line/stale_program.h"

#include "base/source_file.h"
#include "base/style.h"
#include "facts/steps.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3, NAMES_SIZE = 512 };

static const char SAID[] = "APODKIT_STALE_SAID";

struct changed {
    bool settings; // what make was given: it began to build another program, and did not finish
    int count;
    char names[NAMES_SIZE]; // the first of them: "src/a.c, src/b.c"
};

static void look_at(struct changed *changed, const char *name)
{
    if (source_file_find(name).state != SOURCE_EDITED)
        return;
    if (strstr(name, ".flags")) {
        changed->settings = true;
        return;
    }
    if (changed->count++ >= SHOWN)
        return;
    size_t used = strlen(changed->names);
    snprintf(changed->names + used, NAMES_SIZE - used, "%s%s", used ? ", " : "", name);
}

static void look_at_all(struct changed *changed, FILE *list)
{
    char *name = NULL;
    size_t size = 0;
    while (getline(&name, &size, list) > 0) {
        name[strcspn(name, "\n")] = '\0';
        look_at(changed, name);
    }
    free(name);
}

// Data in standard output: "--json -", "--csv=-".
static bool writes_data(char *const *argv)
{
    for (int i = 1; argv[i]; i++) {
        size_t length = strlen(argv[i]);
        if (strcmp(argv[i], "-") == 0 || (length > 1 && strcmp(argv[i] + length - 2, "=-") == 0))
            return true;
    }
    return false;
}

static void say(FILE *file, const struct changed *changed)
{
    char command[MAKE_COMMAND_SIZE], more[32] = "", text[NAMES_SIZE + MAKE_COMMAND_SIZE + 200] = "";
    size_t used = 0;
    rebuild_command(0, command);
    if (changed->count > SHOWN)
        snprintf(more, sizeof more, " and %d more", changed->count - SHOWN);
    if (changed->count > 0)
        used = (size_t)snprintf(text, sizeof text, "changed after this program was built: %s%s.\n",
                                changed->names, more);
    if (changed->settings)
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "a later make was to build another program, and did not finish.\n");
    snprintf(text + used, sizeof text - used,
             "What follows is of the program as it was; `%s` builds it anew.", command);
    put_wrapped(file, "note: ", text);
    fflush(file); // before what others write
}

void stale_note(char *const *argv)
{
    char path[KIT_PATH_SIZE];
    FILE *list = getenv(SAID) || !program_list_path(path) ? NULL : fopen(path, "r");
    if (!list)
        return;
    struct changed changed = {0};
    look_at_all(&changed, list);
    fclose(list);
    if (changed.count == 0 && !changed.settings)
        return;
    say(writes_data(argv) ? stderr : stdout, &changed);
    setenv(SAID, "1", 1);
}
