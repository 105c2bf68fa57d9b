// Which of an SM's units does what a machine instruction asks for, and how long warps wait for results of them.
#ifndef SIM_MACHINE_UNITS_H
#define SIM_MACHINE_UNITS_H

#include <stdint.h>

// ALU, FMA (products of integers; others may go to its second half, too), FP64, XU, the cache of constants that are looked up in
// turn, and LSU, where special registers are read: Nsight Compute's documentation, "Pipelines". And the two banks of a scheduler's
// registers (Jia et al., 2018, on register banks), of which each reads one of a warp in a cycle (turn_three_registers in the
// microbenchmarks).
enum machine_unit {
    NO_UNIT,
    BIT_UNIT,
    PRODUCT_UNIT,
    FLOAT_UNIT,
    DOUBLE_UNIT,
    SPECIAL_UNIT,
    CONSTANT_UNIT,
    LOAD_STORE_UNIT,
    EVEN_REGISTERS,
    ODD_REGISTERS,
    MACHINE_UNITS
};

static inline int is_bank(enum machine_unit unit)
{
    return unit == EVEN_REGISTERS || unit == ODD_REGISTERS;
}

// How many turns a machine instruction, of two words (machine_code.h), takes of each: of PRODUCT_UNIT two, where the high half of
// the product is needed (turn_wide_products and turn_high_products). When others than ALU's and FMA's read their registers is not
// known: they take no turn of the banks.
void machine_unit_turns(const uint64_t words[2], uint8_t turns[MACHINE_UNITS]);

// Cycles from its issue until its result may be used, if a scoreboard counts that and it is no access to memory; else 0.
double machine_latency_of(unsigned opcode);

#endif
