// CUPTI's Profiler Host API: which metrics a chip has, in how many passes they can be counted, and
// what the counted data means. It needs neither a GPU nor a driver.
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host;

// The chips that this CUPTI knows, by name ("GH100"). `count` gets how many. CUPTI owns the array.
const char *const *host_chips(size_t *count);

// Opens what CUPTI knows of a chip. `availability` is the device's counter availability image, or
// NULL without a device; it must outlive the host. NULL with the reason in `why` on failure.
struct host *host_open(const char *chip, const uint8_t *availability, char *why, size_t size);

// Whether the chip can count this one metric. The name needs its rollup: "dram__bytes_read.sum".
bool host_has(struct host *host, const char *name);

// Schedules the counting of `count` names, all of which the chip has. Once a host. On success
// host_config() has the configuration, and `passes` how often the work must run.
bool host_schedule(struct host *host, const char **names, size_t count, size_t *passes, char *why,
                   size_t size);

// The scheduled configuration, of `size` bytes. The host owns it.
const uint8_t *host_config(const struct host *host, size_t *size);

// The metrics' values in the first range of a counter data image.
bool host_evaluate(struct host *host, const uint8_t *image, size_t image_size, const char **names,
                   size_t count, double *values, char *why, size_t size);

void host_close(struct host *host);

#endif
