// ./run: the first argument is a verb, or there is none and the steps are run.
#define _POSIX_C_SOURCE 200809L // open
#include "base/output_file.h"
#include "base/platform.h"
#include "base/terminal.h"
#include "command_line/complete.h"
#include "command_line/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A file opened later must not take the place of a standard one that the caller has closed. What is written there
// fails.
static void open_standard_files(void)
{
    int file;
    do
        file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= 2);
    if (file > 2)
        close(file);
}

static int act(int argc, char **argv)
{
    struct options options;
    if (argc > 1 && strcmp(argv[1], "--complete") == 0) {
        complete(argc - 2, argv + 2);
        return EXIT_GOOD;
    }
    switch (options_parse(argc, argv, &options)) {
    case PARSED_DONE:
        return EXIT_GOOD;
    case PARSED_WRONG:
        return EXIT_USAGE;
    case PARSED_RUN:
        break;
    }
    int status = outputs_try(&options);
    return status == EXIT_GOOD ? options.verb->main(&options) : status;
}

int main(int argc, char **argv)
{
    open_standard_files();
    output_survive(SIGXFSZ); // a file that may not grow is an error that can be told
    setlocale(LC_CTYPE, "");
    terminals_guard();
    if (platform.leave_reports)
        platform.leave_reports();
    int status = act(argc, argv);
    errno = 0; // an earlier write may have failed, and why is forgotten
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "apodkit: standard output cannot be written: %s\n",
            errno ? strerror(errno) : "No space left for it, or who read it has closed it");
    return status == EXIT_GOOD ? EXIT_WRONG : status;
}
