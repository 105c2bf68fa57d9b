// Stands in for json.c where cJSON is missing, as on a cluster without root.
#include "files/json.h"

#include "files/run_read.h"
#include "show/hotspots_page.h"
#include "show/occupancy_page.h"
#include "show/stalls_page.h"
#include "show/trace_page.h"
#include "verbs/history.h"

#include <stddef.h>
#include <stdio.h>

const char *json_missing(void)
{
    return "this program was built without cJSON. Install it (Debian, Ubuntu: apt install "
           "libcjson-dev; Fedora: dnf install cjson-devel), or point PKG_CONFIG_PATH at its "
           "libcjson.pc, and build again.";
}

char *json_of_run(const struct run *run)
{
    (void)run;
    return NULL;
}

char *json_of_comparison(const struct comparison *comparison)
{
    (void)comparison;
    return NULL;
}

char *json_of_history(const struct history *history)
{
    (void)history;
    return NULL;
}

char *json_of_explanation(const struct explanation *explanation)
{
    (void)explanation;
    return NULL;
}

bool run_parse(const char *text, struct run *run, char why[RUN_WHY_SIZE])
{
    (void)text;
    (void)run;
    snprintf(why, RUN_WHY_SIZE, "%s", json_missing());
    return false;
}

char *json_of_hotspots(const struct inspection *inspection)
{
    (void)inspection;
    return NULL;
}

char *json_of_stalls(const struct inspection *inspection)
{
    (void)inspection;
    return NULL;
}

char *json_of_listing(const struct metric_listing *listing)
{
    (void)listing;
    return NULL;
}

char *json_of_occupancy(const struct occupancy_page *page)
{
    (void)page;
    return NULL;
}

char *json_of_points(const struct point *points, int count, const struct selection *selection)
{
    (void)points;
    (void)count;
    (void)selection;
    return NULL;
}

char *json_of_trace(const struct trace *trace)
{
    (void)trace;
    return NULL;
}

char *timeline_of_trace(const struct trace *trace)
{
    (void)trace;
    return NULL;
}
