// Reading the ranges of a sweep: what is typed, and properties over random ranges and random text.
#include "base/range.h"
#include "suites.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 20, ROUNDS = 20000 };

static void assert_values(const char *text, int count, const size_t *values)
{
    struct range range;
    char why[RANGE_WHY_SIZE] = "";
    ck_assert_msg(range_parse(text, 1, MOST, &range, why), "%s: %s", text, why);
    ck_assert_msg(range.count == count, "%s has %d values", text, range.count);
    for (int i = 0; i < count; i++)
        ck_assert_uint_eq(range.values[i], values[i]);
}

#define VALUES(...)                                                                                \
    sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t), (const size_t[])                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

SUITE(range)

TEST(the_forms)
{
    assert_values("1000,2000,4000", VALUES(1000, 2000, 4000));
    assert_values("1024:16384:*2", VALUES(1024, 2048, 4096, 8192, 16384));
    assert_values("1024:16384:x2", VALUES(1024, 2048, 4096, 8192, 16384));
    assert_values("1000:5000:+1000", VALUES(1000, 2000, 3000, 4000, 5000));
    assert_values("1000:1999:*2", VALUES(1000));
    assert_values("7:7:+1", VALUES(7));
    assert_values("1:1048576:*1024", VALUES(1, 1024, 1048576));
    assert_values("4096,1:4:+1,3,100:1000:*10", VALUES(4096, 1, 2, 3, 4, 100, 1000));
}

TEST(mistakes_are_told)
{
    static const char *const mistakes[][2] = {
        {"", "a whole number is expected at ''"},
        {"1024,", "a whole number is expected at ''"},
        {",1024", "a whole number is expected at ',1024'"},
        {"-5", "a whole number is expected at '-5'"},
        {"+5", "a whole number is expected at '+5'"},
        {"1e3", "a comma or the end is expected at 'e3'"},
        {"10 20", "a comma or the end is expected at ' 20'"},
        {"0", "0 is not from 1 to 1048576"},
        {"1048577", "1048577 is not from 1 to 1048576"},
        {"99999999999999999999999", "is too large a number"},
        {"1024:16384", "1024:16384 needs a step behind it, as in 1024:16384:*2"},
        {"1024:16384:", "1024:16384 needs a step behind it"},
        {"1024:16384:2", "1024:16384 needs a step behind it"},
        {"1024:16384:*", "a whole number is expected at ''"},
        {"1024:16384:/2", "1024:16384 needs a step behind it"},
        {"16384:1024:*2", "16384:1024 goes down"},
        {"1024:16384:*1", "*1 gets nowhere"},
        {"1024:16384:*0", "*0 gets nowhere"},
        {"1024:16384:+0", "+0 gets nowhere"},
        {"0:16:*2", "0 is not from 1"},
        {"1:1000:+1", "there are more than 200 values"},
        {"1024:2097152:*2", "2097152 is not from 1"},
        {"1024:4096:*2:", "a comma or the end is expected at ':'"}};
    struct range range;
    char why[RANGE_WHY_SIZE];
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        *why = '\0';
        ck_assert_msg(!range_parse(mistakes[i][0], 1, MOST, &range, why), "%s", mistakes[i][0]);
        assert_contains(why, mistakes[i][1]);
    }
}

// A progression starts at its first end, goes on by its step, and stops only where the next value would
// be beyond the other end.
TEST(progressions_have_what_they_say)
{
    srand(1);
    for (int round = 0; round < ROUNDS; round++) {
        size_t first = 1 + (size_t)rand() % 5000, last = first + (size_t)rand() % 100000;
        bool times = rand() % 2;
        size_t by = times ? 2 + (size_t)rand() % 9 : (last - first) / 150 + 1 + (size_t)rand() % 99;
        char text[80], why[RANGE_WHY_SIZE];
        snprintf(text, sizeof text, "%zu:%zu:%c%zu", first, last, times ? '*' : '+', by);
        struct range range;
        ASSERT_QUICK(range_parse(text, 1, MOST, &range, why));
        ASSERT_QUICK(range.count >= 1 && range.values[0] == first);
        for (int i = 0; i < range.count; i++) {
            size_t next = times ? range.values[i] * by : range.values[i] + by;
            if (i + 1 < range.count)
                ASSERT_QUICK(range.values[i + 1] == next);
            else
                ASSERT_QUICK(range.values[i] <= last && next > last);
        }
    }
}

// Whatever is typed: values within the limits, each once; or a reason.
TEST(any_text_is_read_or_refused)
{
    static const char signs[] = "0123456789::**++xx,,, -";
    srand(2);
    int good = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char text[16], why[RANGE_WHY_SIZE] = "";
        int length = rand() % (int)(sizeof text);
        for (int i = 0; i < length; i++)
            text[i] = signs[(size_t)rand() % (sizeof signs - 1)];
        text[length] = '\0';
        struct range range;
        if (!range_parse(text, 1, MOST, &range, why)) {
            ASSERT_QUICK(*why != '\0');
            continue;
        }
        good++;
        ASSERT_QUICK(range.count >= 1 && range.count <= MAX_RANGE);
        for (int i = 0; i < range.count; i++) {
            ASSERT_QUICK(range.values[i] >= 1 && range.values[i] <= MOST);
            for (int j = 0; j < i; j++)
                ASSERT_QUICK(range.values[i] != range.values[j]);
        }
    }
    ck_assert_int_gt(good, 100); // else nothing was tested
}
