// Which GPU chips the counters are known for, and which metrics each has. cupti/chips.c asks CUPTI,
// which needs no GPU for it; a program without CUPTI knows no chips.
#ifndef CHIPS_H
#define CHIPS_H

#include <stdbool.h>
#include <stddef.h>

struct chip;

// The chips' names, "GH100" and so on, and how many. The array stays with the library.
const char *const *chip_names(size_t *count);

// The name of the chip of CUDA device `ordinal`, or NULL when there is no such device.
const char *chip_of_device(int ordinal);

// Opens the description of a chip; NULL with the reason in `why` when it is not known. The caller
// closes what it gets.
struct chip *chip_open(const char *name, char *why, size_t size);

// Whether the chip can count a CUPTI expression (metric_names.h). If so, `names` gets the names
// that are used, with " + " between them; if not, the reason. At most `size` bytes.
bool chip_counts(struct chip *chip, const char *expression, char *names, size_t size);

void chip_close(struct chip *chip);

#endif
