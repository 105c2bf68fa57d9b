#include "show/occupancy_page.h"

#include "facts/format.h"

// Two names with their numbers, beside each other where there is room.
static void put_pair(FILE *file, const char *left, const char *number, const char *right,
                     const char *other)
{
    if (page_width(file) >= 91)
        fprintf(file, "  %-31s %8s      %-36s %6s\n", left, number, right, other);
    else if (*left)
        fprintf(file, "  %-36s %8s\n  %-36s %8s\n", left, number, right, other);
    else
        fprintf(file, "  %-36s %8s\n", right, other);
}

static void put_numbers(FILE *file, const char *left, size_t number, const char *right,
                        size_t other)
{
    char texts[2][24];
    snprintf(texts[0], sizeof texts[0], "%zu", number);
    snprintf(texts[1], sizeof texts[1], "%zu", other);
    put_pair(file, left, texts[0], right, texts[1]);
}

static void put_limits(FILE *file, const struct style *style, const struct occupancy_page *page)
{
    const struct sm_limits *sm = &page->sm;
    const struct {
        const char *name;
        size_t number;
    } limits[][2] = {
        {{"Threads per warp", WARP_SIZE}, {"Registers per SM", sm->registers}},
        {{"Warps per SM", sm->warps}, {"Registers per block", sm->registers_per_block}},
        {{"Threads per SM", (size_t)sm->warps * WARP_SIZE},
         {"Registers per thread", sm->registers_per_thread}},
        {{"Blocks per SM", sm->blocks}, {"Register allocation unit, per warp", sm->register_unit}},
        {{"Threads per block", MAX_BLOCK_THREADS},
         {"Warp allocation granularity", sm->warp_granularity}},
        {{"Shared memory per SM (bytes)", sm->shared_bytes},
         {"Shared memory allocation unit", sm->shared_unit}},
        {{"Shared memory per block", sm->shared_per_block},
         {"Reserved of it, per block", sm->shared_reserved}},
    };
    fprintf(file, "%sPhysical limits of compute capability %d.%d%s (%s%s%s)\n",
            tone_start(style, TONE_TITLE), page->major, page->minor, tone_end(style, TONE_TITLE),
            page->family, page->device ? ": " : "", page->device ? page->device : "");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        put_numbers(file, limits[i][0].name, limits[i][0].number, limits[i][1].name,
                    limits[i][1].number);
}

static void put_title(FILE *file, const struct style *style, const struct occupancy_case *at)
{
    const struct step *step = step_find(at->step);
    const char *dot = style_text(style, "·", "-");
    char prefix[STEP_LABEL_SIZE];
    fprintf(file, "\n%s", tone_start(style, TONE_TITLE));
    if (step)
        fprintf(file, "%s%s %s %s", step_prefix(step->number, dot, prefix), stage_name(step->stage),
                dot, step->title);
    else
        fprintf(file, "As given");
    fprintf(file, "%s\n", tone_end(style, TONE_TITLE));
}

static void put_use(FILE *file, const struct occupancy_page *page, const struct occupancy_case *at)
{
    const struct occupancy *occupancy = &at->occupancy;
    char percent[FORMAT_SIZE];
    format_percent(percent, occupancy_percent(&page->sm, occupancy));
    put_numbers(file, "Threads per block", at->needs.threads, "Active threads per SM",
                (size_t)occupancy->blocks * at->needs.threads);
    put_numbers(file,
                at->needs.registers_estimated ? "Registers per thread, estimated"
                                              : "Registers per thread",
                (size_t)at->needs.registers, "Active warps per SM", occupancy->warps);
    put_numbers(file, "Shared memory per block (bytes)", at->needs.shared_bytes,
                "Active blocks per SM", occupancy->blocks);
    put_pair(file, "", "", "Occupancy of each SM", percent);
}

static void put_bounds(FILE *file, const struct style *style, const struct occupancy_page *page,
                       const struct occupancy *occupancy)
{
    const struct sm_limits *sm = &page->sm;
    const struct {
        const char *name;
        size_t of_a_block, of_the_sm;
    } rows[LIMITS] = {
        [LIMIT_WARPS] = {"Warps", occupancy->block_warps, sm->warps},
        [LIMIT_BLOCKS] = {"Blocks", 1, sm->blocks},
        [LIMIT_REGISTERS] = {"Registers", occupancy->block_registers, sm->registers},
        [LIMIT_SHARED] = {"Shared memory (bytes)", occupancy->block_shared, sm->shared_bytes},
    };
    fprintf(file, "\n  %-31s %8s %12s %16s\n", "Allocated", "a block", "an SM has",
            "blocks per SM");
    for (enum occupancy_limit limit = 0; limit < LIMITS; limit++) {
        bool binds = occupancy->bound[limit] == occupancy->blocks;
        const char *mark = style_text(style, "◄ limit", "< limit");
        fprintf(file, "  %-31s %8zu %12zu %s%16u%s%s%s\n", rows[limit].name, rows[limit].of_a_block,
                rows[limit].of_the_sm, tone_start(style, binds ? TONE_BAD : TONE_PLAIN),
                occupancy->bound[limit], binds ? " " : "", binds ? mark : "",
                tone_end(style, binds ? TONE_BAD : TONE_PLAIN));
    }
}

// Why not even one block fits on an SM.
static void put_refusal(FILE *file, const struct sm_limits *sm, const struct occupancy_case *at)
{
    const struct launch_needs *needs = &at->needs;
    fprintf(file, "\n  No block fits, such a launch fails: ");
    switch (at->occupancy.limit) {
    case LIMIT_REGISTERS:
        if ((unsigned)needs->registers > sm->registers_per_thread)
            fprintf(file, "a thread can have %u registers at most.\n", sm->registers_per_thread);
        else
            fprintf(file, "a block can have %u registers at most, and its warps need %u.\n",
                    sm->registers_per_block, at->occupancy.block_registers);
        return;
    case LIMIT_SHARED:
        fprintf(file, "a block can have %zu bytes of shared memory at most.\n",
                sm->shared_per_block);
        return;
    default:
        fprintf(file, "a block can have %d threads at most.\n", MAX_BLOCK_THREADS);
    }
}

void print_occupancy(FILE *file, const struct style *style, const struct occupancy_page *page)
{
    put_limits(file, style, page);
    for (int i = 0; i < page->count; i++) {
        const struct occupancy_case *at = &page->cases[i];
        put_title(file, style, at);
        put_use(file, page, at);
        put_bounds(file, style, page, &at->occupancy);
        if (at->occupancy.blocks == 0)
            put_refusal(file, &page->sm, at);
        put_occupancy_charts(file, style, page, at);
    }
}
