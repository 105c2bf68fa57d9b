// ./run: the first argument is a verb, or there is none and the steps are run.
#define _POSIX_C_SOURCE 200809L // open
#include "options.h"
#include "verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
} verbs[] = {
    {"metrics", metrics_main},
    {"occupancy", occupancy_main},
};

// A file opened later must not take the place of a standard one that the caller has closed.
static void open_standard_files(void)
{
    int file;
    do
        file = open("/dev/null", O_RDWR);
    while (file >= 0 && file <= 2);
    if (file > 2)
        close(file);
}

static int run_verb(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(argv[1], verbs[i].name) == 0)
            return verbs[i].main(argc - 1, argv + 1);
    return run_main(argc, argv);
}

int main(int argc, char **argv)
{
    open_standard_files();
    setlocale(LC_CTYPE, "");
    int status = run_verb(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "apodkit: standard output cannot be written: %s\n", strerror(errno));
    return status == EXIT_GOOD ? EXIT_WRONG : status;
}
