// Prints what the documents' pictures are drawn from (pictures.awk), a fact a line, its fields with tabs between them:
//
//   gpu     SMS  WARPS (of an SM)  COPY_GBS  CLOCK_MHZ  LIMIT...   the H200; what limits its SMs' occupancy
//   step    NUMBER  TITLE  X  Y  GBS  ACHIEVED  WARPS (of a block)  BLOCKS (of an SM)  BOUND...   as it was recorded
//   access  STEP  KIND  PASSES  ELEMENT...   the first of its kind that the step's first warp makes: sectors or
//                           wavefronts, and for each lane its first float, in the matrix or in shared memory
//   block   STEP  IN  OUT   the first floats that a block reads and writes: of the blocks that run together
//
// Exit status: 0, or 1 after a message on standard error.
#include "base/sim_devices.h"
#include "facts/steps.h"
#include "files/run_read.h"
#include "sim/sim.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARP_LANES = 32, SMALL_N = 64, LARGE_N = 4096 };
enum { OUT, IN, MATRICES };

static void give_up(const char *what)
{
    fprintf(stderr, "facts: %s\n", what);
    exit(EXIT_FAILURE);
}

// ---- What warps of a step ask of memory, from the simulated device's own record of it --------------

// Runs the step on an n x n matrix on the simulated device, on one of the host's threads, and shows its accesses to
// `watcher`. `starts` become the addresses at which the output and the input began.
static void watch_step(int number, size_t n, sim_watcher *watcher, void *context,
                       uint64_t starts[MATRICES])
{
    const struct step *step = step_find(number);
    float *matrices[MATRICES] = {NULL, NULL};
    if (!step)
        give_up("a step is not in this program");
    sim_set(SIM_THREADS, 1);
    sim_set(SIM_CHECKS, 0); // accesses are looked at, not judged or timed
    sim_set(SIM_MODEL, 0);
    for (int i = 0; i < MATRICES; i++)
        if (cudaMalloc((void **)&matrices[i], n * n * sizeof(float)) != cudaSuccess ||
            cudaMemset(matrices[i], 0, n * n * sizeof(float)) != cudaSuccess)
            give_up("the simulated device has no memory");
    sim_watch(watcher, context);
    step->launch(matrices[OUT], matrices[IN], n);
    cudaError_t error = cudaDeviceSynchronize();
    sim_watch(NULL, NULL);
    for (int i = 0; i < MATRICES; i++) {
        starts[i] = (uintptr_t)matrices[i];
        cudaFree(matrices[i]);
    }
    if (error != cudaSuccess)
        give_up(cudaGetErrorString(error));
}

struct search {
    enum line_access_kind kind;
    bool found;
    struct sim_seen seen;
};

static void look(const struct sim_seen *seen, void *context)
{
    struct search *search = context;
    if (search->found || seen->kind != search->kind || seen->block || seen->warp ||
        seen->mask != UINT32_MAX)
        return;
    search->seen = *seen;
    search->found = true;
}

static void put_access(int step, enum line_access_kind kind, const char *name)
{
    struct search search = {.kind = kind};
    uint64_t starts[MATRICES];
    watch_step(step, SMALL_N, look, &search, starts);
    if (!search.found)
        give_up("a step makes no such access");
    uint64_t start = kind == GLOBAL_STORE ? starts[OUT] : kind == GLOBAL_LOAD ? starts[IN] : 0;
    printf("access\t%d\t%s\t%u", step, name, search.seen.sectors + search.seen.wavefronts);
    for (int l = 0; l < WARP_LANES; l++)
        printf("\t%llu", (unsigned long long)(search.seen.address[l] - start) / sizeof(float));
    putchar('\n');
}

// Where the first blocks' first accesses to the output and the input lie; 0 for none yet.
struct wave {
    size_t count;
    uint64_t (*address)[MATRICES];
};

static void note(const struct sim_seen *seen, void *context)
{
    struct wave *wave = context;
    int matrix = seen->kind == GLOBAL_LOAD ? IN : OUT;
    if (seen->block < wave->count && (seen->mask & 1) &&
        (seen->kind == GLOBAL_LOAD || seen->kind == GLOBAL_STORE) &&
        !wave->address[seen->block][matrix])
        wave->address[seen->block][matrix] = seen->address[0];
}

static void put_blocks(int step, size_t count)
{
    uint64_t starts[MATRICES];
    struct wave wave = {count, calloc(count, sizeof *wave.address)};
    if (!wave.address)
        give_up("there is no memory left");
    watch_step(step, LARGE_N, note, &wave, starts);
    for (size_t i = 0; i < count; i++)
        printf("block\t%d\t%llu\t%llu\n", step,
               (unsigned long long)(wave.address[i][IN] - starts[IN]) / sizeof(float),
               (unsigned long long)(wave.address[i][OUT] - starts[OUT]) / sizeof(float));
    free(wave.address);
}

// ---- What was recorded -----------------------------------------------------------------------------

// Returns how many of its blocks an SM holds.
static unsigned put_step(const struct run *run, const struct step_result *step)
{
    struct occupancy now = occupancy_of(
        &run->device.sm, step->block[0] * step->block[1] * step->block[2],
        (unsigned)step->values[REGISTERS].number, (size_t)step->values[SHARED_BYTES].number);
    printf("step\t%g\t%s\t%u\t%u\t%.17g\t%.17g\t%u\t%u", step->number, step->title, step->block[0],
           step->block[1], step->values[BANDWIDTH_GBS].number,
           step->values[ACHIEVED_OCCUPANCY].number, now.block_warps, now.blocks);
    for (enum occupancy_limit limit = 0; limit < LIMITS; limit++)
        printf("\t%u", now.bound[limit]);
    putchar('\n');
    return now.blocks;
}

int main(void)
{
    struct run *run = run_open("h200");
    const struct sim_device *device = sim_device_find("h200");
    size_t together = 0;
    if (!run || !device || run->device.sm.warps == 0)
        give_up("the recorded run h200 does not say what its device has");
    printf("gpu\t%d\t%u\t%.17g\t%d", run->device.sms, run->device.sm.warps, run->copy_gbs.number,
           device->sm_clock_mhz);
    for (enum occupancy_limit limit = 0; limit < LIMITS; limit++)
        printf("\t%s", occupancy_limit_name(limit));
    putchar('\n');
    for (int i = 0; i < run->count; i++) {
        unsigned blocks = put_step(run, &run->steps[i]);
        if (run->steps[i].number == 6)
            together = (size_t)blocks * (size_t)run->device.sms;
    }
    free(run);
    put_access(3, GLOBAL_LOAD, "load");
    put_access(3, GLOBAL_STORE, "store");
    put_access(4, GLOBAL_STORE, "store");
    put_access(4, SHARED_LOAD, "shared");
    put_access(5, SHARED_LOAD, "shared");
    put_access(6, SHARED_STORE, "shared");
    put_blocks(6, together);
    put_blocks(7, together);
    return EXIT_SUCCESS;
}
