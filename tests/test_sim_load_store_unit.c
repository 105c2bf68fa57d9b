// Who gets room in a load/store unit, and when.
#include <math.h>

#include "base/sim_devices.h"
#include "sim/ptx/module.h"
#include "sim/time/load_store_unit.h"
#include "suites.h"

PROGRAM(sim_load_store_unit, .seconds = 10)

enum { SCHEDULERS = 4, BLOCK_WARPS = 8, BLOCKS = 4, WARPS = BLOCKS * BLOCK_WARPS };

static const struct instruction store = {.opcode = "st.global.u32", .size = 4};
static const struct instruction load = {.opcode = "ld.global.u32", .size = 4, .is_load = 1};
static const struct instruction copy = {
    .opcode = "cp.async.ca", .op = OP_COPY_ASYNC, .size = 4, .is_load = 1};
static const struct instruction atomic = {
    .opcode = "atom.global.add.u32", .size = 4, .is_atomic = 1};
static const struct trace_line line = {.number = 1, .sectors = 15, .whole = 15};
static const struct trace_item store_item = {.in = &store, .lines = 1, .passes = 1},
                               load_item = {.in = &load, .lines = 1, .passes = 1},
                               atomic_item = {.in = &atomic, .lines = 1, .passes = 1},
                               copy_item = {.in = &copy, .lines = 1, .passes = 1},
                               shared_item = {.in = &store, .wavefronts = 32},
                               register_item = {.in = &load};
static struct l2_hits hits = {.sectors = 1};
static const struct l2_outcome l2 = {.instruction_count = 1, .of_instruction = &hits};

static struct sim_device device;
static struct memory_share share;
static struct hierarchy memory;
static struct load_store_unit unit;
static uint32_t began[BLOCKS];

static void open_unit(void)
{
    device = *sim_device_find("h200");
    share = (struct memory_share){.device = &device, .l2 = &l2, .busy_sms = device.sms};
    ck_assert(hierarchy_open(&memory, &share));
    for (uint32_t slot = 0; slot < BLOCKS; slot++)
        began[slot] = slot;
    ck_assert(unit_open(&unit, &memory, WARPS, BLOCK_WARPS, began));
    ck_assert_int_eq(device.timing.schedulers, SCHEDULERS);
}

static void close_unit(void)
{
    unit_close(&unit);
    hierarchy_close(&memory);
}

// Of which kind there is no room for the warp's request.
static enum request_kind missing(unsigned warp, const struct trace_item *item)
{
    struct request request = {.warp = warp, .item = item, .lines = item->lines ? &line : NULL};
    return unit_take(&unit, &request, 0);
}

static int ask(unsigned warp, const struct trace_item *item)
{
    return missing(warp, item) == REQUEST_KINDS;
}

// The next request that is served, and who gets its room first.
static struct request served_next(unsigned *next)
{
    struct request served = {.warp = NO_WARP};
    while (!isinf(unit.serve_at))
        if (unit_serve(&unit, unit.serve_at, &served)) {
            *next = unit_give_room(&unit, &served, GLOBAL_REQUEST);
            if (*next == NO_WARP)
                *next = unit_give_room(&unit, &served, SHARED_REQUEST);
            return served;
        }
    ck_abort_msg("nothing is left to be served");
}

static unsigned fill(unsigned warp, const struct trace_item *item)
{
    unsigned taken = 0;
    while (ask(warp, item))
        taken++;
    return taken;
}

TEST(schedulers_take_turns)
{
    enum { EACH = 3 };
    unsigned next;
    open_unit();
    for (unsigned scheduler = 0; scheduler < SCHEDULERS; scheduler++)
        for (int i = 0; i < EACH; i++)
            ck_assert(ask(scheduler, i % 2 ? &shared_item : &store_item));
    for (unsigned i = 0; i < EACH * SCHEDULERS; i++)
        ck_assert_uint_eq(served_next(&next).warp, i % SCHEDULERS);
    struct request served;
    ck_assert(!unit_serve(&unit, unit.serve_at, &served) && isinf(unit.serve_at));
    close_unit();
}

// A read of a special register waits for what was before it, and takes no time.
TEST(registers_come_in_their_turn)
{
    enum { BEFORE = 3, WAVEFRONTS = 32 };
    unsigned next;
    open_unit();
    for (int i = 0; i < BEFORE; i++)
        ck_assert(ask(0, &shared_item));
    ck_assert(ask(4, &register_item) && ask(0, &shared_item));
    for (int i = 0; i < BEFORE; i++)
        ck_assert(served_next(&next).item == &shared_item);
    const struct request served = served_next(&next);
    ck_assert(served.item == &register_item && served.warp == 4);
    ck_assert_double_eq(served.done, BEFORE * WAVEFRONTS);
    ck_assert_double_eq(unit.free, served.done);
    ck_assert(served_next(&next).item == &shared_item);
    close_unit();
}

// Two blocks have two warps each of a scheduler: those of the one that began first, in whichever slot, get room in turns as
// long as they want some.
TEST(the_oldest_block_gets_room, .times = 6)
{
    static const struct trace_item *const items[] = {&store_item, &load_item, &shared_item};
    const struct trace_item *item = items[_i % 3];
    static const unsigned waiting[] = {12, 8, 4},
                          expected[][6] = {{4, 0, 4, 0, 8, 12}, {8, 12, 8, 12, 0, 4}};
    enum { AGAIN = 2 }; // of the older block's warps, each
    const unsigned older = (unsigned)_i / 3;
    unsigned next, again[WARPS] = {0};
    open_unit();
    began[older] = 0;
    began[!older] = 1;
    int room = item == &shared_item ? device.timing.shared_queue : device.timing.global_queue;
    ck_assert_uint_eq(fill(0, item), (unsigned)room); // its next one waits
    for (int i = 0; i < 3; i++)
        ck_assert(!ask(waiting[i], item));
    for (size_t i = 0; i < sizeof *expected / sizeof **expected; i++) {
        ck_assert_uint_eq(served_next(&next).warp, 0);
        ck_assert_uint_eq(next, expected[older][i]);
        ck_assert(ask(next, item));
        if (next / BLOCK_WARPS == older && ++again[next] < AGAIN)
            ck_assert(!ask(next, item));
    }
    served_next(&next);
    ck_assert_uint_eq(next, NO_WARP);
    close_unit();
}

// A warp's next request comes some cycles after one of each kind, and its scheduler's; the other schedulers' at once.
TEST(requests_follow_each_other_after_intervals, .times = 3)
{
    open_unit();
    const struct sim_timing *t = &device.timing;
    const struct {
        const struct trace_item *item;
        const struct issue_interval *interval;
    } kinds[] = {{&shared_item, &t->shared_interval},
                 {&load_item, &t->global_interval},
                 {&store_item, &t->global_interval}};
    const struct issue_interval *interval = kinds[_i].interval;
    struct request request = {.warp = 1, .item = kinds[_i].item, .lines = &line};
    const double now = 100;
    ck_assert(unit_take(&unit, &request, now) == REQUEST_KINDS);
    ck_assert(unit_next(&unit, 1) == now + fmax(interval->of_warp, interval->of_scheduler));
    ck_assert(unit_next(&unit, 1 + SCHEDULERS) == now + interval->of_scheduler);
    ck_assert(unit_next(&unit, 2) <= now);
    close_unit();
}

// What waits to be joined leaves when nothing more comes.
TEST(at_rest_nothing_waits)
{
    const struct trace_line part = {.number = 1, .sectors = 1, .parts = {4}};
    struct request request = {.item = &store_item, .lines = &part}, served;
    open_unit();
    ck_assert(unit_take(&unit, &request, 0) == REQUEST_KINDS && unit_serve(&unit, 0, &served));
    ck_assert(memory.requests.parts == 1 && memory.requests.writes == 0);
    unit_rest(&unit);
    ck_assert(memory.requests.stores == 1 && memory.requests.writes == 1);
    close_unit();
}

TEST(loads_and_what_is_shared_have_their_own_room, .times = 2)
{
    open_unit();
    ck_assert_uint_eq(fill(0, _i ? &atomic_item : &load_item),
                      (unsigned)device.timing.global_queue);
    ck_assert_uint_eq(fill(4, &shared_item), (unsigned)device.timing.shared_queue);
    ck_assert(ask(1, &load_item) && ask(1, &shared_item)); // of another scheduler
    close_unit();
}

// Stores and copies to shared memory take room of both kinds.
TEST(what_is_stored_takes_both, .times = 2)
{
    const struct trace_item *item = _i ? &copy_item : &store_item;
    open_unit();
    ck_assert(ask(0, item));
    ck_assert_uint_eq(fill(4, &load_item), (unsigned)device.timing.global_queue - 1);
    ck_assert_int_eq(missing(0, item), GLOBAL_REQUEST);
    ck_assert_uint_eq(fill(8, &shared_item), (unsigned)device.timing.shared_queue - 1);
    ck_assert_int_eq(missing(12, item), GLOBAL_REQUEST); // of both, that of global requests is told
    ck_assert_uint_eq(fill(1, &shared_item), (unsigned)device.timing.shared_queue);
    ck_assert_int_eq(missing(1, item), SHARED_REQUEST);
    close_unit();
}

TEST(a_store_leaves_room_of_both_kinds)
{
    struct request served;
    open_unit();
    for (int i = 0; i < device.timing.shared_queue; i++)
        ck_assert(ask(0, &store_item));
    ck_assert(!ask(4, &load_item) && !ask(8, &shared_item));
    ck_assert(unit_serve(&unit, unit.serve_at, &served) && served.item == &store_item);
    ck_assert_uint_eq(unit_give_room(&unit, &served, GLOBAL_REQUEST), 4);
    ck_assert_uint_eq(unit_give_room(&unit, &served, SHARED_REQUEST), 8);
    close_unit();
}

// A store that finds neither gets room when it has found the second.
TEST(a_store_waits_for_both)
{
    open_unit();
    int loads = device.timing.global_queue;
    for (int i = 0; i < loads; i++)
        ck_assert(ask(0, &load_item));
    for (int i = 0; i < device.timing.shared_queue; i++)
        ck_assert(ask(0, &shared_item));
    ck_assert(!ask(4, &store_item));
    for (int i = 0; i <= loads; i++) {
        unsigned next;
        ck_assert(served_next(&next).item == (i < loads ? &load_item : &shared_item));
        ck_assert_uint_eq(next, i < loads ? NO_WARP : 4);
    }
    close_unit();
}
