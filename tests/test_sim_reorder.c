// The order in which the timing model takes ptxas to issue a warp's instructions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/machine/machine_code.h"
#include "sim/state/launch.h"
#include "sim/time/reorder.h"

#include "suites.h"

enum { MAX_CODE = 2048, MAX_TEXT = 1 << 16 };

// A kernel of which each statement is one instruction.
struct code {
    struct module *module;
    const struct instruction *in;
    uint32_t count; // without the return at its end
};

static void *no_variables(size_t size, size_t alignment)
{
    (void)size, (void)alignment;
    return NULL;
}

static struct code load(const char *body)
{
    static char text[MAX_TEXT], why[512];
    int no_memory;
    int length = snprintf(text, sizeof text,
                          ".version 6.3\n.target sm_75\n.address_size 64\n"
                          ".shared .align 16 .b8 tile[4096];\n"
                          ".visible .entry kernel()\n{\n.reg .b32 %%r<2000>; .reg .b64 %%a<20>;\n"
                          ".reg .f32 %%f<20>; .reg .pred %%p<9>;\n%s\nret;\n}\n",
                          body);
    ck_assert(length > 0 && length < MAX_TEXT);
    struct module *module =
        module_load(text, (size_t)length, no_variables, why, sizeof why, &no_memory);
    ck_assert_msg(module != NULL, "%s", why);
    const struct function *f = module_function(module, "kernel");
    ck_assert_ptr_nonnull(f);
    struct code code = {module, f->code, 0};
    while (f->code[code.count].op != OP_RETURN)
        code.count++;
    return code;
}

static const struct launch no_machine_code = {0};

// Where each of the trace's items comes, when they are the code's instructions `which`.
static void places_of(const struct code *code, const uint32_t *which, uint32_t count,
                      const struct launch *launch, uint32_t *place)
{
    struct trace_item *items = calloc(count + 1, sizeof *items);
    uint32_t *order = calloc(count + 1, sizeof *order);
    ck_assert(items && order);
    for (uint32_t i = 0; i < count; i++) {
        items[i].in = &code->in[which[i]];
        place[i] = UINT32_MAX;
    }
    order[count] = 4711;
    struct warp_trace trace = {.items = items, .count = count, .executed = count};
    reorder(launch, &trace, order);
    for (uint32_t i = 0; i < count; i++) {
        if (order[i] >= count || place[order[i]] != UINT32_MAX)
            ck_abort_msg("item %u is there twice or is none", order[i]);
        place[order[i]] = i;
    }
    ck_assert_uint_eq(order[count], 4711);
    free(items);
    free(order);
}

// The places of a body's instructions, executed one after the other `rounds` times.
static void places(const char *body, uint32_t rounds, uint32_t *place)
{
    struct code code = load(body);
    uint32_t which[MAX_CODE] = {0};
    ck_assert_uint_le(code.count * rounds, MAX_CODE);
    for (uint32_t i = 0; i < code.count * rounds; i++)
        which[i] = i % code.count;
    places_of(&code, which, code.count * rounds, &no_machine_code, place);
    module_free(code.module);
}

// Each body's instructions, and the order that they are issued in.
static const struct {
    const char *what, *body, *order;
} cases[] = {
    {"loads come before the first use",
     "ld.global.u32 %r1, [%a1]; add.u32 %r2, %r1, 1; ld.global.u32 %r3, [%a2];"
     "add.u32 %r4, %r3, 1; ld.shared.u32 %r5, [%r9];",
     "02413"},
    {"with what their addresses need",
     "ld.global.u32 %r1, [%a1]; add.u32 %r2, %r1, 1; add.u64 %a3, %a2, 4;"
     "ld.global.u32 %r3, [%a3];",
     "0231"},
    {"dependent loads stay in order",
     "ld.global.u64 %a1, [%a1]; ld.global.u64 %a2, [%a1]; ld.global.u64 %a3, [%a2];"
     "ld.global.u64 %a4, [%a5];",
     "0312"},
    {"a guard is a dependency",
     "ld.global.u32 %r1, [%a1]; setp.eq.u32 %p1, %r1, 0; @%p1 ld.global.u32 %r2, [%a2];"
     "ld.global.u32 %r3, [%a3];",
     "0312"},
    {"a vector's registers are dependencies",
     "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%a1]; add.u32 %r5, %r4, 1;"
     "ld.global.u32 %r6, [%a2]; st.shared.v2.u32 [%r9], {%r8, %r6}; ld.global.u32 %r7, [%a3];",
     "02413"},
    {"not past a barrier",
     "ld.global.u32 %r1, [%a1]; add.u32 %r2, %r1, 1; bar.sync 0; ld.global.u32 %r3, [%a2];"
     "add.u32 %r4, %r3, 1;",
     "01234"},
    {"not past an atomic",
     "ld.shared.u32 %r1, [%r9]; add.u32 %r2, %r1, 1; red.global.add.u32 [%a1], 1;"
     "ld.shared.u32 %r3, [%r8];",
     "0123"},
    {"not past a fence",
     "ld.shared.u32 %r1, [%r9]; add.u32 %r2, %r1, 1; membar.gl; ld.shared.u32 %r3, [%r8];", "0123"},
    {"not past a volatile access",
     "ld.shared.u32 %r1, [%r9]; add.u32 %r2, %r1, 1; ld.volatile.global.u32 %r4, [%a1];"
     "ld.shared.u32 %r3, [%r8];",
     "0123"},
    {"nor an asynchronous copy",
     "ld.global.u32 %r1, [%a1]; add.u32 %r2, %r1, 1; cp.async.ca.shared.global [%r9], [%a2], 4;"
     "ld.global.u32 %r3, [%a3];",
     "0123"},
    {"a load does not pass a store that may change it",
     "ld.global.u32 %r1, [%a1]; st.global.u32 [%a2], %r1; ld.global.u32 %r2, [%a3];"
     "add.u32 %r3, %r2, 1;",
     "0123"},
    {"one through the read-only cache does",
     "ld.global.u32 %r1, [%a1]; st.global.u32 [%a2], %r1; ld.global.nc.u32 %r2, [%a3];"
     "add.u32 %r3, %r2, 1;",
     "0213"},
    {"and one of another memory",
     "ld.global.u32 %r1, [%a1]; st.global.u32 [%a2], %r1; ld.shared.u32 %r2, [%r9];"
     "add.u32 %r3, %r2, 1;",
     "0213"},
    {"but a generic store may be to any memory",
     "ld.global.u32 %r1, [%a1]; st.u32 [%a2], %r1; ld.shared.u32 %r2, [%r9];"
     "ld.global.u32 %r3, [%a3];",
     "0123"},
    {"and a generic load from any",
     "ld.global.u32 %r1, [%a1]; st.shared.u32 [%r9], %r1; ld.u32 %r2, [%a2];"
     "ld.global.u32 %r3, [%a3];",
     "0312"},
    {"a store does not pass a load of what it may change",
     "ld.global.u64 %a2, [%a1]; ld.global.u32 %r1, [%a2]; st.global.u32 [%a3], %r9;", "012"},
    {"nor a store", "ld.shared.u32 %r1, [%r9]; st.global.u32 [%a2], %r1; st.global.u32 [%a3], %r8;",
     "012"},
    {"a short way round does not stop a load",
     "ld.global.u32 %r1, [%a1]; add.u32 %r2, %r1, 1; @%p1 bra OVER; add.u32 %r3, %r2, 1;"
     "OVER: ld.global.u32 %r4, [%a2];",
     "02413"},
    {"unless whether it is taken depends on one",
     "ld.global.u32 %r1, [%a1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra OVER; add.u32 %r3, %r2, 1;"
     "OVER: ld.global.u32 %r4, [%a2];",
     "01234"},
    {"nor do copies from shared to global memory mix that are guarded",
     "@%p1 bra A; ld.shared.u32 %r1, [%r9]; st.global.u32 [%a1], %r1; A: @%p2 bra B;"
     "ld.shared.u32 %r2, [%r9]; st.global.u32 [%a2], %r2; B: add.u32 %r3, %r3, 1;",
     "0123465"},
};

PROGRAM(sim_reorder, .seconds = 30)

TEST(instructions_are_issued_in_this_order, .times = sizeof cases / sizeof *cases)
{
    uint32_t place[MAX_CODE];
    char order[64] = {0};
    places(cases[_i].body, 1, place);
    for (size_t i = 0; i < strlen(cases[_i].order); i++)
        order[place[i]] = (char)('0' + i);
    ck_assert_msg(strcmp(order, cases[_i].order) == 0, "%s: %s, not %s", cases[_i].what, order,
                  cases[_i].order);
}

TEST(the_rounds_of_a_loop_do_not_mix)
{
    enum { BODY = 5, ROUNDS = 100 };
    uint32_t place[MAX_CODE];
    places("AGAIN: ld.global.u32 %r1, [%a1]; add.u32 %r2, %r1, %r2; ld.global.u32 %r3, [%a2];"
           "add.u64 %a1, %a1, 4; @%p1 bra AGAIN;",
           ROUNDS, place);
    for (uint32_t i = 0; i < BODY * ROUNDS; i++)
        ck_assert_uint_eq(place[i] / BODY, i / BODY);
    ck_assert_uint_lt(place[2], place[1]);
}

// More registers than a table has room for, were it smaller; and nothing moves further than
// registers can hold.
TEST(a_long_stretch_is_cut)
{
    enum { LOADS = 400 };
    static char body[MAX_TEXT];
    uint32_t place[MAX_CODE];
    size_t used = 0;
    for (int i = 0; i < LOADS; i++)
        used += (size_t)snprintf(body + used, sizeof body - used,
                                 "ld.global.v4.u32 {%%r%d,%%r%d,%%r%d,%%r%d}, [%%a1+%d];\n", 4 * i,
                                 4 * i + 1, 4 * i + 2, 4 * i + 3, 16 * i);
    for (int i = 0; i < LOADS; i++)
        used += (size_t)snprintf(body + used, sizeof body - used,
                                 "add.u32 %%r1999, %%r1999, %%r%d;\n", 4 * i);
    ck_assert_uint_lt(used, sizeof body);
    places(body, 1, place);
    for (uint32_t i = 0; i < 2 * LOADS; i++)
        ck_assert(place[i] < i + 256 && i < place[i] + 256);
}

// ---- Any traces of a module's instructions ---------------------------------------------------------

static const char mixed[] =
    "ld.global.u32 %r1, [%a1]; ld.global.u32 %r2, [%a2]; ld.global.nc.u32 %r3, [%a3];"
    "ld.shared.u32 %r4, [%r1]; ld.shared.v2.u32 {%r5,%r6}, [%r2]; ld.global.u64 %a1, [%a2];"
    "add.u32 %r1, %r2, %r3; mad.lo.u32 %r2, %r4, %r5, %r6; add.u64 %a2, %a1, 8;"
    "mul.wide.u32 %a3, %r1, 4; setp.lt.u32 %p1, %r3, %r4; setp.lt.u32 %p2, %r1, %r5;"
    "st.global.u32 [%a1], %r1; st.shared.u32 [%r3], %r2; st.shared.v2.u32 [%r3], {%r5,%r1};"
    "@%p1 add.u32 %r3, %r4, 1; @!%p2 ld.global.u32 %r6, [%a3]; @%p2 st.global.u32 [%a2], %r6;"
    "selp.u32 %r4, %r1, %r2, %p1; st.u32 [%a1], %r2; ld.u32 %r5, [%a2];"
    "@%p1 bra NEAR; mov.u32 %r6, %r1; NEAR: mov.u32 %r5, %r2;"
    "bar.sync 0; atom.global.add.u32 %r1, [%a1], 1; membar.gl; ld.volatile.global.u32 %r2, [%a1];";

static int is_store(const struct instruction *in)
{
    return in->size && !in->is_load && !in->is_atomic;
}

static int is_load(const struct instruction *in)
{
    return in->size && in->is_load && !in->is_atomic;
}

static int may_be_same_memory(const struct instruction *a, const struct instruction *b)
{
    return a->space == b->space || a->space == GENERIC || b->space == GENERIC;
}

static int writes(const struct instruction *in, slot at)
{
    int does = in->d == at;
    for (unsigned i = 0; in->vector > 1 && is_load(in) && i < in->vector; i++)
        does |= in->v[i] == at;
    return at != NO_SLOT && does;
}

static int has_to_stay(const struct instruction *in)
{
    return in->op == OP_BARRIER || in->is_atomic || in->is_volatile || in->op == OP_FENCE;
}

static const char *why_in_order(const struct instruction *a, const struct instruction *b)
{
    if (has_to_stay(a) || has_to_stay(b))
        return "a barrier, an atomic, a fence or a volatile access was passed";
    if (is_store(a) && is_store(b) && may_be_same_memory(a, b))
        return "a store passed a store";
    if (is_load(a) && is_store(b) && may_be_same_memory(a, b))
        return "a store passed a load";
    if (is_store(a) && is_load(b) && may_be_same_memory(a, b) && !b->is_read_only)
        return "a load passed a store";
    return NULL;
}

TEST(any_trace_keeps_its_dependencies, .times = 150)
{
    enum { MOST = 700 };
    struct code code = load(mixed);
    uint32_t which[MOST] = {0}, place[MOST];
    srand((unsigned)_i);
    uint32_t count = (uint32_t)rand() % MOST;
    // With few or many of the last four, nothing passes which.
    uint32_t choices = code.count - (rand() % 3 ? 4 : 0);
    for (uint32_t i = 0; i < count; i++)
        which[i] = (uint32_t)rand() % choices;
    places_of(&code, which, count, &no_machine_code, place);
    for (uint32_t b = 0; b < count; b++) {
        const struct instruction *later = &code.in[which[b]];
        for (uint32_t a = b; a-- > 0;) {
            const struct instruction *earlier = &code.in[which[a]];
            const char *why = why_in_order(earlier, later);
            if (place[a] > place[b] && why)
                ck_abort_msg("%s: %s before %s", why, later->opcode, earlier->opcode);
        }
        // Of the writers of what it reads, the last before it.
        const slot reads[] = {later->guard, later->a, later->b, later->c};
        for (size_t r = 0; r < sizeof reads / sizeof *reads; r++)
            for (uint32_t a = b; a-- > 0;)
                if (writes(&code.in[which[a]], reads[r])) {
                    if (place[a] > place[b])
                        ck_abort_msg("%s before %s, whose result it reads", later->opcode,
                                     code.in[which[a]].opcode);
                    break;
                }
    }
    module_free(code.module);
}

// A kernel of five instructions that the machine code has at places, and the order that they are issued in.
static const struct {
    const char *what;
    uint32_t places[5];
    const char *order;
} machines[] = {
    {"as the machine code has them", {3, 5, 9, 11, 2}, "40123"},
    {"with what became nothing behind what it reads", {3, NOWHERE, 9, NOWHERE, 12}, "01234"},
    {"what reads nothing may come first", {3, NOWHERE, 2, NOWHERE, 12}, "23014"},
    {"as ptxas would where an access is not there once", {3, 5, NOWHERE, 11, 2}, "02413"},
};

static const char five[] =
    "ld.global.u32 %r1, [%a1]; add.u32 %r2, %r1, 1;"
    "ld.global.u32 %r3, [%a2]; add.u32 %r4, %r3, 1; ld.shared.u32 %r5, [%r9];";

// In what order the five are issued of which the kernel has those from `first` on.
static void assert_order(const char *what, uint32_t first, const uint32_t *machine,
                         const char *expected)
{
    struct code code = load(five);
    const struct function kernel = {.code = (struct instruction *)code.in + first,
                                    .length = 5 - first};
    const struct machine_code machine_code = {.places = (uint32_t *)machine};
    const struct launch launch = {.kernel = &kernel, .code = &machine_code};
    const uint32_t which[] = {0, 1, 2, 3, 4};
    uint32_t place[5];
    char order[6] = "";
    places_of(&code, which, 5, &launch, place);
    for (uint32_t i = 0; i < 5; i++)
        order[place[i]] = (char)('0' + i);
    ck_assert_msg(strcmp(order, expected) == 0, "%s: %s, expected %s", what, order, expected);
    module_free(code.module);
}

TEST(the_machine_code_says_the_order, .times = sizeof machines / sizeof *machines)
{
    assert_order(machines[_i].what, 0, machines[_i].places, machines[_i].order);
}

// The kernel's machine code says nothing of a function that it calls.
TEST(called_functions_are_in_the_order_of_ptxas)
{
    assert_order("as ptxas would", 3, (const uint32_t[]){1, 2}, "02413");
}

// Two guarded copies from shared memory, of which ptxas has loaded both before it stores the first, or not: whether the
// machine code has a branch says which.
TEST(what_became_a_predicate_holds_nothing_up, .times = 2)
{
    struct code code = load("ld.shared.u32 %r1, [%r9]; st.global.u32 [%a1], %r1; @%p1 bra END;"
                            "ld.shared.u32 %r2, [%r9+4]; st.global.u32 [%a1+4], %r2; END:");
    uint32_t places[] = {1, 3, NOWHERE, 2, 4, NOWHERE}, place[5];
    uint8_t leaves[] = {0, 0, (uint8_t)_i, 0, 0, 1};
    const struct machine_code machine_code = {.places = places, .leaves = leaves};
    const struct function kernel = {.code = (struct instruction *)code.in, .length = code.count};
    const struct launch launch = {.kernel = &kernel, .code = &machine_code};
    places_of(&code, (const uint32_t[]){0, 1, 2, 3, 4}, 5, &launch, place);
    ck_assert(place[0] < place[1] && place[3] < place[4] && place[1] < place[4]);
    ck_assert_int_eq(place[3] < place[1], !leaves[2]);
    module_free(code.module);
}

// Five rounds of a loop of which the machine code holds two in one block: these are issued as it has them, and the last
// round alone. What is added to what was loaded has copies, too, behind both loads.
TEST(rounds_that_ptxas_unrolled_mix)
{
    enum { BODY = 5, ROUNDS = 5, LOAD = 0, SUM = 1, STORE = 2 };
    struct code code = load("AGAIN: ld.global.u32 %r1, [%a1]; add.u32 %r2, %r2, %r1;"
                            "st.shared.u32 [%r9], %r1; add.u64 %a1, %a1, 4; @%p1 bra AGAIN;");
    struct machine_instruction machine[] = {
        {.from = LOAD, .kind = MACHINE_MEMORY},  {.from = LOAD, .kind = MACHINE_MEMORY},
        {.from = SUM, .kind = MACHINE_OTHER},    {.from = SUM, .kind = MACHINE_OTHER},
        {.from = STORE, .kind = MACHINE_MEMORY}, {.from = STORE, .kind = MACHINE_MEMORY},
        {.from = LOAD, .kind = MACHINE_MEMORY},  {.from = STORE, .kind = MACHINE_MEMORY}};
    struct machine_block blocks[] = {{.first = 0, .end = 6}, {.first = 6, .end = 8}};
    struct unrolled unrolled = {.head = 0, .branch = 4, .block = 0, .rounds = 2};
    uint32_t places[] = {NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE};
    uint8_t leaves[] = {0, 0, 0, 0, 1, 1};
    const struct machine_code machine_code = {.code = machine,
                                              .blocks = blocks,
                                              .places = places,
                                              .leaves = leaves,
                                              .unrolled = &unrolled,
                                              .unrolled_count = 1};
    const struct function kernel = {.code = (struct instruction *)code.in, .length = code.count};
    const struct launch launch = {.kernel = &kernel, .code = &machine_code};
    uint32_t which[BODY * ROUNDS], place[BODY * ROUNDS];
    for (uint32_t i = 0; i < BODY * ROUNDS; i++)
        which[i] = i % BODY;
    places_of(&code, which, BODY * ROUNDS, &launch, place);
    for (uint32_t i = 0; i < BODY * ROUNDS; i++)
        ck_assert_uint_eq(place[i] / (2 * BODY), i / (2 * BODY));
    for (uint32_t round = 0; round + 1 < ROUNDS; round += 2) {
        const uint32_t *one = place + (size_t)round * BODY, *other = one + BODY;
        ck_assert(one[LOAD] < other[LOAD] && other[LOAD] < one[SUM] && one[SUM] < other[SUM]);
        ck_assert(other[SUM] < one[STORE] && one[STORE] < other[STORE]);
    }
    ck_assert_uint_lt(place[(ROUNDS - 1) * BODY + LOAD], place[(ROUNDS - 1) * BODY + STORE]);
    module_free(code.module);
}
