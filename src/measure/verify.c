#include "measure/verify.h"

#include "base/parallel.h"
#include "measure/diagnose.h"
#include "measure/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct comparison {
    const uint32_t *out, *expected;
    size_t n, tile;
    struct tally tallies[MAX_WORKERS];
};

static void compare_rows(void *context, size_t first, size_t last, int worker)
{
    struct comparison *job = context;
    size_t n = job->n;
    for (size_t row = first; row < last; row++) {
        const uint32_t *found = job->out + row * n, *expected = job->expected + row * n;
        if (memcmp(found, expected, n * sizeof *found) == 0)
            continue;
        for (size_t col = 0; col < n; col++)
            if (found[col] != expected[col])
                tally_wrong(&job->tallies[worker], row, col, found[col]);
    }
}

bool verify_transpose(const uint32_t *out, const uint32_t *expected, size_t n, size_t tile,
                      struct mismatch *mismatch)
{
    struct comparison job = {.out = out, .expected = expected, .n = n};
    for (int i = 0; i < MAX_WORKERS; i++)
        tally_start(&job.tallies[i], n, tile);
    parallel_for(n, compare_rows, &job);

    struct tally *all = &job.tallies[0];
    for (int i = 1; i < MAX_WORKERS; i++)
        tally_add(all, &job.tallies[i]);
    if (all->wrong == 0)
        return true;

    size_t first = all->first_row * n + all->first_col;
    *mismatch = (struct mismatch){.wrong = all->wrong,
                                  .row = all->first_row,
                                  .col = all->first_col,
                                  .expected = expected[first],
                                  .found = out[first]};
    tally_suggest(all, mismatch->suggestion, sizeof mismatch->suggestion);
    return false;
}

// Each bit, or floats that are near enough; of NaN none is.
static bool is_near(uint32_t found, uint32_t expected, double tolerance)
{
    float a, b;
    memcpy(&a, &found, sizeof a);
    memcpy(&b, &expected, sizeof b);
    return found == expected ||
           (tolerance > 0 && fabs((double)a - (double)b) <= tolerance * fabs((double)b));
}

static void suggest_for_workload(const struct mismatch *mismatch, size_t unwritten, size_t unwanted,
                                 char text[SUGGESTION_SIZE])
{
    if (unwritten == mismatch->wrong)
        snprintf(text, SUGGESTION_SIZE,
                 "these were never written: did the kernel start, is the grid rounded down, or the "
                 "guard too strict?");
    else if (unwanted == mismatch->wrong)
        snprintf(text, SUGGESTION_SIZE,
                 "these should not be written at all: the CPU's function leaves them as they are");
    else
        snprintf(text, SUGGESTION_SIZE,
                 "%zu were never written, %zu hold another value: follow the first through the "
                 "CPU's function, which says what is right; then look at indices, at guards, and "
                 "for a missing __syncthreads()",
                 unwritten, mismatch->wrong - unwritten);
}

bool verify_workload(const uint32_t *out, const uint32_t *expected, size_t n, double tolerance,
                     struct mismatch *mismatch)
{
    size_t unwritten = 0, unwanted = 0;
    *mismatch = (struct mismatch){.wrong = 0};
    for (size_t i = 0; i < n * n; i++) {
        if (is_near(out[i], expected[i], tolerance))
            continue;
        if (mismatch->wrong++ == 0) {
            mismatch->row = i / n;
            mismatch->col = i % n;
            mismatch->expected = expected[i];
            mismatch->found = out[i];
        }
        unwritten += out[i] == MATRIX_POISON;
        unwanted += expected[i] == MATRIX_POISON;
    }
    suggest_for_workload(mismatch, unwritten, unwanted, mismatch->suggestion);
    return mismatch->wrong == 0;
}

bool verify_poison(const uint32_t *words, size_t count, size_t *first)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] != MATRIX_POISON) {
            *first = i;
            return false;
        }
    return true;
}

// For each worker, the first word of its rows that differs, or n * n.
struct input_check {
    const uint32_t *in;
    size_t n;
    size_t first[MAX_WORKERS];
};

static void check_input_rows(void *context, size_t first, size_t last, int worker)
{
    struct input_check *job = context;
    size_t n = job->n;
    for (size_t row = first; row < last; row++)
        for (size_t col = 0; col < n; col++)
            if (job->in[row * n + col] != matrix_bits(n, row, col)) {
                job->first[worker] = row * n + col;
                return;
            }
}

bool verify_input(const uint32_t *in, size_t n, size_t *first)
{
    struct input_check job = {.in = in, .n = n};
    for (int i = 0; i < MAX_WORKERS; i++)
        job.first[i] = n * n;
    parallel_for(n, check_input_rows, &job);

    *first = n * n;
    for (int i = 0; i < MAX_WORKERS; i++)
        if (job.first[i] < *first)
            *first = job.first[i];
    return *first == n * n;
}
