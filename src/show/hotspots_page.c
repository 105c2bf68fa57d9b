#include "facts/format.h"
#include "facts/hotspots.h"
#include "show/inspection_page.h"
#include "show/source_page.h"

#include <inttypes.h>

enum { WHOLE_NOTE = 104 }; // columns that a note takes in one line

// One step on its way to paper.
struct page {
    FILE *file;
    const struct style *style;
    const struct source_lines *lines;
    struct hotspot_sum sum;
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

static void put_access(const void *context, int number)
{
    const struct page *page = context;
    const struct line_access *access = &page->lines->accesses[number];
    bool worst = access == page->sum.worst;
    const struct style *style = page->style;
    uint64_t excess = line_access_excess(access);
    bool is_narrow = page_width(page->file) < WHOLE_NOTE;
    fprintf(page->file, "%*s%s%-12s %*" PRIu64 " executions %6.1f %-10s each, ideal %4.1f",
            SOURCE_TEXT_COLUMN, "", tone_start(style, worst ? TONE_BAD : TONE_PLAIN),
            line_access_name(access->kind), is_narrow ? 10 : 14, access->executions,
            per_execution(access->passes, access),
            line_access_is_global(access->kind) ? "sectors" : "wavefronts",
            per_execution(access->ideal, access));
    if (excess) {
        char share[FORMAT_SIZE];
        format_percent(share, 100.0 * (double)excess / (double)page->sum.excess);
        if (is_narrow)
            fprintf(page->file, "\n%*s", SOURCE_TEXT_COLUMN, "");
        fprintf(page->file, is_narrow ? "%s of the excess" : " %6s of the excess", share);
    }
    fprintf(page->file, "%s\n", tone_end(style, worst ? TONE_BAD : TONE_PLAIN));
    if (worst)
        put_words(page, access);
}

static struct source_place place_of(const void *context, int number)
{
    const struct line_access *access = &((const struct page *)context)->lines->accesses[number];
    return (struct source_place){access->file, access->line};
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

static void print_step(FILE *file, const struct style *style, const struct inspected *at,
                       const struct source_file *source)
{
    print_inspected(file, style, at, source);
    if (at->outcome != VERIFIED) {
        put_wrapped(file, "  ! ", at->complaint);
        return;
    }
    const struct source_lines *lines = &((const struct hotspot_step *)at)->lines;
    struct page page = {.file = file, .style = style, .lines = lines, .sum = hotspot_sum(lines)};
    struct source_notes notes = {.context = &page,
                                 .count = lines->count,
                                 .worst =
                                     page.sum.worst ? (int)(page.sum.worst - lines->accesses) : -1,
                                 .place = place_of,
                                 .print = put_access};
    put_sources(file, style, source, &lines->files, &notes);
    put_sum(&page);
}

const struct inspection_page hotspots_page = {
    .what = "memory accesses by source line",
    .print_step = print_step,
    .legend = "executions: warp instructions with at least one lane at work. sectors: 32 bytes of "
              "global memory; wavefronts: passes over the 32 banks of shared memory. ideal: the "
              "fewest that hold the bytes that the lanes asked for. excess: sectors and "
              "wavefronts beyond the ideal, each of which counts as one pass.",
};
