// One build of the kit's programs at a time: who comes second waits until the first has compiled.
#ifndef BUILD_LOCK_H
#define BUILD_LOCK_H

// Waits until no other program builds. Returns a descriptor to close, or -1: where the lock cannot be made, neither can
// the programs, and make says why.
int build_lock(void);

#endif
