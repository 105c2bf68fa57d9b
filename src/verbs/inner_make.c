#define _GNU_SOURCE // unsetenv, sysconf
#include "verbs/inner_make.h"

#include "base/programs.h"
#include "base/progress.h"
#include "verbs/build_lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool run_make(const char *const *words, const char *kit, struct child_end *end)
{
    char jobs[32];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const char *argv[MOST_MAKE_WORDS + 6] = {"make", "-s", jobs, "-C", kit};
    snprintf(jobs, sizeof jobs, "-j%ld", cores > 0 ? cores : 1);
    for (int i = 0; i < MOST_MAKE_WORDS && words[i]; i++)
        argv[5 + i] = words[i];
    return child_run((char *const *)argv, end); // execv() changes none of them
}

bool inner_make(const char *const *words, struct child_end *end)
{
    // A make that this program runs under has its own options and variables.
    static const char *const inherited[] = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"};
    char kit[KIT_PATH_SIZE];
    *end = (struct child_end){.error = ENOENT};
    for (size_t i = 0; i < sizeof inherited / sizeof *inherited; i++)
        unsetenv(inherited[i]);
    int lock = build_lock();
    bool good = kit_path(".", kit) && run_make(words, kit, end);
    if (lock >= 0)
        close(lock);
    if (end->error) {
        progress_wipe();
        fprintf(stderr,
                "apodkit: make cannot be started: %s. What is built otherwise than ./run needs it, "
                "because it is a program of its own. `./setup.sh` installs make on Debian and "
                "Ubuntu.\n",
                strerror(end->error));
    }
    return good;
}
