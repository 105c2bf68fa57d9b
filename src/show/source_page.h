// A source file as it is printed with notes below its lines.
#ifndef SOURCE_PAGE_H
#define SOURCE_PAGE_H

#include "base/source_file.h"
#include "base/source_files.h"
#include "base/style.h"

#include <stdbool.h>
#include <stdio.h>

// The columns that a line's number and its mark take: notes begin after them.
enum { SOURCE_TEXT_COLUMN = 9 };

// Notes, in the order of the files and lines that they are on.
struct source_notes {
    const void *context;
    int count;
    int worst; // the note whose line is marked, or -1

    // Where one is: the file by its place among a page's files, and the line from 1 on; 0 where the code does not say.
    struct source_place {
        int file;
        unsigned line;
    } (*place)(const void *context, int note);
    void (*print)(const void *context, int note); // below the line
};

// Prints the file's lines and the notes on the file at `place`: all lines, or only those with notes. Lines that the
// file does not have, because it was edited or is gone, stand there without their text.
void put_source(FILE *file, const struct style *style, const struct source_file *source, int place,
                bool whole, const struct source_notes *notes);

// Prints the file of a step whole, and of the others among `files` the lines with notes.
void put_sources(FILE *file, const struct style *style, const struct source_file *own,
                 const struct source_files *files, const struct source_notes *notes);

#endif
