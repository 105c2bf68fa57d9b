// Where the warps of a kernel were, and what they waited for, whenever the hardware looked.
//
// Samples hold no pointers, so that they can live in memory that two processes share.
#ifndef STALL_SAMPLES_H
#define STALL_SAMPLES_H

#include "base/source_files.h"
#include "facts/stall_reasons.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_STALL_LINES = 512, MAX_STALL_CAUSES = 512 };

// All samples of one line.
struct stall_line {
    int file;      // its place in stall_samples.files
    unsigned line; // from 1; 0: the code does not say
    uint64_t samples[STALL_REASONS];
};

// Of a line's samples for one reason, those that waited for an instruction of one line: a load, a barrier, the last store.
struct stall_cause {
    int file; // which waits
    unsigned line;
    enum stall_reason reason;
    int cause_file; // which is waited for
    unsigned cause_line;
    uint64_t samples;
};

struct stall_samples {
    bool is_modelled; // by the simulated device: a sample of each warp of an SM at each cycle
    uint64_t dropped; // samples that the hardware took and lost
    int launches;     // of the kernel, to have enough samples
    uint64_t period;  // cycles of an SM between two samples of one of its schedulers
    int count;
    struct stall_line lines[MAX_STALL_LINES];
    int cause_count;
    struct stall_cause causes[MAX_STALL_CAUSES];
    struct source_files files;
    bool overflowed; // there were more lines or causes, which are left out
};

// Adds what was seen of one reason at one line of `file`.
void stall_samples_add(struct stall_samples *samples, const char *file, unsigned line,
                       enum stall_reason reason, uint64_t count);

// Adds what waited for `cause_line` among samples that were added.
void stall_samples_add_cause(struct stall_samples *samples, const char *file, unsigned line,
                             enum stall_reason reason, const char *cause_file, unsigned cause_line,
                             uint64_t count);

// Puts the lines in the order of files and lines; and their causes likewise, the largest first.
void stall_samples_sort(struct stall_samples *samples);

// The causes of one line: the first one's place among all, and how many there are. Sorted samples have them together.
int stall_line_causes(const struct stall_samples *samples, const struct stall_line *line,
                      int *first);

// Over all lines: of one reason, and of all.
uint64_t stall_samples_of(const struct stall_samples *samples, enum stall_reason reason);
uint64_t stall_samples_total(const struct stall_samples *samples);

// Of one line, for all reasons; and those in which it waited: neither selected nor ready.
uint64_t stall_line_total(const struct stall_line *line);
uint64_t stall_line_waiting(const struct stall_line *line);

#endif
