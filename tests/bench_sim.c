// How fast the simulated device runs the steps: elements per second, counts on.
//
//     bench_sim [n]       the five steps at n (default 4096; the serial steps at 1024 at most)
//
// Each step runs with the checks on and off, and on one of the host's threads and on all; and last
// without the timing model, to see what that takes.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sim/sim.h"
#include "steps/step.h"

enum { MAX_STEPS = 16 };

static const struct step *steps[MAX_STEPS];
static int step_count;

void step_register(const struct step *step)
{
    if (step_count < MAX_STEPS)
        steps[step_count++] = step;
}

static void require(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "bench_sim: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static int by_number(const void *a, const void *b)
{
    return (*(const struct step *const *)a)->number - (*(const struct step *const *)b)->number;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Elements a second of the host's time, of one launch.
static double rate(const struct step *step, size_t n)
{
    float *in, *out;
    size_t bytes = n * n * sizeof *in;
    require(cudaMalloc((void **)&in, bytes), "cudaMalloc");
    require(cudaMalloc((void **)&out, bytes), "cudaMalloc");
    require(cudaMemset(in, 0x3f, bytes), "cudaMemset");
    require(cudaMemset(out, 0, bytes), "cudaMemset");
    step->launch(out, in, n); // the first one also waits for the system to hand out memory
    double start = seconds();
    step->launch(out, in, n);
    require(cudaDeviceSynchronize(), step->title);
    double taken = seconds() - start;
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return (double)n * (double)n / taken;
}

// The same on a fresh device, with that many of the host's threads; printed in millions.
static double rate_with(const struct step *step, size_t n, unsigned threads)
{
    require(cudaDeviceReset(), "cudaDeviceReset");
    sim_set(SIM_THREADS, threads);
    double measured = rate(step, n);
    printf("  %11.2f", measured * 1e-6);
    fflush(stdout);
    return measured;
}

int main(int argc, char **argv)
{
    enum { SERIAL_LIMIT = 1024, SERIAL_STEPS = 2 };
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 4096;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (n == 0) {
        fprintf(stderr, "usage: bench_sim [n]\n");
        return 2;
    }
    qsort(steps, (size_t)step_count, sizeof *steps, by_number);
    printf("million elements/s; checks:                 on           on          off          off"
           "          off\n"
           "threads:                                     1            %-2ld          1            "
           "%-2ld"
           "  1, no model   model adds\n",
           cores, cores);
    for (int i = 0; i < step_count; i++) {
        size_t size = steps[i]->number <= SERIAL_STEPS && n > SERIAL_LIMIT ? SERIAL_LIMIT : n;
        printf("%-30s n = %5zu", steps[i]->title, size);
        double with_model = 0;
        for (int checks = 1; checks >= 0; checks--) {
            sim_set(SIM_CHECKS, checks);
            for (int all = 0; all <= 1; all++) {
                double measured = rate_with(steps[i], size, all ? (unsigned)cores : 1);
                with_model = all ? with_model : measured;
            }
        }
        sim_set(SIM_MODEL, 0);
        double without = rate_with(steps[i], size, 1);
        sim_set(SIM_MODEL, 1);
        printf("  %+9.0f%%\n", 100 * (without / with_model - 1));
    }
    return 0;
}
