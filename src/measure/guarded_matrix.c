#include "measure/guarded_matrix.h"

#include "base/platform.h"
#include "measure/verify.h"

#include <stdio.h>

// A kernel whose guard is missing runs over by up to 1024 rows, so the guards are that long, within
// 1 MiB to 64 MiB: whole megabytes, so that the matrix stays as aligned as the allocation. A device
// that checks every access needs none: it names the line, for reads too.
static size_t guard_words(size_t n)
{
    if (platform.checks_accesses && platform.checks_accesses())
        return 0;
    const size_t mib = (1 << 20) / WORD;
    size_t guard = (1024 * n + mib - 1) / mib * mib;
    return guard < mib ? mib : guard > 64 * mib ? 64 * mib : guard;
}

bool guarded_open(struct guarded *matrix, size_t n, const char *what, char failure[FAILURE_SIZE])
{
    matrix->guard = guard_words(n);
    matrix->words = n * n + 2 * matrix->guard;
    return cuda_ok(cudaMalloc((void **)&matrix->memory, matrix->words * WORD), failure,
                   "cudaMalloc of the %s (%zu x %zu floats and guards, %zu MiB)", what, n, n,
                   matrix->words * WORD >> 20);
}

bool guarded_verify(const struct guarded *matrix, const uint32_t *fetched, const char *what,
                    char *complaint, size_t size)
{
    const uint32_t *behind = fetched + matrix->words - matrix->guard;
    size_t first;
    if (!verify_poison(fetched, matrix->guard, &first)) {
        snprintf(complaint, size,
                 "the kernel wrote in front of the %s, %zu element%s before its start: an index is "
                 "negative",
                 what, matrix->guard - first, matrix->guard - first == 1 ? "" : "s");
        return false;
    }
    if (!verify_poison(behind, matrix->guard, &first)) {
        snprintf(complaint, size,
                 "the kernel wrote behind the %s, %zu element%s past its last: a guard such as "
                 "`row < n && col < n` is missing or wrong",
                 what, first + 1, first == 0 ? "" : "s");
        return false;
    }
    return true;
}
