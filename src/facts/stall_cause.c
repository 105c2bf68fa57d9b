#include "facts/stall_cause.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { INSTRUCTION_SIZE = 16, NO_SCOREBOARD = 7 };

// The lowest 9 bits of instructions; those above say of what kind the operands are.
enum opcode {
    BAR = 0x11d,
    LD = 0x180,
    LDG = 0x181,
    LDL = 0x183,
    ST = 0x185,
    STG = 0x186,
    STL = 0x187,
    ATOM = 0x18a,
    RED = 0x18e,
    ATOMG = 0x1a8
};

struct machine_instruction {
    enum opcode opcode;
    unsigned sets;  // a scoreboard each, a bit for each
    unsigned waits; // likewise
};

static unsigned bit_of(uint64_t scoreboard)
{
    return scoreboard == NO_SCOREBOARD ? 0 : 1u << scoreboard;
}

static struct machine_instruction decode(const unsigned char *code, size_t pc)
{
    uint64_t words[2];
    memcpy(words, code + pc, sizeof words);
    return (struct machine_instruction){
        .opcode = (enum opcode)(words[0] & 0x1ff),
        .sets = bit_of(words[1] >> 46 & 7) | bit_of(words[1] >> 49 & 7),
        .waits = words[1] >> 52 & 0x3f,
    };
}

// To global or local memory.
static bool is_store(enum opcode opcode)
{
    return opcode == ST || opcode == STG || opcode == STL || opcode == RED;
}

static bool is_long(enum opcode opcode)
{
    return opcode == LD || opcode == LDG || opcode == LDL || opcode == ATOM || opcode == ATOMG ||
           is_store(opcode);
}

// Whether it is waited for, for that reason; by whom waits for these scoreboards of its, if any.
static bool is_cause(struct machine_instruction in, enum stall_reason reason, unsigned scoreboards)
{
    switch (reason) {
    case STALL_LONG_SCOREBOARD:
        return scoreboards && is_long(in.opcode);
    case STALL_SHORT_SCOREBOARD:
        return scoreboards && !is_long(in.opcode);
    case STALL_BARRIER:
        return in.opcode == BAR;
    case STALL_DRAIN:
        return is_store(in.opcode);
    default:
        return false;
    }
}

size_t stall_cause(const unsigned char *code, size_t size, size_t pc, enum stall_reason reason)
{
    size_t count = size / INSTRUCTION_SIZE, at = pc / INSTRUCTION_SIZE;
    if (at >= count)
        return size;
    unsigned waits = decode(code, at * INSTRUCTION_SIZE).waits;
    for (size_t back = 1; back <= count; back++) {
        size_t place = (at + count - back) % count * INSTRUCTION_SIZE;
        struct machine_instruction in = decode(code, place);
        if (is_cause(in, reason, in.sets & waits))
            return place;
        waits &= ~in.sets;
    }
    return size;
}
