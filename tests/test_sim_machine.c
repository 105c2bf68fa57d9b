// Executions of machine instructions, from those of PTX instructions: where copies, loops and guards decide them.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_program.h"
#include "sim/machine/equations.h"
#include "sim/machine/machine_counts.h"
#include "suites.h"

PROGRAM(sim_machine)

// The lines of the PTX below.
enum { MOVE = 3, SKIP, HEAD = 6, LOAD, SUM, PASS, STORE, BACK, END = 13, LINES };

static const char ptx[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) { .reg .pred %p; .reg .b32 %r; .reg .b64 %d;\n"
    "mov.u32 %r, 0;\n"
    "@%p bra END;\n"
    "LOOP:\n"
    "add.s64 %d, %d, 4;\n"
    "ld.global.u32 %r, [%d];\n"
    "add.u32 %r, %r, 1;\n"
    "@%p bra NEXT;\n"
    "st.global.u32 [%d], %r;\n"
    "NEXT: @%p bra LOOP;\n"
    "END:\n"
    "ret;\n}\n";
enum { FIRST_LINE = 2 }; // what is added to the names above

// A machine instruction: opcode and guard, the PTX line's name, and where it leads.
struct made {
    unsigned opcode, line, target;
};

// The numbers of the scoreboards that count it till its result is there and till its operands are read, and a bit for each
// that it waits for.
enum { NONE = 7 };
struct counted {
    unsigned result, operands, waits;
};
static const struct counted *scoreboards_of; // all instructions; or NULL: they have none
static const unsigned *stalls_of;            // likewise, cycles; or NULL: 0

enum {
    ADDS = 0x7210,
    LOADS = 0x7981,
    STORES = 0x7986,
    JUMPS = 0x7947,
    MAY_JUMP = 0x0947,
    MAY_LOAD = 0x0981,
    MAY_STORE = 0x0986,
    MAY_EXIT = 0x094d,
    EXITS = 0x794d,
    WAITS = 0x7918, // NOP
    MULTIPLIES = 0x7224,
    LOOKS_UP = 0x7b82,   // LDC
    TAKES_ROOT = 0x7308, // MUFU
    MEETS = 0x7941,
    FAR_CALLS = 0x7943,
    MOST = 64
};

static void *place(size_t size, size_t alignment)
{
    (void)alignment;
    return calloc(1, size + 1);
}

static struct module *load(void)
{
    char why[256];
    int no_memory;
    struct module *module = module_load(ptx, strlen(ptx), place, why, sizeof why, &no_memory);
    ck_assert_msg(module != NULL, "%s", why);
    return module;
}

static void encode(uint64_t words[2], const struct made *made, unsigned at, int major)
{
    int64_t units = 4 * ((int64_t)made->target - at - 1);
    int is_branch = (made->opcode & 0xfff) == 0x947;
    uint64_t far = (uint64_t)(major < 9 ? units : units >> 8) & 0xffffffffffff;
    static const struct counted by_none = {NONE, NONE, 0};
    const struct counted *by = scoreboards_of ? &scoreboards_of[at] : &by_none;
    words[0] = made->opcode;
    words[1] = 0x3800000 | (uint64_t)by->result << 46 | (uint64_t)by->operands << 49 |
               (uint64_t)by->waits << 52 | (uint64_t)(stalls_of ? stalls_of[at] : 0) << 41;
    if (is_branch && major >= 9)
        words[0] |= ((uint64_t)units & 0xff) << 16;
    if (is_branch) {
        words[0] |= far << 34;
        words[1] |= far >> 30;
    }
}

static struct machine_code *assemble(const struct made *made, unsigned count, int major,
                                     const struct function *function)
{
    uint64_t words[MOST][2] = {{0}};
    uint32_t lines[MOST] = {0};
    for (unsigned i = 0; i < count; i++) {
        encode(words[i], &made[i], i, major);
        lines[i] = made[i].line ? made[i].line + FIRST_LINE : 0;
    }
    return machine_code_read((const unsigned char *)words, count * sizeof *words, major, lines,
                             function);
}

// Stores that do not store count less often in the PTX, which jumps over them.
static unsigned skipped_stores;

// What 10 warps executed: two of them nothing of the loop, which the others go round `rounds` times.
static void set_counts(const struct function *function, unsigned rounds,
                       struct ptx_count counts[LINES])
{
    enum { WARPS = 10, IN_LOOP = 8 };
    memset(counts, 0, LINES * sizeof *counts);
    for (size_t i = 0; i < function->length; i++) {
        unsigned line = function->code[i].ptx_line - FIRST_LINE;
        uint64_t executed = line >= HEAD && line <= BACK ? (uint64_t)IN_LOOP * rounds : WARPS;
        counts[i].executed = executed - (line == STORE ? skipped_stores : 0);
        if (line == PASS)
            counts[i].taken = skipped_stores;
        if (line == SKIP)
            counts[i].taken = WARPS - IN_LOOP;
        if (line == BACK)
            counts[i].taken = executed - IN_LOOP;
    }
}

// What all executions took, of the last count, and what one of the first PTX instruction did.
static struct machine_cost all, of_first;

static void add_up(const struct machine_counts *result, const struct ptx_count *counts,
                   size_t length)
{
    all = (struct machine_cost){0};
    of_first = result->costs[0];
    for (size_t i = 0; i < length; i++) {
        const struct machine_cost *cost = &result->costs[i];
        double executed = (double)counts[i].executed;
        all.instructions += cost->instructions * executed;
        all.taken += cost->taken * executed;
        all.passed += cost->passed * executed;
        all.back += cost->back * executed;
        all.meetings += cost->meetings * executed;
        all.stalls += cost->stalls * executed;
        all.waits += cost->waits * executed;
        for (int unit = 0; unit < MACHINE_UNITS; unit++)
            all.of_unit[unit] += cost->of_unit[unit] * executed;
    }
    ck_assert_double_eq_tol(all.instructions, result->instructions, 1e-6);
    ck_assert_double_eq_tol(all.taken + all.passed + all.back, result->branches, 1e-6);
}

static struct machine_counts count(const struct made *made, unsigned length, unsigned rounds)
{
    struct module *module = load();
    const struct function *function = module_function(module, "k");
    struct ptx_count counts[LINES];
    struct machine_counts result = {0};
    ck_assert_uint_le(function->length, LINES);
    set_counts(function, rounds, counts);
    for (int major = 7; major <= 9; major++) {
        struct machine_code *code = assemble(made, length, major, function);
        ck_assert_ptr_nonnull(code);
        free(result.costs);
        ck_assert(machine_count(code, function, counts, 10, &result));
        machine_code_free(code);
    }
    add_up(&result, counts, function->length);
    free(result.costs);
    module_free(module);
    return result;
}

#define COUNT(made, rounds) count(made, sizeof(made) / sizeof *(made), rounds)

// As the PTX has it: two of ten warps skip the loop. What stands behind the end is never executed.
TEST(code_that_is_as_the_ptx)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0},    {MAY_JUMP, SKIP, 7}, {ADDS, HEAD, 0}, {LOADS, LOAD, 0}, {ADDS, SUM, 0},
        {STORES, STORE, 0}, {MAY_JUMP, BACK, 2}, {EXITS, END, 0}, {JUMPS, 0, 8},    {WAITS, 0, 0},
    };
    struct machine_counts result = COUNT(made, 5);
    ck_assert_double_eq_tol(result.instructions, 2 * 10 + 5 * 8 * 5 + 10, 1e-6);
    ck_assert_double_eq_tol(result.branches, 10 + 8 * 5, 1e-6);
    ck_assert_double_eq_tol(all.taken, 2, 1e-6);
    ck_assert_double_eq_tol(all.passed, 8, 1e-6);
    ck_assert_double_eq_tol(all.back, 8 * 5, 1e-6);
    ck_assert(result.is_exact);
}

// Where threads that a branch parted meet, all wait: a branch ahead, one back, and a meeting in each round.
TEST(branches_and_meetings)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0},    {MAY_JUMP, SKIP, 6}, {LOADS, LOAD, 0}, {MEETS, SUM, 0},
        {STORES, STORE, 0}, {MAY_JUMP, BACK, 2}, {EXITS, END, 0},
    };
    COUNT(made, 5);
    ck_assert_double_eq_tol(all.taken + all.passed, 10, 1e-6);
    ck_assert_double_eq_tol(all.back, 8 * 5, 1e-6);
    ck_assert_double_eq_tol(all.meetings, 8 * 5, 1e-6);
}

// Each instruction has the next one wait, but what a warp waits for after branches and meetings is not in the code. The sum of
// each round waits for a look-up, of which 6 cycles have passed; a root's result nobody waits for.
TEST(stalls_waits_and_units)
{
    enum { ROUNDS = 8 * 5 };
    static const struct made made[] = {
        {TAKES_ROOT, MOVE, 0}, {MAY_JUMP, SKIP, 8}, {LOOKS_UP, HEAD, 0},
        {MULTIPLIES, HEAD, 0}, {ADDS, SUM, 0},      {LOADS, LOAD, 0},
        {STORES, STORE, 0},    {MAY_JUMP, BACK, 2}, {EXITS, END, 0},
    };
    static const struct counted by[] = {
        {3, NONE, 0},    {NONE, NONE, 0}, {0, NONE, 0},    {NONE, NONE, 0}, {NONE, NONE, 1},
        {NONE, NONE, 0}, {NONE, NONE, 0}, {NONE, NONE, 0}, {NONE, NONE, 0},
    };
    static const unsigned stalls[] = {8, 5, 2, 4, 0, 1, 3, 15, 5};
    scoreboards_of = by;
    stalls_of = stalls;
    COUNT(made, 5);
    scoreboards_of = NULL;
    stalls_of = NULL;
    ck_assert_double_eq_tol(all.stalls, 10 * (8 + 1 + 5) + ROUNDS * (2 + 4 + 1 + 1 + 3 + 1), 1e-6);
    ck_assert_double_eq_tol(all.waits, ROUNDS * (28 - 6), 1e-6);
    ck_assert_double_eq_tol(all.of_unit[SPECIAL_UNIT], 10, 1e-6);
    ck_assert_double_eq_tol(all.of_unit[CONSTANT_UNIT], ROUNDS, 1e-6);
    ck_assert_double_eq_tol(all.of_unit[PRODUCT_UNIT], ROUNDS, 1e-6);
    ck_assert_double_eq_tol(all.of_unit[BIT_UNIT], ROUNDS, 1e-6);
    ck_assert_double_eq_tol(all.of_unit[FLOAT_UNIT], 0, 1e-6);
}

// As cuobjdump has them. What is kept for the next instruction (.reuse) that reads it, and what two operands name, is read once.
TEST(registers_of_two_banks_are_read)
{
    static const struct {
        const char *text;
        uint64_t words[2];
        uint8_t even, odd, products;
    } cases[] = {
        {"MOV R12, R4", {0x00000004000c7202, 0x000fc60000000f00}, 1, 0, 0},
        {"IADD3 R10, P0, R7, R15, RZ", {0x0000000f070a7210, 0x000fe40007f1e0ff}, 0, 2, 0},
        {"IADD3 R12, P1, R10, R7.reuse, RZ", {0x000000070a0c7210, 0x080fe20007f3e0ff}, 1, 0, 0},
        {"IADD3 R3, P1, R6.reuse, 0x100, RZ", {0x0000010006037810, 0x040fe20007f3e0ff}, 0, 0, 0},
        {"IADD3 R0, P4, R6, 0x300, RZ", {0x0000030006007810, 0x000fe40007f9e0ff}, 1, 0, 0},
        {"ISETP.GE.AND P0, PT, R17, R22.reuse, PT",
         {0x000000161100720c, 0x080fe20003f06270},
         0,
         1,
         0},
        {"SEL R13, R18, RZ, !P0", {0x000000ff120d7207, 0x000fc40004000000}, 1, 0, 0},
        {"IMAD R19, R0, R19, UR8", {0x0000000800137e24, 0x000fe2000f8e0213}, 1, 1, 1},
        {"IMAD.WIDE.U32 R6, R19, UR9, R4", {0x0000000913067c25, 0x000fe2000f8e0004}, 1, 2, 2},
        {"IMAD.WIDE.U32 R30, R21, R22, R30", {0x00000016151e7225, 0x000fc800078e001e}, 2, 2, 2},
        {"IMAD.HI.U32 R2, R3, R9, R2", {0x0000000903027227, 0x000fe200078e0002}, 1, 2, 2},
        {"FFMA R2, -R5, R5, R2", {0x0000000505027223, 0x000fc80000000102}, 1, 1, 0},
        {"FFMA R4, R4, R7.reuse, 2", {0x4000000004047423, 0x088fe40000000007}, 1, 0, 0},
        {"FFMA R4, R4, R7, 2", {0x4000000004047423, 0x008fe40000000007}, 1, 1, 0},
        {"MUFU.RSQ R4, R7", {0x0000000700047308, 0x000fe40000001400}, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t turns[MACHINE_UNITS];
        machine_unit_turns(cases[i].words, turns);
        ck_assert_msg(turns[EVEN_REGISTERS] == cases[i].even &&
                          turns[ODD_REGISTERS] == cases[i].odd &&
                          turns[PRODUCT_UNIT] == cases[i].products,
                      "%s: %u even, %u odd, %u products", cases[i].text, turns[EVEN_REGISTERS],
                      turns[ODD_REGISTERS], turns[PRODUCT_UNIT]);
    }
}

// Cycles before the last of the code's FOUR instructions, which are a cycle apart or more.
enum { FOUR = 4 };

static double waited_before_last(const struct made made[FOUR], const struct counted by[FOUR])
{
    struct module *module = load();
    scoreboards_of = by;
    struct machine_code *code = assemble(made, FOUR, 9, module_function(module, "k"));
    scoreboards_of = NULL;
    ck_assert_ptr_nonnull(code);
    double waited = code->code[FOUR - 1].waited;
    machine_code_free(code);
    module_free(module);
    return waited;
}

#define NEXT                                                                                       \
    {                                                                                              \
        NONE, NONE, 0                                                                              \
    }

// Who waits for memory has what others bring by then, and what goes on to the next block, and what is there last, counts.
// Nobody waits for what another scoreboard counts.
TEST(waits_for_units)
{
    static const struct {
        struct made made[FOUR];
        struct counted by[FOUR];
        double waited;
    } cases[] = {
        {{{LOOKS_UP, MOVE, 0}, {ADDS, MOVE, 0}, {TAKES_ROOT, SUM, 0}, {ADDS, SUM, 0}},
         {{0, NONE, 0}, NEXT, {1, NONE, 0}, {NONE, NONE, 3}},
         28 - 3},
        {{{LOOKS_UP, MOVE, 0},
          {TAKES_ROOT, MOVE, 0},
          {ADDS, SUM, 0},
          {ADDS, SUM, 0}}, // both by one
         {{0, NONE, 0}, {0, NONE, 0}, NEXT, {NONE, NONE, 1}},
         28 - 3},
        {{{LOOKS_UP, MOVE, 0}, {TAKES_ROOT, MOVE, 0}, {ADDS, SUM, 0}, {ADDS, SUM, 0}}, // the second
         {{0, NONE, 0}, {1, NONE, 0}, NEXT, {NONE, NONE, 2}},
         17 - 2},
        {{{LOOKS_UP, MOVE, 0},
          {LOOKS_UP, MOVE, 0},
          {ADDS, SUM, 0},
          {ADDS, SUM, 0}}, // each in its turn
         {{0, NONE, 0}, {1, NONE, 0}, {NONE, NONE, 1}, {NONE, NONE, 2}},
         0},
        {{{LOOKS_UP, MOVE, 0}, {ADDS, MOVE, 0}, {LOADS, LOAD, 0}, {ADDS, SUM, 0}},
         {{0, NONE, 0}, NEXT, {1, NONE, 0}, {NONE, NONE, 3}},
         0},
        {{{LOOKS_UP, MOVE, 0}, {ADDS, MOVE, 0}, {STORES, STORE, 0}, {ADDS, SUM, 0}}, // its operands
         {{0, NONE, 0}, NEXT, {NONE, 1, 0}, {NONE, NONE, 3}},
         0},
        {{{LOADS, LOAD, 0},
          {ADDS, SUM, 0},
          {LOOKS_UP, SUM, 0},
          {ADDS, SUM, 0}}, // memory was before
         {{0, NONE, 0}, {NONE, NONE, 1}, {0, NONE, 0}, {NONE, NONE, 1}},
         28 - 1},
        {{{LOOKS_UP, MOVE, 0}, {MAY_JUMP, SKIP, 3}, {TAKES_ROOT, SUM, 0}, {ADDS, SUM, 0}},
         {{0, NONE, 0}, NEXT, {1, NONE, 0}, {NONE, NONE, 3}},
         28 - 3},
        {{{LOOKS_UP, MOVE, 0}, {JUMPS, SKIP, 2}, {TAKES_ROOT, SUM, 0}, {ADDS, SUM, 0}},
         {{0, NONE, 0}, NEXT, {1, NONE, 0}, {NONE, NONE, 3}},
         17 - 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(waited_before_last(cases[i].made, cases[i].by) == cases[i].waited,
                      "case %zu: %g cycles", i, waited_before_last(cases[i].made, cases[i].by));
}

#undef NEXT

// What a loop executes and is made of no PTX, or of what stands before it, counts for what the loop executes; of a block that
// is no loop's, for the first.
TEST(costs_of_loops_stay_there)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0},    {WAITS, 0, 0},       {MAY_JUMP, SKIP, 10},
        {WAITS, 0, 0},      {LOADS, LOAD, 0},    {MEETS, MOVE, 0},
        {MEETS, MOVE, 0},   {ADDS, MOVE, 0}, // a block of its own before it
        {STORES, STORE, 0}, {MAY_JUMP, BACK, 3}, {EXITS, END, 0},
    };
    COUNT(made, 5);
    ck_assert_double_eq_tol(of_first.instructions, 2, 1e-6);
    ck_assert_double_eq_tol(of_first.meetings, 0, 1e-6);
}

static const unsigned rounds_of[] = {1, 4, 11, 12};

// Four rounds at once while there are as many, then one at a time. Whether accesses have predicates, which skip none, is the same.
TEST(loop_that_is_unrolled, .times = 2 * 4)
{
    struct made made[] = {
        {ADDS, MOVE, 0},  {MAY_JUMP, SKIP, 22}, // to the end
        {ADDS, MOVE, 0},  {MAY_JUMP, SUM, 16},  // fewer than four rounds
        {LOADS, LOAD, 0}, {STORES, STORE, 0},   {LOADS, LOAD, 0},    {STORES, STORE, 0},
        {LOADS, LOAD, 0}, {STORES, STORE, 0},   {LOADS, LOAD, 0},    {STORES, STORE, 0},
        {ADDS, SUM, 0},   {ADDS, HEAD, 0},      {MAY_JUMP, BACK, 4}, {MAY_JUMP, BACK, 22},
        {ADDS, HEAD, 0},  {LOADS, LOAD, 0},     {ADDS, SUM, 0},      {STORES, STORE, 0},
        {ADDS, HEAD, 0},  {MAY_JUMP, BACK, 16}, {EXITS, END, 0},
    };
    for (size_t i = 0; i < sizeof made / sizeof *made && _i >= 4; i++)
        made[i].opcode = made[i].opcode == LOADS    ? MAY_LOAD
                         : made[i].opcode == STORES ? MAY_STORE
                                                    : made[i].opcode;
    unsigned rounds = rounds_of[_i % 4], fours = rounds / 4, ones = rounds % 4;
    struct machine_counts result = COUNT(made, rounds);
    double in_loop = 2 + 11.0 * fours + (fours > 0) + 6.0 * ones;
    double branches = 1 + fours + (fours > 0) + ones;
    ck_assert_double_eq_tol(result.instructions, 10 * (2 + 1) + 8 * in_loop, 1e-6);
    ck_assert_double_eq_tol(result.branches, 10 + 8 * branches, 1e-6);
}

enum { ROUNDS_CASES = sizeof rounds_of / sizeof *rounds_of };

// The same where the rounds' only access is left out of some: by its predicate, which says nothing of how often it did
// nothing. It is not known that no warp ran more rounds than another.
TEST(rounds_that_predicates_leave_out, .times = ROUNDS_CASES)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0},       {MAY_JUMP, SKIP, 14},  {ADDS, MOVE, 0},
        {MAY_JUMP, SUM, 11}, // fewer than four rounds
        {MAY_STORE, STORE, 0}, {MAY_STORE, STORE, 0}, {MAY_STORE, STORE, 0},
        {MAY_STORE, STORE, 0}, {ADDS, HEAD, 0},       {MAY_JUMP, BACK, 4},
        {MAY_JUMP, BACK, 14},  {ADDS, HEAD, 0},       {MAY_STORE, STORE, 0},
        {MAY_JUMP, BACK, 11},  {EXITS, END, 0},
    };
    unsigned rounds = rounds_of[_i], fours = rounds / 4, ones = rounds % 4;
    skipped_stores = 5;
    struct machine_counts result = COUNT(made, rounds);
    skipped_stores = 0;
    double in_loop = 2 + 6.0 * fours + (fours > 0) + 3.0 * ones;
    ck_assert(!result.is_exact);
    ck_assert_double_eq_tol(result.instructions, 10 * (2 + 1) + 8 * in_loop, 1e-6);
}

// And by a branch in each copy, of which each is left out as often as the others.
TEST(rounds_that_branches_leave_out, .times = 2 * ROUNDS_CASES)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0},      {MAY_JUMP, SKIP, 19}, {ADDS, MOVE, 0},      {MAY_JUMP, SUM, 15},
        {MAY_JUMP, PASS, 6},  {STORES, STORE, 0},   {MAY_JUMP, PASS, 8},  {STORES, STORE, 0},
        {MAY_JUMP, PASS, 10}, {STORES, STORE, 0},   {MAY_JUMP, PASS, 12}, {STORES, STORE, 0},
        {ADDS, HEAD, 0},      {MAY_JUMP, BACK, 4},  {MAY_JUMP, BACK, 19}, {ADDS, HEAD, 0},
        {MAY_JUMP, PASS, 18}, {STORES, STORE, 0},   {MAY_JUMP, BACK, 15}, {EXITS, END, 0},
    };
    unsigned rounds = rounds_of[_i / 2], fours = rounds / 4, ones = rounds % 4;
    unsigned skipped = skipped_stores = _i % 2 * 5;
    struct machine_counts result = COUNT(made, rounds);
    skipped_stores = 0;
    double in_loop = 2 + 10.0 * fours + (fours > 0) + 4.0 * ones;
    double branches = 1 + 5.0 * fours + (fours > 0) + 2.0 * ones;
    ck_assert(!result.is_exact);
    ck_assert_double_eq_tol(result.instructions, 10 * (2 + 1) + 8 * in_loop - skipped, 1e-6);
    ck_assert_double_eq_tol(result.branches, 10 + 8 * branches, 1e-6);
}

// Predicates in place of branches: what does nothing is executed too.
TEST(code_with_predicates)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0}, {MAY_EXIT, SKIP, 0},   {LOADS, LOAD, 0},
        {ADDS, SUM, 0},  {MAY_STORE, STORE, 0}, {EXITS, END, 0},
    };
    skipped_stores = 5;
    struct machine_counts result = COUNT(made, 1);
    skipped_stores = 0;
    ck_assert(result.is_exact);
    ck_assert_double_eq_tol(result.instructions, 2 * 10 + 4 * 8, 1e-6);
    ck_assert_double_eq_tol(result.branches, 0, 1e-6);
}

// Of a branch that became a predicate there is none, nor an exit.
TEST(branches_that_are_none)
{
    static const struct made made[] = {{ADDS, MOVE, 0},       {MAY_EXIT, SKIP, 0}, {LOADS, LOAD, 0},
                                       {MAY_STORE, STORE, 0}, {ADDS, BACK, 0},     {EXITS, END, 0}};
    struct module *module = load();
    const struct function *f = module_function(module, "k");
    struct machine_code *code = assemble(made, sizeof made / sizeof *made, 9, f);
    ck_assert(f && code);
    int left = 0;
    for (uint32_t i = 0; i < f->length; i++) {
        unsigned line = f->code[i].ptx_line - FIRST_LINE;
        ck_assert(!code->leaves[i] || line == SKIP || line == END);
        left += code->leaves[i];
    }
    ck_assert_int_eq(left, 2);
    machine_code_free(code);
    module_free(module);
}

// A load is counted by scoreboard 2, a store by 5; who adds waits for the load, and the jump back for the store. What the
// block before the loop waits for, which has no access, the loop's first one waits for.
TEST(scoreboards_of_accesses)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0}, {MAY_JUMP, SKIP, 7}, {ADDS, HEAD, 0},     {LOADS, LOAD, 0},
        {ADDS, SUM, 0},  {STORES, STORE, 0},  {MAY_JUMP, BACK, 2}, {EXITS, END, 0},
    };
    static const struct counted by[] = {
        {NONE, NONE, 1},      {NONE, NONE, 0}, {NONE, NONE, 1 << 4}, {2, NONE, 1 << 3},
        {NONE, NONE, 1 << 2}, {NONE, 5, 0},    {NONE, NONE, 1 << 5}, {NONE, NONE, 0},
    };
    scoreboards_of = by;
    struct module *module = load();
    const struct function *function = module_function(module, "k");
    for (int major = 7; major <= 9; major++) {
        struct machine_code *code = assemble(made, sizeof made / sizeof *made, major, function);
        ck_assert_ptr_nonnull(code);
        const struct scoreboards *load = NULL, *store = NULL;
        for (size_t i = 0; i < function->length; i++) {
            unsigned line = function->code[i].ptx_line - FIRST_LINE;
            load = line == LOAD ? &code->scoreboards[i] : load;
            store = line == STORE ? &code->scoreboards[i] : store;
        }
        ck_assert_uint_eq(load->result, 1u << 2);
        ck_assert_uint_eq(load->operands, 0);
        ck_assert_uint_eq(load->before, 1u << 4 | 1u << 3 | 1);
        ck_assert_uint_eq(load->after, 0);
        ck_assert_uint_eq(store->result, 0);
        ck_assert_uint_eq(store->operands, 1u << 5);
        ck_assert_uint_eq(store->before, 1u << 2);
        ck_assert_uint_eq(store->after, 1u << 5);
        machine_code_free(code);
    }
    scoreboards_of = NULL;
    module_free(module);
}

// ptxas makes four rounds of the loop one block, and one another: the copies of each access are in the order of the rounds.
TEST(blocks_that_hold_several_rounds)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0},    {MAY_JUMP, SKIP, 16}, {LOADS, LOAD, 0},   {LOADS, LOAD, 0},
        {LOADS, LOAD, 0},   {LOADS, LOAD, 0},     {STORES, STORE, 0}, {ADDS, SUM, 0},
        {STORES, STORE, 0}, {STORES, STORE, 0},   {STORES, STORE, 0}, {MAY_JUMP, BACK, 2},
        {LOADS, LOAD, 0},   {ADDS, SUM, 0},       {STORES, STORE, 0}, {MAY_JUMP, BACK, 12},
        {EXITS, END, 0},
    };
    struct module *module = load();
    const struct function *function = module_function(module, "k");
    struct machine_code *code = assemble(made, sizeof made / sizeof *made, 9, function);
    ck_assert_ptr_nonnull(code);
    ck_assert_uint_eq(code->unrolled_count, 1);
    const struct unrolled *unrolled = code->unrolled;
    ck_assert_uint_eq(unrolled->rounds, 4);
    ck_assert_uint_eq(function->code[unrolled->head].ptx_line, HEAD + FIRST_LINE);
    ck_assert_uint_eq(function->code[unrolled->branch].ptx_line, BACK + FIRST_LINE);
    static const uint32_t stores[] = {6, 8, 9, 10, NOWHERE};
    for (uint32_t i = unrolled->head; i < unrolled->branch; i++)
        for (uint32_t round = 0; round < 5; round++) {
            uint32_t line = function->code[i].ptx_line - FIRST_LINE,
                     at = machine_copy(code, unrolled, i, round, line == LOAD || line == STORE);
            if (line == LOAD)
                ck_assert_uint_eq(at, round < 4 ? 2 + round : NOWHERE);
            else if (line == STORE)
                ck_assert_uint_eq(at, stores[round]);
        }
    machine_code_free(code);
    module_free(module);
}

// A block with two loads and one store holds no number of rounds, and in one where each load's store comes before the next
// load they do not mix.
TEST(what_is_no_rounds_that_mix)
{
    static const struct made in_turns[] = {
        {ADDS, MOVE, 0},  {MAY_JUMP, SKIP, 7}, {LOADS, LOAD, 0},    {STORES, STORE, 0},
        {LOADS, LOAD, 0}, {STORES, STORE, 0},  {MAY_JUMP, BACK, 2}, {EXITS, END, 0},
    };
    static const struct made made[] = {
        {ADDS, MOVE, 0},    {MAY_JUMP, SKIP, 6}, {LOADS, LOAD, 0}, {LOADS, LOAD, 0},
        {STORES, STORE, 0}, {MAY_JUMP, BACK, 2}, {EXITS, END, 0},
    };
    struct module *module = load();
    struct machine_code *code =
        assemble(made, sizeof made / sizeof *made, 9, module_function(module, "k"));
    ck_assert_ptr_nonnull(code);
    ck_assert_uint_eq(code->unrolled_count, 0);
    machine_code_free(code);
    code = assemble(in_turns, sizeof in_turns / sizeof *in_turns, 9, module_function(module, "k"));
    ck_assert_ptr_nonnull(code);
    ck_assert_uint_eq(code->unrolled_count, 0);
    machine_code_free(code);
    module_free(module);
}

// Rounds whose accesses follow each other mix where what reads the first one's load comes after the second one's, but not where
// what comes later reads no load.
TEST(rounds_mix_with_what_reads_what_they_load, .times = 2)
{
    static const unsigned late[] = {SUM, HEAD};
    const struct made made[] = {
        {ADDS, MOVE, 0},     {MAY_JUMP, SKIP, 9}, {LOADS, LOAD, 0},    {STORES, STORE, 0},
        {LOADS, LOAD, 0},    {ADDS, late[_i], 0}, {ADDS, late[_i], 0}, {STORES, STORE, 0},
        {MAY_JUMP, BACK, 2}, {EXITS, END, 0},
    };
    struct module *module = load();
    struct machine_code *code =
        assemble(made, sizeof made / sizeof *made, 9, module_function(module, "k"));
    ck_assert_ptr_nonnull(code);
    ck_assert_uint_eq(code->unrolled_count, late[_i] == SUM);
    machine_code_free(code);
    module_free(module);
}

TEST(code_that_leads_elsewhere_is_refused)
{
    static const struct made calls[] = {{ADDS, MOVE, 0}, {FAR_CALLS, SUM, 0}, {EXITS, END, 0}};
    static const struct made jumps[] = {{ADDS, MOVE, 0}, {JUMPS, BACK, 99}, {EXITS, END, 0}};
    struct module *module = load();
    const struct function *function = module_function(module, "k");
    ck_assert_ptr_null(assemble(calls, 3, 9, function));
    ck_assert_ptr_null(assemble(jumps, 3, 9, function));
    ck_assert_ptr_null(assemble(calls, 0, 9, function));
    module_free(module);
}

// Accesses that the PTX has otherwise: no executions fit.
TEST(counts_that_contradict_each_other_are_not_exact)
{
    static const struct made made[] = {
        {ADDS, MOVE, 0}, {LOADS, LOAD, 0}, {STORES, STORE, 0}, {EXITS, END, 0}};
    struct machine_counts result = COUNT(made, 5);
    ck_assert(!result.is_exact);
    ck_assert_double_eq_tol(result.instructions, 4 * 10, 1e-6);
}

TEST(equations_say_what_is_new)
{
    struct equations e;
    double value;
    ck_assert(equations_open(&e, 3));
    ck_assert_int_eq(equations_add(&e, (double[]){1, 1, 0, 5}), EQUATION_NEW);
    ck_assert_int_eq(equations_add(&e, (double[]){2, 2, 0, 10}), EQUATION_KNOWN);
    ck_assert_int_eq(equations_add(&e, (double[]){2, 2, 0, 11}), EQUATION_WRONG);
    ck_assert(equations_value(&e, (double[]){1, 1, 0, 0}, &value));
    ck_assert_double_eq_tol(value, 5, 1e-9);
    ck_assert(!equations_value(&e, (double[]){1, 0, 0, 0}, &value));
    equations_close(&e);
}

// x + y = 1 and z - y = -1 leave nothing for x and z.
TEST(sums_that_are_zero)
{
    struct equations e;
    double value;
    ck_assert(equations_open(&e, 3));
    equations_add(&e, (double[]){1, 1, 0, 1});
    equations_add(&e, (double[]){0, -1, 1, -1});
    ck_assert(!equations_value(&e, (double[]){0, 1, 0, 0}, &value));
    equations_use_signs(&e);
    ck_assert(equations_value(&e, (double[]){0, 1, 0, 0}, &value));
    ck_assert_double_eq_tol(value, 1, 1e-9);
    equations_close(&e);
}

// A header as ptxas writes it; two sequences, of which the second is wanted: lines 20, 23, 23 and 6.
static const unsigned char program[] = {
    0x3d, 0, 0, 0, 2, 0, 0x10, 0, 0, 0, 1, 1, 0xfb, 0x0e, 0x0a, 0,  1,    1, 1,
    1,    0, 0, 0, 1, 0, 0,                                                     // the header
    0,    9, 2, 0, 0, 0, 0,    0, 0, 0, 0, 3, 9,    1,    2,    16, 0,    1, 1, // another's
    0,    9, 2, 0, 0, 0, 0,    0, 0, 0, 0, 3, 19,   1,    0xf2, 3,  0x6f, 2, 32,
};
enum { WANTED = 48 }; // where the second's address stands

static int is_wanted(const void *context, size_t at)
{
    (void)context;
    return at == WANTED;
}

TEST(lines_of_instructions)
{
    static const unsigned char end[] = {1, 2, 16, 0, 1, 1};
    unsigned char whole[sizeof program + sizeof end];
    uint32_t lines[6];
    memcpy(whole, program, sizeof program);
    memcpy(whole + sizeof program, end, sizeof end);
    whole[0] = sizeof whole - 4;
    ck_assert(line_program_read(whole, sizeof whole, is_wanted, NULL, lines, 6));
    static const uint32_t expected[6] = {20, 23, 23, 6, 0, 0};
    for (int i = 0; i < 6; i++)
        ck_assert_msg(lines[i] == expected[i], "%d: line %u", i, lines[i]);
    for (size_t size = 0; size < sizeof whole; size++) {
        unsigned char *cut = malloc(size + 1); // for the sanitizers
        memcpy(cut, whole, size);
        ck_assert(!line_program_read(cut, size, is_wanted, NULL, lines, 6));
        free(cut);
    }
}
