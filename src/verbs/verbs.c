#include "verbs/verbs.h"

#include "base/suggest.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    verb_main *main;
} verbs[] = {
    {"compare", compare_main},     {"explain", explain_main},   {"export", export_main},
    {"history", history_main},     {"hotspots", hotspots_main}, {"metrics", metrics_main},
    {"occupancy", occupancy_main}, {"stalls", stalls_main},     {"sweep", sweep_main},
    {"trace", trace_main},
};

enum { VERBS = sizeof verbs / sizeof *verbs };

verb_main *verb_find(const char *name)
{
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(name, verbs[i].name) == 0)
            return verbs[i].main;
    return NULL;
}

const char *verb_suggest(const char *typed)
{
    const char *names[VERBS];
    for (size_t i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    return suggest(typed, names, VERBS);
}
