// What --help prints.
#ifndef HELP_H
#define HELP_H

#include "command_line/verb.h"

// Prints the verb's help to standard output, in at most 100 columns.
void print_help(const struct verb *verb);

// On standard error, behind what is wrong with a command line.
void say_where_help_is(const struct verb *verb);

#endif
