// Loads, stores, atomics, and conversions of addresses.
#include <string.h>

#include "sim/exec/alu.h"
#include "sim/exec/memory.h"
#include "sim/ptx/decode.h"

#define CACHE_HINTS                                                                                \
    "ca cg cs cv lu wb wt nc weak L1::evict_normal L1::evict_unchanged L1::evict_first "           \
    "L1::evict_last L1::no_allocate L2::64B L2::128B L2::256B L2::evict_normal L2::evict_first "   \
    "L2::evict_last "
#define ORDERS "volatile relaxed acquire release acq_rel cta cluster gpu sys "
#define SPACES "global shared shared::cta local const param param::entry param::func "

static enum space space_of(const struct statement *statement)
{
    static const struct {
        const char *name;
        enum space space;
    } names[] = {{"global", GLOBAL},      {"shared", SHARED},    {"shared::cta", SHARED},
                 {"local", LOCAL},        {"const", CONSTANT},   {"param", PARAM},
                 {"param::entry", PARAM}, {"param::func", PARAM}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_modifier(statement, names[i].name))
            return names[i].space;
    return GENERIC;
}

static int is_volatile(const struct statement *statement)
{
    return has_modifier(statement, "volatile") || has_modifier(statement, "relaxed") ||
           has_modifier(statement, "acquire") || has_modifier(statement, "release");
}

static int is_release(const struct statement *statement)
{
    return has_modifier(statement, "release") || has_modifier(statement, "acq_rel");
}

// A parameter of a kernel at a fixed place is a constant vector: ld.param is a move.
static int decode_param_load(struct loader *loader, const struct statement *statement)
{
    const struct operand *to = get_operand(loader, statement, 0);
    const struct operand *from = get_operand(loader, statement, 1);
    enum type type = last_type(loader, statement);
    unsigned size = type_size(type);
    if (from->kind != OPERAND_ADDRESS || !from->symbol || from->symbol->space != KERNEL_PARAM ||
        from->symbol->kind != SYMBOL_VARIABLE || to->kind != OPERAND_REGISTER || size < 2 ||
        type_size(to->symbol->type) != size || to->symbol->type == PRED)
        return 0;
    uint64_t offset = from->symbol->address + (uint64_t)from->displacement;
    if (offset > loader->function->param_size || size > loader->function->param_size - offset)
        load_fail(loader, "%s reads beyond the parameters", loader->opcode);
    slot d = register_slot(loader, to->symbol);
    slot a = load_constant(loader, CONSTANT_PARAM, offset, size);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a;
    in->width_d = in->width_a = (uint8_t)size;
    in->space = KERNEL_PARAM;
    in->execute = execute_move;
    return 1;
}

// The register or the vector of registers that a load fills or a store reads.
static void set_values(struct loader *loader, const struct operand *values, int is_load,
                       enum type type, struct instruction *made)
{
    int is_vector = values->kind == OPERAND_VECTOR;
    int count = is_vector ? values->count : 1;
    uint8_t *width = is_load ? &made->width_d : &made->width_b;
    if (count != made->vector)
        load_fail(loader, "%s needs %d registers", loader->opcode, made->vector);
    *width = 0;
    for (int i = 0; i < count; i++) {
        const struct operand *value = is_vector ? &values->members[i] : values;
        uint8_t w = (uint8_t)type_size(type);
        slot at = NO_SLOT;
        if (value->kind == OPERAND_REGISTER)
            at = any_register(loader, value, &w);
        else if (!is_load)
            at = read_slot(loader, value, type);
        else if (value->kind != OPERAND_SINK)
            not_supported(loader);
        if (w < type_size(type) || (*width && *width != w))
            load_fail(loader, "%s: its registers do not fit", loader->opcode);
        *width = w;
        made->v[i] = at;
    }
    if (count == 1)
        *(is_load ? &made->d : &made->b) = made->v[0];
}

static execute_fn *executor(int is_load, enum space space)
{
    switch (space) {
    case GLOBAL:
        return is_load ? execute_load_global : execute_store_global;
    case SHARED:
        return is_load ? execute_load_shared : execute_store_shared;
    case LOCAL:
    case PARAM:
        return is_load ? execute_load_local : execute_store_local;
    case CONSTANT:
    case KERNEL_PARAM:
        return is_load ? execute_load_constant : NULL;
    default:
        return is_load ? execute_load_generic : execute_store_generic;
    }
}

static void decode_access(struct loader *loader, const struct statement *statement, int is_load)
{
    allow_modifiers(loader, statement, CACHE_HINTS ORDERS SPACES "v2 v4");
    struct instruction made = {.d = NO_SLOT, .b = NO_SLOT};
    enum type type = last_type(loader, statement);
    enum space space = space_of(statement);
    const struct operand *address = get_operand(loader, statement, is_load ? 1 : 0);
    if (space == PARAM && is_load && decode_param_load(loader, statement))
        return;
    if (space == PARAM && loader->function->is_kernel && address->symbol &&
        !(address->symbol->kind == SYMBOL_VARIABLE && address->symbol->space == PARAM))
        space = KERNEL_PARAM;
    made.vector = has_modifier(statement, "v2") ? 2 : has_modifier(statement, "v4") ? 4 : 1;
    made.size = (uint8_t)type_size(type);
    if (type == PRED || made.size * made.vector > 16)
        not_supported(loader);
    made.a = address_slot(loader, address, &made.width_a, &made.offset);
    set_values(loader, get_operand(loader, statement, is_load ? 0 : 1), is_load, type, &made);
    made.execute = executor(is_load, space);
    if (!made.execute)
        not_supported(loader);
    struct instruction *in = load_instruction(loader);
    in->d = made.d, in->a = made.a, in->b = made.b;
    memcpy(in->v, made.v, sizeof in->v);
    in->width_d = made.width_d, in->width_a = made.width_a, in->width_b = made.width_b;
    in->vector = made.vector, in->size = made.size;
    in->offset = made.offset;
    in->type = (uint8_t)type;
    in->space = (uint8_t)space;
    in->execute = made.execute;
    in->is_load = (uint8_t)is_load;
    in->is_volatile = (uint8_t)is_volatile(statement);
    in->is_release = (uint8_t)is_release(statement);
    loader->function->has_fences |= in->is_release;
    if (in->is_volatile && space != SHARED && space != LOCAL) {
        loader->function->has_atomics = 1; // a flag that blocks wait for is as good as an atomic
        loader->function->order_matters = 1;
    }
}

static uint64_t exchanged(uint64_t old, uint64_t b, uint64_t c)
{
    (void)old, (void)c;
    return b;
}

static uint64_t swapped_32(uint64_t old, uint64_t b, uint64_t c)
{
    return (uint32_t)old == (uint32_t)b ? c : old;
}

static uint64_t swapped_64(uint64_t old, uint64_t b, uint64_t c)
{
    return old == b ? c : old;
}

static uint64_t incremented(uint64_t old, uint64_t b, uint64_t c)
{
    (void)c;
    return (uint32_t)old >= (uint32_t)b ? 0 : old + 1;
}

static uint64_t decremented(uint64_t old, uint64_t b, uint64_t c)
{
    (void)c;
    return (uint32_t)old == 0 || (uint32_t)old > (uint32_t)b ? b : old - 1;
}

static scalar_fn *atomic_function(const struct statement *statement, enum type type)
{
    static const char *const names[][9] = {
        {"add.b32", "add.b64", "add.f32", "add.f64"},
        {"min.u32", "min.s32", "min.u64", "min.s64"},
        {"max.u32", "max.s32", "max.u64", "max.s64"},
        {"and.b32", "and.b64"},
        {"or.b32", "or.b64"},
        {"xor.b32", "xor.b64"},
    };
    static const char *const suffixes[] = {
        [B32] = ".b32", [B64] = ".b64", [U32] = ".u32", [U64] = ".u64", [S32] = ".s32",
        [S64] = ".s64", [F32] = ".f32", [F64] = ".f64", [PRED] = ""};
    int is_wide = type_size(type) == 8;
    if (has_modifier(statement, "exch"))
        return exchanged;
    if (has_modifier(statement, "cas"))
        return is_wide ? swapped_64 : swapped_32;
    if (has_modifier(statement, "inc"))
        return is_wide ? NULL : incremented;
    if (has_modifier(statement, "dec"))
        return is_wide ? NULL : decremented;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (int k = 0; k < 9 && names[i][k]; k++) {
            size_t stem = strcspn(names[i][k], ".");
            char op[8] = {0};
            memcpy(op, names[i][k], stem);
            if (!has_modifier(statement, op))
                continue;
            const char *suffix = names[i][k] + stem;
            int same = suffixes[type] && strcmp(suffix, suffixes[type]) == 0;
            int bits = !type_is_float(type) && strcmp(suffix, is_wide ? ".b64" : ".b32") == 0;
            if (same || bits)
                return find_operation(names[i][k])->scalar;
        }
    }
    return NULL;
}

static void decode_atomic(struct loader *loader, const struct statement *statement, int is_red)
{
    allow_modifiers(loader, statement,
                    ORDERS SPACES "add min max and or xor exch cas inc dec noftz");
    enum type type = last_type(loader, statement);
    unsigned size = type_size(type);
    scalar_fn *function = size >= 4 && type != PRED ? atomic_function(statement, type) : NULL;
    enum space space = space_of(statement);
    if (!function || (space != GLOBAL && space != SHARED && space != GENERIC))
        not_supported(loader);
    int first = is_red ? 0 : 1, is_cas = has_modifier(statement, "cas");
    uint8_t width_a;
    int64_t offset;
    const struct operand *result = is_red ? NULL : get_operand(loader, statement, 0);
    slot d = !result || result->kind == OPERAND_SINK ? NO_SLOT : write_slot(loader, result, type);
    slot a = address_slot(loader, get_operand(loader, statement, first), &width_a, &offset);
    slot b = read_slot(loader, get_operand(loader, statement, first + 1), type);
    slot c = is_cas ? read_slot(loader, get_operand(loader, statement, first + 2), type) : NO_SLOT;
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a, in->b = b, in->c = c;
    in->width_a = width_a;
    in->width_d = in->width_b = in->width_c = (uint8_t)size;
    in->offset = offset;
    in->size = (uint8_t)size;
    in->type = (uint8_t)type;
    in->space = (uint8_t)space;
    in->is_atomic = 1;
    in->is_release = (uint8_t)is_release(statement);
    loader->function->has_fences |= in->is_release;
    in->use.scalar = function;
    in->execute = execute_atomic;
    if (space != SHARED)
        loader->function->has_atomics = 1;
    if (space != SHARED &&
        (d != NO_SLOT || is_cas || has_modifier(statement, "exch") ||
         has_modifier(statement, "inc") || has_modifier(statement, "dec") || type_is_float(type)))
        loader->function->order_matters = 1;
}

// The one instruction that writes a register, or NULL.
static const struct instruction *only_writer(const struct loader *loader, slot at)
{
    const struct instruction *writer = NULL;
    for (uint32_t i = 0; i < loader->length; i++) {
        if (loader->code[i].d != at)
            continue;
        if (writer)
            return NULL;
        writer = &loader->code[i];
    }
    return writer;
}

// Where an address comes from: the register that was only moved or converted to this one.
static slot origin(const struct loader *loader, slot at)
{
    enum { MAX_MOVES = 8 };
    for (int i = 0; i < MAX_MOVES; i++) {
        const struct instruction *writer = only_writer(loader, at);
        if (!writer || (writer->execute != execute_move && writer->execute != execute_to_window))
            break;
        at = writer->a;
    }
    return at;
}

static const struct constant *constant_at(const struct loader *loader, slot at)
{
    const struct function *function = loader->function;
    for (size_t i = 0; i < function->constant_count; i++)
        if (function->constants[i].at == at)
            return &function->constants[i];
    return NULL;
}

static int is_same_address(const struct loader *loader, slot a, slot b)
{
    a = origin(loader, a), b = origin(loader, b);
    const struct constant *x = constant_at(loader, a), *y = constant_at(loader, b);
    return a == b || (x && y && x->kind == y->kind && x->value == y->value);
}

void mark_retried_loads(struct loader *loader)
{
    for (uint32_t i = 0; i < loader->length; i++) {
        const struct instruction *swap = &loader->code[i];
        if (!swap->is_atomic || (swap->use.scalar != swapped_32 && swap->use.scalar != swapped_64))
            continue;
        for (uint32_t k = 0; k < loader->length; k++) {
            struct instruction *load = &loader->code[k];
            if (load->is_load && load->size == swap->size && load->vector == 1 &&
                load->execute != execute_copy_async && load->offset == swap->offset &&
                is_same_address(loader, load->a, swap->a))
                load->is_volatile = 1;
        }
    }
}

static void decode_address_conversion(struct loader *loader, const struct statement *statement)
{
    allow_modifiers(loader, statement, SPACES "to");
    enum space space = space_of(statement);
    uint8_t width_d, width_a;
    const struct operand *from = get_operand(loader, statement, 1);
    slot d = any_register(loader, get_operand(loader, statement, 0), &width_d);
    slot a;
    if (from->kind == OPERAND_REGISTER) {
        a = any_register(loader, from, &width_a);
    } else {
        width_a = (uint8_t)type_size(last_type(loader, statement));
        a = read_slot(loader, from, last_type(loader, statement));
    }
    if (width_d != width_a || width_d != 8)
        load_fail(loader, "%s: only 64-bit addresses are supported", loader->opcode);
    struct instruction *in = load_instruction(loader);
    uint64_t base = space == SHARED ? SHARED_BASE : space == LOCAL ? LOCAL_BASE : 0;
    in->d = d, in->a = a;
    in->width_d = width_d, in->width_a = width_a;
    in->offset = (int64_t)(has_modifier(statement, "to") ? 0 - base : base);
    in->execute = base ? execute_to_window : execute_move;
    in->space = (uint8_t)space;
}

static void decode_is_space(struct loader *loader, const struct statement *statement)
{
    allow_modifiers(loader, statement, "global shared shared::cta local const");
    uint8_t width;
    slot d = write_slot(loader, get_operand(loader, statement, 0), PRED);
    slot a = any_register(loader, get_operand(loader, statement, 1), &width);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a;
    in->width_a = width;
    in->space = (uint8_t)space_of(statement);
    in->execute = execute_is_space;
}

static void decode_copy_async(struct loader *loader, const struct statement *statement)
{
    if (has_modifier(statement, "commit_group") || has_modifier(statement, "wait_group") ||
        has_modifier(statement, "wait_all")) {
        load_instruction(loader)->execute = execute_nothing; // the copy was done at once
        return;
    }
    allow_modifiers(loader, statement,
                    "async ca cg shared shared::cta global L2::64B L2::128B L2::256B");
    uint8_t width_d, width_a;
    int64_t offset, source_offset;
    slot d = address_slot(loader, get_operand(loader, statement, 0), &width_d, &offset);
    slot a = address_slot(loader, get_operand(loader, statement, 1), &width_a, &source_offset);
    const struct operand *size = get_operand(loader, statement, 2);
    if (size->kind != OPERAND_NUMBER ||
        (size->number != 4 && size->number != 8 && size->number != 16))
        not_supported(loader);
    slot b = statement->operand_count > 3
                 ? read_slot(loader, get_operand(loader, statement, 3), U32)
                 : NO_SLOT;
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a, in->b = b;
    in->width_d = width_d, in->width_a = width_a;
    in->offset = offset, in->source_offset = source_offset;
    in->size = (uint8_t)size->number;
    in->is_load = 1;
    in->space = GLOBAL;
    in->execute = execute_copy_async;
}

int decode_memory(struct loader *loader, const struct statement *statement)
{
    const char *opcode = statement->opcode;
    if (strcmp(opcode, "ld") == 0 || strcmp(opcode, "ldu") == 0)
        decode_access(loader, statement, 1);
    else if (strcmp(opcode, "st") == 0)
        decode_access(loader, statement, 0);
    else if (strcmp(opcode, "atom") == 0 || strcmp(opcode, "red") == 0)
        decode_atomic(loader, statement, opcode[0] == 'r');
    else if (strcmp(opcode, "cvta") == 0)
        decode_address_conversion(loader, statement);
    else if (strcmp(opcode, "isspacep") == 0)
        decode_is_space(loader, statement);
    else if (strcmp(opcode, "cp") == 0 && has_modifier(statement, "async"))
        decode_copy_async(loader, statement);
    else
        return 0;
    return 1;
}
