#define _GNU_SOURCE // sysconf(_SC_PHYS_PAGES)
#include "measure/host_memory.h"

#include "base/memory_room.h"
#include "base/platform.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

size_t host_memory_of_device(size_t bytes)
{
    if (!platform.simulated)
        return 0;
    return platform.checks_accesses && platform.checks_accesses() ? bytes + bytes / 2 * 3 : bytes;
}

bool host_memory_suffices(size_t bytes, char failure[FAILURE_SIZE])
{
    struct memory_room room = memory_room("");
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0 && bytes / (size_t)page >= (size_t)pages / 10 * 9)
        return host_memory_failed(failure, "the matrices", bytes);
    if (bytes < room.left)
        return true;
    snprintf(failure, FAILURE_SIZE,
             "this container (control group) may have %" PRIu64 " MiB of memory and has %" PRIu64
             " MiB left, but the matrices need %zu MiB. Try a smaller n (-n), or raise its limit.",
             room.limit >> 20, room.left >> 20, bytes >> 20);
    return false;
}
