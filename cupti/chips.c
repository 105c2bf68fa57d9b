#include "cupti/driver.h"
#include "cupti/host.h"
#include "cupti/instruments.h"
#include "facts/expression.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

// A chip is what CUPTI's host API has on it; the two headers merely call it by different names.
static struct host *host_of(struct chip *chip)
{
    return (struct host *)chip;
}

static const char *of_device(int ordinal)
{
    char why[WHY_SIZE];
    int count = 0;
    bool is_there = cudaGetDeviceCount(&count) == cudaSuccess && ordinal < count;
    return is_there ? driver_chip(ordinal, why, sizeof why) : NULL;
}

static struct chip *open_chip(const char *name, char *why, size_t size)
{
    return (struct chip *)host_open(name, NULL, why, size);
}

static bool has(void *host, const char *name)
{
    return host_has(host, name);
}

static bool counts(struct chip *chip, const char *expression, char *names, size_t size)
{
    struct expression resolved;
    if (!expression_resolve(expression, has, host_of(chip), &resolved, names, size))
        return false;
    size_t used = 0;
    names[0] = '\0';
    for (int i = 0; i < resolved.count && used < size; i++) {
        const struct term *term = &resolved.terms[i];
        int length = term->factor == 1
                         ? snprintf(names + used, size - used, "%s%s", i ? " + " : "", term->name)
                         : snprintf(names + used, size - used, "%s%g*%s", i ? " + " : "",
                                    term->factor, term->name);
        used += length > 0 ? (size_t)length : 0;
    }
    return true;
}

static void close_chip(struct chip *chip)
{
    host_close(host_of(chip));
}

const struct chips cupti_chips = {.names = host_chips,
                                  .of_device = of_device,
                                  .open = open_chip,
                                  .counts = counts,
                                  .close = close_chip};
