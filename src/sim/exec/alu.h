// Arithmetic, logic and comparison: what PTX computes from registers alone.
#ifndef SIM_ALU_H
#define SIM_ALU_H

#include "sim/ptx/module.h"

// An operation: all lanes at once, and one lane for the variants that need care (rounding,
// flushing, saturation). Widths are bytes of d, a, b and c; 0 where there is no operand.
struct operation {
    const char *name; // "add.b32": s32 and u32 are b32 where the sign makes no difference
    execute_fn *lanes;
    scalar_fn *scalar;
    uint8_t width[4];
};

// The tables end with a NULL name.
extern const struct operation integer_operations[], float_operations[], bit_operations[],
    half_operations[];

const struct operation *find_operation(const char *name);

// One lane at a time, by `use.scalar`, with the instruction's rounding, flushing and saturation.
void execute_careful(struct warp *warp, const struct instruction *in, uint32_t mask);

// Comparisons: setp.lt.s32 is find_comparison("lt", S32). NULL when there is none such.
compare_fn *find_comparison(const char *relation, enum type type);

enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };
void execute_setp(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_set(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_select(struct warp *warp, const struct instruction *in, uint32_t mask);

// add.cc, addc and their kin: `bitwise` says which, of operands of width_d bytes.
enum carry { CARRY_ADD, CARRY_SUB, CARRY_MAD_LOW, CARRY_MAD_HIGH };
void execute_carry(struct warp *warp, const struct instruction *in, uint32_t mask);

// lop3: any function of three bits; its table of 8 is `offset`.
void execute_logic3(struct warp *warp, const struct instruction *in, uint32_t mask);

// Predicates are 32 bits, one a lane.
void execute_predicate_and(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_predicate_or(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_predicate_xor(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_predicate_not(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_predicate_move(struct warp *warp, const struct instruction *in, uint32_t mask);

// Moves between registers of one width, and between a wide one and a vector of narrow ones.
void execute_move(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_pack(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_unpack(struct warp *warp, const struct instruction *in, uint32_t mask);

// cvt: from source_type to type, in registers of width_a and width_d bytes.
uint64_t convert_value(uint64_t bits, const struct instruction *in);
void execute_convert(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_widen_u32(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_widen_s32(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_narrow_64(struct warp *warp, const struct instruction *in, uint32_t mask);

// Lanes talking to each other: shfl.sync, vote.sync, match.sync, redux.sync, activemask.
enum shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
enum vote { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM, VOTE_BALLOT };
void execute_shuffle(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_vote(struct warp *warp, const struct instruction *in, uint32_t mask);

// match: which lanes have the same value. redux: by `use.scalar`, over all lanes.
enum match { MATCH_ANY, MATCH_ALL };
void execute_match(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_reduce(struct warp *warp, const struct instruction *in, uint32_t mask);
void execute_active_mask(struct warp *warp, const struct instruction *in, uint32_t mask);

#endif
