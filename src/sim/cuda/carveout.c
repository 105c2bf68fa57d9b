// The carve-out: what an SM sets aside as shared memory of what L1 and it share.
#include "sim/cuda/runtime.h"

// The smallest that has so many bytes (cuda_occupancy.h of CUDA 13.0). From compute capability 7.0 on.
static size_t smallest_carveout(const struct compute_capability *cc, size_t bytes)
{
    static const size_t kib[] = {0, 8, 16, 32, 64, 100, 132, 164, 196}; // and all there is
    size_t i = cc->major == 7 && cc->minor == 5 ? 3 : 0;
    for (; i < sizeof kib / sizeof *kib && kib[i] << 10 < cc->sm.shared_bytes; i++)
        if (bytes <= kib[i] << 10)
            return kib[i] << 10;
    return cc->sm.shared_bytes;
}

struct sm_limits carved_sm(const struct kernel *kernel, unsigned threads, size_t shared)
{
    const struct compute_capability *cc =
        compute_capability_find(runtime.device->major, runtime.device->minor);
    struct sm_limits sm = *runtime.sm;
    size_t a_block = occupancy_of(&sm, threads, 1, shared).block_shared,
           wanted = sm.shared_bytes * (size_t)kernel->carveout / 100;
    if (kernel->carveout >= 0)
        sm.shared_bytes = smallest_carveout(cc, wanted > a_block ? wanted : a_block);
    return sm;
}

size_t carved_bytes(const struct kernel *kernel, unsigned threads, size_t shared, unsigned resident)
{
    if (kernel->carveout >= 0)
        return carved_sm(kernel, threads, shared).shared_bytes;
    const struct compute_capability *cc =
        compute_capability_find(runtime.device->major, runtime.device->minor);
    size_t taken = resident * occupancy_of(runtime.sm, threads, 1, shared).block_shared;
    return cc->major < 7 ? taken : smallest_carveout(cc, taken);
}
