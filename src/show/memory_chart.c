// The memory chart: what goes over the ways from the kernel down to DRAM, in at most 80 columns.
#include "facts/memory_ways.h"

#include "facts/format.h"
#include "show/report.h"

enum { NAME_WIDTH = 24, COUNT_WIDTH = -12, BYTES_WIDTH = -11, SHARE_WIDTH = -10 };

// A number with the mark of its provenance, a dash where it is unavailable; nothing where there is none.
static void put_cell(const struct report *report, enum metric metric, const struct value *value,
                     int width)
{
    char text[FORMAT_SIZE] = "";
    if (metric < METRICS)
        format_value(text, metric, value, &report->style);
    put_padded(report->file, text, width);
}

static void put_way(const struct report *report, const struct step_result *step,
                    enum memory_way way)
{
    const struct memory_way_row *row = &memory_ways[way];
    char name[FORMAT_SIZE], bytes_text[FORMAT_SIZE];
    struct value requests = memory_value(step, row->requests),
                 pieces = memory_value(step, row->pieces), bytes = memory_bytes(step, way);
    const char *arrow = row->direction == BOTH   ? style_text(&report->style, "↕", "|")
                        : row->direction == DOWN ? style_text(&report->style, "↓", "v")
                                                 : style_text(&report->style, "↑", "^");
    snprintf(name, sizeof name, "    %s %s", arrow, row->name);
    put_padded(report->file, name, NAME_WIDTH);
    put_cell(report, row->requests, &requests, COUNT_WIDTH);
    put_cell(report, row->pieces, &pieces, COUNT_WIDTH);
    format_value(bytes_text, SHARED_BYTES, &bytes, &report->style);
    put_padded(report->file, bytes_text, BYTES_WIDTH);
    fprintf(report->file, "%s\n", way == WAY_SHARED ? "  (wavefronts)" : "");
}

static void put_unit(const struct report *report, const struct step_result *step,
                     enum memory_unit unit)
{
    const struct memory_unit_row *row = &memory_units[unit];
    struct value hits = memory_value(step, row->hit_rate),
                 busy = memory_value(step, row->utilization);
    fputs("  ", report->file);
    if (unit == UNIT_KERNEL) {
        fprintf(report->file, "%s\n", row->name);
        return;
    }
    put_padded(report->file, row->name, NAME_WIDTH - 2 - 2 * COUNT_WIDTH - BYTES_WIDTH);
    put_cell(report, row->hit_rate, &hits, SHARE_WIDTH);
    put_cell(report, row->utilization, &busy, SHARE_WIDTH);
    fputc('\n', report->file);
}

static void put_reason(void *context, const char *what, const char *why)
{
    const struct report *report = context;
    char text[WHY_SIZE + 64];
    snprintf(text, sizeof text, "%s: %s", what, why);
    put_wrapped(report->file, "  ", text);
}

void report_memory(const struct report *report, const struct step_result *step)
{
    fputs("  ", report->file);
    put_padded(report->file, "Memory, a launch", NAME_WIDTH - 2);
    put_padded(report->file, "requests", COUNT_WIDTH);
    put_padded(report->file, "sectors", COUNT_WIDTH);
    put_padded(report->file, "bytes", BYTES_WIDTH);
    put_padded(report->file, "hit rate", SHARE_WIDTH);
    put_padded(report->file, "of peak", SHARE_WIDTH);
    fputc('\n', report->file);
    for (enum memory_unit unit = 0; unit < MEMORY_UNITS; unit++) {
        for (enum memory_way i = 0; i < MEMORY_WAYS; i++)
            if (memory_ways[i].lower == unit && unit > UNIT_KERNEL && memory_has_way(step, i))
                put_way(report, step, i);
        put_unit(report, step, unit);
    }
    memory_reasons(step, put_reason, (void *)report);
}
