// The tiles of `in` and `out` that the blocks touch which an H200 holds at once, in the order of step 6
// and in that of step 7.
#include "accesses.h"
#include "figures.h"
#include "pictures.h"
#include "svg.h"

#include <stdbool.h>
#include <stdlib.h>

enum { N = 4096, SIDE = 64, TILES = N / SIDE, CELL = 3, EDGE = TILES * CELL };
enum { LEFT = 24, TOP = 96, GAP = 22, APART = 46 };
enum { OUT, IN, MATRICES };

// Where the first blocks' first accesses to the output and the input lie; 0 for none yet.
struct wave {
    size_t count;
    uint64_t (*address)[MATRICES];
};

static void note(const struct sim_seen *seen, void *context)
{
    struct wave *wave = context;
    int matrix = seen->kind == SIM_GLOBAL_LOAD ? IN : OUT;
    if (seen->block >= wave->count || !(seen->mask & 1) ||
        (seen->kind != SIM_GLOBAL_LOAD && seen->kind != SIM_GLOBAL_STORE))
        return;
    if (!wave->address[seen->block][matrix])
        wave->address[seen->block][matrix] = seen->address[0];
}

// Marks the tiles that were touched, and draws those beside each other in a row as one.
static void draw_matrix(FILE *file, double x, const struct wave *wave, int matrix, uint64_t start)
{
    bool touched[TILES][TILES + 1] = {{false}};
    for (size_t block = 0; block < wave->count; block++) {
        size_t element = (wave->address[block][matrix] - start) / sizeof(float);
        touched[element / N / SIDE][element % N / SIDE] = true;
    }
    svg_rect(file, x, TOP, EDGE, EDGE, PALE);
    for (int row = 0; row < TILES; row++)
        for (int column = 0, end; column < TILES; column = end + 1) {
            for (end = column; touched[row][end];)
                end++;
            if (end > column)
                svg_rect(file, x + column * CELL, TOP + row * CELL, (end - column) * CELL, CELL,
                         matrix == IN ? BLUE : VERMILION);
        }
    svg_text(file, x, TOP - 10, AT_START, 16, INK, matrix == IN ? "reads of in" : "writes of out");
}

static int draw_step(FILE *file, double x, int number, size_t blocks, const char *heading)
{
    uint64_t starts[MATRICES];
    struct wave wave = {blocks, calloc(blocks, sizeof *wave.address)};
    int drawn = wave.address && watch_step(number, N, note, &wave, starts);
    if (drawn) {
        svg_text(file, x, TOP - 38, AT_START, 18, INK, "%s", heading);
        draw_matrix(file, x, &wave, IN, starts[IN]);
        draw_matrix(file, x + EDGE + GAP, &wave, OUT, starts[OUT]);
    }
    free(wave.address);
    return drawn;
}

int draw_block_order(FILE *file)
{
    struct run *run = figures_run();
    const struct sm_limits *sm = run ? figures_sm(run) : NULL;
    const struct step_result *step = sm ? figures_step(run, 6) : NULL;
    int drawn = step != NULL;
    if (drawn) {
        struct occupancy now = occupancy_of(sm, step->block[0] * step->block[1],
                                            (unsigned)step->values[REGISTERS].number,
                                            (size_t)step->values[SHARED_BYTES].number);
        size_t blocks = (size_t)now.blocks * (size_t)run->device.sms;
        svg_open(file, 2 * LEFT + 4 * EDGE + 2 * GAP + APART, TOP + EDGE + 24,
                 "The tiles that the blocks which run together read and write");
        svg_text(file, LEFT, 30, AT_START, 16, INK,
                 "The %zu blocks that run together, %u on each of %d SMs, of %d, at n = %d", blocks,
                 now.blocks, run->device.sms, TILES * TILES, N);
        drawn = draw_step(file, LEFT, 6, blocks, "Step 6: blocks along rows") &&
                draw_step(file, LEFT + 2 * EDGE + GAP + APART, 7, blocks,
                          "Step 7: blocks down columns");
        svg_close(file);
    }
    free(run);
    return drawn;
}
