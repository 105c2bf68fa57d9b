// An instruction as it is decoded: what it does and with which registers. What executes it is sim/exec's
// affair.
#ifndef SIM_INSTRUCTION_H
#define SIM_INSTRUCTION_H

#include <stdint.h>

enum type {
    B8,
    B16,
    B32,
    B64,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16X2,
    F32,
    F64,
    PRED,
    NO_TYPE
};

enum space { NO_SPACE, GENERIC, GLOBAL, SHARED, LOCAL, CONSTANT, PARAM, KERNEL_PARAM };

// Generic addresses: these windows lie where no host address is.
enum { SHARED_WINDOW = 1, LOCAL_WINDOW = 2 };
#define WINDOW_SHIFT 56
#define SHARED_BASE ((uint64_t)SHARED_WINDOW << WINDOW_SHIFT)
#define LOCAL_BASE ((uint64_t)LOCAL_WINDOW << WINDOW_SHIFT)

enum rounding { NEAREST, TOWARD_ZERO, DOWN, UP };

// What an instruction does: OP_LOAD, OP_BRANCH, ...
enum op {
#define INSTRUCTION(op, spelling, modifiers, decode, execute) OP_##op,
#define VARIANT(op, execute) OP_##op,
#include "sim/ptx/opcodes.h"
    OPS
};

// What the estimates of machine code tell apart among arithmetic: see cost_estimate.h. The upper half of a product
// is a MUL too.
enum arithmetic { OTHER, ADD, SUB, MUL, MUL_WIDE, MAD, MAD_WIDE, DIVIDE, ROOT, SHIFT_LEFT };

// A comparison's relation; those with U also hold where one operand is NaN.
enum relation { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUMBERS, ANY_NAN };

// How a result is combined with another predicate.
enum combine { COMBINE_AND, COMBINE_OR, COMBINE_XOR, COMBINE_NONE };

// add.cc, addc and their kin.
enum carry { CARRY_ADD, CARRY_SUB, CARRY_MAD_LOW, CARRY_MAD_HIGH };

enum shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
enum vote { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM, VOTE_BALLOT };
enum match { MATCH_ANY, MATCH_ALL };

// What bar.red makes of its threads' predicates.
enum barrier_result { BARRIER_COUNT, BARRIER_AND, BARRIER_OR };

// A slot is the byte offset of a vector of 32 lanes (or of a predicate's 32 bits) in a frame: the
// memory that holds a function's constants and registers for one warp.
typedef uint32_t slot;
#define NO_SLOT UINT32_MAX
enum { SLOT_BYTES = 64 }; // every slot is a multiple of it

enum { MAX_VECTOR = 4 };

struct instruction {
    uint8_t op;            // enum op
    uint8_t operation;     // of arithmetic, atomics and redux, a row of operations.h; or 0
    uint8_t guard_negated; // @!%p
    slot guard;            // the predicate before the instruction, or NO_SLOT
    slot d;                // the result; of cp.async the address that it copies to
    slot q;                // a second result, a predicate: of setp, shfl and match
    slot a, b, c;          // the operands; of loads, stores and atomics a is the address
    slot e;                // bfi's fourth operand
    slot members;          // the lanes that shfl.sync and its like name, or NO_SLOT
    slot v[MAX_VECTOR];    // a vector operand's registers
    uint8_t vector;        // how many: 1, 2 or 4
    uint8_t width_d, width_a, width_b, width_c; // bytes a lane, of each operand's slot
    uint8_t type, source_type;                  // enum type
    uint8_t negate;                             // the predicate operand
    uint8_t rounding;                           // enum rounding
    uint8_t flush, saturate;                    // .ftz, .sat
    uint8_t approximate;                        // .approx
    uint8_t integral;                           // of cvt between floats: rounds to a whole number
    uint8_t takes_carry, sets_carry;            // addc, add.cc
    uint8_t relation;                           // of setp and set: enum relation

    // Accesses to memory
    uint8_t size;  // bytes of one element; 0 in what is no access
    uint8_t space; // enum space
    uint8_t is_load, is_volatile, is_atomic;
    uint8_t is_release;   // a write that is a fence too: st.release, atom.acq_rel
    uint8_t is_read_only; // .nc
    uint8_t passes_l1;    // .cg, .cv

    uint8_t machine_cost; // machine instructions it becomes: see cost_estimate.h
    union {               // by op
        uint8_t combine;  // of SETP, SET, PREDICATE: enum combine
        uint8_t carry;    // of CARRY: enum carry
        uint8_t shuffle, vote, match;
        uint8_t barrier_result; // of BARRIER with a result
        uint8_t truth_table;    // of LOGIC3: bit 4a + 2b + c is the result for these bits
    };
    union { // by op
        struct {
            int64_t offset;        // of an access: the address's displacement
            int64_t source_offset; // of COPY_ASYNC: the global address's
        };
        uint64_t holds;  // of SET: the bits where the relation holds
        uint64_t window; // of TO_WINDOW: what it adds
        const struct call *call;
        const struct jump_table *table;
    };
    const struct instruction *target, *reconverge; // of what may leave the path
    uint32_t index;                                // in the module, from 0
    uint32_t ptx_line;                             // of the PTX text, from 1; never falls
    uint32_t line, file;                           // of the source
    uint32_t outer_line, outer_file;               // of code inlined there; 0 for other code
    const char *opcode;                            // as written, for messages: "ld.global.f32"
};

// Whether it is an access that machine code has, too: not of a parameter.
static inline int is_access(const struct instruction *in)
{
    return in->size != 0 && in->space != PARAM && in->space != KERNEL_PARAM;
}

// Bytes of a type: 1..8, and 4 for a predicate (its 32 lanes' bits).
unsigned type_size(enum type type);
int type_is_signed(enum type type);
int type_is_float(enum type type);

// "u32", and back; NO_TYPE for what names none.
const char *type_name(enum type type);
enum type type_named(const char *name);

#endif
