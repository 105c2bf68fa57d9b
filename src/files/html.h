// The report: one page of HTML that holds all that it shows (html_*.c make its data, src/files/html/ has its templates).
#ifndef HTML_H
#define HTML_H

#include "facts/run.h"

#include <stdbool.h>

enum { MOST_REPORTED = 2 };

// What a verb wrote as JSON (docs/json.md); NULL where there is none, for this reason.
struct seen_text {
    char *json;
    char why[FAILURE_SIZE];
};

struct html_page {
    int count; // of the runs: one, or two side by side
    const struct run *runs[MOST_REPORTED];
    struct seen_text hotspots, stalls, trace;
};

// Whether a text is what `./run VERB --json` writes: of hotspots, stalls or trace.
bool html_takes(const char *json, const char *verb);

// What messages say before the file's name (base/output_file.h).
#define HTML_WRITING "writing the report to"

// The page as text, which the caller frees; NULL after a message on standard error.
char *html_of_page(const struct html_page *page);

#endif
