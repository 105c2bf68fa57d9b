#include "show/occupancy_page.h"

#include <cjson/cJSON.h>

// Every function is false when memory ran out: adding NULL is refused.
static bool add_limits(cJSON *parent, const struct sm_limits *sm)
{
    const struct {
        const char *key;
        size_t number;
    } numbers[] = {
        {"warps_per_sm", sm->warps},
        {"blocks_per_sm", sm->blocks},
        {"registers_per_sm", sm->registers},
        {"registers_per_block", sm->registers_per_block},
        {"registers_per_thread", sm->registers_per_thread},
        {"register_unit_per_warp", sm->register_unit},
        {"warp_granularity", sm->warp_granularity},
        {"shared_bytes_per_sm", sm->shared_bytes},
        {"shared_bytes_per_block", sm->shared_per_block},
        {"shared_unit", sm->shared_unit},
        {"shared_reserved_per_block", sm->shared_reserved},
    };
    cJSON *limits = cJSON_AddObjectToObject(parent, "limits");
    bool good = limits;
    for (size_t i = 0; good && i < sizeof numbers / sizeof *numbers; i++)
        good = cJSON_AddNumberToObject(limits, numbers[i].key, (double)numbers[i].number);
    return good;
}

static bool add_needs(cJSON *object, const struct launch_needs *needs)
{
    return cJSON_AddNumberToObject(object, "threads_per_block", needs->threads) &&
           cJSON_AddNumberToObject(object, "registers", needs->registers) &&
           cJSON_AddBoolToObject(object, "registers_estimated", needs->registers_estimated) &&
           cJSON_AddNumberToObject(object, "shared_bytes", (double)needs->shared_bytes);
}

static bool add_allocated(cJSON *object, const struct occupancy *occupancy)
{
    cJSON *allocated = cJSON_AddObjectToObject(object, "allocated_per_block");
    return cJSON_AddNumberToObject(allocated, "warps", occupancy->block_warps) &&
           cJSON_AddNumberToObject(allocated, "registers", occupancy->block_registers) &&
           cJSON_AddNumberToObject(allocated, "shared_bytes", (double)occupancy->block_shared);
}

static bool add_bounds(cJSON *object, const struct occupancy *occupancy)
{
    static const char *const keys[LIMITS] = {"warps", "blocks", "registers", "shared_memory"};
    cJSON *bounds = cJSON_AddObjectToObject(object, "blocks_by");
    bool good = bounds;
    for (enum limit limit = 0; good && limit < LIMITS; limit++)
        good = cJSON_AddNumberToObject(bounds, keys[limit], occupancy->bound[limit]);
    return good && cJSON_AddStringToObject(object, "limit", keys[occupancy->limit]);
}

static bool add_case(cJSON *cases, const struct sm_limits *sm, const struct occupancy_case *at)
{
    const struct occupancy *occupancy = &at->occupancy;
    cJSON *object = cJSON_CreateObject();
    return cJSON_AddItemToArray(cases, object) &&
           cJSON_AddItemToObject(object, "step",
                                 at->step ? cJSON_CreateNumber(at->step) : cJSON_CreateNull()) &&
           add_needs(object, &at->needs) &&
           cJSON_AddNumberToObject(object, "active_threads",
                                   (double)occupancy->blocks * at->needs.threads) &&
           cJSON_AddNumberToObject(object, "active_warps", occupancy->warps) &&
           cJSON_AddNumberToObject(object, "active_blocks", occupancy->blocks) &&
           cJSON_AddNumberToObject(object, "occupancy", occupancy_percent(sm, occupancy)) &&
           add_allocated(object, occupancy) && add_bounds(object, occupancy);
}

char *json_of_occupancy(const struct occupancy_page *page)
{
    char cc[32];
    snprintf(cc, sizeof cc, "%d.%d", page->major, page->minor);
    cJSON *root = cJSON_CreateObject();
    bool good =
        cJSON_AddItemToObject(
            root, "device", page->device ? cJSON_CreateString(page->device) : cJSON_CreateNull()) &&
        cJSON_AddStringToObject(root, "cc", cc) && add_limits(root, &page->sm);
    cJSON *cases = cJSON_AddArrayToObject(root, "cases");
    for (int i = 0; good && i < page->count; i++)
        good = add_case(cases, &page->sm, &page->cases[i]);
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
