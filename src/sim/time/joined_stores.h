// Stores that join others on their way out of the SM.
//
// A line that is stored waits behind 23 others at most for its turn to leave, and what warps store to the same line
// meanwhile leaves with it, at once: so parts of sectors come to the L2 as whole ones. An H200 and an H100 were asked by
// stores of two halves, to 1 to 32 lines each, by 1 to 16 warps of a block at the same time
// (lts__t_requests_srcunit_tex_op_write): halves meet as long as the lines of all these warps, or of four of them where
// there are more, are 24 or fewer, some do at 28, and from 30 on hardly any does (docs/runs/joined-stores.csv). A request
// to more lines than 28 has none that wait when the next one comes.
#ifndef SIM_JOINED_STORES_H
#define SIM_JOINED_STORES_H

#include "sim/time/hierarchy.h"
#include "sim/time/requests.h"

enum { WAITING_LINES = 24, MOST_OWN_LINES = 28 };

// What leaves when the load/store unit begins with the next part of a store, of `count` lines: those that did not leave
// with another one before, joined by what the requests that wait behind it store to them soon enough. Returns how many
// they are; `stored` has room for `count`.
unsigned joined_stores(struct hierarchy *memory, const struct requests *behind,
                       const struct request *store, const struct trace_line *lines, unsigned count,
                       struct stored_line *stored);

#endif
