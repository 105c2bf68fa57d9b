#include "measure/problem.h"

#include "base/platform.h"
#include "measure/host_memory.h"
#include "measure/matrix.h"
#include "measure/nvtx_ranges.h"
#include "measure/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPU_RUNS = 3 };

static bool open_host(struct problem *problem, char failure[FAILURE_SIZE])
{
    size_t expected = problem->n * problem->n * WORD, fetched = problem->out.words * WORD,
           device = (problem->in.words + problem->out.words) * WORD;
    if (!host_memory_suffices(fetched + expected + host_memory_of_device(device), failure))
        return false;
    problem->expected = malloc(expected);
    problem->fetched = malloc(fetched);
    return (problem->expected && problem->fetched) ||
           host_memory_failed(failure, "the matrices", expected + fetched);
}

static void transpose_on_cpu(struct problem *problem, struct timing *cpu)
{
    const uint32_t *in = problem->fetched + problem->in.guard;
    matrix_transpose(problem->expected, in, problem->n);
    if (!cpu)
        return;

    double ms[CPU_RUNS]; // the run above touched the memory for the first time: it does not count
    for (int i = 0; i < CPU_RUNS; i++) {
        double start = seconds_now();
        matrix_transpose(problem->expected, in, problem->n);
        double spent = (seconds_now() - start) * 1e3;
        int place = i;
        for (; place > 0 && ms[place - 1] > spent; place--)
            ms[place] = ms[place - 1];
        ms[place] = spent;
    }
    *cpu = (struct timing){.median_ms = ms[CPU_RUNS / 2],
                           .min_ms = ms[0],
                           .max_ms = ms[CPU_RUNS - 1],
                           .launches = CPU_RUNS};
}

void problem_expect(struct problem *problem, const struct workload *workload)
{
    if (workload == problem->workload)
        return;
    uint32_t *in = problem->fetched + problem->in.guard;
    matrix_fill(in, problem->n);
    memset(problem->expected, 0xFF, problem->n * problem->n * WORD); // what it leaves untouched
    if (workload)
        workload->compute((float *)problem->expected, (const float *)in, problem->n);
    else
        matrix_transpose(problem->expected, in, problem->n);
    problem->workload = workload;
}

static bool upload(struct problem *problem, char failure[FAILURE_SIZE])
{
    const struct guarded *in = &problem->in;
    range_push("upload");
    bool good =
        cuda_ok(cudaMemcpy(in->memory, problem->fetched, in->words * WORD, cudaMemcpyHostToDevice),
                failure, "copying the input to the device (%zu MiB)", in->words * WORD >> 20);
    range_pop();
    return good;
}

cudaError_t problem_launch_copy(const struct problem *problem)
{
    return cudaMemcpyAsync(problem_output(problem), problem_input(problem),
                           problem->n * problem->n * sizeof(float), cudaMemcpyDeviceToDevice, 0);
}

bool problem_restore_input(struct problem *problem, char failure[FAILURE_SIZE])
{
    const struct guarded *in = &problem->in;
    memset(problem->fetched, 0xFF, in->words * WORD);
    matrix_fill(problem->fetched + in->guard, problem->n);
    return upload(problem, failure);
}

bool problem_open(struct problem *problem, size_t n, struct timing *cpu, char failure[FAILURE_SIZE])
{
    *problem = (struct problem){.n = n};
    if (!guarded_open(&problem->in, n, "input", failure) ||
        !guarded_open(&problem->out, n, "output", failure) || !open_host(problem, failure)) {
        problem_close(problem);
        return false;
    }
    if (!problem_restore_input(problem, failure)) {
        problem_close(problem);
        return false;
    }
    range_push("CPU transpose");
    transpose_on_cpu(problem, cpu);
    range_pop();
    return true;
}

void problem_close(struct problem *problem)
{
    if (problem->in.memory)
        (void)cudaFree(problem->in.memory);
    if (problem->out.memory)
        (void)cudaFree(problem->out.memory);
    free(problem->expected);
    free(problem->fetched);
    *problem = (struct problem){0};
}

const float *problem_input(const struct problem *problem)
{
    return (const float *)(problem->in.memory + problem->in.guard);
}

float *problem_output(const struct problem *problem)
{
    return (float *)(problem->out.memory + problem->out.guard);
}

bool problem_poison_output(struct problem *problem, char failure[FAILURE_SIZE])
{
    range_push("poison");
    bool good = cuda_ok(cudaMemset(problem->out.memory, 0xFF, problem->out.words * WORD), failure,
                        "cudaMemset of the output");
    range_pop();
    return good;
}

static bool fetch(struct problem *problem, const struct guarded *matrix, const char *what,
                  char *complaint, size_t size)
{
    char failure[FAILURE_SIZE];
    if (cuda_ok(cudaMemcpy(problem->fetched, matrix->memory, matrix->words * WORD,
                           cudaMemcpyDeviceToHost),
                failure, "copying the %s back", what))
        return true;
    snprintf(complaint, size, "%s", failure);
    return false;
}

static void describe_element(char text[32], uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    if (bits == MATRIX_POISON)
        snprintf(text, 32, "nothing written");
    else
        snprintf(text, 32, "%g (0x%08X)", number, bits);
}

static bool verify_output(struct problem *problem, size_t tile, char *complaint, size_t size)
{
    struct mismatch wrong;
    size_t n = problem->n;
    const uint32_t *out = problem->fetched + problem->out.guard;
    if (problem->workload
            ? verify_workload(out, problem->expected, n, problem->workload->tolerance, &wrong)
            : verify_transpose(out, problem->expected, n, tile, &wrong))
        return true;
    char expected[32], found[32];
    describe_element(expected, wrong.expected);
    describe_element(found, wrong.found);
    snprintf(complaint, size,
             "%zu of %zu elements %s wrong; the first is out[row %zu][column %zu]: expected %s, "
             "found %s. This suggests: %s",
             wrong.wrong, n * n, wrong.wrong == 1 ? "is" : "are", wrong.row, wrong.col, expected,
             found, wrong.suggestion);
    return false;
}

static bool verify_input_kept(const struct problem *problem, char *complaint, size_t size)
{
    size_t n = problem->n, first;
    if (verify_input(problem->fetched + problem->in.guard, n, &first))
        return true;
    snprintf(complaint, size,
             "the kernel changed its input, first in[row %zu][column %zu]: are `out` and `in` "
             "mixed up?",
             first / n, first % n);
    return false;
}

// The input first: where it was changed, the output is wrong for that reason.
static bool verify_all(struct problem *problem, size_t tile, char *complaint, size_t size)
{
    return fetch(problem, &problem->in, "input", complaint, size) &&
           verify_input_kept(problem, complaint, size) &&
           guarded_verify(&problem->in, problem->fetched, "input", complaint, size) &&
           fetch(problem, &problem->out, "output", complaint, size) &&
           verify_output(problem, tile, complaint, size) &&
           guarded_verify(&problem->out, problem->fetched, "output", complaint, size);
}

bool problem_verify(struct problem *problem, size_t tile, char *complaint, size_t size)
{
    range_push("verification");
    bool good = verify_all(problem, tile, complaint, size);
    range_pop();
    return good;
}
