// Errors of the runtime in words: the advice fits the call that failed.
#include "base/platform.h"
#include "facts/failure.h"
#include "facts/launches.h"
#include "suites.h"
#include "support.h"

#include <string.h>

SUITE(failure)

TEST(advice_fits_the_error)
{
    static const struct {
        cudaError_t error;
        const char *words;
    } expected[] = {{cudaErrorInvalidConfiguration, "1024 threads at most"},
                    {cudaErrorInvalidValue, "a copy, a fill or cudaFree()"},
                    {cudaErrorInvalidMemcpyDirection, "cudaMemcpyHostToDevice"},
                    {cudaErrorInvalidPitchValue, "wider than its pitch"},
                    {cudaErrorInvalidResourceHandle, "was destroyed before"}};
    char failure[FAILURE_SIZE];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert(!cuda_ok(expected[i].error, failure, "a call of %d", 7));
        assert_contains(failure, "a call of 7: cudaError", expected[i].words);
    }
}

// What the simulated device says of a call takes the place of the general advice, also where the step's
// kernel is what was looked at.
TEST(a_refused_call_says_why)
{
    char failure[FAILURE_SIZE], *host = failure;
    if (!platform.simulated) { // another runtime says nothing more
        ck_assert(!platform.report);
        return;
    }
    ck_assert(!kernel_ok(cudaFree(host), failure, sizeof failure, "the kernel of step %d", 3));
    assert_contains(failure, "the kernel of step 3: cudaErrorInvalidValue (invalid argument). ",
                    "is no device memory.");
    ck_assert_ptr_null(strstr(failure, "grid"));
    ck_assert(!cuda_ok(cudaMemcpy(host, host, 1, (enum cudaMemcpyKind)99), failure, "a copy"));
    assert_contains(failure, "no copy is of kind 99.");
    ck_assert_int_eq(cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
}

// A launch that the host had no memory to note was not made: no step looks at what it returns.
TEST(a_lost_launch_is_no_wrong_result)
{
    char complaint[FAILURE_SIZE];
    struct launch_record launch = {.count = 2, .kernel = complaint, .is_lost = true};
    ck_assert(!launch_ok(cudaSuccess, &launch, 3, "step3.cu", 64, complaint, sizeof complaint));
    assert_contains(complaint, "the host has no", "Try a smaller n");
}
