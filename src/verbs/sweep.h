// ./run sweep: the same steps at many sizes, and in many geometries. Each point is a run of the program of
// its own, so that a point that fails takes none of the others with it.
#ifndef SWEEP_H
#define SWEEP_H

#include "command_line/options.h"
#include "facts/points.h"
#include "facts/steps.h"

enum { MAX_POINTS = 200 };

// A program of another geometry than that of ./run; of TILE 0: ./run itself.
struct geometry {
    int tile, rows;
};

struct sweep {
    int count;
    struct point points[MAX_POINTS];
    struct geometry geometries[MAX_POINTS]; // the one that each point is built for
    // Chosen steps whose points were left out: those that do not use what is swept have one point a size,
    // and the serial ones stay at SERIAL_MAX_N.
    bool without_geometry[MAX_STEPS], too_large_for[MAX_STEPS];
};

// The points that the options come to, in the order of the steps, the sizes, TILE and ROWS; a step that
// does not have TILE or ROWS (steps/step.h) is not built for its values. False after a
// message on standard error, when there is none, more than MAX_POINTS, or a geometry that cannot be.
bool sweep_plan(const struct options *options, struct sweep *sweep);

// Builds the programs of other geometries with make, each in a folder of its own: build/gpu-16x8/ or
// build/sim-16x8/. ./run and what it points to stay as they are. The points of a geometry that does not
// compile are marked as failed. False after a message on standard error when nothing can be built at all.
bool sweep_build(struct sweep *sweep);

// Runs the points that are not marked as failed, and fills them in. Returns EXIT_GOOD, or after a message
// on standard error what ends every run alike: EXIT_USAGE or EXIT_NO_DEVICE.
int sweep_measure(const struct options *options, struct sweep *sweep);

// The path of the program of a geometry, on the kind of device that this program is for. False when it
// cannot be told.
bool geometry_program(struct geometry geometry, char path[KIT_PATH_SIZE]);

// The last line of what a program wrote to standard error, without the program's name before it, as a
// point's error.
void point_fail(struct point *point, const char *said);

#endif
