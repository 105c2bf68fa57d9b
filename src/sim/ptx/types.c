#include <string.h>

#include "sim/ptx/instruction.h"

static const struct {
    const char *name;
    unsigned size;
} types[] = {[B8] = {"b8", 1},     [B16] = {"b16", 2}, [B32] = {"b32", 4}, [B64] = {"b64", 8},
             [U8] = {"u8", 1},     [U16] = {"u16", 2}, [U32] = {"u32", 4}, [U64] = {"u64", 8},
             [S8] = {"s8", 1},     [S16] = {"s16", 2}, [S32] = {"s32", 4}, [S64] = {"s64", 8},
             [F16] = {"f16", 2},   [F32] = {"f32", 4}, [F64] = {"f64", 8}, [F16X2] = {"f16x2", 4},
             [PRED] = {"pred", 4}, [NO_TYPE] = {"", 0}};

unsigned type_size(enum type type)
{
    return types[type].size;
}

int type_is_signed(enum type type)
{
    return type >= S8 && type <= S64;
}

int type_is_float(enum type type)
{
    return type >= F16 && type <= F64;
}

const char *type_name(enum type type)
{
    return types[type].name;
}

enum type type_named(const char *name)
{
    enum type type = B8;
    while (type < NO_TYPE && strcmp(types[type].name, name) != 0)
        type++;
    return type;
}
