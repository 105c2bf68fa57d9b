// Fat binaries of PTX text, as a compiler's object file holds them.
#ifndef PTX_FATBIN_H
#define PTX_FATBIN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FATBIN_FLAGS = 0x11 }; // 64-bit, Linux

static inline void fatbin_put(unsigned char *at, uint64_t number, int width)
{
    for (int i = 0; i < width; i++)
        at[i] = (unsigned char)(number >> 8 * i);
}

// Adds an entry of PTX to a fat binary of `size` bytes; 0 begins one. Returns its new size: 80 bytes more
// than the text's at the first, 64 later, and up to 8 of padding.
static inline size_t fatbin_add_ptx(unsigned char *bytes, size_t size, unsigned arch,
                                    uint64_t flags, const char *ptx)
{
    size_t at = size ? size : 16, payload = (strlen(ptx) + 8) / 8 * 8;
    unsigned char *entry = bytes + at;
    memset(entry, 0, 64 + payload);
    fatbin_put(bytes, 0xBA55ED50, 4);
    fatbin_put(bytes + 4, 1, 2);
    fatbin_put(bytes + 6, 16, 2);
    fatbin_put(bytes + 8, at - 16 + 64 + payload, 8);
    fatbin_put(entry, 1, 2);
    fatbin_put(entry + 4, 64, 4);
    fatbin_put(entry + 8, payload, 8);
    fatbin_put(entry + 28, arch, 4);
    fatbin_put(entry + 40, flags, 8);
    memcpy(entry + 64, ptx, strlen(ptx));
    return at + 64 + payload;
}

// A fat binary of the text, in the program's own segments, where a compiler's is: to be registered. It stays
// until the program ends.
static inline const void *fatbin_of_ptx(const char *ptx)
{
    static unsigned char room[1 << 22];
    static size_t used;
    if (strlen(ptx) + 88 > sizeof room - used) {
        fprintf(stderr, "fatbin_of_ptx: no room for more\n");
        abort();
    }
    unsigned char *bytes = room + used;
    used += fatbin_add_ptx(bytes, 0, 75, FATBIN_FLAGS, ptx);
    return bytes;
}

#endif
