// The special registers that kernels may read.
#include "sim/ptx/loader.h"

// Those with components have their first one here.
static const struct {
    const char *name;
    enum special special;
    int has_components;
} specials[] = {
    {"%tid", TID_X, 1},
    {"%ntid", NTID_X, 1},
    {"%ctaid", CTAID_X, 1},
    {"%nctaid", NCTAID_X, 1},
    {"%laneid", LANEID, 0},
    {"%warpid", WARPID, 0},
    {"%nwarpid", NWARPID, 0},
    {"%smid", SMID, 0},
    {"%nsmid", NSMID, 0},
    {"%gridid", GRIDID, 0},
    {"%lanemask_eq", LANEMASK_EQ, 0},
    {"%lanemask_le", LANEMASK_LE, 0},
    {"%lanemask_lt", LANEMASK_LT, 0},
    {"%lanemask_ge", LANEMASK_GE, 0},
    {"%lanemask_gt", LANEMASK_GT, 0},
    {"%dynamic_smem_size", DYNAMIC_SMEM_SIZE, 0},
    {"%total_smem_size", TOTAL_SMEM_SIZE, 0},
    {"%clock", CLOCK, 0},
    {"%clock64", CLOCK64, 0},
    {"%globaltimer", GLOBALTIMER, 0},
    {"%globaltimer_lo", GLOBALTIMER_LO, 0},
};

int read_special_register(struct loader *loader, struct operand *operand)
{
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (!token_is(&loader->token, TOKEN_NAME, specials[i].name))
            continue;
        load_advance(loader);
        operand->kind = OPERAND_SPECIAL;
        operand->special = specials[i].special;
        if (specials[i].has_components) {
            int component = load_accept(loader, TOKEN_DOT, "x")   ? 0
                            : load_accept(loader, TOKEN_DOT, "y") ? 1
                            : load_accept(loader, TOKEN_DOT, "z") ? 2
                                                                  : -1;
            if (component < 0)
                load_fail(loader, "%s needs .x, .y or .z", specials[i].name);
            operand->special += (unsigned)component;
        }
        return 1;
    }
    return 0;
}
