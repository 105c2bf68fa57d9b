// What the microbenchmarks share: checked calls, clocks, and one line of output a result.
//
// Each program measures one part of a GPU and prints "name,value,unit" lines. `make micro` runs them
// all and writes docs/runs/micro-<device>.csv: the timing model of the simulated device takes its
// constants from there (src/base/sim_devices.c). None of them is a transpose, which the model is for.
#ifndef MICRO_H
#define MICRO_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARP = 32, SECTOR_BYTES = 32, LINE_BYTES = 128, LINE_WORDS = LINE_BYTES / 4 };

// A simulated GPU takes as long each time, its clock is always the highest, and it waits for no host; its kernels see no clock.
#ifdef SIMULATED
enum { WARM_UPS = 0, REPEATS = 1, SPIN_US = 0, WAKING_SPINS = 0, HAS_CLOCK = 0 };
#else
enum { WARM_UPS = 1, REPEATS = 25, SPIN_US = 50, WAKING_SPINS = 50, HAS_CLOCK = 1 };
#endif

#define CHECK(call) check(call, #call, __FILE__, __LINE__)

// Ends the program when a call failed: with 3 when there is no GPU to measure, else with 1.
static inline void check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    int none = error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver;
    fprintf(stderr, "%s:%d: %s: %s%s\n", file, line, call, cudaGetErrorString(error),
            none ? ". The microbenchmarks measure a GPU: run them where there is one" : "");
    exit(none ? 3 : 1);
}

// Prints a result; its name is formatted.
__attribute__((format(printf, 3, 4))) static inline void report(double value, const char *unit,
                                                                const char *name, ...)
{
    va_list values;
    va_start(values, name);
    vprintf(name, values);
    va_end(values);
    printf(",%.4g,%s\n", value, unit);
}

// Memory of the host, which the caller frees.
static inline void *host_memory(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        fprintf(stderr, "no %zu bytes of memory on the host: close other programs\n", bytes);
        exit(1);
    }
    return memory;
}

static inline int attribute(cudaDeviceAttr which)
{
    int value;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

static inline int multiprocessors(void)
{
    return attribute(cudaDevAttrMultiProcessorCount);
}

// By a clock that all SMs have in common, between the accesses before it and those after it.
static __device__ inline unsigned long long now_ns(void)
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns) : : "memory");
    return ns;
}

// From one time to the other, whichever was first.
static inline double apart_ns(unsigned long long one, unsigned long long other)
{
    return one < other ? other - one : one - other;
}

// The mean time from a tile to the one beside it, of tiles in rows of so many, by when each was done.
static inline double apart_in_rows_us(const unsigned long long *when, int across, int tiles)
{
    double sum = 0;
    for (int i = 0; i + 1 < tiles; i++)
        if ((i + 1) % across)
            sum += apart_ns(when[i], when[i + 1]);
    return sum / (tiles - tiles / across) * 1e-3;
}

// Bytes of shared memory with which an SM holds that many blocks; 1 KiB of each block's is CUDA's.
static inline unsigned shared_of_block(int resident)
{
    return attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) / resident - 1024;
}

// SM cycles in that time, at the highest clock.
static inline double cycles_in(double ms)
{
    return ms * attribute(cudaDevAttrClockRate);
}

enum { SM_THREADS = 2048 }; // that an SM holds

// The same where blocks of so many threads may fill it: what the block itself needs, which may be 0.
static inline unsigned shared_to_fill(int resident, int threads, unsigned needed)
{
    return resident * threads < SM_THREADS ? shared_of_block(resident) : needed;
}

// The block meets: each thread gives its words to one of the warp before, through `shared`, which has room for them all.
template <int each, typename Word>
static __device__ inline void pass_on(Word *shared, Word words[each])
{
#pragma unroll
    for (int i = 0; i < each; i++)
        shared[i * blockDim.x + threadIdx.x] = words[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < each; i++)
        words[i] = shared[i * blockDim.x + (threadIdx.x + WARP) % blockDim.x];
}

static inline int compare_unsigned(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median of what REPEATS calls return, after those that do not count.
template <typename Measure>
static double median(Measure measure)
{
    double values[REPEATS];
    for (int i = 0; i < WARM_UPS; i++)
        measure();
    for (int i = 0; i < REPEATS; i++)
        values[i] = measure();
    qsort(values, REPEATS, sizeof *values, compare_doubles);
    return values[REPEATS / 2];
}

// Of so many rounds that each block did, block after block, by when: how many are between two blocks side by side, in the mean
// over them and over all rounds.
static inline double mean_rounds_apart(const unsigned long long *when, int blocks, int rounds)
{
    double apart = 0, took = 0;
    for (int b = 0; b + 1 < blocks; b++) {
        const unsigned long long *me = when + b * rounds, *next = me + rounds;
        took += (double)(me[rounds - 1] - me[0]) / (rounds - 1);
        for (int round = 0; round < rounds; round++)
            apart += apart_ns(me[round], next[round]) / rounds;
    }
    return apart / took;
}

// The median of that over launches, whose blocks note there when each was done.
template <typename Launch>
static double rounds_apart(int blocks, int rounds, Launch launch)
{
    const size_t bytes = (size_t)blocks * rounds * sizeof(unsigned long long);
    unsigned long long *when, *host = (unsigned long long *)host_memory(bytes);
    CHECK(cudaMalloc(&when, bytes));
    double apart = median([=] {
        launch(when);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, when, bytes, cudaMemcpyDeviceToHost));
        return mean_rounds_apart(host, blocks, rounds);
    });
    CHECK(cudaFree(when));
    free(host);
    return apart;
}

static __global__ void spin(long long cycles)
{
    for (long long start = clock64(); clock64() - start < cycles;)
        ;
}

// The SM's clock when a word that was loaded is there: what reads the clock waits for it.
static __device__ inline unsigned clock_at(float word)
{
    unsigned now;
    asm volatile("{ .reg .pred wrong; setp.eq.f32 wrong, %1, 0f3F000000; @wrong trap;\n"
                 "mov.u32 %0, %%clock; }"
                 : "=r"(now)
                 : "f"(word)
                 : "memory");
    return now;
}

// Milliseconds of one launch between CUDA events. All is queued behind a kernel that spins, so that the device does not
// wait for the host between the events.
template <typename Launch>
static double time_ms(Launch launch)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    double ms = median([&] {
        float once;
        if (SPIN_US > 0)
            spin<<<1, 1>>>((long long)cycles_in(SPIN_US * 1e-3));
        CHECK(cudaEventRecord(start));
        launch();
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&once, start, stop));
        return once;
    });
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return ms;
}

// Cycles that a kernel took which writes its own count of them to cycles[block]: the blocks' mean.
template <typename Launch>
static double count_cycles(Launch launch, int blocks = 1)
{
    long long *cycles, *host;
    CHECK(cudaMallocHost(&host, blocks * sizeof *host));
    CHECK(cudaMalloc(&cycles, blocks * sizeof *cycles));
    double count = median([=] {
        double sum = 0;
        launch(cycles);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, cycles, blocks * sizeof *host, cudaMemcpyDeviceToHost));
        for (int i = 0; i < blocks; i++)
            sum += (double)host[i];
        return sum / blocks;
    });
    CHECK(cudaFree(cycles));
    CHECK(cudaFreeHost(host));
    return count;
}

// An idle GPU runs at a low clock: keeps it busy until it runs at the highest.
static inline void wake_up(void)
{
    CHECK(cudaSetDevice(0));
    for (int i = 0; i < WAKING_SPINS; i++)
        spin<<<multiprocessors(), WARP>>>((long long)cycles_in(10));
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

#endif
