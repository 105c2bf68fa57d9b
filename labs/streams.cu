// Lab streams: how much of the way to a GPU and back can be hidden behind work?
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>

enum { MEMORY, STREAMS, CHUNKS }; // what is varied
enum { THREADS = 256, MOST_STREAMS = 16 };
enum { ROUNDS = 1024, FACTOR = 1664525, TERM = 1013904223 };

// So many rounds of x -> FACTOR x + TERM: about as long as the way to the GPU takes. The compiler is not told the
// factor, or it would do several at once.
__global__ void work(unsigned *data, size_t count, unsigned factor)
{
    size_t at = this_thread();
    if (at >= count)
        return;
    unsigned x = data[at];
    for (int round = 0; round < ROUNDS; round++)
        x = x * factor + TERM;
    data[at] = x;
}

// What is on the host: the input, and where the output goes to.
static struct host {
    float *in, *out;
    size_t bytes;
    bool is_pinned;
} host;

static float *host_memory(size_t bytes, bool is_pinned)
{
    void *memory = NULL;
    if (!is_pinned)
        memory = calloc(1, bytes);
    else if (cudaMallocHost(&memory, bytes) != cudaSuccess)
        memory = NULL;
    if (memory)
        return (float *)memory;
    fprintf(stderr,
            "apodkit: the host has no %zu bytes of %s memory for the lab streams: take a smaller n "
            "(-n)\n",
            bytes, is_pinned ? "pinned" : "pageable");
    exit(EXIT_FAILURE);
}

static void free_host_memory(float *memory)
{
    if (host.is_pinned)
        (void)cudaFreeHost(memory);
    else
        free(memory);
}

// Has the host hold the input. Whether it has not before, at these settings.
static bool prepare(const float *in, size_t bytes, const int *settings)
{
    static int held[CHUNKS + 1];
    static const float *held_in;
    bool is_pinned = settings[MEMORY] == 0;
    if (in == held_in && memcmp(held, settings, sizeof held) == 0)
        return false;
    if (bytes > host.bytes || is_pinned != host.is_pinned) {
        free_host_memory(host.in);
        free_host_memory(host.out);
        host = {host_memory(bytes, is_pinned), host_memory(bytes, is_pinned), bytes, is_pinned};
    }
    (void)cudaMemcpy(host.in, in, bytes, cudaMemcpyDeviceToHost);
    memset(host.out, 0xff, bytes); // what a point before this one left there
    held_in = in;
    memcpy(held, settings, sizeof held);
    return true;
}

// There, the work, and back: each waits for the one before it in its stream, and for nothing else.
static void send(float *out, size_t at, size_t count, cudaStream_t stream)
{
    size_t bytes = count * sizeof *out;
    unsigned blocks = (unsigned)((count + THREADS - 1) / THREADS);
    (void)cudaMemcpyAsync(out + at, host.in + at, bytes, cudaMemcpyHostToDevice, stream);
    work<<<blocks, THREADS, 0, stream>>>((unsigned *)(out + at), count, FACTOR);
    (void)cudaMemcpyAsync(host.out + at, out + at, bytes, cudaMemcpyDeviceToHost, stream);
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    static cudaStream_t streams[MOST_STREAMS];
    size_t count = n * n, chunks = (size_t)settings[CHUNKS], each = (count + chunks - 1) / chunks;
    bool is_new = prepare(in, count * sizeof *in, settings);
    for (int i = 0; i < settings[STREAMS]; i++)
        if (!streams[i])
            (void)cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);

    (void)
        cudaDeviceSynchronize(); // what is timed is the whole errand, from nothing to do to all done
    for (size_t chunk = 0, at = 0; at < count; chunk++, at += each)
        send(out, at, each < count - at ? each : count - at, streams[chunk % settings[STREAMS]]);
    (void)cudaDeviceSynchronize();
    if (is_new) // what came back is what is verified
        (void)cudaMemcpy(out, host.out, count * sizeof *out, cudaMemcpyHostToDevice);
}

// All rounds at once: x -> a x + b.
static void compute(float *out, const float *in, size_t n)
{
    unsigned a = 1, b = 0, x;
    for (int round = 0; round < ROUNDS; round++) {
        a *= FACTOR;
        b = b * FACTOR + TERM;
    }
    for (size_t i = 0; i < n * n; i++) {
        memcpy(&x, &in[i], sizeof x);
        x = a * x + b;
        memcpy(&out[i], &x, sizeof x);
    }
}

static const char *lacks(const int *)
{
#ifdef SIMULATED
    return "the simulated device does one thing after the other, and has no bus to the host";
#else
    return NULL;
#endif
}

LAB("how much of the way to a GPU and back can be hidden behind work?", "", compute, bytes_of_copy,
    lacks, {"memory", "of the host", "pinned pageable"},
    {"streams", "that take turns", "1 2 4 8 16"}, {"chunks", "of the matrix", "1 4 16 64"})
