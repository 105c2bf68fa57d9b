#include "facts/format.h"
#include "facts/stalls.h"
#include "show/inspection_page.h"
#include "show/source_page.h"

#include <inttypes.h>
#include <stdlib.h>

enum { REASONS_A_LINE = 4 };

// What is not shown: less than this share of the samples, in percent.
static const double least_share = 0.5;

// One step on its way to paper.
struct page {
    FILE *file;
    const struct style *style;
    const struct stall_samples *samples;
    uint64_t total;
    const struct stall_line *worst; // where warps wait most; NULL: nowhere
};

struct share {
    enum stall_reason reason;
    double percent; // of all samples
};

static int by_share(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->percent > y->percent || x->percent < y->percent)
        return x->percent > y->percent ? -1 : 1;
    return (x->reason > y->reason) - (x->reason < y->reason);
}

static double percent_of(uint64_t part, uint64_t total)
{
    return total ? 100.0 * (double)part / (double)total : 0;
}

// The reasons' shares of the kernel's samples, the largest first: on one line, or (NULL) on all.
static void find_shares(const struct page *page, const struct stall_line *line,
                        struct share shares[STALL_REASONS])
{
    for (int i = 0; i < STALL_REASONS; i++) {
        enum stall_reason reason = (enum stall_reason)i;
        uint64_t part = line ? line->samples[i] : stall_samples_of(page->samples, reason);
        shares[i] = (struct share){reason, percent_of(part, page->total)};
    }
    qsort(shares, STALL_REASONS, sizeof *shares, by_share);
}

static void put_share(FILE *file, double percent)
{
    char text[FORMAT_SIZE];
    format_percent(text, percent);
    fprintf(file, "%6s", text);
}

static void put_kernel(const struct page *page)
{
    struct share shares[STALL_REASONS];
    FILE *file = page->file;
    const struct stall_samples *samples = page->samples;
    fprintf(file, "  %" PRIu64 " samples of %d launch%s, every %" PRIu64 " cycles%s\n", page->total,
            samples->launches, samples->launches == 1 ? "" : "es", samples->period,
            page->total ? ". A warp waited" : ": the kernel is too short for more");
    find_shares(page, NULL, shares);
    for (int i = 0; i < STALL_REASONS && shares[i].percent >= least_share; i++) {
        fputs("    ", file);
        put_share(file, shares[i].percent);
        fprintf(file, "  %-19s %s\n", stall_reasons[shares[i].reason].name,
                stall_reasons[shares[i].reason].meaning);
    }
}

static void put_line_shares(const void *context, int number)
{
    const struct page *page = context;
    const struct stall_line *line = &page->samples->lines[number];
    enum tone tone = line == page->worst ? TONE_BAD : TONE_PLAIN;
    struct share shares[STALL_REASONS];
    find_shares(page, line, shares);
    fprintf(page->file, "%*s%s", SOURCE_TEXT_COLUMN, "", tone_start(page->style, tone));
    put_share(page->file, percent_of(stall_line_total(line), page->total));
    for (int i = 0; i < REASONS_A_LINE && shares[i].percent >= least_share; i++) {
        char text[FORMAT_SIZE];
        format_percent(text, shares[i].percent);
        fprintf(page->file, "%s %s %s", i ? "," : ":", stall_reasons[shares[i].reason].name, text);
    }
    fprintf(page->file, "%s\n", tone_end(page->style, tone));
}

static struct source_place place_of(const void *context, int number)
{
    const struct stall_line *line = &((const struct page *)context)->samples->lines[number];
    return (struct source_place){line->file, line->line};
}

static const struct stall_line *worst_line(const struct stall_samples *samples)
{
    const struct stall_line *worst = NULL;
    for (int i = 0; i < samples->count; i++)
        if (stall_line_waiting(&samples->lines[i]) > (worst ? stall_line_waiting(worst) : 0))
            worst = &samples->lines[i];
    return worst;
}

static void put_remarks(const struct page *page)
{
    const struct stall_samples *samples = page->samples;
    if (samples->overflowed)
        fprintf(page->file, "  ! There are more lines than are shown: the rest was not kept.\n");
    if (samples->dropped)
        fprintf(page->file, "  ! The GPU lost %" PRIu64 " samples more.\n", samples->dropped);
    if (!page->worst)
        return;
    struct share shares[STALL_REASONS];
    char text[512];
    find_shares(page, page->worst, shares);
    int most = 0;
    while (shares[most].reason == STALL_SELECTED || shares[most].reason == STALL_NOT_SELECTED)
        most++;
    snprintf(text, sizeof text, "Warps wait most on line %u, %s (%s).", page->worst->line,
             stall_reasons[shares[most].reason].meaning, stall_reasons[shares[most].reason].name);
    put_wrapped(page->file, "  ", text);
}

static void print_step(FILE *file, const struct style *style, const struct inspected *at,
                       const struct source_file *source)
{
    const struct stall_samples *samples = &((const struct stalls_step *)at)->samples;
    print_inspected(file, style, at, source);
    if (at->outcome != VERIFIED) {
        put_wrapped(file, "  ! ", at->complaint);
        return;
    }
    struct page page = {.file = file,
                        .style = style,
                        .samples = samples,
                        .total = stall_samples_total(samples),
                        .worst = worst_line(samples)};
    put_kernel(&page);
    struct source_notes notes = {.context = &page,
                                 .count = samples->count,
                                 .worst = page.worst ? (int)(page.worst - samples->lines) : -1,
                                 .place = place_of,
                                 .print = put_line_shares};
    put_sources(file, style, source, &samples->files, &notes);
    put_remarks(&page);
}

const struct inspection_page stalls_page = {
    .what = "what warps wait for",
    .print_step = print_step,
    .legend =
        "sample: where a warp is, and why it does not issue its next instruction, as the GPU's "
        "schedulers note it every so many cycles. It counts on the line of the instruction that "
        "waits: the one that needs the data, not the one that asked for it. Shares are of the "
        "kernel's samples; under 0.5% they are left out. Waiting does no harm as long as other "
        "warps issue or keep the memory busy.",
};
