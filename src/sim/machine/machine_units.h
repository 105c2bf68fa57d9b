// Which of an SM's units does what a machine instruction asks for, and how long warps wait for results of them.
#ifndef SIM_MACHINE_UNITS_H
#define SIM_MACHINE_UNITS_H

// ALU, FMA (products of integers; others may go to its second half, too), FP64, XU, the cache of constants that are looked up in
// turn, and LSU, where special registers are read. Nsight Compute's documentation, "Pipelines".
enum machine_unit {
    NO_UNIT,
    BIT_UNIT,
    PRODUCT_UNIT,
    FLOAT_UNIT,
    DOUBLE_UNIT,
    SPECIAL_UNIT,
    CONSTANT_UNIT,
    LOAD_STORE_UNIT,
    MACHINE_UNITS
};

// Of a machine instruction with the opcode.
enum machine_unit machine_unit_of(unsigned opcode);

// Cycles from its issue until its result may be used, if a scoreboard counts that and it is no access to memory; else 0.
double machine_latency_of(unsigned opcode);

#endif
