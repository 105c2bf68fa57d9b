// Loads, stores and atomics.
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "sim/count/access.h"
#include "sim/sim.h"
#include "sim/state/launch.h"

// Addresses of the lanes in the mask: the register's values plus the displacement.
void read_addresses(const struct warp *warp, const struct instruction *in, slot at, unsigned width,
                    uint32_t mask, struct access *access);

// The lanes of a generic access that are in a window, and in *part the access with addresses in that
// window's space.
uint32_t split_window(const struct access *from, unsigned window, struct access *part);

// What an instruction's accesses to global or shared memory count as.
enum line_access_kind line_access_kind_of(const struct instruction *in, enum space space);

// Checks and counts an access to a space; returns 0 when it must not happen. `kind` is an
// enum access_kind. Of an asynchronous copy `to` or `from` is its other side; else NULL.
int admit_global(struct warp *warp, const struct instruction *in, struct access *access, int kind,
                 const struct access *to);
int admit_shared(struct warp *warp, const struct instruction *in, struct access *access, int kind,
                 const struct access *from);

#endif
