#include "sim/ptx/module.h"

unsigned type_size(enum type type)
{
    static const unsigned char sizes[] = {
        [B8] = 1,  [U8] = 1,    [S8] = 1,  [B16] = 2, [U16] = 2,  [S16] = 2,
        [F16] = 2, [F16X2] = 4, [B32] = 4, [U32] = 4, [S32] = 4,  [F32] = 4,
        [B64] = 8, [U64] = 8,   [S64] = 8, [F64] = 8, [PRED] = 4, [NO_TYPE] = 0};
    return sizes[type];
}

int type_is_signed(enum type type)
{
    return type >= S8 && type <= S64;
}

int type_is_float(enum type type)
{
    return type == F16 || type == F16X2 || type == F32 || type == F64;
}
