// ./run: the first argument is a verb, or there is none and the steps are run.
#define _POSIX_C_SOURCE 200809L // open
#include "verbs/options.h"
#include "verbs/verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    verb_main *verb = argc > 1 ? verb_find(argv[1]) : NULL;
    return verb ? verb(argc - 1, argv + 1) : run_main(argc, argv);
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
