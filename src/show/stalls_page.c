#include "base/untrusted_text.h"
#include "facts/format.h"
#include "facts/stalls.h"
#include "show/inspection_page.h"
#include "show/source_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REASONS_A_LINE = 3, SHARE_SIZE = FORMAT_SIZE + 1, CAUSE_SIZE = 64 };

// What is not shown: less than this share of the samples, in percent.
static const double least_share = 0.5;

// One step on its way to paper.
struct page {
    FILE *file;
    const struct style *style;
    const struct stall_samples *samples;
    uint64_t total;
    const struct stall_line *worst; // where warps wait most; NULL: nowhere
    const char *mark;               // before a share: "~" where it is predicted
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

// "~57.9%", with a mark where it is predicted.
static void format_share(const struct page *page, char text[SHARE_SIZE], double percent)
{
    char number[FORMAT_SIZE];
    format_percent(number, percent);
    snprintf(text, SHARE_SIZE, "%s%s", *number == '<' ? "" : page->mark, number);
}

static void put_share(const struct page *page, double percent)
{
    char text[SHARE_SIZE];
    format_share(page, text, percent);
    fprintf(page->file, "%6s", text);
}

static void put_samples(const struct page *page)
{
    const struct stall_samples *samples = page->samples;
    if (samples->is_modelled)
        fputs("  As the timing model has it, of the cycles of an SM's warps. A warp waited\n",
              page->file);
    else
        fprintf(page->file, "  %" PRIu64 " samples of %d launch%s, every %" PRIu64 " cycles%s\n",
                page->total, samples->launches, samples->launches == 1 ? "" : "es", samples->period,
                page->total ? ". A warp waited" : ": the kernel is too short for more");
}

static void put_kernel(const struct page *page)
{
    struct share shares[STALL_REASONS];
    FILE *file = page->file;
    put_samples(page);
    find_shares(page, NULL, shares);
    for (int i = 0; i < STALL_REASONS && shares[i].percent >= least_share; i++) {
        fputs("    ", file);
        put_share(page, shares[i].percent);
        fprintf(file, "  %-19s %s\n", stall_reasons[shares[i].reason].name,
                stall_reasons[shares[i].reason].meaning);
    }
}

// "because of line 7", with its file where that is another one.
static void name_cause(const struct page *page, const struct stall_cause *cause, char *text,
                       size_t size)
{
    char file[LINE_FILE_SIZE];
    snprintf(text, size, "because of line %u", cause->cause_line);
    if (cause->cause_file == cause->file)
        return;
    foreign_copy(file, sizeof file, page->samples->files.names[cause->cause_file]);
    const char *slash = strrchr(file, '/');
    size_t used = strlen(text);
    snprintf(text + used, size - used, " of %s", slash ? slash + 1 : file);
}

static void put_causes(const struct page *page, const struct stall_line *line)
{
    int first, count = stall_line_causes(page->samples, line, &first);
    for (int i = first; i < first + count; i++) {
        const struct stall_cause *cause = &page->samples->causes[i];
        char share[SHARE_SIZE], because[CAUSE_SIZE];
        double percent = percent_of(cause->samples, page->total);
        if (percent < least_share)
            continue;
        format_share(page, share, percent);
        name_cause(page, cause, because, sizeof because);
        fprintf(page->file, "%*s%s %s %s %s\n", SOURCE_TEXT_COLUMN, "",
                style_text(page->style, "└", "`-"), stall_reasons[cause->reason].name, share,
                because);
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
    put_share(page, percent_of(stall_line_total(line), page->total));
    for (int i = 0; i < REASONS_A_LINE && shares[i].percent >= least_share; i++) {
        char text[SHARE_SIZE];
        format_share(page, text, shares[i].percent);
        fprintf(page->file, "%s %s %s", i ? "," : ":", stall_reasons[shares[i].reason].name, text);
    }
    fprintf(page->file, "%s\n", tone_end(page->style, tone));
    put_causes(page, line);
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
    char text[512], because[CAUSE_SIZE] = "";
    find_shares(page, page->worst, shares);
    int most = 0, first, count = stall_line_causes(samples, page->worst, &first);
    while (shares[most].reason == STALL_SELECTED || shares[most].reason == STALL_NOT_SELECTED)
        most++;
    enum stall_reason reason = shares[most].reason;
    for (int i = first; !*because && i < first + count; i++)
        if (samples->causes[i].reason == reason)
            name_cause(page, &samples->causes[i], because, sizeof because);
    snprintf(text, sizeof text, "Warps wait most on line %u, %s (%s)%s%s.", page->worst->line,
             stall_reasons[reason].meaning, stall_reasons[reason].name, *because ? ", " : "",
             because);
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
                        .mark = samples->is_modelled ? provenance_mark(MODELLED) : "",
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
        "A wait counts on the line of the instruction that waits: the one that needs the data, not "
        "the one that asked for it. because of: the line of the load, the barrier or the last "
        "store that is waited for. Shares are of the kernel's samples; under 0.5% they are left "
        "out. Waiting does no harm as long as other warps issue or keep the memory busy.",
    .legend_of_gpu = "sample: where a warp is, and why it does not issue its next instruction, as "
                     "the GPU's schedulers note it every so many cycles.",
    .legend_of_sim = "~: predicted by the timing model, which knows at each cycle what a warp "
                     "waits for: each is a sample. It has no instruction or constant to fetch.",
};
