// Comma-separated values as RFC 4180 has them, with the line ends of Unix.
#ifndef CSV_H
#define CSV_H

#include "facts/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// What messages say before the file's name (base/output_file.h).
#define CSV_WRITING "writing the CSV to"

// Begins a CSV in memory, one at a time. NULL after a message on standard error.
FILE *csv_begin(void);

// Ends it and writes it to the file, "-" for standard output. False after a message on standard error when not all
// of it could be written.
bool csv_finish(FILE *file, const char *name);

// One field, in double quotes where it needs them, and what comes behind it: a comma or a line's end. It is UTF-8 in
// any locale, harmless (base/untrusted_text.h) but for tabs and line ends; one that a spreadsheet would execute, as it begins
// with = + - @, after blanks or not, a tab or a return, has a ' in front.
void csv_text(FILE *file, const char *text, char behind);

// A whole number; empty for 0, where 0 stands for "none".
void csv_count(FILE *file, size_t count, char behind);

// Two fields: the number, empty when it is unavailable, and its provenance.
void csv_value(FILE *file, const struct value *value, char behind);

// Points with a line of names first: behind each number comes its provenance, and an unavailable number is
// empty (points_csv.c). A comparison, a row a number of each step that both runs have right
// (comparison_csv.c). A trace, a row an activity (trace_csv.c). A lab, a row a point (lab_csv.c). Each with a header,
// and written to the file of that name as by csv_finish().
struct point;
struct run;
struct lab;
struct selection;
struct comparison;
struct trace;
bool write_points_csv(const char *name, const struct point *points, int count,
                      const struct selection *selection);
bool write_lab_csv(const char *name, const struct run *run, const struct lab *lab,
                   const struct selection *watched);
bool write_comparison_csv(const char *name, const struct comparison *comparison);
bool write_trace_csv(const char *name, const struct trace *trace);

#endif
