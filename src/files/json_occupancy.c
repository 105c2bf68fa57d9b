#include "facts/occupancy_cases.h"
#include "files/json.h"
#include "files/json_build.h"

#include <stdio.h>

static void add_limits(cJSON *limits, const struct sm_limits *sm)
{
    json_add(limits, "warps_per_sm", sm->warps);
    json_add(limits, "blocks_per_sm", sm->blocks);
    json_add(limits, "registers_per_sm", sm->registers);
    json_add(limits, "registers_per_block", sm->registers_per_block);
    json_add(limits, "registers_per_thread", sm->registers_per_thread);
    json_add(limits, "register_unit_per_warp", sm->register_unit);
    json_add(limits, "warp_granularity", sm->warp_granularity);
    json_add(limits, "shared_bytes_per_sm", sm->shared_bytes);
    json_add(limits, "shared_bytes_per_block", sm->shared_per_block);
    json_add(limits, "shared_unit", sm->shared_unit);
    json_add(limits, "shared_reserved_per_block", sm->shared_reserved);
}

static void add_case(cJSON *object, const struct sm_limits *sm, const struct occupancy_case *at)
{
    static const char *const keys[LIMITS] = {"warps", "blocks", "registers", "shared_memory"};
    const struct occupancy *occupancy = &at->occupancy;
    const struct launch_needs *needs = &at->needs;
    json_add_known(object, "step", at->step);
    json_add(object, "threads_per_block", needs->threads);
    json_add(object, "registers", needs->registers);
    json_add(object, "registers_estimated", needs->registers_estimated);
    json_add(object, "shared_bytes", needs->shared_bytes);
    json_add(object, "active_threads", (double)occupancy->blocks * needs->threads);
    json_add(object, "active_warps", occupancy->warps);
    json_add(object, "active_blocks", occupancy->blocks);
    json_add(object, "occupancy", occupancy_percent(sm, occupancy));
    cJSON *allocated = json_object(object, "allocated_per_block");
    json_add(allocated, "warps", occupancy->block_warps);
    json_add(allocated, "registers", occupancy->block_registers);
    json_add(allocated, "shared_bytes", occupancy->block_shared);
    cJSON *bounds = json_object(object, "blocks_by");
    for (enum occupancy_limit limit = 0; limit < LIMITS; limit++)
        json_add(bounds, keys[limit], occupancy->bound[limit]);
    json_add(object, "limit", keys[occupancy->limit]);
}

char *json_of_occupancy(const struct occupancy_page *page)
{
    char cc[32];
    snprintf(cc, sizeof cc, "%d.%d", page->major, page->minor);
    cJSON *root = json_begin();
    json_add(root, "device", page->device);
    json_add(root, "cc", cc);
    add_limits(json_object(root, "limits"), &page->sm);
    cJSON *cases = json_array(root, "cases");
    for (int i = 0; i < page->count; i++)
        add_case(json_object(cases, NULL), &page->sm, &page->cases[i]);
    return json_print(root);
}
