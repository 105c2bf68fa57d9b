// Texts from templates, which are files beside this one (src/files/html/), with Mustache's names in double braces
// (mustache.github.io/mustache.5.html), of which this is what the kit needs:
//
//   {{name}}                the string or number of that key, escaped for HTML; {{.}}: the item itself
//   {{#name}}...{{/name}}   for each item of an array; once for an object, a string, a number, or true
//   {{^name}}...{{/name}}   where there is nothing of that: no such key, null, false, "" or an empty array
//   {{>file}}               another template
//
// A key is looked up in the innermost object that has it. Nothing goes out unescaped, so no text from a run or a source
// can become markup.
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

// Writes the template of that name, filled in from an object. False after a message on standard error.
bool template_fill(FILE *file, const char *name, const cJSON *data);

// Writes the text with what HTML would take for markup escaped, and what is not harmless (base/untrusted_text.h) replaced.
void put_escaped(FILE *file, const char *text);

#endif
