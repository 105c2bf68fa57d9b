// What the engines call: libFuzzer, which makes inputs up as it learns, or replay.c, which damages those of
// the corpus. Each passes a block of the heap of exactly `size` bytes, so that AddressSanitizer sees any read
// beyond them.
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
