// Generated parts that are text from elsewhere: a step's code, a command's output, a run's panel.
#ifndef EXCERPTS_H
#define EXCERPTS_H

#include "blocks.h"
#include "words.h"

bool write_code(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_output(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_panel(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_summary(const struct words *words, const char *to_root, FILE *out, char *why);

#endif
