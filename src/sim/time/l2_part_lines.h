// Lines of which the L2 holds sectors that were stored in part.
//
// Of such a sector the L2 has to know which bytes it has, until the rest is stored. It keeps that of at most one line in
// eight, in sets of two: an H100 of 50 MB holds some 51 000 such lines, an H200 of 60 MB some 61 000, beyond which
// lts__t_sectors_data_ecc counts sectors that are completed from DRAM: of l2_unfinished_128 to 2048_lines 0.02, 0.08, 0.22,
// 0.53 and 0.89 of them. Sets of two into which lines fall by chance would make that 0.03, 0.10, 0.27, 0.59 and 0.88, of
// one 0.11, 0.21, 0.39, 0.63 and 0.85, of four 0, 0.03, 0.17, 0.56 and 0.90. (NVIDIA's patent US 9,110,809 describes such
// a limit.) Lines side by side fill the sets evenly: of patches that warps store word by word, next to none are completed as
// long as their lines have room, but many where they lie below each other (docs/runs/patches.csv). Here one SM has its share
// of them, as it has of all that is behind it.
#ifndef SIM_L2_PART_LINES_H
#define SIM_L2_PART_LINES_H

#include <stddef.h>

#include "sim/exec/trace.h"

struct part_lines;

// Room for one SM's share of what an L2 of `l2_bytes` keeps for so many that are busy, where it has of the lines that are
// stored to all but `share`, 0 to 1, as a whole before, and of which `far`, 0 to 1, are far from others; or NULL when no
// memory is left. The caller frees it with part_lines_free().
struct part_lines *part_lines_open(size_t l2_bytes, double sms, double share, double far);
void part_lines_free(struct part_lines *lines);

// A store to a line. Returns how many sectors have to be completed from DRAM for it to find room: of the line that was
// stored to least recently.
unsigned part_lines_store(struct part_lines *lines, const struct trace_line *stored);

// Notes in the lines of a trace's stores the sectors that its block stores in parts, if a warp comes back to them
// (trace_line.waits): those wait while the SM's warps take their turns. What waits because warps or blocks fall apart is
// in l2_open_lines.h. Returns 0 when no memory is left.
int part_lines_find(struct trace *trace);

#endif
