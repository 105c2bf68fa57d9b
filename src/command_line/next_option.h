// getopt_long() with the kit's messages: what was mistyped, and what may have been meant.
#ifndef NEXT_OPTION_H
#define NEXT_OPTION_H

#include <getopt.h>

// As getopt_long(): the next option's value, -1 behind the last, '?' after a message on standard error.
// `letters` holds the short options ("n:h").
int next_option(int argc, char **argv, const char *letters, const struct option *options);

#endif
