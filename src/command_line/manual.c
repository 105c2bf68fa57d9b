#include "command_line/manual.h"

#include "command_line/help.h"
#include "command_line/verb.h"
#include "facts/version.h"

#include <stdio.h>

// As roff takes it: a backslash or a dash is not its own, and a line that begins like a request is text.
static void put_roff(const char *text)
{
    for (bool begins = true; *text; begins = *text++ == '\n') {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        if (*text == '\n' && text[1] != '\n')
            puts(".br");
    }
    putchar('\n');
}

static void put_paragraph(const char *text)
{
    if (!text)
        return;
    puts(".PP");
    put_roff(text);
}

static void put_options(const struct option_row *row)
{
    char label[LABEL_SIZE] = "";
    for (; row->name; row++) {
        append_option(label, row);
        if (!row->help)
            continue;
        printf(".TP\n.B ");
        put_roff(label);
        put_roff(row->help);
        *label = '\0';
    }
}

static void put_usage(const struct verb *verb)
{
    char usage[USAGE_SIZE];
    usage_of(verb, usage);
    printf(".PP\n.B ");
    put_roff(usage);
}

void print_manual(void)
{
    printf(".TH APODKIT 1 \"\" \"apodkit " KIT_VERSION "\" \"apodkit\"\n"
           ".SH NAME\nrun \\- profile\\-guided GPU optimisation, on the matrix transpose\n"
           ".SH SYNOPSIS\n");
    put_usage(&run_verb);
    for (size_t i = 0; verbs[i]; i++)
        put_usage(verbs[i]);
    puts(".SH DESCRIPTION");
    put_paragraph(run_verb.about);
    puts(".SH OPTIONS");
    put_options(run_verb.options);
    puts(".SH VERBS");
    for (size_t i = 0; verbs[i]; i++) {
        printf(".SS ");
        put_roff(verbs[i]->name);
        put_usage(verbs[i]);
        put_paragraph(verbs[i]->about);
        put_options(verbs[i]->options);
        put_paragraph(verbs[i]->notes);
    }
    puts(".SH NOTES");
    put_paragraph(run_verb.notes);
}
