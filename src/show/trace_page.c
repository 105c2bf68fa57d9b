#include "facts/format.h"
#include "facts/trace.h"
#include "show/inspection_page.h"

#include <inttypes.h>
#include <string.h>

enum {
    START_WIDTH = 10,
    DURATION_WIDTH = 10,
    GRID_WIDTH = 16,
    BLOCK_WIDTH = 11,
    REGISTERS_WIDTH = 5,
    MEMORY_WIDTH = 10,
    RATE_WIDTH = 8,
    STREAM_WIDTH = 7,
    LEAST_NAME_WIDTH = 8,
    MOST_SMS_A_LINE = 32
};

// What is left out where the page is narrow.
static bool has_room_for_memory(FILE *file)
{
    return page_width(file) >= PAGE_WIDTH;
}

static bool has_room_for_grid(FILE *file)
{
    return page_width(file) >= 76;
}

static int name_width(FILE *file)
{
    int used = 2 + START_WIDTH + DURATION_WIDTH + MEMORY_WIDTH + RATE_WIDTH;
    if (has_room_for_grid(file))
        used += GRID_WIDTH + BLOCK_WIDTH;
    if (has_room_for_memory(file))
        used += REGISTERS_WIDTH + 2 * MEMORY_WIDTH + STREAM_WIDTH;
    int left = bounded_page_width(file) - used;
    return left < LEAST_NAME_WIDTH ? LEAST_NAME_WIDTH : left;
}

// A column, with a blank before it even where the text is too wide.
static void put(FILE *file, const char *text, int width)
{
    fputc(' ', file);
    put_padded(file, text, 1 - width);
}

// A prediction has its mark, and what is unavailable a dash.
static void put_marked(FILE *file, const struct style *style, enum provenance provenance,
                       const char *text, int width)
{
    char marked[FORMAT_SIZE + 16];
    snprintf(marked, sizeof marked, "%s%s", provenance_mark(provenance), text);
    put(file, provenance == UNAVAILABLE ? style_dash(style) : marked, width);
}

static void put_memory(FILE *file, const struct activity *activity)
{
    char text[FORMAT_SIZE], marked[FORMAT_SIZE];
    snprintf(marked, sizeof marked, "%s%d",
             activity->registers_estimated ? provenance_mark(MODELLED) : "", activity->registers);
    put(file, marked, REGISTERS_WIDTH);
    format_bytes(text, activity->static_shared);
    put(file, activity->static_shared ? text : "0", MEMORY_WIDTH);
    format_bytes(text, activity->dynamic_shared);
    put(file, activity->dynamic_shared ? text : "0", MEMORY_WIDTH);
}

static void put_kernel(FILE *file, const struct activity *activity)
{
    char text[FORMAT_SIZE];
    format_dimensions(text, activity->grid);
    if (has_room_for_grid(file))
        put(file, text, GRID_WIDTH);
    format_dimensions(text, activity->block);
    if (has_room_for_grid(file))
        put(file, text, BLOCK_WIDTH);
    if (has_room_for_memory(file))
        put_memory(file, activity);
    put(file, "", MEMORY_WIDTH + RATE_WIDTH);
}

static void put_transfer(FILE *file, const struct style *style, const struct activity *activity)
{
    char text[FORMAT_SIZE];
    if (has_room_for_grid(file))
        put(file, "", GRID_WIDTH + BLOCK_WIDTH);
    if (has_room_for_memory(file))
        put(file, "", REGISTERS_WIDTH + 2 * MEMORY_WIDTH);
    format_bytes(text, activity->bytes);
    put(file, text, MEMORY_WIDTH);
    double gbs = activity_gbs(activity);
    format_number(text, gbs);
    put_marked(file, style, gbs > 0 ? activity->timed : UNAVAILABLE, text, RATE_WIDTH);
}

// A kernel's name without its parameters, cut where the page ends.
static void put_name(FILE *file, const struct activities *activities,
                     const struct activity *activity)
{
    char name[FUNCTION_NAME_SIZE], cut[FUNCTION_NAME_SIZE] = "";
    activity_name(activities, activity, name);
    if (activity->kind == ACTIVITY_KERNEL)
        name[strcspn(name, "(")] = '\0';
    int width = name_width(file);
    bool fits = text_width(name) <= width;
    text_append(cut, sizeof cut, name, fits ? width : width - 3);
    fprintf(file, "  %s%s\n", cut, fits ? "" : "...");
}

static void put_activity(FILE *file, const struct style *style, const struct activities *activities,
                         const struct activity *activity)
{
    char text[FORMAT_SIZE];
    snprintf(text, sizeof text, "%.4f", activity->start_ns * 1e-6);
    put_marked(file, style, activity->timed, text, START_WIDTH);
    format_duration(text, activity->duration_ns * 1e-6, style);
    put_marked(file, style, activity->timed, text, DURATION_WIDTH);
    if (activity->kind == ACTIVITY_KERNEL)
        put_kernel(file, activity);
    else
        put_transfer(file, style, activity);
    snprintf(text, sizeof text, "%u", activity->stream);
    if (has_room_for_memory(file))
        put(file, text, STREAM_WIDTH);
    put_name(file, activities, activity);
}

static void put_header(FILE *file)
{
    put(file, "Start/ms", START_WIDTH);
    put(file, "Duration", DURATION_WIDTH);
    if (has_room_for_grid(file)) {
        put(file, "Grid Size", GRID_WIDTH);
        put(file, "Block Size", BLOCK_WIDTH);
    }
    if (has_room_for_memory(file)) {
        put(file, "Regs", REGISTERS_WIDTH);
        put(file, "SSMem", MEMORY_WIDTH);
        put(file, "DSMem", MEMORY_WIDTH);
    }
    put(file, "Size", MEMORY_WIDTH);
    put(file, "GB/s", RATE_WIDTH);
    if (has_room_for_memory(file))
        put(file, "Stream", STREAM_WIDTH);
    fputs("  Name\n", file);
}

// The rows, each phase's below its name.
static void put_activities(FILE *file, const struct style *style,
                           const struct activities *activities)
{
    const char *phase = NULL;
    put_header(file);
    for (int i = 0; i < activities->count; i++) {
        const struct activity *activity = &activities->list[i];
        const char *of = activity_phase(activities, activity);
        if (!phase || strcmp(phase, of) != 0)
            fprintf(file, "%s%s%s\n", tone_start(style, TONE_FAINT), *of ? of : "no phase",
                    tone_end(style, TONE_FAINT));
        phase = of;
        put_activity(file, style, activities, activity);
    }
    if (*activities->untimed) {
        char text[WHY_SIZE + 32];
        snprintf(text, sizeof text, "Without times: %s.", activities->untimed);
        put_wrapped(file, "  ! ", text);
    }
    if (activities->lost > 0)
        fprintf(file, "  ! There was no room for %zu more: fewer --reps make fewer.\n",
                activities->lost);
}

static void put_blocks_list(FILE *file, const struct sm_blocks *blocks)
{
    enum { LEAD_WIDTH = 11 };
    int width = snprintf(NULL, 0, " %" PRIu64, blocks->most);
    int a_line = (bounded_page_width(file) - LEAD_WIDTH) / width / 4 * 4;
    if (a_line > MOST_SMS_A_LINE)
        a_line = MOST_SMS_A_LINE;
    for (int sm = 0; sm < blocks->sms; sm++) {
        if (sm % a_line == 0)
            fprintf(file, "%s    SM %3d:", sm ? "\n" : "", sm);
        fprintf(file, "%*" PRIu64, width, blocks->of_sm[sm]);
    }
    fputc('\n', file);
}

// "Blocks per SM (sm_cta_launched): 1024 on 132 SMs, 7 to 8 each, 7.758 on average", and the list where each SM's are known.
static void put_blocks(FILE *file, const struct sm_blocks *blocks)
{
    if (blocks->provenance == UNAVAILABLE) {
        char text[FAILURE_SIZE + 64];
        snprintf(text, sizeof text, "Blocks per SM (sm_cta_launched) are unavailable: %s",
                 blocks->why);
        put_wrapped(file, "  ", text);
        return;
    }
    char average[FORMAT_SIZE], text[FORMAT_SIZE + 160];
    format_number(average, (double)blocks->launched / blocks->sms);
    snprintf(text, sizeof text,
             "  Blocks per SM (sm_cta_launched): %" PRIu64 " on %d SMs, %s%" PRIu64 " to %" PRIu64
             " each, %s on average\n",
             blocks->launched, blocks->sms, provenance_mark(blocks->provenance), blocks->least,
             blocks->most, average);
    put_text(file, text);
    if (!*blocks->why)
        put_blocks_list(file, blocks);
}

static void print_step(FILE *file, const struct style *style, const struct inspected *at,
                       const struct source_file *source)
{
    const struct traced_step *traced = (const struct traced_step *)at;
    print_inspected(file, style, at, source);
    if (at->outcome != VERIFIED) {
        fputs(tone_start(style, TONE_BAD), file);
        put_wrapped(file, "  ! ", at->complaint);
        fputs(tone_end(style, TONE_BAD), file);
    }
    if (traced->activities.count > 0)
        put_activities(file, style, &traced->activities);
    if (at->outcome == VERIFIED)
        put_blocks(file, &traced->blocks);
}

const struct inspection_page trace_page = {
    .what = "every copy, fill and kernel",
    .print_step = print_step,
    .legend = "Start: since the step's beginning, on its own clock. Regs: registers a thread. "
              "SSMem, DSMem: static and dynamic shared memory a block. GB/s: throughput, size over "
              "duration, in 1e9 bytes a second. Above the rows stands the phase of the run that "
              "asked for them, an NVTX range.",
    .legend_of_gpu = "Times are those of CUPTI's activity records. Blocks were counted in launches "
                     "of their own: CUPTI says those of the busiest and of the idlest SM.",
    .legend_of_sim =
        "~ is before what the model predicts, a kernel's time being that of its launch, "
        "without the events around it. Copies between host and device take the time that they "
        "take on this machine: their bus is not modelled. Blocks go to the SMs in turn.",
};
