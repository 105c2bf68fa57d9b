// JSON, for programs: json*.c write it with cJSON.
#ifndef JSON_H
#define JSON_H

#include "facts/run.h"

#include <stdbool.h>

// Each as JSON text with a newline at its end, as docs/json.md describes it. A value that is unavailable is null. The
// caller frees the text; NULL when memory ran out.
struct comparison;
struct explanation;
struct history;
struct inspection;
struct metric_listing;
struct occupancy_page;
struct point;
struct selection;
struct trace;
struct tunings;
char *json_of_run(const struct run *run);
char *json_of_comparison(const struct comparison *comparison);
char *json_of_explanation(const struct explanation *explanation);
char *json_of_listing(const struct metric_listing *listing);
char *json_of_points(const struct point *points, int count, const struct selection *selection);
char *json_of_history(const struct history *history);
char *json_of_occupancy(const struct occupancy_page *page);
char *json_of_hotspots(const struct inspection *inspection); // of a struct hotspots
char *json_of_stalls(const struct inspection *inspection);   // of a struct stalls
char *json_of_trace(const struct trace *trace);
char *json_of_tunings(const struct tunings *tunings);

// A timeline in Chrome's trace event format (an array), one step behind the other.
char *timeline_of_trace(const struct trace *trace);

// What messages say before the file's name (base/output_file.h).
#define JSON_WRITING "writing the JSON to"

// Writes a text that was just made to the file, "-" for standard output, and frees it; NULL stands for memory that ran
// out. False after a message on standard error.
bool json_finish(const char *file, char *text);

#endif
