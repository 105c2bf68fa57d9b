#include "facts/hotspots.h"

static bool same_line(const struct line_access *a, const struct line_access *b)
{
    return a->file == b->file && a->line == b->line;
}

static uint64_t excess_of_line(const struct source_lines *lines, const struct line_access *on)
{
    uint64_t excess = 0;
    for (int i = 0; i < lines->count; i++)
        if (same_line(&lines->accesses[i], on))
            excess += line_access_excess(&lines->accesses[i]);
    return excess;
}

struct hotspot_sum hotspot_sum(const struct source_lines *lines)
{
    struct hotspot_sum sum = {.worst = NULL};
    for (int i = 0; i < lines->count; i++) {
        const struct line_access *access = &lines->accesses[i];
        uint64_t own = line_access_excess(access), of_line = excess_of_line(lines, access);
        sum.passes += access->passes;
        sum.excess += own;
        bool same = sum.worst && same_line(sum.worst, access);
        if (same ? own > line_access_excess(sum.worst) : of_line > sum.worst_excess) {
            sum.worst = access;
            sum.worst_excess = of_line;
        }
    }
    return sum;
}
