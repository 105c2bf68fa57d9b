#include "command_line/help.h"

#include "base/style.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_WIDTH = 21 };

static void put_row(const char *label, const char *text)
{
    char lead[LABEL_SIZE + 8];
    snprintf(lead, sizeof lead, "  %-*s", LABEL_WIDTH, label);
    put_wrapped(stdout, lead, text);
}

void append_option(char label[LABEL_SIZE], const struct option_row *row)
{
    size_t used = strlen(label);
    const char *value = row->value ? row->value : "";
    snprintf(label + used, LABEL_SIZE - used, "%s%s%s%s%s", used ? ", " : "",
             row->name[1] ? "--" : "-", row->name, *value && *value != '[' ? " " : "", value);
}

static void put_options(const struct option_row *row)
{
    char label[LABEL_SIZE] = "";
    for (; row->name; row++) {
        append_option(label, row);
        if (!row->help)
            continue;
        put_row(label, row->help);
        *label = '\0';
    }
}

static void put_verbs(void)
{
    printf("\nVerbs (each has its own --help)\n");
    for (size_t i = 0; verbs[i]; i++) {
        char label[LABEL_SIZE];
        bool shows = verbs[i]->words == RUN_WORDS || verbs[i]->words == FILE_WORDS;
        const char *takes = shows ? verbs[i]->takes : "";
        snprintf(label, sizeof label, "%s %s", verbs[i]->name, takes);
        put_row(label, verbs[i]->summary);
    }
}

void usage_of(const struct verb *verb, char usage[USAGE_SIZE])
{
    snprintf(usage, USAGE_SIZE, "./run %s%s%s%s[OPTION...]", verb->name ? verb->name : "",
             verb->name ? " " : "", verb->takes ? verb->takes : "", verb->takes ? " " : "");
}

void print_help(const struct verb *verb)
{
    char usage[USAGE_SIZE];
    usage_of(verb, usage);
    put_wrapped(stdout, "Usage: ", usage);
    printf("%s\n", verb->name ? "" : "       ./run VERB ...      see below\n");
    put_wrapped(stdout, "", verb->about);
    putchar('\n');
    put_options(verb->options);
    if (!verb->name)
        put_verbs();
    if (verb->notes) {
        putchar('\n');
        put_wrapped(stdout, "", verb->notes);
    }
}

void say_where_help_is(const struct verb *verb)
{
    fprintf(stderr, "Type `./run %s%s--help` for the options.\n", verb->name ? verb->name : "",
            verb->name ? " " : "");
}
