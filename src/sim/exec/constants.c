// What the loader promised to put into a frame: literals, parameters and special registers.
#include "sim/exec/warp.h"

static uint64_t lane_mask(enum special special, int l)
{
    uint32_t bit = lane_bit[l], below = bit - 1;
    switch (special) {
    case LANEMASK_EQ:
        return bit;
    case LANEMASK_LT:
        return below;
    case LANEMASK_LE:
        return below | bit;
    case LANEMASK_GT:
        return ~(below | bit);
    default: // LANEMASK_GE
        return ~below;
    }
}

static uint64_t special_value(const struct warp *warp, enum special special, int l)
{
    const struct launch *launch = warp->block->launch;
    const uint32_t *n = launch->threads;
    uint32_t t = warp->number * LANES + (uint32_t)l;
    switch (special) {
    case TID_X:
        return t % n[0];
    case TID_Y:
        return t / n[0] % n[1];
    case TID_Z:
        return t / n[0] / n[1];
    case NTID_X:
    case NTID_Y:
    case NTID_Z:
        return n[special - NTID_X];
    case CTAID_X:
    case CTAID_Y:
    case CTAID_Z:
        return warp->block->index[special - CTAID_X];
    case NCTAID_X:
    case NCTAID_Y:
    case NCTAID_Z:
        return launch->grid[special - NCTAID_X];
    case LANEID:
        return (uint64_t)l;
    case WARPID:
        return warp->number;
    case NWARPID:
        return launch->warps_per_block;
    case SMID:
        return warp->block->number % launch->multiprocessors;
    case NSMID:
        return launch->multiprocessors;
    case GRIDID:
        return launch->number;
    case DYNAMIC_SMEM_BASE:
        return launch->shared_size - launch->dynamic_shared;
    case DYNAMIC_SMEM_SIZE:
        return launch->dynamic_shared;
    case TOTAL_SMEM_SIZE:
        return launch->shared_size;
    default:
        return lane_mask(special, l);
    }
}

static uint64_t constant_value(const struct warp *warp, const struct constant *constant, int l)
{
    const struct launch *launch = warp->block->launch;
    uint64_t value = 0;
    switch (constant->kind) {
    case CONSTANT_BITS:
        return constant->value;
    case CONSTANT_SPECIAL:
        return special_value(warp, (enum special)constant->value, l);
    case CONSTANT_PARAM:
        memcpy(&value, launch->params + constant->value, constant->width);
        return value;
    case CONSTANT_PARAM_ADDRESS:
        return (uint64_t)(uintptr_t)launch->params + constant->value;
    case CONSTANT_LOCAL:
        return warp->frames[warp->frame_count - 1].local_base + constant->value;
    }
    return value;
}

static void fill(struct warp *warp, const struct constant *constant)
{
    for (int l = 0; l < LANES; l++)
        lane_put(lanes_at(warp, constant->at), constant->width, l,
                 constant_value(warp, constant, l));
}

void fill_constants(struct warp *warp, const struct function *function)
{
    for (size_t i = 0; i < function->constant_count; i++)
        fill(warp, &function->constants[i]);
}

static int changes_with_block(const struct constant *constant)
{
    return constant->kind == CONSTANT_SPECIAL &&
           ((constant->value >= CTAID_X && constant->value <= CTAID_Z) || constant->value == SMID);
}

void fill_block_constants(struct warp *warp, const struct function *function)
{
    for (size_t i = 0; i < function->constant_count; i++) {
        const struct constant *constant = &function->constants[i];
        if (!changes_with_block(constant))
            continue;
        // The same in every lane, and this runs for every warp of every block.
        u32 value = (u32)constant_value(warp, constant, 0), *to = lanes_at(warp, constant->at);
        for (int l = 0; l < LANES; l++)
            to[l] = value;
    }
}
