// The format, since compute capability 7.0: 16 bytes an instruction, the opcode in its low 12 bits (the low 9 of which
// say what it does, the others of what kind its operands are), the guard in the next 4. The 4 bits from bit 105 on say
// after how many cycles the warp may issue the next one. From bit 110 on are the scoreboards: 3 bits say which one counts
// the instruction until its result is there, 3 until its operands are read, or 7 for none, and 6 for which it waits
// (Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, section 2.1).
#include "sim/machine/machine_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 1 << 20, ALWAYS = 7, LONG_BRANCHES = 9 };

// What instructions do, by the low 9 bits of their opcodes.
static const struct {
    uint16_t opcode;
    uint8_t kind;
} kinds[] = {
    {0x11d, MACHINE_BARRIER}, {0x141, MACHINE_MEETING}, {0x142, MACHINE_OTHER},   // BREAK
    {0x143, MACHINE_UNKNOWN},                                                     // CALL.ABS
    {0x144, MACHINE_CALL},    {0x147, MACHINE_BRANCH},  {0x149, MACHINE_UNKNOWN}, // BRX
    {0x14a, MACHINE_UNKNOWN},                                                     // JMP
    {0x14c, MACHINE_UNKNOWN},                                                     // JMX
    {0x14d, MACHINE_EXIT},    {0x150, MACHINE_RETURN},  {0x158, MACHINE_UNKNOWN}, // BRXU
    {0x159, MACHINE_UNKNOWN},                                                     // JMXU
    {0x15b, MACHINE_EXIT},                                                        // KILL
    {0x180, MACHINE_MEMORY},  {0x181, MACHINE_MEMORY},  {0x183, MACHINE_MEMORY},
    {0x184, MACHINE_MEMORY},  {0x185, MACHINE_MEMORY},  {0x186, MACHINE_MEMORY},
    {0x187, MACHINE_MEMORY},  {0x188, MACHINE_MEMORY},  {0x189, MACHINE_EXCHANGE},
    {0x18a, MACHINE_MEMORY},  {0x18c, MACHINE_MEMORY},  {0x18d, MACHINE_MEMORY},
    {0x18e, MACHINE_MEMORY},  {0x1a8, MACHINE_MEMORY},  {0x1a9, MACHINE_MEMORY},
    {0x1ae, MACHINE_MEMORY}, // LDGSTS
};

static uint8_t kind_of(unsigned opcode)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].opcode == (opcode & 0x1ff))
            return kinds[i].kind;
    return MACHINE_OTHER;
}

// Where a branch goes, in bytes from the instruction behind it: 48 bits from bit 34 on, in units of 4 bytes; since
// compute capability 9.0 the 8 bits from bit 16 on stand below these.
static int64_t displacement(const uint64_t words[2], int major)
{
    uint64_t high = words[0] >> 34 | (words[1] & 0x3ffff) << 30;
    if (high >> 47)
        high |= UINT64_MAX << 48;
    return (int64_t)(major < LONG_BRANCHES ? high << 2 : high << 10 | (words[0] >> 16 & 0xff) << 2);
}

// The bit of a scoreboard's number; of none: 0.
static uint8_t scoreboard_bit(uint64_t number)
{
    return number < SCOREBOARDS ? (uint8_t)(1u << number) : 0;
}

static struct machine_instruction decode(const unsigned char *bytes, uint32_t at, int major)
{
    uint64_t words[2];
    memcpy(words, bytes + (size_t)at * MACHINE_INSTRUCTION_SIZE, sizeof words);
    struct machine_instruction in = {
        .from = NOWHERE,
        .opcode = words[0] & 0xfff,
        .target = NOWHERE,
        .result = scoreboard_bit(words[1] >> 46 & 7),
        .operands = scoreboard_bit(words[1] >> 49 & 7),
        .waits = words[1] >> 52 & ((1u << SCOREBOARDS) - 1),
        .stall = words[1] >> 41 & 0xf,
    };
    in.kind = kind_of(in.opcode);
    machine_unit_turns(words, in.turns);
    in.stall += in.stall == 0;
    in.is_guarded = (words[0] >> 12 & 0xf) != ALWAYS;
    int leaves = in.kind == MACHINE_BRANCH || in.kind == MACHINE_EXIT;
    if (leaves && (words[1] >> 23 & 0xf) != ALWAYS)
        in.is_guarded = 1; // by a second predicate
    if (in.kind == MACHINE_BRANCH && words[0] >> 32 & 3)
        in.is_guarded = in.is_forced = 1;
    if (in.kind == MACHINE_BRANCH && in.opcode != 0x947) {
        in.is_guarded = 1; // by a uniform predicate
        in.is_forced = 0;
    }
    if (in.kind == MACHINE_BRANCH || in.kind == MACHINE_CALL) {
        int64_t target = (int64_t)(at + 1) * MACHINE_INSTRUCTION_SIZE + displacement(words, major);
        if (target < 0 || target % MACHINE_INSTRUCTION_SIZE ||
            target / MACHINE_INSTRUCTION_SIZE >= MAX_LENGTH)
            in.kind = MACHINE_UNKNOWN;
        else
            in.target = (uint32_t)(target / MACHINE_INSTRUCTION_SIZE);
    }
    return in;
}

// Whether a block ends with it.
static int ends_block(const struct machine_instruction *in)
{
    return in->kind >= MACHINE_BRANCH && in->kind != MACHINE_UNKNOWN;
}

// Whether what stands behind it is executed after it.
static int falls_through(const struct machine_instruction *in)
{
    return in->kind == MACHINE_CALL || in->kind == MACHINE_MEETING || in->is_guarded ||
           !ends_block(in);
}

const struct machine_instruction *machine_last(const struct machine_code *code,
                                               const struct machine_block *block)
{
    return &code->code[block->end - 1];
}

// Divides the code into blocks; block_of[i] becomes the block of instruction i.
static void find_blocks(struct machine_code *m, uint32_t *block_of)
{
    char *begins = (char *)(block_of + m->length);
    for (uint32_t i = 0; i < m->length; i++) {
        const struct machine_instruction *in = &m->code[i];
        if (in->target != NOWHERE)
            begins[in->target] = 1;
        begins[i + 1] |= (char)ends_block(in);
    }
    for (uint32_t i = 0; i < m->length; i++) {
        if (i == 0 || begins[i])
            m->blocks[m->block_count++] = (struct machine_block){.first = i};
        m->blocks[m->block_count - 1].end = i + 1;
        block_of[i] = m->block_count - 1;
    }
}

static void link_blocks(struct machine_code *m, const uint32_t *block_of)
{
    for (uint32_t b = 0; b < m->block_count; b++) {
        struct machine_block *block = &m->blocks[b];
        const struct machine_instruction *last = machine_last(m, block);
        int has_next = falls_through(last) && b + 1 < m->block_count;
        uint32_t target = last->target == NOWHERE ? NOWHERE : block_of[last->target];
        block->next = has_next ? b + 1 : NOWHERE;
        block->target = last->kind == MACHINE_BRANCH && !last->is_forced ? target : NOWHERE;
        block->called = last->kind == MACHINE_CALL ? target : NOWHERE;
    }
}

static int reach(struct machine_code *m, uint32_t at)
{
    if (at == NOWHERE || m->blocks[at].is_reached)
        return 0;
    return m->blocks[at].is_reached = 1;
}

// Marks what can be executed. Returns 0 when any of it leads where the code does not say.
static int find_reached(struct machine_code *m)
{
    for (int changed = reach(m, 0); changed;) {
        changed = 0;
        for (uint32_t b = 0; b < m->block_count; b++) {
            const struct machine_block *block = &m->blocks[b];
            if (block->is_reached)
                changed |=
                    reach(m, block->next) | reach(m, block->target) | reach(m, block->called);
        }
    }
    for (uint32_t b = 0; b < m->block_count; b++)
        for (uint32_t i = m->blocks[b].first; i < m->blocks[b].end && m->blocks[b].is_reached; i++)
            if (m->code[i].kind == MACHINE_UNKNOWN)
                return 0;
    return 1;
}

// A statement is one line; of the instructions that it becomes when it is decoded, the first is what it says.
static void set_origins(struct machine_code *m, const uint32_t *lines,
                        const struct function *function)
{
    for (uint32_t i = 0; i < m->length; i++) {
        uint32_t low = 0, high = (uint32_t)function->length;
        while (low < high) { // lines never fall
            uint32_t middle = low + (high - low) / 2;
            if (function->code[middle].ptx_line < lines[i])
                low = middle + 1;
            else
                high = middle;
        }
        if (low < function->length && function->code[low].ptx_line == lines[i] && lines[i])
            m->code[i].from = low;
    }
}

static void find_places(struct machine_code *m, const struct function *function)
{
    for (size_t i = 0; i < function->length; i++)
        m->places[i] = NOWHERE;
    for (uint32_t i = m->length; i-- > 0;) {
        uint32_t from = m->code[i].from;
        if (from == NOWHERE)
            continue;
        int accesses = function->code[from].size != 0;
        if (!accesses || m->code[i].kind == MACHINE_MEMORY)
            m->places[from] = i;
    }
    // ptxas unrolled a loop: which copy it is depends on the round.
    for (uint32_t i = 0; i < m->length; i++) {
        uint32_t from = m->code[i].from;
        if (from != NOWHERE && m->code[i].kind == MACHINE_MEMORY && m->places[from] < i)
            m->places[from] = NOWHERE;
    }
}

static void find_leaves(struct machine_code *m)
{
    for (uint32_t i = 0; i < m->length; i++) {
        const struct machine_instruction *in = &m->code[i];
        if (in->from != NOWHERE && (in->kind == MACHINE_BRANCH || in->kind == MACHINE_EXIT))
            m->leaves[in->from] = 1;
    }
}

// What each access with a place does with its warp's scoreboards, and the waits of the instructions around it.
static void find_scoreboards(struct machine_code *m)
{
    uint8_t waits = 0;
    struct scoreboards *last = NULL; // access of the block
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct machine_block *block = &m->blocks[b];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct machine_instruction *in = &m->code[i];
            waits |= in->waits;
            if (in->kind != MACHINE_MEMORY || in->from == NOWHERE || m->places[in->from] != i)
                continue;
            last = &m->scoreboards[in->from];
            *last = (struct scoreboards){in->result, in->operands, waits, 0};
            waits = 0;
        }
        if (last)
            last->after = waits;
        if (last || block->next == NOWHERE)
            waits = 0;
        last = NULL;
    }
}

// A warp that runs alone: the cycle that it is at, and by scoreboard, when what that counts is there.
struct progress {
    double now, there[SCOREBOARDS];
    unsigned of_memory; // a bit for each scoreboard that counts an access
};

static void issue(struct progress *p, struct machine_instruction *in)
{
    double begin = p->now;
    int waits_for_memory = (p->of_memory & in->waits) != 0;
    for (unsigned k = 0; k < SCOREBOARDS; k++)
        if (waits_for_memory)
            p->there[k] = 0;
        else if (in->waits >> k & 1)
            begin = fmax(begin, p->there[k]);
    p->of_memory &= ~(unsigned)in->waits;
    in->waited = begin - p->now;
    p->now = begin + in->stall;
    for (unsigned k = 0; k < SCOREBOARDS; k++)
        if (in->result >> k & 1)
            p->there[k] = fmax(p->there[k], begin + machine_latency_of(in->opcode));
    if (in->kind == MACHINE_MEMORY || in->kind == MACHINE_EXCHANGE)
        p->of_memory |= (unsigned)in->result | in->operands;
}

// For how many cycles a warp waits before each instruction for what units bring: for what was asked for in its block, or in one
// that goes on to it without a branch. Who waits for memory is taken to have all of that by then.
static void find_waits(struct machine_code *code)
{
    struct progress progress = {0};
    for (uint32_t b = 0; b < code->block_count; b++) {
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            issue(&progress, &code->code[i]);
        if (code->blocks[b].next != b + 1)
            progress = (struct progress){0};
    }
}

// Of an access, what only computes its address is no copy.
static int is_copy(const struct machine_instruction *in, uint32_t number, int of_access)
{
    return in->from == number && (!of_access || in->kind == MACHINE_MEMORY);
}

uint32_t machine_copy(const struct machine_code *code, const struct unrolled *unrolled,
                      uint32_t number, uint32_t round, int of_access)
{
    const struct machine_block *block = &code->blocks[unrolled->block];
    for (uint32_t i = block->first; i < block->end; i++)
        if (is_copy(&code->code[i], number, of_access) && round-- == 0)
            return i;
    return NOWHERE;
}

static uint32_t copies_of(const struct machine_code *m, const struct machine_block *block,
                          uint32_t access)
{
    uint32_t copies = 0;
    for (uint32_t i = block->first; i < block->end; i++)
        copies += is_copy(&m->code[i], access, 1);
    return copies;
}

// How many rounds of a loop a block holds: 0 where it has not several copies of each access, as many of one as of another.
static uint32_t rounds_of(const struct machine_code *m, const struct machine_block *block,
                          const struct function *function, uint32_t head, uint32_t branch)
{
    uint32_t rounds = 0;
    for (uint32_t i = head; i < branch; i++) {
        if (!is_access(&function->code[i]))
            continue;
        uint32_t copies = copies_of(m, block, i);
        if (copies < 2 || (rounds && copies != rounds))
            return 0;
        rounds = copies;
    }
    return rounds;
}

// Whether the instruction reads what the other one loads, as a register is written once in the PTX of compilers. What cp.async
// loads is in none.
static int reads(const struct instruction *in, const struct instruction *load)
{
    if (!is_access(load) || !load->is_load || load->op == OP_COPY_ASYNC)
        return 0;
    for (unsigned i = 0; i < (load->vector > 1 ? load->vector : 1); i++) {
        slot loaded = load->vector > 1 ? load->v[i] : load->d;
        if (loaded != NO_SLOT && (in->a == loaded || in->b == loaded || in->c == loaded))
            return 1;
    }
    return 0;
}

static int reads_what_the_loop_loads(const struct function *function,
                                     const struct unrolled *unrolled, const struct instruction *in)
{
    for (uint32_t i = unrolled->head; i < unrolled->branch; i++)
        if (reads(in, &function->code[i]))
            return 1;
    return 0;
}

// Whether an access of the second round stands before the first round's last one, or before an instruction of the first round
// that reads what it loaded, if that has a copy in each: else the rounds follow each other as in the PTX.
static int rounds_mix(const struct machine_code *m, const struct unrolled *unrolled,
                      const struct function *function)
{
    uint32_t second = NOWHERE, first = 0;
    for (uint32_t i = unrolled->head; i < unrolled->branch; i++) {
        const struct instruction *in = &function->code[i];
        if (!is_access(in) && !reads_what_the_loop_loads(function, unrolled, in))
            continue;
        uint32_t one = machine_copy(m, unrolled, i, 0, is_access(in)),
                 other = machine_copy(m, unrolled, i, 1, is_access(in));
        first = other != NOWHERE && one > first ? one : first;
        second = is_access(in) && other < second ? other : second;
    }
    return second < first;
}

// The loop's first instruction, of an innermost loop that goes back with this one; or NOWHERE.
static uint32_t head_of(const struct function *function, uint32_t branch)
{
    const struct instruction *in = &function->code[branch];
    if (in->op != OP_BRANCH || in->target > in)
        return NOWHERE;
    for (const struct instruction *inner = in->target; inner < in; inner++)
        if (inner->op == OP_BRANCH && inner->target <= inner)
            return NOWHERE;
    return (uint32_t)(in->target - function->code);
}

static int compare_unrolled(const void *a, const void *b)
{
    const struct unrolled *x = a, *y = b;
    if (x->head != y->head)
        return x->head < y->head ? -1 : 1;
    return (x->rounds < y->rounds) - (x->rounds > y->rounds);
}

// Returns 0 when no memory is left.
static int find_unrolled(struct machine_code *m, const struct function *function)
{
    for (uint32_t branch = 0; branch < function->length; branch++) {
        uint32_t head = head_of(function, branch);
        for (uint32_t b = 0; b < m->block_count && head != NOWHERE; b++) {
            uint32_t rounds = rounds_of(m, &m->blocks[b], function, head, branch);
            const struct unrolled found = {head, branch, b, rounds};
            if (!rounds || !rounds_mix(m, &found, function))
                continue;
            struct unrolled *more =
                realloc(m->unrolled, (m->unrolled_count + 1) * sizeof *m->unrolled);
            if (!more)
                return 0;
            m->unrolled = more;
            m->unrolled[m->unrolled_count++] = found;
        }
    }
    if (m->unrolled_count)
        qsort(m->unrolled, m->unrolled_count, sizeof *m->unrolled, compare_unrolled);
    return 1;
}

struct machine_code *machine_code_read(const unsigned char *bytes, size_t size, int major,
                                       const uint32_t *lines, const struct function *function)
{
    uint32_t length = (uint32_t)(size / MACHINE_INSTRUCTION_SIZE);
    if (length == 0 || size / MACHINE_INSTRUCTION_SIZE > MAX_LENGTH)
        return NULL;
    struct machine_code *m = calloc(1, sizeof *m);
    uint32_t *block_of = calloc(1, length * (sizeof *block_of + 1) + 1);
    if (m) {
        m->length = length;
        m->code = calloc(length, sizeof *m->code);
        m->blocks = calloc(length, sizeof *m->blocks);
        m->places = calloc(function->length + 1, sizeof *m->places);
        m->scoreboards = calloc(function->length + 1, sizeof *m->scoreboards);
        m->leaves = calloc(function->length + 1, sizeof *m->leaves);
    }
    int is_good = m && block_of && m->code && m->blocks && m->places && m->scoreboards && m->leaves;
    for (uint32_t i = 0; i < length && is_good; i++) {
        m->code[i] = decode(bytes, i, major);
        if (m->code[i].target != NOWHERE && m->code[i].target >= length) {
            m->code[i].kind = MACHINE_UNKNOWN;
            m->code[i].target = NOWHERE;
        }
    }
    if (is_good) {
        find_blocks(m, block_of);
        link_blocks(m, block_of);
        set_origins(m, lines, function);
        find_places(m, function);
        find_scoreboards(m);
        find_leaves(m);
        find_waits(m);
        is_good = find_reached(m) && find_unrolled(m, function);
    }
    free(block_of);
    if (is_good)
        return m;
    machine_code_free(m);
    return NULL;
}

void machine_code_free(struct machine_code *m)
{
    if (!m)
        return;
    free(m->code);
    free(m->blocks);
    free(m->places);
    free(m->scoreboards);
    free(m->leaves);
    free(m->unrolled);
    free(m);
}
