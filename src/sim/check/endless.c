#include "sim/check/endless.h"

#include "sim/check/fault.h"
#include "sim/count/access.h"

// An atomic or volatile access that brings nothing new takes the host as long as this many others.
enum { INSTRUCTIONS_A_POLL = 32, INSTRUCTIONS_A_BARRIER = 128 };

void endless_note(struct warp *warp, const struct instruction *in, struct reach *reach,
                  uint64_t address)
{
    struct block *block = warp->block;
    if (in->is_atomic || in->is_volatile)
        block->polls++;
    if (reach->number == block->number + 1 && address >= reach->lowest && address <= reach->highest)
        return;
    if (reach->number != block->number + 1)
        *reach = (struct reach){block->number + 1, address, address};
    reach->lowest = address < reach->lowest ? address : reach->lowest;
    reach->highest = address > reach->highest ? address : reach->highest;
    block->idle = 0 - warp->executed;
    block->polls = block->barriers = 0;
}

void endless_check(struct warp *warp, const struct instruction *at)
{
    const struct block *block = warp->block;
    unsigned waiting = 0;
    int is_over = block->idle >= block->launch->budget ||
                  block->polls >= block->launch->budget / INSTRUCTIONS_A_POLL ||
                  block->barriers >= block->launch->budget / INSTRUCTIONS_A_BARRIER;
    if (!is_over || warp->state != WARP_READY)
        return;
    for (uint32_t i = 0; i < block->launch->warps_per_block; i++)
        waiting += block->warps[i].state == WARP_AT_BARRIER;
    fault_raise(
        warp, at, __builtin_ctz(warp->now.mask), FAULT_ENDLESS,
        "the block executed %llu warp instructions and got nowhere: no warp ended, and no "
        "access reached further%s%s%s",
        (unsigned long long)block->idle, waiting ? ". Other warps of it wait at a barrier" : "",
        block->barriers ? ". It passed this barrier or others again and again: does the loop "
                          "around it end?"
                        : "",
        block->polls ? ". It polls global memory: if it waits for another block, that one "
                       "has not started, because blocks run one after another here, and "
                       "in no known order on a GPU; if for a lock that a lane of its own "
                       "warp holds, put what the lock protects into the loop"
                     : "");
}
