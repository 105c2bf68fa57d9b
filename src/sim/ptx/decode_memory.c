// Loads, stores, atomics, and conversions of addresses.
#include <string.h>

#include "sim/ptx/decode.h"
#include "sim/ptx/operations.h"

static enum space space_of(const struct loader *loader)
{
    static const enum space spaces[] = {GLOBAL, SHARED, SHARED, LOCAL,  CONSTANT,
                                        PARAM,  PARAM,  PARAM,  GENERIC};
    return spaces[which_modifier(
        loader, "global shared shared::cta local const param param::entry param::func")];
}

static void set_order(struct loader *loader, struct instruction *in)
{
    in->is_release = has_modifier(loader, "release") || has_modifier(loader, "acq_rel");
    loader->function->has_fences |= in->is_release;
}

// A parameter of a kernel at a fixed place is a constant vector: ld.param is a move.
static int decode_param_load(struct loader *loader, struct instruction *in)
{
    const struct operand *to = get_operand(loader, 0), *from = get_operand(loader, 1);
    unsigned size = type_size(last_type(loader));
    if (from->kind != OPERAND_ADDRESS || !from->symbol || from->symbol->space != KERNEL_PARAM ||
        from->symbol->kind != SYMBOL_VARIABLE || to->kind != OPERAND_REGISTER || size < 2 ||
        type_size(to->symbol->type) != size || to->symbol->type == PRED)
        return 0;
    uint64_t offset = from->symbol->address + (uint64_t)from->displacement;
    if (offset > loader->function->param_size || size > loader->function->param_size - offset)
        load_fail(loader, "%s reads beyond the parameters", loader->opcode);
    in->op = OP_MOVE;
    in->d = register_slot(loader, to->symbol);
    in->a = load_constant(loader, CONSTANT_PARAM, offset, size);
    in->width_d = in->width_a = (uint8_t)size;
    in->space = KERNEL_PARAM;
    return 1;
}

// The register or the vector of registers that a load fills or a store reads.
static void set_values(struct loader *loader, struct instruction *in, enum type type)
{
    const struct operand *values = get_operand(loader, !in->is_load);
    int is_vector = values->kind == OPERAND_VECTOR, count = is_vector ? values->count : 1;
    uint8_t *width = in->is_load ? &in->width_d : &in->width_b;
    if (count != in->vector)
        load_fail(loader, "%s needs %d registers", loader->opcode, in->vector);
    for (int i = 0; i < count; i++) {
        const struct operand *value = is_vector ? &values->members[i] : values;
        uint8_t w = (uint8_t)type_size(type);
        slot at = NO_SLOT;
        if (value->kind == OPERAND_REGISTER)
            at = any_register(loader, value, &w);
        else if (!in->is_load)
            at = read_slot(loader, value, type);
        else if (value->kind != OPERAND_SINK)
            not_supported(loader);
        if (w < type_size(type) || (*width && *width != w))
            load_fail(loader, "%s: its registers do not fit", loader->opcode);
        *width = w;
        in->v[i] = at;
    }
    if (count == 1)
        *(in->is_load ? &in->d : &in->b) = in->v[0];
}

void decode_access(struct loader *loader, struct instruction *in)
{
    enum type type = last_type(loader);
    enum space space = space_of(loader);
    int is_load = in->op == OP_LOAD;
    const struct operand *address = get_operand(loader, is_load);
    if (space == PARAM && is_load && decode_param_load(loader, in))
        return;
    if (space == PARAM && loader->function->is_kernel && address->symbol &&
        !(address->symbol->kind == SYMBOL_VARIABLE && address->symbol->space == PARAM))
        space = KERNEL_PARAM;
    in->vector = has_modifier(loader, "v2") ? 2 : has_modifier(loader, "v4") ? 4 : 1;
    in->is_load = (uint8_t)is_load;
    in->size = (uint8_t)type_size(type);
    in->type = (uint8_t)type;
    in->space = (uint8_t)space;
    if (type == PRED || in->size * in->vector > 16)
        not_supported(loader);
    in->a = address_slot(loader, is_load, &in->width_a, &in->offset);
    set_values(loader, in, type);
    if (!is_load && (space == CONSTANT || space == KERNEL_PARAM))
        not_supported(loader);
    in->is_volatile = which_modifier(loader, "volatile relaxed acquire release") < 4;
    in->is_read_only = (uint8_t)has_modifier(loader, "nc");
    in->passes_l1 = has_modifier(loader, "cg") || has_modifier(loader, "cv");
    set_order(loader, in);
    if (in->is_volatile && space != SHARED && space != LOCAL) {
        loader->function->has_atomics = 1; // a flag that blocks wait for is as good as an atomic
        loader->function->order_matters = 1;
    }
}

// What an atomic makes of the value in memory, and whether its result depends on who comes first.
static uint8_t update_of(const struct loader *loader, enum type type, int *order_matters)
{
    static const char *const names[] = {"add", "min",       "max",      "and",      "or",
                                        "xor", "atom.exch", "atom.cas", "atom.inc", "atom.dec"};
    enum { ADDS = 0, EXCHANGES = 6, NAMES = sizeof names / sizeof *names };
    unsigned i = which_modifier(loader, "add min max and or xor exch cas inc dec");
    *order_matters = i >= EXCHANGES || type_is_float(type);
    if (i == NAMES || type_size(type) < 4 || type == PRED)
        return 0;
    if (i >= EXCHANGES)
        return find_operation(names[i], type_size(type) == 8 ? B64 : B32);
    if (type_is_float(type) && (i != ADDS || type == F16X2))
        return 0;
    return find_operation(names[i], type);
}

void decode_atomic(struct loader *loader, struct instruction *in)
{
    int first =
        strcmp(loader->statement->opcode, "red") != 0; // the address: atom has a result before
    enum type type = last_type(loader);
    enum space space = space_of(loader);
    int order_matters;
    in->operation = update_of(loader, type, &order_matters);
    if (!in->operation || (space != GLOBAL && space != SHARED && space != GENERIC))
        not_supported(loader);
    if (first && get_operand(loader, 0)->kind != OPERAND_SINK)
        in->d = write_operand(loader, 0, type);
    in->a = address_slot(loader, first, &in->width_a, &in->offset);
    in->b = read_operand(loader, first + 1, type);
    if (has_modifier(loader, "cas"))
        in->c = read_operand(loader, first + 2, type);
    in->size = in->width_d = in->width_b = in->width_c = (uint8_t)type_size(type);
    in->type = (uint8_t)type;
    in->space = (uint8_t)space;
    in->is_atomic = 1;
    set_order(loader, in);
    if (space == SHARED)
        return;
    loader->function->has_atomics = 1;
    loader->function->order_matters |= in->d != NO_SLOT || order_matters;
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

// The number that a slot holds; NULL when it holds none, or no constant.
static const struct constant *number_at(const struct loader *loader, slot at)
{
    const struct function *function = loader->function;
    for (size_t i = 0; i < function->constant_count; i++)
        if (function->constants[i].at == at && function->constants[i].kind == CONSTANT_BITS)
            return &function->constants[i];
    return NULL;
}

// What an address is known to be: so many bytes behind the value of a slot, or of NO_SLOT, 0.
struct place {
    slot from;
    uint64_t offset;
};

// Follows an address to where it comes from, by moves, conversions, and sums with a number.
static struct place place_of(const struct loader *loader, const struct instruction *access)
{
    enum { MAX_MOVES = 8 };
    struct place place = {access->a, (uint64_t)access->offset};
    const struct constant *number;
    for (int i = 0; i < MAX_MOVES; i++) {
        const struct instruction *writer = only_writer(loader, place.from);
        if (!writer)
            break;
        if (writer->op == OP_ARITHMETIC && operations[writer->operation].kind == ADD &&
            (number = number_at(loader, writer->b)))
            place.offset += number->value;
        else if (writer->op != OP_MOVE && writer->op != OP_TO_WINDOW)
            break;
        place.from = writer->a;
    }
    if ((number = number_at(loader, place.from)))
        place = (struct place){NO_SLOT, place.offset + number->value};
    return place;
}

static int is_same_address(const struct loader *loader, const struct instruction *one,
                           const struct instruction *other)
{
    struct place a = place_of(loader, one), b = place_of(loader, other);
    return a.from == b.from && a.offset == b.offset;
}

// Whether the atomic cannot be harmed by what a plain load saw before: the load starts a compare-and-swap of
// the same word, which fails and is tried again where the value is old; or it reads from the L2 (.cg, .cv),
// where atomics are made, and nothing it sees is old.
static int is_fresh_enough(const struct loader *loader, const struct instruction *load,
                           const struct instruction *atomic)
{
    int is_swap = atomic->c != NO_SLOT; // of atomics that one alone has a c
    if (load->op != OP_LOAD || load->size != atomic->size || load->vector != 1)
        return 0;
    return (load->passes_l1 && atomic->space != SHARED) ||
           (is_swap && is_same_address(loader, load, atomic));
}

void mark_fresh_loads(struct loader *loader)
{
    for (uint32_t i = 0; i < loader->length; i++) {
        const struct instruction *atomic = &loader->code[i];
        for (uint32_t k = 0; k < loader->length && atomic->op == OP_ATOMIC; k++) {
            struct instruction *load = &loader->code[k];
            if (load->is_volatile || !is_fresh_enough(loader, load, atomic))
                continue;
            load->is_volatile = 1;
            loader->function->order_matters |= load->passes_l1; // what it sees depends on who came
        }
    }
}

void decode_address_conversion(struct loader *loader, struct instruction *in)
{
    enum space space = space_of(loader);
    const struct operand *from = get_operand(loader, 1);
    in->d = any_register(loader, get_operand(loader, 0), &in->width_d);
    if (from->kind == OPERAND_REGISTER) {
        in->a = any_register(loader, from, &in->width_a);
    } else {
        in->width_a = (uint8_t)type_size(last_type(loader));
        in->a = read_slot(loader, from, last_type(loader));
    }
    if (in->width_d != in->width_a || in->width_d != 8)
        load_fail(loader, "%s: only 64-bit addresses are supported", loader->opcode);
    uint64_t base = space == SHARED ? SHARED_BASE : space == LOCAL ? LOCAL_BASE : 0;
    in->window = has_modifier(loader, "to") ? 0 - base : base;
    in->space = (uint8_t)space;
    if (!base)
        in->op = OP_MOVE;
}

void decode_is_space(struct loader *loader, struct instruction *in)
{
    in->d = write_operand(loader, 0, PRED);
    in->a = any_register(loader, get_operand(loader, 1), &in->width_a);
    in->space = (uint8_t)space_of(loader);
}

void decode_copy_async(struct loader *loader, struct instruction *in)
{
    if (!has_modifier(loader, "async"))
        not_supported(loader);
    if (has_modifier(loader, "commit_group")) {
        in->op = OP_COPY_COMMIT;
        return;
    }
    if (has_modifier(loader, "wait_group") || has_modifier(loader, "wait_all")) {
        in->op = OP_COPY_WAIT;
        return;
    }
    allow_modifiers(loader, "async ca cg shared shared::cta global L2::64B L2::128B L2::256B");
    in->d = address_slot(loader, 0, &in->width_d, &in->offset);
    in->a = address_slot(loader, 1, &in->width_a, &in->source_offset);
    const struct operand *size = get_operand(loader, 2);
    if (size->kind != OPERAND_NUMBER ||
        (size->number != 4 && size->number != 8 && size->number != 16))
        not_supported(loader);
    if (loader->statement->operand_count > 3)
        in->b = read_operand(loader, 3, U32);
    in->size = (uint8_t)size->number;
    in->is_load = 1;
    in->space = GLOBAL;
    in->passes_l1 = (uint8_t)has_modifier(loader, "cg");
}
