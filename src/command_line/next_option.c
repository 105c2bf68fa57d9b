#include "command_line/next_option.h"

#include "base/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 };

// The name without the value: "--sim" of "--sim=h200".
static void name_of(const char *typed, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(typed, "="), typed);
}

// Whether the long option takes no argument and has this value.
static bool has_value(const char *name, const struct option *options, int value)
{
    for (; options->name; options++)
        if (options->has_arg == no_argument && options->val == value &&
            strncmp(options->name, name + 2, strlen(name + 2)) == 0)
            return true;
    return false;
}

// getopt_long() takes the start of a name for the whole if no other starts so. Prints the options that
// start with the name, and returns how many.
static int print_starting(const char *name, const struct option *options)
{
    int count = 0;
    for (; options->name; options++)
        if (strncmp(options->name, name + 2, strlen(name + 2)) == 0)
            fprintf(stderr, "%s --%s",
                    count++ ? "," : "apodkit: several options start so:", options->name);
    if (count)
        fprintf(stderr, "\n");
    return count;
}

static void complain(const char *typed, const struct option *options)
{
    char name[NAME_SIZE];
    name_of(typed, name);
    if (optopt) {
        // Of a long option that is known, optopt is its value; then it was given another one.
        bool known = strncmp(typed, "--", 2) == 0 && has_value(name, options, optopt);
        if (known)
            fprintf(stderr, "apodkit: %s takes no value\n", name);
        else
            fprintf(stderr, "apodkit: there is no option '-%c'\n", optopt);
        return;
    }
    if (print_starting(name, options))
        return;
    fprintf(stderr, "apodkit: there is no option '%s'\n", name);
    size_t count = 0;
    while (options[count].name)
        count++;
    const char *meant = suggest(name + 2, &options->name, count, sizeof *options);
    if (meant)
        fprintf(stderr, "Did you mean --%s?\n", meant);
}

int next_option(int argc, char **argv, const char *letters, const struct option *options)
{
    char quiet[NAME_SIZE];
    snprintf(quiet, sizeof quiet, ":%s", letters); // ':' for an option that lacks its value
    opterr = 0;
    int option = getopt_long(argc, argv, quiet, options, NULL);
    if (option == ':')
        fprintf(stderr, "apodkit: %s needs a value\n", argv[optind - 1]);
    else if (option == '?')
        complain(argv[optind - 1], options);
    return option == ':' ? '?' : option;
}
