// The checks that teach: is this access to memory that is there, that somebody wrote, and that no
// other thread touches without order?
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "sim/count/access.h"
#include "sim/state/launch.h"

// Checks an access to global or shared memory before it happens. The addresses are device
// addresses, or offsets in shared memory, aligned and within reach. Stores of lanes that may
// conflict are done here, one lane after another, so that the next lane's check sees them: to do
// them again is harmless. Returns 0 when it raised a fault.
int check_access(struct warp *warp, const struct instruction *in, const struct access *access,
                 enum space space, enum access_kind kind);

// Checks a read of constant memory likewise, which nothing in a kernel writes: no race.
int check_constant(struct warp *warp, const struct instruction *in, const struct access *access);

#endif
