// What judges the timing model: the lesson's steps and the sets of transposes, a folder of tests/ each.
#ifndef TRANSPOSES_H
#define TRANSPOSES_H

// How many kernels a set has, and of how many the machine instructions are counted: the loops of the others do not say
// their rounds, or their blocks share out the work otherwise on a GPU, of which no time is told. It was recorded of the
// first so many of an H200 and an H100.
static const struct {
    const char *name;
    int kernels, counted, gpus;
} transposes[] = {{"steps", 8, 8, 2},    {"variants", 12, 12, 2}, {"blind", 26, 26, 2},
                  {"unseen", 24, 19, 2}, {"heldout", 15, 12, 2},  {"fresh", 12, 10, 2},
                  {"guest", 12, 11, 2},  {"stranger", 12, 9, 2},  {"visitor", 14, 12, 1}};
enum { SETS = sizeof transposes / sizeof *transposes };

// Of the sets; the lesson's steps apart.
enum { TRANSPOSES = 12 + 26 + 24 + 15 + 12 + 12 + 12 + 14 };

#endif
