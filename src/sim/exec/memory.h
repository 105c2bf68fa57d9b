// Loads, stores and atomics.
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "sim/count/access.h"
#include "sim/exec/block.h"
#include "sim/sim.h"

void execute_load_global(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_load_shared(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_load_local(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_load_constant(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_load_generic(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_store_global(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_store_shared(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_store_local(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_store_generic(struct warp *warp, const struct instruction *in, uint32_t mask);

// cvta: adds or removes a window's base, `offset`. isspacep: whether an address is in `space`.
void execute_to_window(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_is_space(struct warp *warp, const struct instruction *in, uint32_t mask);

// cp.async: a load and a store that complete at once.
void execute_copy_async(struct warp *warp, const struct instruction *in, uint32_t mask);

// atom and red: `use.scalar` makes the new value of the old one, the operand and (for cas) the
// third.
void execute_atomic(struct warp *warp, const struct instruction *in, uint32_t mask);

// Addresses of the lanes in the mask: the register's values plus the displacement.
void read_addresses(const struct warp *warp, const struct instruction *in, slot at, unsigned width,
                    uint32_t mask, struct access *access);

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
