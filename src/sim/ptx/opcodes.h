// Every instruction but arithmetic (arithmetic.h has that), a row each. To add one: a row, what executes
// it, and what decodes its operands if nothing here does. Included where a macro makes something of each
// row; what is not defined there is left out:
//
//     INSTRUCTION(op, spelling, modifiers, decode, execute)
//         modifiers: those that it may have beside types, separated by spaces; NULL: any, or as it decodes
//     SPELLING(op, spelling, modifiers, decode)    another way to write it
//     VARIANT(op, execute)                         what decoding makes of some of them
#ifndef INSTRUCTION
#define INSTRUCTION(op, spelling, modifiers, decode, execute)
#endif
#ifndef SPELLING
#define SPELLING(op, spelling, modifiers, decode)
#endif
#ifndef VARIANT
#define VARIANT(op, execute)
#endif

#define SPACES "global shared shared::cta local const param param::entry param::func "
#define ORDERS "volatile relaxed acquire release acq_rel cta cluster gpu sys "
#define CACHE_HINTS                                                                                \
    "ca cg cs cv lu wb wt nc weak L1::evict_normal L1::evict_unchanged L1::evict_first "           \
    "L1::evict_last L1::no_allocate L2::64B L2::128B L2::256B L2::evict_normal L2::evict_first "   \
    "L2::evict_last "
#define ACCESS SPACES ORDERS CACHE_HINTS "v2 v4"
#define UPDATE SPACES ORDERS "add min max and or xor exch cas inc dec noftz"
#define RELATION "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"
#define FENCE_KIND "cta gl sys gpu cluster sc acq_rel acquire release"

// Memory
INSTRUCTION(LOAD, "ld", ACCESS, decode_access, execute_access)
SPELLING(LOAD, "ldu", ACCESS, decode_access)
INSTRUCTION(STORE, "st", ACCESS, decode_access, execute_access)
INSTRUCTION(ATOMIC, "atom", UPDATE, decode_atomic, execute_atomic)
SPELLING(ATOMIC, "red", UPDATE, decode_atomic)
INSTRUCTION(TO_WINDOW, "cvta", SPACES "to", decode_address_conversion, execute_to_window)
INSTRUCTION(IS_SPACE, "isspacep", "global shared shared::cta local const", decode_is_space,
            execute_is_space)
INSTRUCTION(COPY_ASYNC, "cp", NULL, decode_copy_async, execute_copy_async)
VARIANT(COPY_COMMIT, execute_nothing) // the copy was done at once
VARIANT(COPY_WAIT, execute_nothing)
INSTRUCTION(PREFETCH, "prefetch", NULL, decode_plain, execute_nothing)
SPELLING(PREFETCH, "prefetchu", NULL, decode_plain)

// Moves, conversions, comparisons
INSTRUCTION(MOVE, "mov", "", decode_move, execute_move)
VARIANT(CLOCK, execute_clock)
VARIANT(PACK, execute_pack) // between a wide register and a vector of narrow ones
VARIANT(UNPACK, execute_unpack)
INSTRUCTION(CONVERT, "cvt", "rn rz rm rp rni rzi rmi rpi ftz sat", decode_convert, execute_convert)
VARIANT(WIDEN_U32, execute_widen_u32) // the same between integers of 32 and 64 bits
VARIANT(WIDEN_S32, execute_widen_s32)
VARIANT(NARROW_64, execute_narrow_64)
INSTRUCTION(SETP, "setp", RELATION, decode_setp, execute_setp)
INSTRUCTION(SET, "set", RELATION, decode_set, execute_set)
INSTRUCTION(SELECT, "selp", "", decode_select, execute_select)
INSTRUCTION(LOGIC3, "lop3", "", decode_logic3, execute_logic3)
VARIANT(PREDICATE, execute_predicate) // mov, not, and, or, xor of predicates

// Arithmetic
VARIANT(ARITHMETIC, execute_arithmetic)
VARIANT(CAREFUL, execute_careful) // with a rounding, flushing or saturation of its own
VARIANT(CARRY, execute_carry)

// Control
INSTRUCTION(BRANCH, "bra", "uni", decode_branch, execute_branch)
INSTRUCTION(JUMP_TABLE, "brx", "idx uni", decode_jump_table, execute_jump_table)
INSTRUCTION(CALL, "call", "uni", decode_call, execute_call)
INSTRUCTION(RETURN, "ret", NULL, decode_plain, execute_return)
INSTRUCTION(EXIT, "exit", NULL, decode_plain, execute_exit)
VARIANT(END, execute_end) // of a function's text: every return goes there
INSTRUCTION(TRAP, "trap", NULL, decode_plain, execute_trap)
INSTRUCTION(SLEEP, "nanosleep", NULL, decode_plain, execute_nothing)
INSTRUCTION(BARRIER, "bar", NULL, decode_barrier, execute_barrier)
SPELLING(BARRIER, "barrier", NULL, decode_barrier)
VARIANT(WARP_BARRIER, execute_warp_barrier)
INSTRUCTION(FENCE, "membar", FENCE_KIND, decode_fence, execute_fence)
SPELLING(FENCE, "fence", FENCE_KIND, decode_fence)

// Lanes that read each other's registers
INSTRUCTION(SHUFFLE, "shfl", "sync up down bfly idx", decode_shuffle, execute_shuffle)
INSTRUCTION(VOTE, "vote", "sync all any uni ballot", decode_vote, execute_vote)
INSTRUCTION(MATCH, "match", "any all sync", decode_match, execute_match)
INSTRUCTION(REDUCE, "redux", "add and or xor min max sync", decode_reduce, execute_reduce)
INSTRUCTION(ACTIVE_MASK, "activemask", NULL, decode_active_mask, execute_active_mask)

#undef SPACES
#undef ORDERS
#undef CACHE_HINTS
#undef ACCESS
#undef UPDATE
#undef RELATION
#undef FENCE_KIND
#undef INSTRUCTION
#undef SPELLING
#undef VARIANT
