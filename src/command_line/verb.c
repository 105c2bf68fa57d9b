#include "command_line/verb.h"

#include "base/suggest.h"

#include <string.h>

extern const struct verb compare_verb, explain_verb, export_verb, history_verb, hotspots_verb,
    import_verb, lab_verb, metrics_verb, occupancy_verb, progress_verb, report_verb, stalls_verb,
    sweep_verb, trace_verb, tune_verb, watch_verb;

const struct verb *const verbs[] = {
    &compare_verb, &explain_verb, &export_verb,  &history_verb,   &hotspots_verb,
    &import_verb,  &lab_verb,     &metrics_verb, &occupancy_verb, &progress_verb,
    &report_verb,  &stalls_verb,  &sweep_verb,   &trace_verb,     &tune_verb,
    &watch_verb,   NULL};

const struct verb *verb_find(const char *name)
{
    for (size_t i = 0; verbs[i]; i++)
        if (strcmp(name, verbs[i]->name) == 0)
            return verbs[i];
    return NULL;
}

const char *verb_suggest(const char *typed)
{
    const char *names[sizeof verbs / sizeof *verbs];
    size_t count = 0;
    for (; verbs[count]; count++)
        names[count] = verbs[count]->name;
    return suggest(typed, names, count, sizeof *names);
}
