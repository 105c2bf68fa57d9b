// A kernel's machine code as ptxas made it: its basic blocks, and the PTX instruction that each instruction of theirs
// comes from.
#ifndef SIM_MACHINE_CODE_H
#define SIM_MACHINE_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/machine/machine_units.h"
#include "sim/ptx/module.h"

enum machine_kind {
    MACHINE_OTHER,
    MACHINE_MEMORY,   // an access, but to constants
    MACHINE_EXCHANGE, // SHFL
    MACHINE_BARRIER,  // BAR
    MACHINE_BRANCH,   // BRA
    MACHINE_CALL,     // of a subroutine of the same code
    MACHINE_RETURN,   // of one
    MACHINE_EXIT,
    MACHINE_MEETING, // BSYNC: threads that a branch parted wait for each other
    MACHINE_UNKNOWN, // leads where the code does not say
};

#define NOWHERE UINT32_MAX
enum { MACHINE_INSTRUCTION_SIZE = 16 };

struct machine_instruction {
    uint32_t from; // the PTX instruction's number in its function, or NOWHERE
    uint16_t opcode;
    uint8_t kind;                 // enum machine_kind
    uint8_t is_guarded;           // does nothing, or goes on, where its predicate does not hold
    uint8_t is_forced;            // a branch that is taken only where threads have parted (BRA.DIV)
    uint32_t target;              // of branches and calls: an instruction's number
    uint8_t waits;                // a bit for each of its warp's scoreboards that it waits for,
    uint8_t result;               // that counts it until its result is there,
    uint8_t operands;             // and until its operands are read
    uint8_t stall;                // cycles from it to the warp's next one, 1 at least
    uint8_t turns[MACHINE_UNITS]; // of each unit that it takes (machine_units.h)
    double waited;                // cycles that its warp waits before it for what units bring
};

// What an access does with its warp's scoreboards. A scoreboard counts what is not done yet; who waits for one waits for
// all that it counts.
enum { SCOREBOARDS = 6 };

struct scoreboards {
    uint8_t result, operands; // as above
    uint8_t
        before; // for which the warp waits since the access before it in its block, or since a block without one,
    uint8_t after; // and after the last access of a block
};

struct machine_block {
    uint32_t first, end;   // its instructions are first .. end - 1
    uint32_t next, target; // blocks where it goes on; or NOWHERE
    uint32_t called;       // the subroutine's first block that it calls at its end, or NOWHERE
    int is_reached;
};

// A block of machine code in which several rounds of a PTX loop mix, as ptxas unrolled it: of each of the loop's accesses
// there are as many copies, and those of the second round begin before the first one's have ended, or what reads what it
// loads.
struct unrolled {
    uint32_t head, branch; // of the loop: PTX instructions' numbers, and all between them
    uint32_t block, rounds;
};

struct machine_code {
    struct machine_instruction *code;
    uint32_t length;
    struct machine_block *blocks; // in the order of the code: the first is the entry
    uint32_t block_count;
    // By PTX instruction: the number of the first one that was made of it; of an access, of the only access; or NOWHERE.
    uint32_t *places;
    struct scoreboards *scoreboards; // likewise, of accesses that have a place
    // By PTX instruction: whether a branch or an exit was made of it; else it is predicates, if anything.
    uint8_t *leaves;
    struct unrolled *unrolled; // by loop; of each those with most rounds first
    uint32_t unrolled_count;
};

// Reads `size` bytes of machine code for compute capability `major`.x; lines[i] is the line of the PTX text
// that instruction i was made of. Returns NULL without memory, or when the code leads where it does not say. The
// caller frees it with machine_code_free().
struct machine_code *machine_code_read(const unsigned char *bytes, size_t size, int major,
                                       const uint32_t *lines, const struct function *function);
void machine_code_free(struct machine_code *code);

// The place of a PTX instruction's copy of a round, 0 the first, in a block that holds several rounds of its loop; or
// NOWHERE, where there are fewer copies. Of an access only what accesses memory is one.
uint32_t machine_copy(const struct machine_code *code, const struct unrolled *unrolled,
                      uint32_t number, uint32_t round, int of_access);

// The last instruction of a block.
const struct machine_instruction *machine_last(const struct machine_code *code,
                                               const struct machine_block *block);

#endif
