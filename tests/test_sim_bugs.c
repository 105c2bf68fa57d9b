// Every planted bug is caught: by the right check, by verification, or by the launch's error.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"
#include "steps/step.h"

#include "suites.h"

enum { N = 100, MAX_BUGS = 64 };

static const struct step *bugs[MAX_BUGS];
static int bug_count;

void step_register(const struct step *step)
{
    if (bug_count < MAX_BUGS)
        bugs[bug_count++] = step;
}

static const char wrong_result[] = "wrong result";

static const struct {
    const char *name;
    const char *report; // what the check's report begins with, or wrong_result
    cudaError_t error;
} expected[] = {
    {"missing_barrier", "========= Race __shared__", cudaErrorLaunchFailure},
    {"swapped_index", wrong_result, cudaSuccess},
    {"wrong_guard", "========= Out of bounds __global__ write", cudaErrorIllegalAddress},
    {"off_by_one_tile", "========= Out of bounds __shared__ write", cudaErrorIllegalAddress},
    {"uninitialised_tile", "========= Uninitialized __shared__ read", cudaErrorLaunchFailure},
    {"divergent_barrier", "========= Divergent barrier", cudaErrorLaunchFailure},
    {"early_return", wrong_result, cudaSuccess},
    {"early_return_line", "========= Uninitialized __shared__ read", cudaErrorLaunchFailure},
    {"two_barriers", "========= Divergent barrier", cudaErrorLaunchFailure},
    {"endless_loop", "========= Endless loop", cudaErrorLaunchTimeout},
    {"read_beyond", "========= Out of bounds __global__ read", cudaErrorIllegalAddress},
    {"write_beyond", "========= Out of bounds __global__ write", cudaErrorIllegalAddress},
    {"read_before", "========= Out of bounds __global__ read", cudaErrorIllegalAddress},
    {"wrong_pitch", "========= Out of bounds __global__ read", cudaErrorIllegalAddress},
    {"narrow_index", "========= Race __global__ write", cudaErrorLaunchFailure},
    {"both_ends", "========= Race __global__ write", cudaErrorLaunchFailure},
    {"two_writers", "========= Race __global__ write", cudaErrorLaunchFailure},
    {"in_place", "========= Race __global__", cudaErrorLaunchFailure},
    {"misaligned", "========= Misaligned __global__ read", cudaErrorMisalignedAddress},
    {"missing_column", wrong_result, cudaSuccess},
    {"tile_reused", "========= Race __shared__", cudaErrorLaunchFailure},
    {"loop_barrier", "========= Divergent barrier", cudaErrorLaunchFailure},
    {"too_many_threads", wrong_result, cudaErrorInvalidConfiguration},
    {"use_after_free", "========= Use after free __global__ read", cudaErrorIllegalAddress},
    {"uninitialised_buffer", "========= Uninitialized __global__ read", cudaErrorLaunchFailure},
    {"atomic_shared", "========= Race __shared__ read", cudaErrorLaunchFailure},
    {"atomic_global", "========= Race __global__ read", cudaErrorLaunchFailure},
    {"atomic_after_write", "========= Race __global__ atomic", cudaErrorLaunchFailure},
    {"atomic_reset", "========= Race __shared__ write", cudaErrorLaunchFailure},
    {"read_then_atomic", "========= Race __shared__ atomic", cudaErrorLaunchFailure},
    {"byte_shared", "========= Race __shared__ read of 1 bytes", cudaErrorLaunchFailure},
    {"byte_global", "========= Race __global__ write of 1 bytes", cudaErrorLaunchFailure},
    {"byte_words", "========= Race __shared__ read of", cudaErrorLaunchFailure},
    {"waits_for_later_block", "========= Endless loop", cudaErrorLaunchTimeout},
    {"lock_in_warp", "========= Endless loop", cudaErrorLaunchTimeout},
    {"lock_without_fence", "========= Race __shared__ read", cudaErrorLaunchFailure},
    {"constant_beyond", "========= Out of bounds __constant__ read", cudaErrorIllegalAddress},
    {"shuffle_unnamed", "========= Wrong lanes: lane 16", cudaErrorLaunchFailure},
    {"shuffle_missing", "========= Wrong lanes: lane 0", cudaErrorLaunchFailure},
    {"vote_missing", "========= Wrong lanes: lane 0", cudaErrorLaunchFailure},
    {"match_unnamed", "========= Wrong lanes: lane 16", cudaErrorLaunchFailure},
    {"syncwarp_unnamed", "========= Wrong lanes: lane 16", cudaErrorLaunchFailure},
    {"syncwarp_missing",
     "========= Wrong lanes: lane 0 of the warp executes it, but lane 16, which the mask "
     "0xffffffff names, does not execute it with it (the lanes 0xffff0000 do not)",
     cudaErrorLaunchFailure},
    {"shuffle_beyond",
     "========= Wrong lanes: lane 0 of the warp reads lane 16, which its mask does not name "
     "(mask 0x000000ff)",
     cudaErrorLaunchFailure},
    {"shuffle_exited", "========= Wrong lanes: lane 3 of the warp reads lane 4, which has exited",
     cudaErrorLaunchFailure},
    {"shuffle_partial",
     "========= Wrong lanes: lane 0 of the warp reads lane 16, which the block has no thread for",
     cudaErrorLaunchFailure},
    {"shuffle_called", "========= Wrong lanes: lane 0 of the warp reads lane 16",
     cudaErrorLaunchFailure},
    {"shuffle_array", "========= Wrong lanes: lane 0 of the warp reads lane ",
     cudaErrorLaunchFailure},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static const struct step *find_bug(const char *name)
{
    for (int i = 0; i < bug_count; i++) {
        const char *at = strstr(bugs[i]->file, name);
        if (at && at > bugs[i]->file && at[-1] == '/' && strcmp(at + strlen(name), ".cu") == 0)
            return bugs[i];
    }
    ck_abort_msg("tests/bugs/%s.cu is not in this program", name);
    return NULL;
}

// Runs the bug at a size that needs its guards. Returns whether the result is a transpose.
static int run(const struct step *bug, size_t n, cudaError_t *error)
{
    enum { MOST = 700 };
    static float in[MOST * MOST], result[MOST * MOST];
    float *device_in, *device_out;
    size_t size = n * n * sizeof *in;
    for (size_t i = 0; i < n * n; i++)
        in[i] = (float)i;
    SUCCEEDS(cudaMalloc((void **)&device_in, size));
    SUCCEEDS(cudaMalloc((void **)&device_out, size));
    SUCCEEDS(cudaMemcpy(device_in, in, size, cudaMemcpyHostToDevice));
    SUCCEEDS(cudaMemset(device_out, 0xff, size));
    bug->launch(device_out, device_in, n);
    *error = cudaGetLastError(); // as on a GPU, of the launch alone
    cudaError_t of_kernel = cudaDeviceSynchronize();
    *error = of_kernel != cudaSuccess ? of_kernel : *error;
    if (of_kernel != cudaSuccess ||
        cudaMemcpy(result, device_out, size, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 0;
    for (size_t row = 0; row < n; row++)
        for (size_t col = 0; col < n; col++)
            if (result[col * n + row] != in[row * n + col])
                return 0;
    return 1;
}

static size_t size_for(const char *name)
{
    return strcmp(name, "narrow_index") == 0 ? 300 : N;
}

PROGRAM(sim_bugs)

TEST(a_bug_is_caught, .times = EXPECTED)
{
    const struct step *bug = find_bug(expected[_i].name);
    cudaError_t error;
    sim_set(SIM_BUDGET, 1000000);
    ck_assert_msg(!run(bug, size_for(expected[_i].name), &error), "%s: the result is right",
                  bug->file);
    ck_assert_msg(error == expected[_i].error, "%s: %s", bug->file, cudaGetErrorName(error));
    const char *report = sim_last_report();
    if (expected[_i].report == wrong_result) {
        ck_assert_str_eq(report, "");
        return;
    }
    ck_assert_msg(strncmp(report, expected[_i].report, strlen(expected[_i].report)) == 0, "%s: %s",
                  bug->file, report);
    char kernel[128];
    snprintf(kernel, sizeof kernel, "at %s(float*, float const*, unsigned long) in ",
             expected[_i].name);
    ck_assert_msg(strstr(report, kernel), "the kernel's name: %s", report);
    ck_assert_msg(strstr(report, " tests/bugs/") || strstr(report, "cuda_device_functions.h:"),
                  "the file's path from here: %s", report);
    // clang says where a header's code is, but not where it is inlined.
    ck_assert_msg(strstr(report, ".cu:") || strstr(report, "cuda_device_functions.h:"),
                  "the source line: %s", report);
    ck_assert_msg(strstr(report, "block (") && strstr(report, "thread ("), "the thread: %s",
                  report);
}

TEST(a_wait_for_another_block_is_told)
{
    cudaError_t error;
    sim_set(SIM_BUDGET, 1000000);
    ck_assert(!run(find_bug("endless_loop"), N, &error));
    ck_assert_ptr_null(strstr(sim_last_report(), "waits for another block"));
    SUCCEEDS(cudaDeviceReset());
    ck_assert(!run(find_bug("waits_for_later_block"), N, &error));
    ck_assert_msg(strstr(sim_last_report(), "waits for another block"), "%s", sim_last_report());
}

// The shadow keeps no lines: that of a race's other access is told where only one can be it.
TEST(a_race_names_both_lines)
{
    cudaError_t error;
    sim_set(SIM_BUDGET, 1000000);
    ck_assert(!run(find_bug("missing_barrier"), N, &error));
    ck_assert_msg(strstr(sim_last_report(), "missing_barrier.cu:11 (st.shared") &&
                      strstr(sim_last_report(), "read the same word in line 15, with no barrier"),
                  "%s", sim_last_report());
    SUCCEEDS(cudaDeviceReset());
    ck_assert(!run(find_bug("in_place"), N, &error));
    ck_assert_msg(strstr(sim_last_report(), "wrote the same word, with no barrier"), "%s",
                  sim_last_report());
}

// The report of a bug with its addresses, which differ from device to device, made alike.
static void report_of(const struct step *bug, size_t n, unsigned threads, char *report, size_t size)
{
    cudaError_t error;
    SUCCEEDS(cudaDeviceReset());
    sim_set(SIM_THREADS, threads);
    run(bug, n, &error);
    snprintf(report, size, "%s: %s", cudaGetErrorName(error), sim_last_report());
    for (char *at = report; (at = strstr(at, "0x"));)
        for (at += 2; strspn(at, "0123456789abcdef"); at++)
            *at = '.';
}

// The same report, whatever the number of the host's threads.
TEST(reports_do_not_depend_on_threads, .in_case = "threads", .times = EXPECTED)
{
    static const unsigned threads[] = {2, 3, 16, 64};
    const struct step *bug = find_bug(expected[_i].name);
    size_t n = size_for(expected[_i].name);
    char one[4096], many[4096];
    sim_set(SIM_BUDGET, 100000);
    report_of(bug, n, 1, one, sizeof one);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        report_of(bug, n, threads[i], many, sizeof many);
        ck_assert_msg(strcmp(one, many) == 0, "1 thread: %s\n%u threads: %s", one, threads[i],
                      many);
    }
}

// Blocks that meet are far from each other: where other threads of the host run them, too, it is seen.
TEST(a_race_between_threads_of_the_host_is_told)
{
    enum { FAR = 700, ROUNDS = 5 };
    const struct step *bug = find_bug("both_ends");
    char one[4096], many[4096];
    report_of(bug, FAR, 1, one, sizeof one);
    for (int i = 0; i < ROUNDS; i++) {
        report_of(bug, FAR, 16, many, sizeof many);
        ck_assert_msg(strcmp(one, many) == 0, "1 thread: %s\n16 threads: %s", one, many);
    }
}
