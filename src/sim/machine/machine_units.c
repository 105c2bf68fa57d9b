// Opcodes are as nvdisasm has them; what the latencies are is in docs/runs/micro-*.csv, the same of an H200 and an H100.
#include "sim/machine/machine_units.h"

#include <stddef.h>
#include <string.h>

// Cycles from the issue until the result may be used. constant_latency, special_register_latency and root_latency;
// conversions take as long as roots: conversions_latency is two, and 6 cycles.
enum { CONSTANT_LATENCY = 28, REGISTER_LATENCY = 35, SPECIAL_LATENCY = 17 };

// Which operands of an instruction may be registers.
enum { FIRST = 1, SECOND = 2, THIRD = 4, TWO = FIRST | SECOND, THREE = TWO | THIRD };

static const struct row {
    uint16_t first, last; // the low 9 bits of opcodes
    enum machine_unit unit;
    uint8_t turns;    // of the unit that it takes
    uint8_t operands; // that may be registers, a bit each
    uint16_t latency; // 0: no scoreboard counts it, what uses the result stands far enough behind
} table[] = {
    {0x002, 0x002, BIT_UNIT, 1, SECOND, 0},                  // MOV
    {0x003, 0x004, BIT_UNIT, 1, FIRST, 0},                   // P2R, R2P
    {0x007, 0x00c, BIT_UNIT, 1, TWO, 0},                     // SEL, FSEL, FMNMX, FSETP, ISETP
    {0x010, 0x012, BIT_UNIT, 1, THREE, 0},                   // IADD3, LEA, LOP3
    {0x013, 0x013, BIT_UNIT, 1, SECOND, 0},                  // IABS
    {0x016, 0x016, BIT_UNIT, 1, THREE, 0},                   // PRMT
    {0x017, 0x017, BIT_UNIT, 1, TWO, 0},                     // IMNMX
    {0x019, 0x019, BIT_UNIT, 1, THREE, 0},                   // SHF
    {0x01a, 0x01b, BIT_UNIT, 1, TWO, 0},                     // SGXT, BMSK
    {0x01c, 0x01c, BIT_UNIT, 1, 0, 0},                       // PLOP3
    {0x020, 0x021, FLOAT_UNIT, 1, TWO, 0},                   // FMUL, FADD
    {0x023, 0x023, FLOAT_UNIT, 1, THREE, 0},                 // FFMA
    {0x024, 0x024, PRODUCT_UNIT, 1, THREE, 0},               // IMAD
    {0x025, 0x025, PRODUCT_UNIT, 2, THREE, 0},               // IMAD.WIDE
    {0x026, 0x026, PRODUCT_UNIT, 1, THREE, 0},               // IDP
    {0x027, 0x027, PRODUCT_UNIT, 2, THREE, 0},               // IMAD.HI
    {0x028, 0x02b, DOUBLE_UNIT, 1, 0, 0},                    // DMUL, DADD, DSETP, DFMA
    {0x035, 0x035, PRODUCT_UNIT, 1, THREE, 0},               // HFMA2.MMA
    {0x036, 0x036, BIT_UNIT, 1, TWO, 0},                     // VIADD
    {0x045, 0x045, BIT_UNIT, 1, SECOND, 0},                  // I2FP
    {0x046, 0x046, BIT_UNIT, 1, TWO, 0},                     // F2IP
    {0x048, 0x048, BIT_UNIT, 1, TWO, 0},                     // VIMNMX
    {0x100, 0x112, SPECIAL_UNIT, 1, 0, SPECIAL_LATENCY},     // FLO, F2I, I2F, MUFU, POPC
    {0x119, 0x119, LOAD_STORE_UNIT, 1, 0, REGISTER_LATENCY}, // S2R
    {0x182, 0x182, CONSTANT_UNIT, 1, 0, CONSTANT_LATENCY},   // LDC
    {0x1c3, 0x1c3, NO_UNIT, 1, 0, REGISTER_LATENCY},         // S2UR
};

static const struct row *row_of(unsigned opcode)
{
    static const struct row none;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((opcode & 0x1ff) >= table[i].first && (opcode & 0x1ff) <= table[i].last)
            return &table[i];
    return &none;
}

// An operand of an instruction: a register's number, and whether the instruction reads it from its bank.
struct operand {
    unsigned number;
    int is_read;
};

// The first operand is in the 8 bits from bit 24 on; the others are in those from bit 32 and from bit 64 on, where all are
// registers, and elsewhere the one of the two that is a register is in those from bit 64 on: the 3 bits from bit 9 on say which.
// Those from bit 122 on say which operands stay where a later instruction finds them (.reuse): that one does not read them, which
// is taken off here, where they are kept. A register that two operands name is read once. Of a product of more than 32 bits the
// third is a pair.
static void read_registers(const uint64_t words[2], const struct row *row,
                           uint8_t turns[MACHINE_UNITS])
{
    enum { NO_REGISTER = 255, ALL = 1, SECOND_IS_LAST = 1 << 2 | 1 << 3 | 1 << 7 };
    const unsigned form = words[0] >> 9 & 7, last = words[1] & 0xff,
                   kind = SECOND_IS_LAST >> form & 1 ? SECOND : THIRD;
    const unsigned read = row->operands & ~(unsigned)(words[1] >> 58);
    const int is_last_read = row->operands & THIRD && read & kind;
    const struct operand operands[] = {
        {words[0] >> 24 & 0xff, (read & FIRST) != 0},
        {words[0] >> 32 & 0xff, read & SECOND && form == ALL},
        {last, is_last_read},
        {last | 1, is_last_read && kind == THIRD && row->unit == PRODUCT_UNIT && row->turns > 1}};
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
        int is_read = operands[i].is_read && operands[i].number != NO_REGISTER;
        for (size_t k = 0; k < i; k++)
            is_read &= !operands[k].is_read || operands[k].number != operands[i].number;
        turns[operands[i].number % 2 ? ODD_REGISTERS : EVEN_REGISTERS] += (uint8_t)is_read;
    }
}

void machine_unit_turns(const uint64_t words[2], uint8_t turns[MACHINE_UNITS])
{
    const struct row *row = row_of(words[0] & 0x1ff);
    memset(turns, 0, MACHINE_UNITS);
    turns[row->unit] = row->turns;
    read_registers(words, row, turns);
}

double machine_latency_of(unsigned opcode)
{
    return row_of(opcode)->latency;
}
