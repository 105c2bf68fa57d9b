// Generated parts that are tables.
#ifndef TABLES_H
#define TABLES_H

#include "blocks.h"
#include "words.h"

bool write_device(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_table(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_bandwidths(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_roof(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_csv(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_micro(const struct words *words, const char *to_root, FILE *out, char *why);

// Names, which no run decides.
bool write_definitions(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_metrics(const struct words *words, const char *to_root, FILE *out, char *why);
bool write_counts(const struct words *words, const char *to_root, FILE *out, char *why);

#endif
