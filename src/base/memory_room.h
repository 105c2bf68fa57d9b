// How much memory this process may still have where it is in a control group with a limit, as in a container. Linux
// lets it have more, and then kills it: better to ask before.
#ifndef MEMORY_ROOM_H
#define MEMORY_ROOM_H

#include <stdint.h>

// Of the group in whose limit, or in whose parents', the least is left. Of versions 1 and 2 of control groups.
struct memory_room {
    uint64_t limit; // bytes that the group may have in all; UINT64_MAX: there is no limit
    uint64_t left;  // bytes of it that can still be had, where files that are only cached give way
    uint64_t
        kills; // how many processes, of the group if there is one, the kernel has killed for want of it so far
};

// Reads it from the files below `root`, "" but in tests. What cannot be read is no limit.
struct memory_room memory_room(const char *root);

#endif
