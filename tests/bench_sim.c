// How fast the simulated device runs the steps: elements per second, counts on.
//
//     bench_sim [n]       the five steps at n (default 4096; the serial steps at 1024 at most)
//
// Each step runs with the checks on and off, and on one of the host's threads and on all.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../src/sim/sim.h"
#include "../steps/step.h"

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

// Elements a second of one launch.
static double rate(const struct step *step, size_t n)
{
    float *in, *out, ms = 0;
    cudaEvent_t start, end;
    size_t bytes = n * n * sizeof *in;
    require(cudaMalloc((void **)&in, bytes), "cudaMalloc");
    require(cudaMalloc((void **)&out, bytes), "cudaMalloc");
    require(cudaMemset(in, 0x3f, bytes), "cudaMemset");
    require(cudaMemset(out, 0, bytes), "cudaMemset");
    require(cudaEventCreate(&start), "cudaEventCreate");
    require(cudaEventCreate(&end), "cudaEventCreate");
    step->launch(out, in, n); // the first one also waits for the system to hand out memory
    require(cudaEventRecord(start, 0), "cudaEventRecord");
    step->launch(out, in, n);
    require(cudaEventRecord(end, 0), step->title);
    require(cudaEventElapsedTime(&ms, start, end), "cudaEventElapsedTime");
    require(cudaEventDestroy(start), "cudaEventDestroy");
    require(cudaEventDestroy(end), "cudaEventDestroy");
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return (double)n * (double)n / ms * 1e3;
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
    printf("million elements/s; checks   on, 1 thread   on, %ld threads   off, 1 thread   off, "
           "%ld threads\n",
           cores, cores);
    for (int i = 0; i < step_count; i++) {
        size_t size = steps[i]->number <= SERIAL_STEPS && n > SERIAL_LIMIT ? SERIAL_LIMIT : n;
        printf("%-30s n = %5zu", steps[i]->title, size);
        for (int checks = 1; checks >= 0; checks--) {
            sim_set_checks(checks);
            for (int all = 0; all <= 1; all++) {
                require(cudaDeviceReset(), "cudaDeviceReset");
                sim_set_threads(all ? (unsigned)cores : 1);
                printf("  %9.2f", rate(steps[i], size) * 1e-6);
                fflush(stdout);
            }
        }
        printf("\n");
    }
    return 0;
}
