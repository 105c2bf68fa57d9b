// The format, as nvcc 13.0 writes it: a header of 16 bytes, then entries, each a header and a
// payload. Numbers are little-endian.
#define _POSIX_C_SOURCE 200809L // strnlen
#include "base/fatbin.h"

#include "base/cubin.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    FATBIN_MAGIC = (int)0xBA55ED50u,
    HEADER_SIZE = 16,
    ENTRY_FIXED_SIZE = 64, // the fields read below
    KIND_PTX = 1,
    KIND_ELF = 2,
    FLAG_ZSTD = 0x8000,
    FLAG_LZ4 = 0x2000,
};

static uint64_t read_little(const unsigned char *bytes, int width)
{
    uint64_t number = 0;
    for (int i = width - 1; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

struct entry {
    unsigned kind, arch;
    uint64_t flags, header_size, payload_size;
    const unsigned char *payload;
};

// Returns 0 when the bytes that are left cannot hold the entry they claim to hold.
static int read_entry(const unsigned char *bytes, size_t left, struct entry *entry)
{
    if (left < ENTRY_FIXED_SIZE)
        return 0;
    entry->kind = (unsigned)read_little(bytes, 2);
    entry->header_size = read_little(bytes + 4, 4);
    entry->payload_size = read_little(bytes + 8, 8);
    entry->arch = (unsigned)read_little(bytes + 28, 4);
    entry->flags = read_little(bytes + 40, 8);
    entry->payload = bytes + entry->header_size;
    return entry->header_size >= ENTRY_FIXED_SIZE && entry->header_size <= left &&
           entry->payload_size <= left - entry->header_size;
}

static const char *find_in_entries(const unsigned char *bytes, size_t size, unsigned arch,
                                   size_t *ptx_size, char *why, size_t why_size)
{
    const char *best = NULL;
    unsigned best_arch = 0;
    struct entry entry;
    for (size_t at = 0; at < size; at += entry.header_size + entry.payload_size) {
        if (!read_entry(bytes + at, size - at, &entry)) {
            snprintf(why, why_size, "the fat binary is damaged: type `make clean && make`");
            return NULL;
        }
        if (entry.kind != KIND_PTX)
            continue;
        if (entry.flags & (FLAG_ZSTD | FLAG_LZ4)) {
            snprintf(why, why_size, "its PTX is compressed: build it with nvcc -no-compress");
            continue;
        }
        if (entry.arch > arch) {
            snprintf(why, why_size,
                     "its PTX is for compute capability %u.%u, and this device is older: type "
                     "`make clean && make` on the machine that has it",
                     entry.arch / 10, entry.arch % 10);
            continue;
        }
        if (!best || entry.arch > best_arch) {
            best = (const char *)entry.payload;
            best_arch = entry.arch;
            *ptx_size = strnlen(best, entry.payload_size);
        }
    }
    return best;
}

// Sets the entries of a fat binary; returns 0 when the bytes are none, or damaged.
static int find_entries(const void *data, size_t size, const unsigned char **entries,
                        size_t *entries_size)
{
    const unsigned char *bytes = data;
    if (size < HEADER_SIZE || read_little(bytes, 4) != (uint32_t)FATBIN_MAGIC)
        return 0;
    uint64_t header_size = read_little(bytes + 6, 2), body = read_little(bytes + 8, 8);
    *entries = bytes + header_size;
    *entries_size = body;
    return header_size >= HEADER_SIZE && header_size <= size && body <= size - header_size;
}

// Machine code that is as far from a GPU, or further, is none that it would load.
enum { ITS_OWN = 10 };

// How far machine code for `code` is from a GPU of `arch`: less than ITS_OWN when it would load it.
static unsigned distance(unsigned code, unsigned arch)
{
    if (code / 10 == arch / 10 && code <= arch)
        return arch - code;
    return ITS_OWN + (code > arch ? code - arch : arch - code);
}

// The machine code for the kernel that is the least far from a GPU of `arch`, and how far that is. NULL when there is none
// that can be read.
static const unsigned char *nearest_cubin(const void *data, size_t size, unsigned arch,
                                          const char *kernel, size_t *cubin_size, unsigned *far)
{
    const unsigned char *bytes, *nearest = NULL;
    size_t left;
    struct entry entry;
    if (!find_entries(data, size, &bytes, &left))
        return NULL;
    for (size_t at = 0; at < left && read_entry(bytes + at, left - at, &entry);
         at += entry.header_size + entry.payload_size) {
        if (entry.kind != KIND_ELF || entry.flags & (FLAG_ZSTD | FLAG_LZ4) ||
            (nearest && distance(entry.arch, arch) >= *far) ||
            !cubin_registers(entry.payload, entry.payload_size, kernel))
            continue;
        nearest = entry.payload;
        *cubin_size = entry.payload_size;
        *far = distance(entry.arch, arch);
    }
    return nearest;
}

int fatbin_find_registers(const void *data, size_t size, unsigned arch, const char *kernel,
                          int *is_its_own)
{
    size_t cubin_size;
    unsigned far = ITS_OWN;
    const unsigned char *cubin = nearest_cubin(data, size, arch, kernel, &cubin_size, &far);
    *is_its_own = far < ITS_OWN;
    return cubin ? cubin_registers(cubin, cubin_size, kernel) : 0;
}

const unsigned char *fatbin_find_cubin(const void *data, size_t size, unsigned arch,
                                       const char *kernel, size_t *cubin_size)
{
    unsigned far = ITS_OWN;
    const unsigned char *cubin = nearest_cubin(data, size, arch, kernel, cubin_size, &far);
    return far < ITS_OWN ? cubin : NULL;
}

const char *fatbin_find_ptx(const void *data, size_t size, unsigned arch, size_t *ptx_size,
                            char *why, size_t why_size)
{
    const unsigned char *entries;
    size_t entries_size;
    if (!find_entries(data, size, &entries, &entries_size)) {
        snprintf(why, why_size, "it is no fat binary, or a damaged one: type `make clean && make`");
        return NULL;
    }
    snprintf(why, why_size,
             "it holds no PTX: build it with nvcc -arch=sm_75 or -gencode "
             "arch=compute_75,code=compute_75");
    return find_in_entries(entries, entries_size, arch, ptx_size, why, why_size);
}
