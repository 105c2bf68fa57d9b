// The Makefile as attendees use it, in a copy of the sources.
#define _GNU_SOURCE // mkdtemp
#include "suites.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static char copy[] = "/tmp/apodkit-build-XXXXXX";

static void make_copy(void)
{
    ck_assert_ptr_nonnull(mkdtemp(copy));
    // With what is built already, so that only what a test changes is built again.
    struct printed printed = type("cp -a --parents Makefile steps src cupti build/gpu "
                                  "build/sim/nvcc build/sim/nvcc-*/steps %s",
                                  copy);
    ck_assert_int_eq(printed.status, 0);
    printed_free(&printed);
}

static void remove_copy(void)
{
    struct printed printed = type("rm -rf %s", copy);
    printed_free(&printed);
}

// Types `make ARGUMENTS` in the copy.
static struct printed make(const char *arguments)
{
    return type("cd %s && make %s", copy, arguments);
}

static void assert_made(const char *arguments)
{
    struct printed printed = make(arguments);
    ck_assert_msg(printed.status == 0, "make %s:\n%s%s", arguments, printed.out, printed.err);
    printed_free(&printed);
}

static void assert_steps(const char *list)
{
    struct printed printed = type("%s/run 99", copy);
    ck_assert_int_eq(printed.status, 2);
    assert_contains(printed.err, list);
    printed_free(&printed);
}

START_TEST(a_broken_later_step_hinders_nobody)
{
    struct printed printed = type("echo 'this is not CUDA' > %s/steps/step4_shared_tile.cu", copy);
    printed_free(&printed);
    assert_made("step3");
    assert_steps("This program has steps 1, 2, 3.");
    printed = make("");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "step4_shared_tile.cu");
    printed_free(&printed);

    assert_made("step2");
    assert_steps("This program has steps 1, 2.");
}
END_TEST

// As a full disk leaves them, or a compiler for another machine.
START_TEST(a_damaged_object_file_is_named)
{
    static const struct {
        const char *command, *message;
    } ways[] = {{": >", "step4_shared_tile.o is empty: type `make clean && make`"},
                {"echo hello >", "could not be linked. If an object file above"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct printed printed =
            type("cd %s && %s build/gpu/steps/step4_shared_tile.o", copy, ways[i].command);
        printed_free(&printed);
        printed = make("run");
        ck_assert_int_ne(printed.status, 0);
        assert_contains(printed.err, ways[i].message);
        assert_contains(printed.err, "build/gpu/steps/step4_shared_tile.o");
        printed_free(&printed);
    }
    struct printed printed = type("rm %s/build/gpu/steps/step4_shared_tile.o", copy);
    printed_free(&printed);
    assert_made("run");
}
END_TEST

START_TEST(a_dropped_in_step_is_found)
{
    struct printed printed =
        type("cd %s/steps && sed 's/STEP(1,/STEP(12,/; s/transpose_serial/mine/' step1_serial.cu > "
             "step12_mine.cu && "
             "rm step[3-8]*",
             copy);
    printed_free(&printed);
    assert_made("");
    assert_steps("This program has steps 1, 2, 12.");
    printed = make("help");
    assert_contains(printed.out, "step1 step2 step12");
    printed_free(&printed);
    assert_made("step12");
    printed = make("step3");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "There is no step3");
    printed_free(&printed);
}
END_TEST

START_TEST(geometry_is_checked_by_the_compiler)
{
    struct printed printed = make("TILE=24 ROWS=7 build/gpu/steps/step5_padded_tile.o");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "ROWS must divide TILE");
    printed_free(&printed);
    printed = make("TILE=64 ROWS=8 build/gpu/steps/step4_shared_tile.o");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "TILE must be 1..32");
    printed_free(&printed);
    assert_made("TILE=16 ROWS=8 build/gpu/steps/step5_padded_tile.o");
}
END_TEST

// What is rebuilt: nothing when nothing changed, a step when it, its header or TILE changed.
START_TEST(dependencies_are_tracked)
{
    assert_made("step1");
    struct printed printed = make("step1");
    ck_assert_ptr_null(strstr(printed.out, "  CC    "));
    ck_assert_ptr_null(strstr(printed.out, "  NVCC  "));
    ck_assert_ptr_null(strstr(printed.out, "  LINK  "));
    printed_free(&printed);
    printed = type("touch %s/steps/step.h", copy);
    printed_free(&printed);
    printed = make("step1");
    assert_contains(printed.out, "NVCC  steps/step1_serial.cu");
    assert_contains(printed.out, "CC    src/facts/steps.c");
    ck_assert_ptr_null(strstr(printed.out, "src/facts/format.c"));
    printed_free(&printed);
    printed = make("TILE=16 step1");
    assert_contains(printed.out, "NVCC  steps/step1_serial.cu");
    printed_free(&printed);
}
END_TEST

START_TEST(without_the_json_library_the_rest_works)
{
    struct printed printed = make("CJSON= step1");
    ck_assert_int_eq(printed.status, 0);
    assert_contains(printed.out, "building without --json");
    printed_free(&printed);
    printed = type("%s/run --json x.json", copy);
    ck_assert_int_eq(printed.status, 2);
    assert_contains(printed.err, "libcjson-dev");
    printed_free(&printed);
    printed = type("%s/run --version", copy);
    ck_assert_int_eq(printed.status, 0);
    printed_free(&printed);
}
END_TEST

START_TEST(without_cupti_the_rest_works)
{
    struct printed printed = make("CUPTI= step1");
    ck_assert_int_eq(printed.status, 0);
    assert_contains(printed.out, "building without counters");
    printed_free(&printed);
    printed = type("%s/run metrics --chip GH100", copy);
    ck_assert_int_eq(printed.status, 2);
    assert_contains(printed.err, "has no CUPTI");
    printed_free(&printed);
    printed = type("%s/run metrics", copy);
    ck_assert_int_eq(printed.status, 0);
    assert_contains(printed.out, "gld_efficiency");
    printed_free(&printed);
}
END_TEST

START_TEST(without_a_toolkit_clang_will_do)
{
    struct printed printed = make("NVCC= step3");
    ck_assert_msg(printed.status == 0, "%s", printed.err);
    assert_contains(printed.out, "for the simulated device alone");
    printed_free(&printed);
    printed = type("%s/run 3 -n 100 --summary", copy);
    ck_assert_msg(printed.status == 0, "%s", printed.err);
    assert_contains(printed.out, "Simulated device");
    assert_contains(printed.out, "1 of 1 step verified");
    printed_free(&printed);
}
END_TEST

START_TEST(with_neither_toolkit_nor_clang_there_is_advice)
{
    struct printed printed = make("NVCC= CLANG=/nonexistent/clang step1");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "CUDA_HOME");
    printed_free(&printed);
}
END_TEST

Suite *suite_build(void)
{
    Suite *suite = suite_create("build");
    TCase *tcase = tcase_create("build");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, make_copy, remove_copy);
    tcase_add_test(tcase, a_broken_later_step_hinders_nobody);
    tcase_add_test(tcase, a_damaged_object_file_is_named);
    tcase_add_test(tcase, a_dropped_in_step_is_found);
    tcase_add_test(tcase, geometry_is_checked_by_the_compiler);
    tcase_add_test(tcase, dependencies_are_tracked);
    tcase_add_test(tcase, without_the_json_library_the_rest_works);
    tcase_add_test(tcase, without_cupti_the_rest_works);
    tcase_add_test(tcase, without_a_toolkit_clang_will_do);
    tcase_add_test(tcase, with_neither_toolkit_nor_clang_there_is_advice);
    suite_add_tcase(suite, tcase);
    return suite;
}
