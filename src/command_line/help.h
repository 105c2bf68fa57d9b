// What --help prints, and the parts of it that the manual has too (manual.h).
#ifndef HELP_H
#define HELP_H

#include "command_line/verb.h"

// Prints the verb's help to standard output, in at most 100 columns.
void print_help(const struct verb *verb);

enum { LABEL_SIZE = 64, USAGE_SIZE = 256 };

// Appends the option as it is typed, "-n N", "--json FILE" or "--sim[=NAME]", behind a comma if there is one before.
void append_option(char label[LABEL_SIZE], const struct option_row *row);

// "./run VERB WORDS [OPTION...]".
void usage_of(const struct verb *verb, char usage[USAGE_SIZE]);

// On standard error, behind what is wrong with a command line.
void say_where_help_is(const struct verb *verb);

#endif
