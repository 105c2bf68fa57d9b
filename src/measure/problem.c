#define _GNU_SOURCE // sysconf(_SC_PHYS_PAGES)
#include "measure/problem.h"

#include "base/memory_room.h"
#include "base/platform.h"
#include "measure/matrix.h"
#include "measure/nvtx_ranges.h"
#include "measure/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CPU_RUNS = 3 };

// What the host needs beside the matrices that are read back: the transpose that is expected, and the memory of a
// device that is simulated. What its checks note of a word takes half as much again as the word itself.
static size_t more_bytes(const struct problem *problem)
{
    size_t device = (problem->in.words + problem->out.words) * WORD;
    if (!platform.simulated)
        device = 0;
    else if (platform.checks_accesses && platform.checks_accesses())
        device += device / 2 * 3;
    return problem->n * problem->n * WORD + device;
}

// Linux hands out memory that it does not have and kills the process later: better to ask before.
static bool host_has(size_t bytes, char failure[FAILURE_SIZE])
{
    struct memory_room room = memory_room("");
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0 && bytes / (size_t)page >= (size_t)pages / 10 * 9)
        return host_memory_failed(failure, "the matrices", bytes);
    if (bytes < room.left)
        return true;
    snprintf(failure, FAILURE_SIZE,
             "this container (control group) may have %" PRIu64 " MiB of memory and has %" PRIu64
             " MiB left, but the matrices need %zu MiB. Try a smaller n (-n), or raise its limit.",
             room.limit >> 20, room.left >> 20, bytes >> 20);
    return false;
}

static bool open_host(struct problem *problem, char failure[FAILURE_SIZE])
{
    size_t expected = problem->n * problem->n * WORD, fetched = problem->out.words * WORD;
    if (!host_has(fetched + more_bytes(problem), failure))
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
