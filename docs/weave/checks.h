// What must hold of a document, apart from its generated parts being up to date.
#ifndef CHECKS_H
#define CHECKS_H

#include "document.h"

// Each complains about every line that is wrong and returns how many complaints there were.

// Of a document with generated parts: every measured figure in its prose (a time, rate, share or ratio)
// stands in a generated part or is the result of a line of worked arithmetic, in the same section or
// before; worked arithmetic comes out; and code in backquotes with an index in it is in a step's file.
//
// A block fenced with ```worked holds one sum a line: "what it is  7 x 6 = 42", the words in front set off
// by two blanks.
int check_figures(const struct document *document);
int check_code(const struct document *document);

// In a section "Troubleshooting", what stands in backquotes in the first cell of a table's row is in the
// sources: whole, or in pieces with " ... " between them for what differs.
int check_messages(const struct document *document);

// Every relative link leads to a file that is there, and to a section of it or lines that it has.
int check_links(const struct document *document);

#endif
