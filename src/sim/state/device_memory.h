// The simulated device's global memory: one range of the host's addresses, so that a device
// address is the host address of the same byte.
//
// The range is much larger than the memory: every allocation has a gap of its own size behind it,
// so that an access beyond its end does not land in its neighbour.
#ifndef SIM_DEVICE_MEMORY_H
#define SIM_DEVICE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/ptx/lanes.h"

// What is known of each 4-byte word while the checks are on.
struct shadow {
    uint8_t *state;          // which bytes are there and have been written: WORD_*
    uint32_t *owner;         // who touched it in this launch: see races.h
    uint16_t *interval;      // and in which of its warp's intervals
    uint32_t *byte_owner;    // the same of each byte, for words that were touched in parts
    uint16_t *byte_interval; //
};

enum {
    WORD_WRITTEN = 0x0f, // one bit for each byte that has been written
    WORD_LIVE = 0x10,    // part of an allocation
    WORD_FREED = 0x20,   // part of one that was freed
    WORD_TAIL = 0xc0,    // of an allocation's last word: how many bytes it has, if not all 4
    WORD_TAIL_SHIFT = 6,
    WORD_READY = WORD_LIVE | WORD_WRITTEN,
};

struct device_memory {
    uint64_t base, size;     // the range of addresses, in bytes
    uint64_t top;            // addresses from here on were never given out
    uint64_t capacity, used; // bytes of memory, and of these allocated
    struct shadow shadow;    // of the whole range, allocated by the host where it is touched
    struct shadow others;    // what of it is entered by workers that do not keep it: see claims.h
    uint16_t *claims;        // of every line: the number of the worker that keeps its shadow, or 0
    unsigned char *saved;    // what memory held before this launch, where it was written since
    uint8_t *saved_state;    // and what was known of it
    uint8_t *dirty;          // for every 2^DIRTY_SHIFT bytes: DIRTY_*
    int checks;              // whether all these are kept
};

// Of a piece of memory in this launch: which shadows were written, and whether it was saved.
enum {
    DIRTY_SHIFT = 16,
    PIECE_WORDS = 1 << (DIRTY_SHIFT - 2),
    DIRTY_OWNER = 1,
    DIRTY_INTERVAL = 2,
    DIRTY_OTHERS = 4,
    DIRTY_SAVED = 8,
};

extern struct device_memory device_memory;

// Reserves the addresses, once; `checks` says whether to keep the shadows. Returns 0 when the host
// gives none.
int device_memory_open(int checks);

// How many bytes of addresses that takes at least.
uint64_t device_memory_least(int checks);

// Frees everything. Addresses given out before are invalid.
void device_memory_close(void);

// Whose an allocation is, and so which function frees it.
enum owner { OWNED_BY_RUNTIME, OWNED_AS_DEVICE_MEMORY, OWNED_AS_HOST_MEMORY };

// `size` bytes (at least 1), aligned to `alignment` (a power of two up to 4096). NULL when there is
// not so much left. The bytes count as not written until device_mark_written().
void *device_allocate(size_t size, size_t alignment, enum owner owner);

// Returns 0 when `address` is not the start of a live allocation of that owner.
int device_free(const void *address, enum owner owner);

// Whether the bytes lie in one live allocation.
int device_contains(const void *address, size_t size);

// The bytes now hold something: a copy or a memset wrote them. Or, by copying, what the source
// knows of its own.
void device_mark_written(const void *address, size_t size);
void device_copy_marks(const void *to, const void *from, size_t size);

// Forgets who touched what, and what was saved: before a launch.
void device_forget_owners(void);

// Notes in dirty[piece] what a launch does there; with DIRTY_SAVED in `what`, after the piece was saved.
// Several of the host's threads may do that at once; each writes there only after it.
void device_note_dirty(size_t piece, uint8_t what);

// Brings memory back to what it was when owners were last forgotten, where it was saved.
void device_restore(void);

struct allocation {
    uint64_t address, size;
    enum owner owner;
    int is_live;
    struct allocation *next;
};

// The live allocation that the address is in, or NULL.
const struct allocation *device_allocation(const void *address);

// The live or freed allocation nearest to the address, or NULL when there never was one.
const struct allocation *device_nearest(uint64_t address);

static inline int device_reaches(uint64_t address)
{
    return address - device_memory.base < device_memory.size;
}

static inline size_t device_word(uint64_t address)
{
    return (size_t)((address - device_memory.base) >> 2);
}

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
