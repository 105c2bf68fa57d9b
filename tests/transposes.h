// What judges the timing model: the lesson's steps and the sets of transposes, a folder of tests/ each.
#ifndef TRANSPOSES_H
#define TRANSPOSES_H

// How many kernels a set has, and of how many the machine instructions are counted: the loops of the others do not say
// their rounds, or their blocks share out the work otherwise on a GPU, of which no time is told.
static const struct {
    const char *name;
    int kernels, counted;
} transposes[] = {{"steps", 8, 8},    {"variants", 12, 12}, {"blind", 26, 26},
                  {"unseen", 24, 19}, {"heldout", 15, 12},  {"fresh", 12, 10},
                  {"guest", 12, 11},  {"stranger", 12, 9}};
enum { SETS = sizeof transposes / sizeof *transposes };

// Of the sets; the lesson's steps apart.
enum { TRANSPOSES = 12 + 26 + 24 + 15 + 12 + 12 + 12 };

#endif
