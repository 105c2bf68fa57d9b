// Lab launches: what does it cost to start a kernel, and who starts many for less?
#include "lab.h"

enum { THREADS = 256, LOADS = 4, A_BLOCK = THREADS * LOADS };
enum how { WAITING, BEHIND, ANEW, KEPT, BY_A_KERNEL, AS_ONE };

// Copies a piece of the matrix: that of its row of blocks, from piece `first` on.
__global__ void copy_piece(float *out, const float *in, size_t count, size_t each, unsigned first)
{
    size_t begin = (first + blockIdx.y) * each, end = begin + each < count ? begin + each : count,
           at = begin + first_element(this_thread(), LOADS);
    if (at < end)
        copy_elements<LOADS>(out, in, at, end);
}

// What is to be done: all of it, by so many kernels.
struct job {
    float *out;
    const float *in;
    size_t count, pieces;
};

// Of a piece.
static unsigned blocks_of(const job &job)
{
    return (unsigned)((job.count + job.pieces * A_BLOCK - 1) / (job.pieces * A_BLOCK));
}

static void start(const job &job, unsigned first, unsigned rows, cudaStream_t stream)
{
    unsigned blocks = blocks_of(job);
    copy_piece<<<dim3(blocks, rows), THREADS, 0, stream>>>(job.out, job.in, job.count,
                                                           (size_t)blocks * A_BLOCK, first);
}

static void start_each(const job &job, bool waits, cudaStream_t stream)
{
    for (unsigned piece = 0; piece < job.pieces; piece++) {
        start(job, piece, 1, stream);
        if (waits)
            (void)cudaStreamSynchronize(stream);
    }
}

#ifndef SIMULATED
// One thread does what the host would.
__global__ void start_from_here(struct job job, unsigned blocks)
{
    for (unsigned piece = 0; piece < job.pieces; piece++)
        copy_piece<<<blocks, THREADS>>>(job.out, job.in, job.count, (size_t)blocks * A_BLOCK,
                                        piece);
}

static void start_on_device(const job &job)
{
    start_from_here<<<1, 1>>>(job, blocks_of(job));
}

static cudaGraphExec_t record(const job &job)
{
    static cudaStream_t recorder; // the default stream cannot be one
    cudaGraph_t graph = NULL;
    cudaGraphExec_t recorded = NULL;
    if (!recorder)
        (void)cudaStreamCreate(&recorder);
    (void)cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal);
    start_each(job, false, recorder);
    (void)cudaStreamEndCapture(recorder, &graph);
    (void)cudaGraphInstantiate(&recorded, graph, 0);
    (void)cudaGraphDestroy(graph);
    return recorded;
}

// As long as it is the same job, the graph is the one that was recorded for it.
static void start_graph(const job &job, bool anew)
{
    static struct job kept;
    static cudaGraphExec_t graph;
    if (anew || !graph || memcmp(&kept, &job, sizeof job) != 0) {
        if (graph)
            (void)cudaGraphExecDestroy(graph);
        graph = record(job);
        kept = job;
    }
    (void)cudaGraphLaunch(graph, 0);
}
#else
static void start_on_device(const job &)
{
}
static void start_graph(const job &, bool)
{
}
#endif

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    const struct job job = {out, in, n * n, (size_t)settings[1]};
    (void)cudaDeviceSynchronize(); // with nothing to do when it begins, the host's part counts too
    if (settings[0] == AS_ONE)
        start(job, 0, (unsigned)job.pieces, 0);
    else if (settings[0] == BY_A_KERNEL)
        start_on_device(job);
    else if (settings[0] == ANEW || settings[0] == KEPT)
        start_graph(job, settings[0] == ANEW);
    else
        start_each(job, settings[0] == WAITING, 0);
}

static const char *lacks(const int *settings)
{
#ifdef SIMULATED
    if (settings[0] == BY_A_KERNEL)
        return "on the simulated device kernels launch no kernels";
    if (settings[0] == ANEW || settings[0] == KEPT)
        return "the simulated device has no graphs";
#endif
    (void)settings;
    return NULL;
}

LAB_BEYOND("The simulated device takes each kernel to start when the one before has ended: what "
           "the host does for it, and how long it waits, is not modelled.",
           "what does it cost to start a kernel, and who starts many for less?", "", copy_on_cpu,
           bytes_of_copy, lacks,
           {"how", "who starts the kernels", "wait stream anew graph device batch"},
           {"kernels", "how many share the copy", "1 10 100 1000"})
