// The profiler of a real GPU: hardware counters through CUPTI's range profiler, in user ranges with
// user replay. A transpose may simply be launched again, so nothing has to be saved and restored.
#include "cupti/driver.h"
#include "cupti/errors.h"
#include "cupti/host.h"
#include "cupti/instruments.h"
#include "facts/expression.h"
#include "facts/metric_names.h"

#include <cuda_runtime_api.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every metric that is counted, in their order, and the extras.
enum { MAX_ITEMS = METRICS + MAX_EXTRAS };
enum { MAX_NAMES = MAX_ITEMS * MAX_TERMS + 2 };

// A range is longer than the launch in it. For how much longer, in cycles: the range, and the SM that worked longest,
// which is as long as the launch.
static const char of_range[] = "sm__cycles_elapsed.max", of_launch[] = "sm__cycles_active.max";

struct item {
    bool available;
    struct expression expression;
    char why[WHY_SIZE]; // when it is not available
};

struct profiler {
    CUcontext context;
    uint8_t *availability; // the device's counter availability image
    struct host *host;
    size_t passes; // that the schedule takes
    struct item items[MAX_ITEMS];
    int item_count;
    const char *names[MAX_NAMES]; // of all available items, each once; they point into the items
    size_t name_count;
    double values[MAX_NAMES];
    uint8_t *data; // the counter data image
    size_t data_size;
};

static bool read_availability(struct profiler *profiler, char *why, size_t size)
{
    CUPTI_PARAMS(ask, CUpti_Profiler_GetCounterAvailability, .ctx = profiler->context);
    if (!CUPTI_CALL(why, size, cuptiProfilerGetCounterAvailability, &ask))
        return false;
    profiler->availability = calloc(1, ask.counterAvailabilityImageSize);
    if (!profiler->availability) {
        snprintf(why, size, "the host has no memory for the counters' availability");
        return false;
    }
    ask.pCounterAvailabilityImage = profiler->availability;
    return CUPTI_CALL(why, size, cuptiProfilerGetCounterAvailability, &ask);
}

static bool open_host(struct profiler *profiler, char *why, size_t size)
{
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) {
        snprintf(why, size, "cudaGetDevice failed");
        return false;
    }
    const char *chip = driver_chip(device, why, size);
    if (!chip || !driver_context(&profiler->context, why, size) ||
        !read_availability(profiler, why, size))
        return false;
    profiler->host = host_open(chip, profiler->availability, why, size);
    return profiler->host != NULL;
}

static bool chip_has(void *host, const char *name)
{
    return host_has(host, name);
}

static void add_item(struct profiler *profiler, const char *text)
{
    struct item *item = &profiler->items[profiler->item_count++];
    item->available = expression_resolve(text, chip_has, profiler->host, &item->expression,
                                         item->why, sizeof item->why);
}

static size_t place_of(const struct profiler *profiler, const char *name)
{
    size_t place = 0;
    while (place < profiler->name_count && strcmp(profiler->names[place], name) != 0)
        place++;
    return place;
}

static void collect_name(struct profiler *profiler, const char *name)
{
    if (place_of(profiler, name) == profiler->name_count)
        profiler->names[profiler->name_count++] = name;
}

static void collect_names(struct profiler *profiler)
{
    for (int i = 0; i < profiler->item_count; i++) {
        const struct item *item = &profiler->items[i];
        for (int t = 0; item->available && t < item->expression.count; t++)
            collect_name(profiler, item->expression.terms[t].name);
    }
    if (host_has(profiler->host, of_range) && host_has(profiler->host, of_launch)) {
        collect_name(profiler, of_range);
        collect_name(profiler, of_launch);
    }
}

static bool enable(struct profiler *profiler, CUpti_RangeProfiler_Object **object, char *why,
                   size_t size)
{
    CUPTI_PARAMS(enable, CUpti_RangeProfiler_Enable, .ctx = profiler->context);
    bool good = CUPTI_CALL(why, size, cuptiRangeProfilerEnable, &enable);
    *object = enable.pRangeProfilerObject;
    return good;
}

// Nothing could be done about a failure: the next enable() would report it.
static void disable(CUpti_RangeProfiler_Object *object)
{
    CUPTI_PARAMS(disable, CUpti_RangeProfiler_Disable, .pRangeProfilerObject = object);
    (void)cuptiRangeProfilerDisable(&disable);
}

// The object must be asked for the data's size before it takes the data, each time it is enabled.
static bool allocate_data(struct profiler *profiler, CUpti_RangeProfiler_Object *object, char *why,
                          size_t size)
{
    CUPTI_PARAMS(ask, CUpti_RangeProfiler_GetCounterDataSize, .pRangeProfilerObject = object,
                 .pMetricNames = profiler->names, .numMetrics = profiler->name_count,
                 .maxNumOfRanges = 1, .maxNumRangeTreeNodes = 1);
    if (!CUPTI_CALL(why, size, cuptiRangeProfilerGetCounterDataSize, &ask))
        return false;
    free(profiler->data);
    profiler->data_size = ask.counterDataSize;
    profiler->data = calloc(1, profiler->data_size);
    if (!profiler->data)
        snprintf(why, size, "the host has no memory for the counters' data");
    return profiler->data != NULL;
}

// Whatever would keep the counters from being read shows here, before the first step.
static bool prepare(struct profiler *profiler, char *why, size_t size)
{
    CUpti_RangeProfiler_Object *object;
    if (!host_schedule(profiler->host, profiler->names, profiler->name_count, &profiler->passes,
                       why, size) ||
        !enable(profiler, &object, why, size))
        return false;
    disable(object);
    return true;
}

static void close_profiler(struct profiler *profiler)
{
    if (!profiler)
        return;
    host_close(profiler->host);
    free(profiler->availability);
    free(profiler->data);
    free(profiler);
}

static bool set_up(struct profiler *profiler, const char *const *extras, int extra_count, char *why,
                   size_t size)
{
    if (!open_host(profiler, why, size))
        return false;
    for (enum metric i = 0; i < METRICS; i++)
        if (metric_table[i].is_counted)
            add_item(profiler, metric_table[i].cupti);
    for (int i = 0; i < extra_count; i++)
        add_item(profiler, extras[i]);
    collect_names(profiler);
    return prepare(profiler, why, size);
}

static struct profiler *open_profiler(const char *const *extras, int extra_count, char *why,
                                      size_t why_size)
{
    struct profiler *profiler = calloc(1, sizeof *profiler);
    if (!profiler)
        snprintf(why, why_size, "the host has no memory for the profiler");
    if (profiler && set_up(profiler, extras, extra_count, why, why_size))
        return profiler;
    close_profiler(profiler);
    return NULL;
}

static bool configure(struct profiler *profiler, CUpti_RangeProfiler_Object *object, char *why,
                      size_t size)
{
    CUPTI_PARAMS(init, CUpti_RangeProfiler_CounterDataImage_Initialize,
                 .pRangeProfilerObject = object, .counterDataSize = profiler->data_size,
                 .pCounterData = profiler->data);
    if (!CUPTI_CALL(why, size, cuptiRangeProfilerCounterDataImageInitialize, &init))
        return false;

    CUPTI_PARAMS(config, CUpti_RangeProfiler_SetConfig, .pRangeProfilerObject = object,
                 .counterDataImageSize = profiler->data_size, .pCounterDataImage = profiler->data,
                 .range = CUPTI_UserRange, .replayMode = CUPTI_UserReplay, .maxRangesPerPass = 1,
                 .numNestingLevels = 1, .minNestingLevel = 1, .passIndex = 0,
                 .targetNestingLevel = 1);
    config.pConfig = host_config(profiler->host, &config.configSize);
    return CUPTI_CALL(why, size, cuptiRangeProfilerSetConfig, &config);
}

// Runs the work once between Start and Stop. `last` tells whether that was the last pass.
static bool run_pass(CUpti_RangeProfiler_Object *object, watched_launch *launch, void *context,
                     bool *last, char *why, size_t size)
{
    CUPTI_PARAMS(start, CUpti_RangeProfiler_Start, .pRangeProfilerObject = object);
    CUPTI_PARAMS(push, CUpti_RangeProfiler_PushRange, .pRangeProfilerObject = object,
                 .pRangeName = "step");
    CUPTI_PARAMS(pop, CUpti_RangeProfiler_PopRange, .pRangeProfilerObject = object);
    CUPTI_PARAMS(stop, CUpti_RangeProfiler_Stop, .pRangeProfilerObject = object);

    if (!CUPTI_CALL(why, size, cuptiRangeProfilerStart, &start) ||
        !CUPTI_CALL(why, size, cuptiRangeProfilerPushRange, &push))
        return false;
    launch(context);
    if (!CUPTI_CALL(why, size, cuptiRangeProfilerPopRange, &pop) ||
        !CUPTI_CALL(why, size, cuptiRangeProfilerStop, &stop))
        return false;
    *last = stop.isAllPassSubmitted;
    return true;
}

static bool decode(CUpti_RangeProfiler_Object *object, char *why, size_t size)
{
    CUPTI_PARAMS(decode, CUpti_RangeProfiler_DecodeData, .pRangeProfilerObject = object);
    if (!CUPTI_CALL(why, size, cuptiRangeProfilerDecodeData, &decode))
        return false;
    if (decode.numOfRangeDropped == 0)
        return true;
    snprintf(why, size, "CUPTI dropped the range: its counter data image was too small");
    return false;
}

static bool count(struct profiler *profiler, watched_launch *launch, void *context, char *why,
                  size_t size)
{
    CUpti_RangeProfiler_Object *object;
    if (!enable(profiler, &object, why, size))
        return false;
    bool good =
        allocate_data(profiler, object, why, size) && configure(profiler, object, why, size);
    bool last = false;
    for (size_t pass = 0; good && !last && pass < 2 * profiler->passes; pass++)
        good = run_pass(object, launch, context, &last, why, size);
    if (good && !last) {
        snprintf(why, size, "CUPTI asks for more passes than the %zu it has scheduled",
                 profiler->passes);
        good = false;
    }
    good = good && decode(object, why, size) &&
           host_evaluate(profiler->host, profiler->data, profiler->data_size, profiler->names,
                         profiler->name_count, profiler->values, why, size);
    disable(object);
    return good;
}

static double value_of_name(const struct profiler *profiler, const char *name)
{
    size_t place = place_of(profiler, name);
    return place < profiler->name_count ? profiler->values[place] : 0;
}

// What a name came to in the launch alone: a share of the range's time is one of a shorter time.
static double of_launch_alone(const struct profiler *profiler, const char *name)
{
    static const char share[] = ".pct_of_peak_sustained_elapsed";
    double value = value_of_name(profiler, name), range = value_of_name(profiler, of_range),
           launch = value_of_name(profiler, of_launch);
    size_t length = strlen(name);
    bool is_share = length >= sizeof share && strcmp(name + length + 1 - sizeof share, share) == 0;
    return is_share && launch > 0 && launch < range ? value * range / launch : value;
}

static struct value item_value(const struct profiler *profiler, int place)
{
    const struct item *item = &profiler->items[place];
    if (!item->available)
        return value_unavailable("%s", item->why);
    double sum = 0;
    for (int t = 0; t < item->expression.count; t++) {
        const struct term *term = &item->expression.terms[t];
        sum += term->factor * of_launch_alone(profiler, term->name);
    }
    return isfinite(sum) ? value_of(sum, MEASURED)
                         : value_unavailable("CUPTI gave no number for it in this launch");
}

static void measure(struct profiler *profiler, watched_launch *launch, void *context,
                    struct step_result *result)
{
    char why[WHY_SIZE];
    if (!count(profiler, launch, context, why, sizeof why)) {
        why[strcspn(why, "\n")] = '\0'; // the reason, without the advice
        drop_counts(result, why);
        return;
    }
    int place = 0;
    for (enum metric i = 0; i < METRICS; i++)
        if (metric_table[i].is_counted)
            result->values[i] = item_value(profiler, place++);
    for (int i = 0; place < profiler->item_count; i++)
        result->extras[i] = item_value(profiler, place++);
}

const struct counters cupti_counters = {
    .open = open_profiler, .measure = measure, .close = close_profiler};
