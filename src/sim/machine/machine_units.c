// Opcodes are as nvdisasm has them; what the latencies are is in docs/runs/micro-*.csv, the same of an H200 and an H100.
#include "sim/machine/machine_units.h"

#include <stddef.h>
#include <stdint.h>

// Cycles from the issue until the result may be used. constant_latency, special_register_latency and root_latency;
// conversions take as long as roots: conversions_latency is two, and 6 cycles.
enum { CONSTANT_LATENCY = 28, REGISTER_LATENCY = 35, SPECIAL_LATENCY = 17 };

static const struct row {
    uint16_t first, last; // the low 9 bits of opcodes
    enum machine_unit unit;
    uint16_t latency; // 0: no scoreboard counts it, what uses the result stands far enough behind
} table[] = {
    {0x002, 0x004, BIT_UNIT, 0},                       // MOV, P2R, R2P
    {0x007, 0x00c, BIT_UNIT, 0},                       // SEL, FSEL, FMNMX, FSETP, ISETP
    {0x010, 0x01c, BIT_UNIT, 0},                       // IADD3, LEA, LOP3, PRMT, SHF, PLOP3
    {0x020, 0x023, FLOAT_UNIT, 0},                     // FMUL, FADD, FFMA
    {0x024, 0x027, PRODUCT_UNIT, 0},                   // IMAD, IMAD.WIDE, IMAD.HI
    {0x028, 0x02b, DOUBLE_UNIT, 0},                    // DMUL, DADD, DSETP, DFMA
    {0x035, 0x035, PRODUCT_UNIT, 0},                   // HFMA2.MMA
    {0x036, 0x036, BIT_UNIT, 0},                       // VIADD
    {0x045, 0x048, BIT_UNIT, 0},                       // I2FP, F2IP, VIMNMX
    {0x100, 0x112, SPECIAL_UNIT, SPECIAL_LATENCY},     // FLO, F2I, I2F, MUFU, POPC
    {0x119, 0x119, LOAD_STORE_UNIT, REGISTER_LATENCY}, // S2R
    {0x182, 0x182, CONSTANT_UNIT, CONSTANT_LATENCY},   // LDC
    {0x1c3, 0x1c3, NO_UNIT, REGISTER_LATENCY},         // S2UR
};

static const struct row *row_of(unsigned opcode)
{
    static const struct row none;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((opcode & 0x1ff) >= table[i].first && (opcode & 0x1ff) <= table[i].last)
            return &table[i];
    return &none;
}

enum machine_unit machine_unit_of(unsigned opcode)
{
    return row_of(opcode)->unit;
}

double machine_latency_of(unsigned opcode)
{
    return row_of(opcode)->latency;
}
