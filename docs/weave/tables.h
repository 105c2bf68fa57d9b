// Generated parts that are tables of recorded values.
#ifndef TABLES_H
#define TABLES_H

#include "blocks.h"
#include "words.h"

bool write_device(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_table(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_micro(const struct words *words, const char *to_root, FILE *out, char *why);

#endif
