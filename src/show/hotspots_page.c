#include "show/hotspots_page.h"

#include "facts/format.h"
#include "show/inspected.h"
#include "show/source_page.h"

#include <inttypes.h>

// One step on its way to paper.
struct page {
    FILE *file;
    const struct style *style;
    const struct source_lines *lines;
    struct hotspot_sum sum;
};

// The accesses of one file; `place` is its place among the lines' files, -1 when they have none of it.
struct listed {
    const struct page *page;
    int place;
};

static double per_execution(uint64_t passes, const struct line_access *access)
{
    return access->executions ? (double)passes / (double)access->executions : 0;
}

// The words of the 2012 deck's source view, "Global Store L2 Transactions/Access = 32.0". What loads
// move may come out of the L1, and shared memory has wavefronts for transactions.
static void put_words(const struct page *page, const struct line_access *access)
{
    static const char *const words[ACCESS_KINDS] = {
        [GLOBAL_LOAD] = "Global Load Transactions/Access",
        [GLOBAL_STORE] = "Global Store L2 Transactions/Access",
        [GLOBAL_OTHER] = "Global Transactions/Access",
        [SHARED_LOAD] = "Shared Load Wavefronts/Access",
        [SHARED_STORE] = "Shared Store Wavefronts/Access",
        [SHARED_OTHER] = "Shared Wavefronts/Access"};
    const struct style *style = page->style;
    fprintf(page->file, "%*s%s%s %s = %.1f, where %.1f would do%s\n", SOURCE_TEXT_COLUMN, "",
            tone_start(style, TONE_BAD), style_text(style, "└", "`-"), words[access->kind],
            per_execution(access->passes, access), per_execution(access->ideal, access),
            tone_end(style, TONE_BAD));
}

static void put_access(const struct page *page, const struct line_access *access)
{
    bool worst = access == page->sum.worst;
    const struct style *style = page->style;
    uint64_t excess = line_access_excess(access);
    fprintf(page->file, "%*s%s%-12s %14" PRIu64 " executions %6.1f %-10s each, ideal %4.1f",
            SOURCE_TEXT_COLUMN, "", tone_start(style, worst ? TONE_BAD : TONE_PLAIN),
            access_kind_name(access->kind), access->executions,
            per_execution(access->passes, access),
            access_kind_is_global(access->kind) ? "sectors" : "wavefronts",
            per_execution(access->ideal, access));
    if (excess) {
        char share[FORMAT_SIZE];
        format_percent(share, 100.0 * (double)excess / (double)page->sum.excess);
        fprintf(page->file, " %6s of the excess", share);
    }
    fprintf(page->file, "%s\n", tone_end(style, worst ? TONE_BAD : TONE_PLAIN));
    if (worst)
        put_words(page, access);
}

static void put_accesses(const void *context, unsigned line)
{
    const struct listed *listed = context;
    const struct source_lines *lines = listed->page->lines;
    for (int i = 0; i < lines->count; i++)
        if (lines->accesses[i].file == listed->place && lines->accesses[i].line == line)
            put_access(listed->page, &lines->accesses[i]);
}

// The accesses are in the order of their lines.
static unsigned next_line(const void *context, unsigned after)
{
    const struct listed *listed = context;
    const struct source_lines *lines = listed->page->lines;
    for (int i = 0; i < lines->count; i++)
        if (lines->accesses[i].file == listed->place && lines->accesses[i].line > after)
            return lines->accesses[i].line;
    return 0;
}

static void put_file(const void *context, int place, const struct source_file *source, bool whole)
{
    const struct page *page = context;
    struct listed listed = {.page = page, .place = place};
    const struct line_access *worst = page->sum.worst;
    struct source_notes notes = {.context = &listed,
                                 .next = next_line,
                                 .print = put_accesses,
                                 .worst = worst && worst->file == place ? worst->line : 0};
    for (int i = 0; i < page->lines->count; i++)
        if (page->lines->accesses[i].file == place && page->lines->accesses[i].line == 0) {
            fprintf(page->file, "%*s(code without line information)\n", SOURCE_TEXT_COLUMN, "");
            put_accesses(&listed, 0);
            break;
        }
    put_source(page->file, page->style, source, whole, &notes);
}

static void put_sum(const struct page *page)
{
    const struct hotspot_sum *sum = &page->sum;
    if (page->lines->overflowed)
        fprintf(page->file, "  ! There are more lines than are shown: the rest was not kept.\n");
    if (!sum->worst) {
        fprintf(page->file,
                "  No excess: every request moved the least that its lanes' bytes need.\n");
        return;
    }
    char part[FORMAT_SIZE], share[FORMAT_SIZE];
    format_percent(part, 100.0 * (double)sum->excess / (double)sum->passes);
    format_percent(share, 100.0 * (double)sum->worst_excess / (double)sum->excess);
    fprintf(page->file, "  Excess: %" PRIu64 " of %" PRIu64 " passes (%s), %s of it on line %u.\n",
            sum->excess, sum->passes, part, sum->worst_excess == sum->excess ? "all" : share,
            sum->worst->line);
}

void print_hotspots_step(FILE *file, const struct style *style, const struct inspected *at,
                         const struct source_file *source)
{
    print_inspected(file, style, at, source);
    if (at->outcome != VERIFIED) {
        put_wrapped(file, "  ! ", at->complaint);
        return;
    }
    const struct source_lines *lines = &((const struct hotspot_step *)at)->lines;
    struct page page = {.file = file, .style = style, .lines = lines, .sum = hotspot_sum(lines)};
    put_sources(file, source, &lines->files, put_file, &page);
    put_sum(&page);
}

void print_hotspots_device(FILE *file, const struct style *style,
                           const struct inspection *inspection)
{
    const struct device *device = &inspection->device;
    fprintf(file, "%s%s%s%s: memory accesses by source line, n = %zu\n",
            tone_start(style, TONE_TITLE), device->simulated ? "" : "GPU ", device->name,
            tone_end(style, TONE_TITLE), inspection->n);
}

void print_hotspots_legend(FILE *file, const struct inspection *inspection)
{
    (void)inspection; // the words are the same everywhere
    fputc('\n', file);
    put_wrapped(
        file, "",
        "executions: warp instructions with at least one lane at work. sectors: 32 bytes of "
        "global memory; wavefronts: passes over the 32 banks of shared memory. ideal: the "
        "fewest that hold the bytes that the lanes asked for. excess: sectors and "
        "wavefronts beyond the ideal, each of which counts as one pass.");
}
