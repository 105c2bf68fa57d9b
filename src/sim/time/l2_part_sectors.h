// Sectors of which the L2 holds a part until the block that stored it stores the rest.
//
// Which bytes of such a sector are there the L2 has to know until then. For each 640 KiB of an H200 and an H100 (which have 96
// and 80 such slices) it is taken to keep that of 1024 halves of lines, which DRAM moves at once, in sets of two; beyond, it
// has DRAM complete sectors, as lts__t_sectors_data_ecc counts. Of l2_unfinished_128 to 2048_lines, whose sectors wait while
// up to as many others of an SM come, 0.01, 0.07, 0.21, 0.52 and 0.89 are completed on an H200; if they come in a row, and fall
// into the sets by chance, 0.02, 0.06, 0.17, 0.39 and 0.67 are. (NVIDIA's patent US 9,110,809 describes such a limit.)
//
// Of transposes whose warps store halves or quarters of sectors after a load (tests/micro/halves.cu, docs/runs/halves.csv) it
// has 0.62 to 0.74 of what is counted, down the columns, and their times to 8 %. Places for single sectors would have 0.77 to
// 1.18 of it, and take up to a third too long, since what it costs to complete several of a line is not known; places for
// lines 0.74 to 1.39. Lines side by side fill the sets evenly: of patches that warps store word by word next to none are
// completed as long as there is room, but many where they lie below each other (docs/runs/patches.csv). Here one SM has its
// share of the places, as it has of all that is behind it.
#ifndef SIM_L2_PART_SECTORS_H
#define SIM_L2_PART_SECTORS_H

#include <stddef.h>

#include "sim/exec/trace.h"

struct part_sectors;

// Room for one SM's share of what an L2 of `l2_bytes` keeps for so many that are busy, where it has of the lines that are
// stored to all but `share`, 0 to 1, as a whole before, and of which `apart`, 0 to 1, are far from those that other blocks
// store; or NULL when no memory is left. The caller frees it with part_sectors_free().
struct part_sectors *part_sectors_open(size_t l2_bytes, double sms, double share, double apart);
void part_sectors_free(struct part_sectors *sectors);

// A store to a line. Returns how many sectors have to be completed from DRAM for its parts to find room: those that were
// stored to least recently.
unsigned part_sectors_store(struct part_sectors *sectors, const struct trace_line *stored);

// Notes in the lines of a trace's stores the sectors that its block stores in parts, all of them (trace_line.waits): those
// wait while the SM's warps take their turns. What other blocks store is in l2_open_lines.h. Returns 0 when no memory is left.
int part_sectors_find(struct trace *trace);

#endif
