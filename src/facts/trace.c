#include "facts/trace.h"

const char *trace_untimed(const struct trace *trace)
{
    const char *why = "nothing was traced";
    for (int i = 0; i < trace->all.count; i++) {
        const struct activities *activities = &trace->steps[i].activities;
        for (int k = 0; k < activities->count; k++)
            if (activities->list[k].timed != UNAVAILABLE)
                return NULL;
        if (*activities->untimed)
            why = activities->untimed;
    }
    return why;
}
