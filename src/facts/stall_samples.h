// Where the warps of a kernel were, and what they waited for, whenever the hardware looked.
//
// Samples hold no pointers, so that they can live in memory that two processes share.
#ifndef STALL_SAMPLES_H
#define STALL_SAMPLES_H

#include "base/source_files.h"
#include "facts/stall_reasons.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_STALL_LINES = 512 };

// All samples of one line.
struct stall_line {
    int file;      // its place in stall_samples.files
    unsigned line; // from 1; 0: the code does not say
    uint64_t samples[STALL_REASONS];
};

struct stall_samples {
    uint64_t dropped; // samples that the hardware took and lost
    int launches;     // of the kernel, to have enough samples
    uint64_t period;  // cycles of an SM between two samples of one of its schedulers
    int count;
    struct stall_line lines[MAX_STALL_LINES];
    struct source_files files;
    bool overflowed; // there were more lines, which are left out
};

// Adds what was seen of one reason at one line of `file`.
void stall_samples_add(struct stall_samples *samples, const char *file, unsigned line,
                       enum stall_reason reason, uint64_t count);

// Puts the lines in the order of files and lines.
void stall_samples_sort(struct stall_samples *samples);

// Over all lines: of one reason, and of all.
uint64_t stall_samples_of(const struct stall_samples *samples, enum stall_reason reason);
uint64_t stall_samples_total(const struct stall_samples *samples);

// Of one line, for all reasons; and those in which it waited: neither selected nor ready.
uint64_t stall_line_total(const struct stall_line *line);
uint64_t stall_line_waiting(const struct stall_line *line);

#endif
