#include "facts/shared_results.h"

#include <math.h>
#include <string.h>

bool text_sound(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

// A bool that is neither may not even be read.
static bool bool_sound(const bool *answer)
{
    unsigned char byte;
    memcpy(&byte, answer, sizeof byte);
    return byte <= 1;
}

// Numbers are made whole ones here and there: none is larger than those can be.
static bool number_sound(double number)
{
    return isfinite(number) && fabs(number) < 1e18;
}

static bool in_range(long long number, long long first, long long behind)
{
    return number >= first && number < behind;
}

bool timing_sound(const struct timing *timing)
{
    return number_sound(timing->median_ms) && number_sound(timing->min_ms) &&
           number_sound(timing->max_ms) && number_sound(timing->low_ms) &&
           number_sound(timing->high_ms) && timing->launches >= 0;
}

bool value_sound(const struct value *value)
{
    return in_range(value->provenance, 0, PROVENANCES) &&
           (value->provenance == UNAVAILABLE || number_sound(value->number)) &&
           text_sound(value->why, sizeof value->why);
}

static bool values_sound(const struct value *values, int count)
{
    bool sound = true;
    for (int i = 0; i < count; i++)
        sound = sound && value_sound(&values[i]);
    return sound;
}

bool roofs_sound(const struct roof_result roofs[ROOFS])
{
    bool sound = true;
    for (int i = 0; i < ROOFS; i++)
        sound = sound && value_sound(&roofs[i].gbs) && timing_sound(&roofs[i].timing);
    return sound;
}

bool device_sound(const struct device *device)
{
    return bool_sound(&device->simulated) && bool_sound(&device->checks_accesses) &&
           text_sound(device->name, sizeof device->name) &&
           text_sound(device->toolkit, sizeof device->toolkit) &&
           text_sound(device->driver, sizeof device->driver) &&
           in_range(device->cc_major, 0, 1000) && in_range(device->cc_minor, 0, 1000) &&
           in_range(device->sms, 0, 1 << 20) && number_sound(device->dram_peak_gbs) &&
           device->l2_bytes < (size_t)1 << 40;
}

bool launch_needs_sound(const struct launch_needs *needs)
{
    return in_range(needs->threads, 1, 1 << 20) && in_range(needs->registers, 0, 1 << 10) &&
           bool_sound(&needs->registers_estimated) && needs->shared_bytes < (size_t)1 << 40;
}

bool candidate_sound(const struct candidate *candidate)
{
    return in_range(candidate->state, 0, CANDIDATE_FASTEST + 1) &&
           text_sound(candidate->complaint, sizeof candidate->complaint) &&
           timing_sound(&candidate->timing) && timing_sound(&candidate->behind) &&
           number_sound(candidate->share);
}

static bool limits_sound(const struct limits *limits)
{
    bool sound = in_range(limits->limiter, 0, LIMITERS) && number_sound(limits->busy_sms);
    for (int i = 0; i < RESOURCES; i++)
        sound = sound && number_sound(limits->busy[i]);
    return sound;
}

static bool is_tried(enum outcome outcome)
{
    return outcome == VERIFIED || outcome == WRONG || outcome == FAILED;
}

bool step_result_sound(const struct step_result *step)
{
    return (is_tried(step->outcome) || step->outcome == NOT_KNOWN) &&
           in_range((long long)step->n, 1, MAX_N + 1) &&
           text_sound(step->title, sizeof step->title) &&
           text_sound(step->complaint, sizeof step->complaint) && bool_sound(&step->reference) &&
           bool_sound(&step->launched) && timing_sound(&step->timing) &&
           values_sound(step->values, METRICS) && values_sound(step->extras, MAX_EXTRAS) &&
           limits_sound(&step->limits) && in_range(step->occupancy_limit, 0, LIMITS) &&
           text_sound(step->file_hash, sizeof step->file_hash);
}

bool inspection_sound(const struct inspection *inspection)
{
    return device_sound(&inspection->device) && bool_sound(&inspection->no_gpu) &&
           in_range((long long)inspection->n, 0, MAX_N + 1) &&
           text_sound(inspection->fatal, sizeof inspection->fatal);
}

static bool inspected_sound(const struct inspected *at)
{
    return (at->outcome == PENDING || is_tried(at->outcome)) &&
           in_range((long long)at->n, 0, MAX_N + 1) &&
           text_sound(at->complaint, sizeof at->complaint);
}

static bool files_sound(const struct source_files *files)
{
    bool sound = in_range(files->count, 0, MAX_LINE_FILES + 1);
    for (int i = 0; sound && i < files->count; i++)
        sound = text_sound(files->names[i], sizeof files->names[i]);
    return sound;
}

bool hotspot_step_sound(const struct inspected *at)
{
    const struct source_lines *lines = &((const struct hotspot_step *)at)->lines;
    bool sound = inspected_sound(at) && files_sound(&lines->files) &&
                 in_range(lines->count, 0, MAX_LINE_ACCESSES + 1) && bool_sound(&lines->overflowed);
    for (int i = 0; sound && i < lines->count; i++)
        sound = in_range(lines->accesses[i].file, 0, lines->files.count) &&
                in_range(lines->accesses[i].kind, 0, ACCESS_KINDS);
    return sound;
}

bool stalls_step_sound(const struct inspected *at)
{
    const struct stall_samples *samples = &((const struct stalls_step *)at)->samples;
    bool sound = inspected_sound(at) && files_sound(&samples->files) &&
                 in_range(samples->count, 0, MAX_STALL_LINES + 1) &&
                 in_range(samples->cause_count, 0, MAX_STALL_CAUSES + 1) &&
                 bool_sound(&samples->overflowed) && bool_sound(&samples->is_modelled);
    for (int i = 0; sound && i < samples->count; i++)
        sound = in_range(samples->lines[i].file, 0, samples->files.count);
    for (int i = 0; sound && i < samples->cause_count; i++)
        sound = in_range(samples->causes[i].file, 0, samples->files.count) &&
                in_range(samples->causes[i].cause_file, 0, samples->files.count) &&
                in_range(samples->causes[i].reason, 0, STALL_REASONS);
    return sound;
}

static bool activity_sound(const struct activities *all, const struct activity *activity)
{
    return in_range(activity->kind, ACTIVITY_KERNEL, ACTIVITY_FILL + 1) &&
           in_range(activity->timed, 0, PROVENANCES) && number_sound(activity->start_ns) &&
           number_sound(activity->duration_ns) && in_range(activity->range, -1, all->range_count) &&
           (activity->kind != ACTIVITY_KERNEL || in_range(activity->name, 0, all->name_count)) &&
           bool_sound(&activity->registers_estimated) &&
           in_range(activity->direction, COPY_TO_DEVICE, COPY_ELSEWHERE + 1);
}

// A range lies in one before it: nobody follows them round in a circle.
static bool activities_sound(const struct activities *all)
{
    bool sound = in_range(all->count, 0, MAX_ACTIVITIES + 1) &&
                 in_range(all->range_count, 0, MAX_RANGES + 1) &&
                 in_range(all->name_count, 0, MAX_KERNELS + 1) &&
                 text_sound(all->untimed, sizeof all->untimed);
    for (int i = 0; sound && i < all->name_count; i++)
        sound = text_sound(all->names[i], sizeof all->names[i]);
    for (int i = 0; sound && i < all->range_count; i++)
        sound = text_sound(all->ranges[i].name, sizeof all->ranges[i].name) &&
                in_range(all->ranges[i].parent, -1, i) && number_sound(all->ranges[i].start_ns) &&
                number_sound(all->ranges[i].end_ns);
    for (int i = 0; sound && i < all->count; i++)
        sound = activity_sound(all, &all->list[i]);
    return sound;
}

bool traced_step_sound(const struct inspected *at)
{
    const struct traced_step *step = (const struct traced_step *)at;
    return inspected_sound(at) && activities_sound(&step->activities) &&
           in_range(step->blocks.provenance, 0, PROVENANCES) &&
           text_sound(step->blocks.why, sizeof step->blocks.why) &&
           in_range(step->blocks.sms, 0, *step->blocks.why ? 1 << 20 : MAX_SMS + 1);
}
