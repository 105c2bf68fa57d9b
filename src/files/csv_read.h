// Reading CSV (RFC 4180) that others wrote: a record at a time, with the place of each field for messages.
#ifndef CSV_READ_H
#define CSV_READ_H

#include <stdbool.h>
#include <stddef.h>

struct csv_field {
    char *text; // in the reader's text
    int column; // of its line, from 1, in bytes
};

struct csv_reader {
    char *rest; // what was not read yet, which is written over
    int line;   // of the record that was read last, from 1
    int next_line;
    bool unclosed; // the last one ends within quotes
};

struct csv_reader csv_reader_of(char *text);

// Reads a record of at most `most` fields (others are left out) and returns how many it has, 0 at the end of the text.
int csv_next(struct csv_reader *reader, struct csv_field *fields, int most);

// Whether the next line begins so; and to leave a line out that is no record.
bool csv_next_begins(const struct csv_reader *reader, const char *start);
bool csv_skip_line(struct csv_reader *reader);

#endif
