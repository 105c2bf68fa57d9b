// Loads, stores and atomics.
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "sim/count/access.h"
#include "sim/exec/block.h"
#include "sim/sim.h"

// Addresses of the lanes in the mask: the register's values plus the displacement.
void read_addresses(const struct warp *warp, const struct instruction *in, slot at, unsigned width,
                    uint32_t mask, struct access *access);

// The lanes of a generic access that are in a window, and in *part the access with addresses in that
// window's space.
uint32_t split_window(const struct access *from, unsigned window, struct access *part);

// What an instruction's accesses to global or shared memory count as.
enum sim_access access_kind_of(const struct instruction *in, enum space space);

// Checks and counts an access to a space; returns 0 when it must not happen. `kind` is an
// enum access_kind.
int admit_global(struct warp *warp, const struct instruction *in, struct access *access, int kind);
int admit_shared(struct warp *warp, const struct instruction *in, struct access *access, int kind);

// Reads and writes `size` bytes (1, 2, 4 or 8) of the device's memory, aligned, in the low bits. A program
// with a race may have other workers at the same bytes at the same time: each gets them in one piece, which
// takes no more than a plain access.
static inline uint64_t read_bits(const void *at, unsigned size)
{
    switch (size) {
    case 1:
        return __atomic_load_n((const u8 *)at, __ATOMIC_RELAXED);
    case 2:
        return __atomic_load_n((const u16 *)at, __ATOMIC_RELAXED);
    case 4:
        return __atomic_load_n((const u32 *)at, __ATOMIC_RELAXED);
    default:
        return __atomic_load_n((const u64 *)at, __ATOMIC_RELAXED);
    }
}

static inline void write_bits(void *at, unsigned size, uint64_t bits)
{
    switch (size) {
    case 1:
        __atomic_store_n((u8 *)at, (u8)bits, __ATOMIC_RELAXED);
        break;
    case 2:
        __atomic_store_n((u16 *)at, (u16)bits, __ATOMIC_RELAXED);
        break;
    case 4:
        __atomic_store_n((u32 *)at, (u32)bits, __ATOMIC_RELAXED);
        break;
    default:
        __atomic_store_n((u64 *)at, bits, __ATOMIC_RELAXED);
    }
}

#endif
