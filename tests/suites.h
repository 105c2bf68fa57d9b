// Tests where they stand: SUITE() begins a suite, CASE() those of its tests that have fixtures or a time limit of their
// own, and TEST() is one. All register themselves before main().
//
//   SUITE(docs, .seconds = 300)
//   TEST(mistakes_are_found, .times = MISTAKES)
//   {
//       ... mistakes[_i] ...
//   }
#ifndef SUITES_H
#define SUITES_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test_entry {
    int line;
    // Of a suite: its name; why it cannot be run here (NULL, or it returns NULL: it can); whether it uses a GPU.
    const char *suite;
    const char *(*why_not)(void);
    bool uses_gpu;
    // The case, for CK_RUN_CASE: the suite's name where none is said; that of a test is for itself.
    const char *in_case;
    // Of a suite or a case: the time limit of a test (0: Check's own), what runs before and after each.
    int seconds;
    SFun set_up, tear_down;
    // Of a test: _i is `first` and so on, `times` in all (0: once); the exit status that it ends with; why it is
    // skipped (NULL: it is not).
    const TTest *test;
    int first, times, exits;
    const char *skipped;
};

// Those of this file, by their lines.
enum { MAX_ENTRIES = 120 };
static struct test_entry test_entries[MAX_ENTRIES];
static int test_entry_count;

static inline void test_enter(struct test_entry entry)
{
    if (test_entry_count == MAX_ENTRIES)
        abort();
    int i = test_entry_count++;
    for (; i > 0 && test_entries[i - 1].line > entry.line; i--)
        test_entries[i] = test_entries[i - 1];
    test_entries[i] = entry;
}

static inline int times_of(const struct test_entry *entry)
{
    return entry->times ? entry->times : 1;
}

static inline bool is_skipped_for(const struct test_entry *entry, const char *why)
{
    return entry->test && entry->skipped && strcmp(entry->skipped, why) == 0;
}

// Names the tests from `entry` to `end` that are skipped as this one is, and forgets why. Returns how many they are.
static inline int name_skipped(struct test_entry *entry, const struct test_entry *end,
                               const char *suite)
{
    int count = 0;
    const char *why = entry->skipped;
    for (struct test_entry *e = entry; *why && e < end; e++)
        count += is_skipped_for(e, why) ? times_of(e) : 0;
    if (count)
        printf("Skipped %d test%s of %s, because %s:", count, count > 1 ? "s" : "", suite, why);
    for (struct test_entry *e = entry; count && e < end; e++)
        if (is_skipped_for(e, why)) {
            printf(" %s", e->test->name);
            e->skipped = "";
        }
    if (count)
        putchar('\n');
    return count;
}

static inline TCase *make_case(Suite *suite, const char *name, const struct test_entry *as)
{
    TCase *tcase = tcase_create(name);
    if (as->seconds)
        tcase_set_timeout(tcase, as->seconds);
    tcase_add_checked_fixture(tcase, as->set_up, as->tear_down);
    suite_add_tcase(suite, tcase);
    return tcase;
}

// Makes the suite of that name, without the tests that are skipped, which it names and counts.
static inline Suite *make_suite(const char *name, int *skipped)
{
    Suite *suite = suite_create(name);
    TCase *tcase = NULL;
    struct test_entry *first = test_entries, *begun = NULL;
    while (!first->suite || strcmp(first->suite, name) != 0)
        first++;
    const struct test_entry *end = first + 1, *last = test_entries + test_entry_count;
    while (end < last && !end->suite)
        end++;
    const char *why = first->why_not ? first->why_not() : NULL;
    for (struct test_entry *e = first; why && e < end; e++)
        e->skipped = why;
    for (struct test_entry *e = first; e < end; e++) {
        if (!e->test) {
            begun = e;
            tcase = make_case(suite, e->in_case, e);
        } else if (!e->skipped) {
            tcase_add_loop_exit_test(e->in_case ? make_case(suite, e->in_case, begun) : tcase,
                                     e->test, e->exits, e->first, e->first + times_of(e));
        } else {
            *skipped += name_skipped(e, end, name);
        }
    }
    return suite;
}

// Runs the suite of that name. Returns the program's exit status.
static inline int run_suite(const char *name)
{
    int skipped = 0;
    SRunner *runner = srunner_create(make_suite(name, &skipped));
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

// Tells main.c of a suite that CK_RUN_SUITE may name.
void suite_register(const struct test_entry *suite, Suite *(*make)(const char *name, int *skipped));

#define SUITE_OF_ITS_OWN(name, ...)                                                                \
    __attribute__((constructor)) static void begin_##name(void)                                    \
    {                                                                                              \
        test_enter(                                                                                \
            (struct test_entry){.line = __LINE__, .suite = #name, .in_case = #name, __VA_ARGS__}); \
    }

#define SUITE(name, ...)                                                                           \
    SUITE_OF_ITS_OWN(name, __VA_ARGS__)                                                            \
    __attribute__((constructor)) static void register_##name(void)                                 \
    {                                                                                              \
        static const struct test_entry begins = {.suite = #name, __VA_ARGS__};                     \
        suite_register(&begins, make_suite);                                                       \
    }

// The only suite of a program.
#define PROGRAM(name, ...)                                                                         \
    SUITE_OF_ITS_OWN(name, __VA_ARGS__)                                                            \
    int main(void)                                                                                 \
    {                                                                                              \
        return run_suite(#name);                                                                   \
    }

#define CASE(name, ...)                                                                            \
    __attribute__((constructor)) static void case_##name(void)                                     \
    {                                                                                              \
        test_enter((struct test_entry){.line = __LINE__, .in_case = #name, __VA_ARGS__});          \
    }

#define TEST(name, ...)                                                                            \
    static void name(int _i);                                                                      \
    __attribute__((constructor)) static void enter_##name(void)                                    \
    {                                                                                              \
        static const TTest test = {#name, name, __FILE__, __LINE__};                               \
        test_enter((struct test_entry){.line = __LINE__, .test = &test, __VA_ARGS__});             \
    }                                                                                              \
    static void name(int _i __attribute__((unused)))

// One that is not built here.
#define NO_TEST(test_name, why)                                                                    \
    __attribute__((constructor)) static void enter_##test_name(void)                               \
    {                                                                                              \
        static const TTest test = {.name = #test_name};                                            \
        test_enter((struct test_entry){.line = __LINE__, .test = &test, .skipped = why});          \
    }

// Of a call of CUDA's.
#define SUCCEEDS(call) ck_assert_int_eq(call, cudaSuccess)

#endif
