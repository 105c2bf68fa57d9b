// The rules: when each fires, its evidence, and what it says would go; at the end, their table.
#include "advice/advice_rules.h"

#include "facts/format.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

// Thresholds that metric_table.h does not have already.
enum {
    SOME_CONFLICTS = 10, // percent of the issue slots: the deck's padded tile has 9.1
    SOME_SPILLS = 10,    // percent of the sectors
    MUCH_TRAFFIC = 125,  // DRAM's bytes, in percent of the useful ones
    DRAM_IS_FULL = 90,   // percent of its peak: what a copy reaches, and more (an H200's: 87)
    LARGE_BLOCK = 512,   // threads: an SM that holds 2048 has four such blocks at most
    SMALL_BLOCK = 128,   // threads
    MANY_BLOCKS = 3,     // times those that the GPU holds at once: fewer start and end together
    WIDE_ACCESS = 12,    // bytes that a lane's instruction moves: it can move 16; edges mask some
    ASTRAY = 90,         // percent of the sectors' bytes: unshifted rows of 4-byte accesses have 80
    BANKS = 32,          //
    SECTORS_A_LINE = 4,  //
};

__attribute__((format(printf, 2, 3))) static void because(struct remedy *remedy, const char *format,
                                                          ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(remedy->advice->because, BECAUSE_SIZE, format, arguments);
    va_end(arguments);
}

static void evidence(struct remedy *remedy, const char *key, double number)
{
    struct advice *advice = remedy->advice;
    advice->evidence[advice->evidence_count++] = (struct evidence){key, number};
}

// Whether the step is slower than `times` the roof, as far as is known.
static bool has_room(const struct findings *f, double times)
{
    return room_of(f) == 0 || room_of(f) >= times;
}

// Unavailable where the kernel has no such access.
static bool is_low(const struct findings *f, enum metric efficiency)
{
    double percent = found(f, efficiency);
    return percent >= 0 && percent < LOW_EFFICIENCY;
}

static const char *number_text(char text[FORMAT_SIZE], double number)
{
    format_number(text, number);
    return text;
}

static const char *percent_text(char text[FORMAT_SIZE], double percent)
{
    format_percent(text, percent);
    return text;
}

// A number as text, until the function ends.
#define NUMBER(number) number_text((char[FORMAT_SIZE]){0}, number)
#define PERCENT_OF(percent) percent_text((char[FORMAT_SIZE]){0}, percent)

// ---- Alone -----------------------------------------------------------------------------------------

static bool is_small(const struct findings *f, struct remedy *remedy)
{
    if (f->elements >= f->capacity)
        return false;
    because(remedy, "n = %zu has fewer elements than the %.0f threads that the GPU can hold", f->n,
            f->capacity);
    evidence(remedy, "elements", f->elements);
    remedy->promises_nothing = true;
    evidence(remedy, "resident_threads", f->capacity);
    return true;
}

static bool is_at_the_roof(const struct findings *f, struct remedy *remedy)
{
    double share = f->share_of_copy, dram = found(f, DRAM_UTILIZATION);
    if (f->fits_in_l2 || (share < AT_THE_ROOF && (share >= 0 || dram < DRAM_IS_FULL)))
        return false;
    remedy->promises_nothing = share < 0;
    if (share >= 0) {
        because(remedy, "%s of the bandwidth of the device's own copy", PERCENT_OF(share));
        evidence(remedy, "share_of_copy", share);
    } else {
        because(remedy, "DRAM is busy with %s of its peak", PERCENT_OF(dram));
        evidence(remedy, "dram_utilization", dram);
    }
    return true;
}

// A thread for each column does n times as much at a time.
static bool is_serial(const struct findings *f, struct remedy *remedy)
{
    if (f->threads != 1 || f->capacity == 0)
        return false;
    because(remedy, "the GPU can hold %.0f at once", f->capacity);
    evidence(remedy, "threads", 1);
    evidence(remedy, "resident_threads", f->capacity);
    remedy->left = 1 / (double)f->n;
    remedy->hides_waiting = remedy->spreads = true;
    return true;
}

// ---- Parallelise -----------------------------------------------------------------------------------

static bool has_few_threads(const struct findings *f, struct remedy *remedy)
{
    if (!f->launched || f->threads > f->capacity / 2 || !has_room(f, 2))
        return false;
    because(remedy, "%.0f threads in %.0f block%s, on %d SMs that can hold %.0f threads",
            f->threads, f->blocks, f->blocks == 1 ? "" : "s", f->sms, f->capacity);
    evidence(remedy, "threads", f->threads);
    evidence(remedy, "blocks", f->blocks);
    evidence(remedy, "resident_threads", f->capacity);
    remedy->left = f->threads / f->capacity;
    remedy->hides_waiting = remedy->spreads = true;
    return true;
}

// ---- Optimise --------------------------------------------------------------------------------------

// The lines and sectors that are left when the stores' (or loads') are coalesced. Where only the
// efficiency is known, each of the sectors may be a line of its own.
static double left_when_coalesced(const struct findings *f, int stores, double efficiency)
{
    const struct traffic *t = &f->traffic;
    if (!t->known)
        return efficiency / 100 / SECTORS_A_LINE;
    double sectors =
        (t->least_sectors[stores] + t->sectors[!stores]) / (t->sectors[0] + t->sectors[1]);
    return fmin(sectors, t->least_tags / t->tags);
}

// A lone lane's sector is mostly of no use too, but the same sectors are left then: nothing is saved.
static bool is_scattered(const struct findings *f, struct remedy *remedy, int stores)
{
    static const char *const keys[] = {"gld_efficiency", "gst_efficiency"};
    const struct traffic *t = &f->traffic;
    double efficiency = found(f, stores ? GST_EFFICIENCY : GLD_EFFICIENCY);
    if (efficiency <= 0 || efficiency >= LOW_EFFICIENCY)
        return false;
    if (t->known && t->requests[stores] == 0)
        return false;
    const char *access = stores ? "store" : "load";
    if (t->known)
        because(remedy, "a warp's %s touches %s sectors where its bytes fill %s", access,
                NUMBER(t->sectors[stores] / t->requests[stores]),
                NUMBER(t->least_sectors[stores] / t->requests[stores]));
    else
        because(remedy, "of the bytes that %ss move, %s were asked for", access,
                PERCENT_OF(efficiency));
    evidence(remedy, keys[stores], efficiency);
    if (t->known)
        evidence(remedy, "sectors_per_request", t->sectors[stores] / t->requests[stores]);
    remedy->left = left_when_coalesced(f, stores, efficiency);
    remedy->left_of[RESOURCE_GLOBAL] = remedy->left_of[RESOURCE_L2] = remedy->left;
    return true;
}

static bool stores_are_scattered(const struct findings *f, struct remedy *remedy)
{
    return is_scattered(f, remedy, 1);
}

static bool loads_are_scattered(const struct findings *f, struct remedy *remedy)
{
    return is_scattered(f, remedy, 0);
}

// Whole sectors, but of many lines: only the model tells when that matters.
static bool splits_requests(const struct findings *f, struct remedy *remedy)
{
    const struct traffic *t = &f->traffic;
    double requests = t->requests[0] + t->requests[1];
    if (f->limits.limiter != LIMITER_UNCOALESCED || !t->known || is_low(f, GST_EFFICIENCY) ||
        is_low(f, GLD_EFFICIENCY))
        return false;
    because(remedy, "a request touches %s lines of 128 bytes where its bytes fill %s",
            NUMBER(t->tags / requests), NUMBER(t->least_tags / requests));
    evidence(remedy, "lines_per_request", t->tags / requests);
    remedy->left = t->least_tags / t->tags;
    remedy->left_of[RESOURCE_GLOBAL] = remedy->left_of[RESOURCE_L2] = remedy->left;
    return true;
}

static bool has_bank_conflicts(const struct findings *f, struct remedy *remedy)
{
    const struct traffic *t = &f->traffic;
    double overhead = found(f, SHARED_REPLAY_OVERHEAD),
           requests = f->values[SHARED_REQUESTS].number;
    if (overhead < SOME_CONFLICTS && f->limits.limiter != LIMITER_BANK_CONFLICTS)
        return false;
    if (overhead >= 0) // else it is not known
        evidence(remedy, "shared_replay_overhead", overhead);
    else if (!t->known)
        return false;
    if (!t->known || t->wavefronts == 0) { // a request takes a pass a bank at most
        because(remedy, "%s of the issue slots go to passes that bank conflicts add",
                PERCENT_OF(overhead));
        remedy->left = 1.0 / BANKS;
        remedy->left_of[RESOURCE_SHARED] = 1.0 / BANKS;
        remedy->share = overhead / 100;
        return true;
    }
    because(remedy, "an access to shared memory takes %s wavefronts where its bytes fill %s",
            NUMBER(t->wavefronts / requests), NUMBER(t->least_wavefronts / requests));
    evidence(remedy, "wavefronts_per_request", t->wavefronts / requests);
    remedy->left = (t->tags + t->least_wavefronts) / (t->tags + t->wavefronts); // one unit has both
    remedy->left_of[RESOURCE_SHARED] = t->least_wavefronts / t->wavefronts;
    return true;
}

// Only what uses shared memory has a barrier worth the name.
static bool has_large_blocks(const struct findings *f, struct remedy *remedy)
{
    if (f->shared_bytes == 0 || f->block_threads < LARGE_BLOCK || !f->launched ||
        f->capacity == 0 || !has_room(f, 1.1))
        return false;
    double per_thread = f->elements_per_thread, held = f->capacity / f->sms / f->block_threads;
    because(remedy,
            "%.0f threads wait for each other at a barrier, with %s element%s each to load; an SM "
            "holds %.0f such blocks at most",
            f->block_threads, NUMBER(per_thread), per_thread == 1 ? "" : "s", held);
    evidence(remedy, "threads_per_block", f->block_threads);
    evidence(remedy, "elements_per_thread", per_thread);
    remedy->hides_waiting = true;
    return true;
}

// Blocks that are launched one by one, and end nearly at once.
static bool has_small_blocks(const struct findings *f, struct remedy *remedy)
{
    double achieved = found(f, ACHIEVED_OCCUPANCY), possible = found(f, THEORETICAL_OCCUPANCY);
    bool fires = has_limits(f)
                     ? f->limits.limiter == LIMITER_LAUNCH
                     : f->block_threads <= SMALL_BLOCK && f->threads >= MANY_BLOCKS * f->capacity &&
                           achieved >= 0 && achieved < 0.6 * possible;
    if (!fires || !f->launched || f->capacity == 0)
        return false;
    because(remedy, "%.0f blocks of %.0f threads end nearly as fast as new ones start%s%s",
            f->blocks, f->block_threads, achieved >= 0 ? "; occupied on average: " : "",
            achieved >= 0 ? PERCENT_OF(achieved) : "");
    evidence(remedy, "blocks", f->blocks);
    evidence(remedy, "threads_per_block", f->block_threads);
    if (achieved >= 0)
        evidence(remedy, "achieved_occupancy", achieved);
    remedy->left = fmin(f->capacity / f->threads, 1);
    remedy->left_of[RESOURCE_LAUNCH] = remedy->left;
    return true;
}

static bool has_spills(const struct findings *f, struct remedy *remedy)
{
    double share = found(f, LOCAL_MEMORY_OVERHEAD);
    if (share < SOME_SPILLS)
        return false;
    because(remedy,
            "%s of the sectors are local memory's: spilled registers, or arrays that a thread "
            "indexes",
            PERCENT_OF(share));
    evidence(remedy, "local_memory_overhead", share);
    remedy->share = share / 100;
    remedy->left_of[RESOURCE_ISSUE] = remedy->left_of[RESOURCE_GLOBAL] =
        remedy->left_of[RESOURCE_L2] = 0;
    return true;
}

static bool diverges(const struct findings *f, struct remedy *remedy)
{
    double share = found(f, BRANCH_DIVERGENCE_OVERHEAD);
    if (share < HIGH_OVERHEAD)
        return false;
    because(remedy, "at %s of the branches the lanes of a warp part, and each way runs by itself",
            PERCENT_OF(share));
    evidence(remedy, "branch_divergence_overhead", share);
    enum resource limiting = limiters[f->limits.limiter].resource; // all of it may be done twice
    if (limiting != RESOURCE_ISSUE && limiting != RESOURCE_ARITHMETIC)
        remedy->share = share / 100;
    remedy->left_of[RESOURCE_ISSUE] = remedy->left_of[RESOURCE_ARITHMETIC] = 0;
    return true;
}

static bool has_low_occupancy(const struct findings *f, struct remedy *remedy)
{
    double possible = found(f, THEORETICAL_OCCUPANCY), achieved = found(f, ACHIEVED_OCCUPANCY);
    if (possible < 0 || possible >= LOW_OCCUPANCY || f->limit == LIMIT_WARPS || !has_room(f, 1.25))
        return false;
    because(remedy, "%s let an SM hold %s of its warps at most, too few to hide the latency",
            occupancy_limit_name(f->limit), PERCENT_OF(possible));
    evidence(remedy, "theoretical_occupancy", possible);
    evidence(remedy, "registers", f->registers);
    evidence(remedy, "shared_bytes", (double)f->shared_bytes);
    remedy->left = (achieved >= 0 ? achieved : possible) / 100;
    remedy->hides_waiting = true;
    return true;
}

// DRAM's bytes over the useful ones: counted, or from its throughput; -1 when neither is known.
static double traffic_ratio(const struct findings *f)
{
    const struct value *read = &f->values[DRAM_READ_BYTES], *written = &f->values[DRAM_WRITE_BYTES];
    double useful = f->useful_bytes, gbs = found(f, DRAM_THROUGHPUT_GBS);
    if (value_known(read) && value_known(written))
        return (read->number + written->number) / useful;
    return gbs >= 0 && value_known(&f->time_ms) ? gbs * f->time_ms.number * 1e6 / useful : -1;
}

static bool moves_too_much(const struct findings *f, struct remedy *remedy)
{
    double ratio = traffic_ratio(f), share = found(f, DRAM_UTILIZATION);
    if (f->fits_in_l2 || 100 * ratio < MUCH_TRAFFIC || share < LOW_DRAM_UTILIZATION)
        return false;
    because(remedy, "DRAM moves %s times the useful bytes, at %s of its peak", NUMBER(ratio),
            PERCENT_OF(share));
    evidence(remedy, "dram_bytes_per_useful_byte", ratio);
    evidence(remedy, "dram_utilization", share);
    remedy->share = 1 - 1 / ratio;
    return true;
}

// With every request coalesced: what is left to ask the L2 for less is not for the counts to say.
static bool is_limited_by_l2(const struct findings *f, struct remedy *remedy)
{
    double busy = f->limits.busy[RESOURCE_L2];
    if (f->limits.limiter != LIMITER_L2 || is_low(f, GST_EFFICIENCY) || is_low(f, GLD_EFFICIENCY))
        return false;
    because(remedy, "it is busy %s of the time, with coalesced requests", PERCENT_OF(busy));
    evidence(remedy, "busy_l2", busy);
    remedy->left_of[RESOURCE_L2] = 0;
    return true;
}

static bool has_many_instructions(const struct findings *f, struct remedy *remedy)
{
    enum limiter limiter = f->limits.limiter;
    if (limiter != LIMITER_ISSUE && limiter != LIMITER_SHARED && limiter != LIMITER_GLOBAL)
        return false;
    double busy = limiter_busy(&f->limits);
    double each = f->values[INST_EXECUTED].number * WARP_SIZE / f->elements;
    because(remedy, "%s busy %s of the time, with %s instructions an element",
            limiter == LIMITER_ISSUE ? "issue slots are" : "the load/store unit is",
            PERCENT_OF(busy), NUMBER(each));
    evidence(remedy, "busy", busy);
    evidence(remedy, "instructions_per_element", each);
    remedy->left_of[RESOURCE_ISSUE] = remedy->left_of[RESOURCE_SHARED] =
        remedy->left_of[RESOURCE_GLOBAL] = remedy->left_of[RESOURCE_ARITHMETIC] = 0;
    return true;
}

static bool is_limited_by_arithmetic(const struct findings *f, struct remedy *remedy)
{
    char text[2][FORMAT_SIZE];
    double busy = f->limits.busy[RESOURCE_ARITHMETIC];
    double each = f->values[INST_EXECUTED].number * WARP_SIZE / f->elements;
    if (f->limits.limiter != LIMITER_ARITHMETIC)
        return false;
    because(remedy,
            "the units that compute are busy %s of the time, with %s instructions an element",
            percent_text(text[0], busy), number_text(text[1], each));
    evidence(remedy, "busy_arithmetic", busy);
    evidence(remedy, "instructions_per_element", each);
    remedy->left_of[RESOURCE_ARITHMETIC] = remedy->left_of[RESOURCE_ISSUE] = 0;
    return true;
}

static bool is_limited_by_atomics(const struct findings *f, struct remedy *remedy)
{
    char text[FORMAT_SIZE];
    double busy = f->limits.busy[RESOURCE_ATOMICS];
    if (f->limits.limiter != LIMITER_ATOMICS)
        return false;
    because(remedy, "%s of the time, the slice of the L2 that has them is busy",
            percent_text(text, busy));
    evidence(remedy, "busy_atomics", busy);
    remedy->left_of[RESOURCE_ATOMICS] = 0;
    return true;
}

// ---- Last resorts ----------------------------------------------------------------------------------

static bool has_no_counters(const struct findings *f, struct remedy *remedy)
{
    double share = f->share_of_copy;
    if (found(f, TOTAL_REPLAY_OVERHEAD) >= 0 || found(f, GST_EFFICIENCY) >= 0)
        return false;
    if (share >= 0)
        because(remedy, "%s of the device's own copy, and nothing was counted that would say why",
                PERCENT_OF(share));
    else
        because(remedy, "neither counts nor times are there");
    if (share >= 0)
        evidence(remedy, "share_of_copy", share);
    remedy->promises_nothing = true;
    return true;
}

// The bytes that a lane's instruction moves, of loads or stores, whichever are narrower.
static double bytes_a_lane(const struct findings *f)
{
    double each = 4 * f->elements_per_thread;
    for (int i = 0; f->traffic.known && i < 2; i++)
        each = fmin(each, 32 * f->traffic.least_sectors[i] / f->traffic.requests[i] / WARP_SIZE);
    return each;
}

static bool is_limited_by_dram(const struct findings *f, struct remedy *remedy)
{
    double busy = f->limits.busy[RESOURCE_DRAM], share = f->share_of_copy;
    if (f->limits.limiter != LIMITER_DRAM || share < 0 || busy < share + NOISE_OF_TIME ||
        bytes_a_lane(f) >= WIDE_ACCESS)
        return false;
    because(remedy,
            "DRAM is busy %s of the time for %s of the copy's bandwidth: it opens pages for few "
            "bytes each",
            PERCENT_OF(busy), PERCENT_OF(share));
    evidence(remedy, "busy_dram", busy);
    evidence(remedy, "share_of_copy", share);
    remedy->left_of[RESOURCE_DRAM] = 0;
    return true;
}

// Where 4 divides n, a shift of whole 16-byte words is not for the kernel to mend.
static bool has_misaligned_rows(const struct findings *f, struct remedy *remedy)
{
    double efficiency = fmin(found(f, GLD_EFFICIENCY), found(f, GST_EFFICIENCY));
    if (f->n % 4 == 0 || f->fits_in_l2 || room_of(f) == 0 || efficiency < 0 || efficiency >= ASTRAY)
        return false;
    because(remedy,
            "4 does not divide n = %zu, so rows start anywhere in a sector: of the bytes that an "
            "access moves, %s were asked for",
            f->n, PERCENT_OF(efficiency));
    evidence(remedy, "n", (double)f->n);
    evidence(remedy, "efficiency", efficiency);
    remedy->hides_waiting = true;
    return true;
}

// Little's law: at one latency, bandwidth and bytes in flight are proportional.
static bool has_few_bytes_in_flight(const struct findings *f, struct remedy *remedy)
{
    double share = f->share_of_copy, each = bytes_a_lane(f);
    bool waits = !has_limits(f) || f->limits.limiter == LIMITER_LATENCY;
    if (f->fits_in_l2 || !f->launched || room_of(f) == 0 || !waits || each >= WIDE_ACCESS)
        return false;
    if (share >= 0)
        because(remedy,
                "accesses are in order, but the device's own copy keeps %.2f times the bytes in "
                "flight; an instruction moves %s bytes a lane, a thread has %s elements",
                100 / share, NUMBER(each), NUMBER(f->elements_per_thread));
    else
        because(remedy, "accesses are in order, but an instruction moves %s bytes a lane at most",
                NUMBER(each));
    if (share >= 0)
        evidence(remedy, "share_of_copy", share);
    evidence(remedy, "bytes_per_lane", each);
    evidence(remedy, "elements_per_thread", f->elements_per_thread);
    remedy->hides_waiting = true;
    return true;
}

static bool lies_in_l2(const struct findings *f, struct remedy *remedy)
{
    if (!f->fits_in_l2)
        return false;
    because(remedy,
            "at n = %zu both matrices fit in the L2, and a launch is a good part of the time",
            f->n);
    evidence(remedy, "n", (double)f->n);
    remedy->promises_nothing = true;
    return true;
}

static bool is_unexplained(const struct findings *f, struct remedy *remedy)
{
    double share = f->share_of_copy;
    if (room_of(f) == 0)
        return false;
    because(remedy, "no count by itself keeps it at %s of %s",
            PERCENT_OF(share >= 0 ? share : 100 / room_of(f)),
            share >= 0 ? "the device's own copy" : "DRAM's peak");
    if (share >= 0)
        evidence(remedy, "share_of_copy", share);
    remedy->hides_waiting = true;
    return true;
}

static bool is_untimed(const struct findings *f, struct remedy *remedy)
{
    because(remedy, "accesses are in order and free of bank conflicts, but %s was not timed",
            value_known(&f->time_ms) ? "the device's own copy" : "it");
    return true;
}

// ---- The table: of rules that would save the same, the first comes first ----------------------------

const struct rule advice_rules[] = {
    {"small_matrix", "a small matrix", ALONE, is_small,
     "Measure at a larger n: at this one the figures say little.", "#the-roof", LIMITER_UNKNOWN},
    {"deploy", "the roof", ALONE, is_at_the_roof,
     "Little is left to win at this n: deploy it if that is the n you need, and look for what "
     "takes the program's time now. Steps after it, if any, are for other n and for the last few "
     "percent.",
     "#deploy", LIMITER_DRAM},
    {"serial", "one thread", ALONE, is_serial,
     "Give each column a thread of its own: they do not depend on each other.",
     "#step-2-one-thread-per-column", LIMITER_BLOCKS},
    {"few_threads", "too few threads", TO_PARALLELISE, has_few_threads,
     "Split the work finer, down to a thread for each element, in enough blocks for all SMs.",
     "#step-3-one-thread-per-element", LIMITER_BLOCKS},
    {"uncoalesced_stores", "uncoalesced stores", TO_OPTIMISE, stores_are_scattered,
     "Let neighbouring threads write neighbouring elements: turn tiles around in shared memory, "
     "where the order costs little.",
     "#coalescing", LIMITER_UNCOALESCED},
    {"uncoalesced_loads", "uncoalesced loads", TO_OPTIMISE, loads_are_scattered,
     "Let neighbouring threads read neighbouring elements: turn tiles around in shared memory, "
     "where the order costs little.",
     "#coalescing", LIMITER_UNCOALESCED},
    {"split_requests", "requests of many lines", TO_OPTIMISE, splits_requests,
     "Let a warp's lanes cover whole lines of 128 bytes: wider tiles.", "#coalescing",
     LIMITER_UNCOALESCED},
    {"bank_conflicts", "bank conflicts", TO_OPTIMISE, has_bank_conflicts,
     "Let the lanes of a request meet in 32 different banks: pad the tile's rows by one "
     "element, or swizzle them where accesses are of 16 bytes.",
     "#bank-conflicts", LIMITER_BANK_CONFLICTS},
    {"small_blocks", "block launches", TO_OPTIMISE, has_small_blocks,
     "Give each block more elements, so that there are fewer to start.", "#barriers-and-block-size",
     LIMITER_LAUNCH},
    {"large_blocks", "large blocks at barriers", TO_OPTIMISE, has_large_blocks,
     "Take blocks of 256 threads or fewer, with several elements a thread that are all loaded "
     "before the barrier.",
     "#barriers-and-block-size", LIMITER_LATENCY},
    {"spills", "local memory", TO_OPTIMISE, has_spills,
     "Keep fewer values in a thread at a time, or let it have more registers "
     "(__launch_bounds__, --maxrregcount).",
     "#occupancy", LIMITER_UNKNOWN},
    {"divergence", "divergent branches", TO_OPTIMISE, diverges,
     "Let whole warps go the same way: branch on what all lanes of a warp share.", NULL,
     LIMITER_UNKNOWN},
    {"low_occupancy", "low occupancy", TO_OPTIMISE, has_low_occupancy,
     "Use less of that in each block, or give each thread more independent loads; `./run "
     "occupancy` shows what would help.",
     "#occupancy", LIMITER_LATENCY},
    {"redundant_traffic", "redundant DRAM traffic", TO_OPTIMISE, moves_too_much,
     "Use all of a sector while it is in the caches: threads that share it should run at the same "
     "time.",
     "#the-roof", LIMITER_DRAM},
    {"l2", "L2 bandwidth", TO_OPTIMISE, is_limited_by_l2,
     "Ask it for fewer sectors: keep what is used twice in registers or shared memory.",
     "#the-roof", LIMITER_L2},
    {"instructions", "instruction issue", TO_OPTIMISE, has_many_instructions,
     "Do more with each instruction: 16-byte accesses, several elements a thread, simpler indices.",
     "#step-6-16-bytes-an-access", LIMITER_ISSUE},
    {"arithmetic", "arithmetic", TO_OPTIMISE, is_limited_by_arithmetic,
     "Compute less: a formula of fewer operations, or what several elements have in common once "
     "for all of them.",
     NULL, LIMITER_ARITHMETIC},
    {"atomics", "atomics on the same 256 B", TO_OPTIMISE, is_limited_by_atomics,
     "Let each thread or block count for itself, in registers or shared memory, and add what it "
     "has to the words that all share once.",
     NULL, LIMITER_ATOMICS},
    {"no_counters", "not counted", LAST_RESORT, has_no_counters,
     "`./run --sim` counts every access of the same kernel on a simulated device.", "#the-roof",
     LIMITER_UNKNOWN},
    {"misaligned_rows", "rows that start anywhere", LAST_RESORT, has_misaligned_rows,
     "Move each row in memory's own 16-byte words, wherever in one it starts.",
     "#step-8-any-n-at-full-width", LIMITER_UNCOALESCED},
    {"dram_order", "the order of DRAM's bytes", LAST_RESORT, is_limited_by_dram,
     "Let each block read and write longer runs of a row: wider tiles, 16-byte accesses, several "
     "of them in flight; then let blocks that run together fill whole rows.",
     "#the-order-of-drams-bytes", LIMITER_DRAM},
    {"bytes_in_flight", "too few bytes in flight", LAST_RESORT, has_few_bytes_in_flight,
     "16-byte accesses, and several independent loads in each thread before its first store.",
     "#step-6-16-bytes-an-access", LIMITER_LATENCY},
    {"fits_in_l2", "a matrix in the L2", LAST_RESORT, lies_in_l2,
     "Judge it at a larger n, where DRAM counts.", "#the-roof", LIMITER_UNKNOWN},
    {"unexplained", "nothing that is counted", LAST_RESORT, is_unexplained,
     "Let blocks that run together write whole rows, if they do not yet; `./run sweep` tries other "
     "geometries and sizes.",
     "#the-order-of-drams-bytes", LIMITER_DRAM},
    {"untimed", "nothing that is counted", LAST_RESORT, is_untimed,
     "Time it, on a GPU or with the timing model: how near it comes to the device's own copy "
     "decides.",
     "#the-roof", LIMITER_UNKNOWN},
};

const int advice_rule_count = sizeof advice_rules / sizeof *advice_rules;
_Static_assert(sizeof advice_rules / sizeof *advice_rules <= MAX_ADVICE,
               "every rule can fire at once");
