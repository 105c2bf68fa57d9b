// A source file as it is printed with notes below its lines.
#ifndef SOURCE_PAGE_H
#define SOURCE_PAGE_H

#include "base/source_file.h"
#include "base/source_files.h"
#include "base/style.h"

#include <stdbool.h>
#include <stdio.h>

// The columns that a line's number and its mark take: notes begin after them.
enum { SOURCE_PAGE_WIDTH = 120, SOURCE_TEXT_COLUMN = 9 };

// Notes by line, which is from 1 on.
struct source_notes {
    const void *context;
    unsigned (*next)(const void *context,
                     unsigned after);                  // the first line after it with a note; or 0
    void (*print)(const void *context, unsigned line); // below the line
    unsigned worst;                                    // the line to mark, or 0
};

// Prints the file's lines and their notes: all lines, or only those with notes. Lines that the file does
// not have, because it was edited or is gone, stand there without their text.
void put_source(FILE *file, const struct style *style, const struct source_file *source, bool whole,
                const struct source_notes *notes);

// Prints the file of a step whole, and of the others among `files` the lines with notes, each by `put`: its
// place among the files is -1 for a step's file that is none of them.
void put_sources(FILE *file, const struct source_file *own, const struct source_files *files,
                 void (*put)(const void *context, int place, const struct source_file *source,
                             bool whole),
                 const void *context);

#endif
