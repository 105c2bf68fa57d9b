// What the race checker makes of blocks that run side by side: whether they are independent, in whatever
// order they come, and in whichever of the two shadows.
#include <string.h>

#include "sim/check/races.h"

#include "suites.h"

enum { THREADS = 32, MOST = 3, SEQUENCES = 3 + 9 + 27 };

static struct function kernel;
static struct launch launch = {
    .kernel = &kernel, .threads_per_block = THREADS, .warps_per_block = 1, .is_shared_out = 1};
static struct warp warps[2];
static struct block blocks[2];

// One word, its bytes, and their intervals.
struct word {
    uint32_t owner, byte_owner[4];
    uint16_t interval, byte_interval[4];
};

static const enum access_kind kinds[] = {ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC};

// What a block does to the word, one access after the other.
struct sequence {
    enum access_kind access[MOST];
    int length;
};

static struct sequence sequence(int number)
{
    struct sequence s = {.length = 1};
    for (int count = 3; number >= count; count *= 3, s.length++)
        number -= count;
    for (int i = 0; i < s.length; i++, number /= 3)
        s.access[i] = kinds[number % 3];
    return s;
}

static void open_blocks(void)
{
    for (int i = 0; i < 2; i++) {
        blocks[i] = (struct block){.launch = &launch, .number = (uint64_t)i, .warps = &warps[i]};
        memset(&warps[i], 0, sizeof warps[i]);
        warps[i].block = &blocks[i];
    }
}

// Returns whether the access met another block's.
static int enter(struct word *word, int block, enum access_kind kind, unsigned bytes, int is_mine)
{
    const struct shadow shadow = {.owner = &word->owner,
                                  .interval = &word->interval,
                                  .byte_owner = word->byte_owner,
                                  .byte_interval = word->byte_interval};
    struct race race = race_check(&warps[block], 0, kind, 0, is_mine, 0, bytes, &shadow);
    ck_assert(!race.is_race);
    return race.is_dependent;
}

// The two sequences in an order: bit i of `order` says whose the i-th access is.
static int meet(const struct sequence s[2], unsigned order, unsigned bytes, int is_mine)
{
    struct word word = {0};
    int at[2] = {0, 0}, met = 0;
    for (int i = 0; i < s[0].length + s[1].length && !met; i++) {
        int block = order >> i & 1;
        met = enter(&word, block, s[block].access[at[block]++], bytes, is_mine);
    }
    return met;
}

// The same where each block enters its own in a shadow of its own.
static int meet_apart(const struct sequence s[2])
{
    struct word words[2] = {{0}, {0}};
    for (int block = 0; block < 2; block++)
        for (int i = 0; i < s[block].length; i++)
            ck_assert(!enter(&words[block], block, s[block].access[i], WORD_WRITTEN, 1));
    return !owners_agree(words[0].owner, words[1].owner);
}

static int is_only(const struct sequence s[2], enum access_kind kind)
{
    int others = 0;
    for (int block = 0; block < 2; block++)
        for (int i = 0; i < s[block].length; i++)
            others += s[block].access[i] != kind;
    return !others;
}

static void assert_met_in_any_order(const struct sequence s[2])
{
    int expected = !is_only(s, ACCESS_LOAD) && !is_only(s, ACCESS_ATOMIC);
    ck_assert_int_eq(meet_apart(s), expected);
    for (unsigned order = 0; order < 1u << (s[0].length + s[1].length); order++) {
        if (__builtin_popcount(order) != s[1].length)
            continue;
        for (int is_mine = 0; is_mine < 2; is_mine++) {
            ck_assert_int_eq(meet(s, order, WORD_WRITTEN, is_mine), expected);
            ck_assert_int_eq(meet(s, order, 2, is_mine), expected);
        }
    }
}

PROGRAM(sim_races)

TEST(no_order_hides_that_blocks_meet, .times = SEQUENCES)
{
    open_blocks();
    for (int other = 0; other < SEQUENCES; other++)
        assert_met_in_any_order((struct sequence[2]){sequence(_i), sequence(other)});
}

TEST(bytes_of_a_word_do_not_meet, .times = 3)
{
    open_blocks();
    struct word word = {0};
    ck_assert(!enter(&word, 0, kinds[_i], 1, 0));
    ck_assert(!enter(&word, 1, kinds[_i], 2, 0));
    ck_assert(!enter(&word, 0, kinds[_i], 1, 0));
    ck_assert_int_eq(enter(&word, 1, ACCESS_STORE, WORD_WRITTEN, 0), 1);
}
