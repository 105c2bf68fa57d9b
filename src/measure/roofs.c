#include "measure/roofs.h"

#include "base/platform.h"
#include "measure/nvtx_ranges.h"
#include "measure/roof_kernels.h"

enum { USUAL_REPS = 20, QUAD = 16 };

static const struct roof_kernels *kernels;

void roof_kernels_register(const struct roof_kernels *all)
{
    kernels = all;
}

bool roofs_known(void)
{
    return kernels != NULL;
}

static size_t quads_of(size_t n)
{
    return n * n * sizeof(float) / QUAD;
}

double roof_bytes(enum roof roof, size_t n)
{
    return (double)roof_rows[roof].passes * (double)quads_of(n) * QUAD;
}

cudaError_t roof_launch_once(enum roof roof, const struct problem *problem)
{
    roof_launch *const launches[ROOFS] = {
        [COPY_KERNEL] = kernels->copy, [PURE_READ] = kernels->read, [PURE_WRITE] = kernels->write};
    launches[roof](problem_output(problem), problem_input(problem), quads_of(problem->n));
    return cudaGetLastError();
}

struct task {
    enum roof roof;
    const struct problem *problem;
};

static cudaError_t launch(void *context)
{
    const struct task *task = context;
    return roof_launch_once(task->roof, task->problem);
}

static void no_beat(void *context)
{
    (void)context;
}

bool measure_roofs(const struct problem *problem, int reps, struct roof_result roofs[ROOFS],
                   char failure[FAILURE_SIZE])
{
    const char *why = platform.simulated          ? "the device's own copy alone is modelled"
                      : !kernels                  ? "this program has no kernels for it"
                      : quads_of(problem->n) == 0 ? "the matrix has fewer than 16 bytes"
                                                  : NULL;
    bool good = true;
    range_push("roofs");
    for (enum roof i = 0; good && i < ROOFS; i++) {
        struct task task = {.roof = i, .problem = problem};
        struct timed_work work = {
            .what = roof_rows[i].label, .launch = launch, .beat = no_beat, .context = &task};
        struct roof_result *roof = &roofs[i];
        *roof = (struct roof_result){.gbs = value_unavailable("%s", why ? why : "")};
        if (why)
            continue;
        good = time_launches(&work, reps ? reps : USUAL_REPS, &roof->timing, failure);
        if (good)
            roof->gbs =
                value_of(roof_bytes(i, problem->n) * 1e-6 / roof->timing.median_ms, MEASURED);
    }
    range_pop();
    return good;
}
