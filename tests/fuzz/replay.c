// A fuzzer's target without libFuzzer: takes each input of the corpus as it is, cut short, and damaged in
// ways that are the same each time. CORPUS is their folder; the sanitizers end the process at what they find.
#include <check.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MAX_INPUT = 1 << 17, CUTS = 256, DAMAGED = 1500, MAX_HURT = 6 };

static glob_t inputs;

// The target gets a copy of its own, of exactly that size.
static void take(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    ck_assert_int_eq(LLVMFuzzerTestOneInput(copy, size), 0);
    free(copy);
}

static size_t read_input(const char *path, uint8_t *bytes)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file, "%s cannot be opened", path);
    size_t size = fread(bytes, 1, MAX_INPUT, file);
    ck_assert_msg(!ferror(file) && size > 0 && size < MAX_INPUT, "%s cannot be read", path);
    fclose(file);
    return size;
}

// Bytes that are wrong, or of another place.
static void hurt(uint8_t *bytes, size_t size)
{
    static const uint8_t extremes[] = {0, 1, 0x7f, 0x80, 0xff, '"', '{', '}', '[', '-', '9'};
    for (int i = rand() % MAX_HURT; i >= 0; i--) {
        size_t at = (size_t)rand() % size, from = (size_t)rand() % size;
        size_t most = size - (at > from ? at : from), length = most < 16 ? most : 16;
        switch (rand() % 3) {
        case 0:
            bytes[at] = extremes[(size_t)rand() % sizeof extremes];
            break;
        case 1:
            bytes[at] ^= (uint8_t)(1 << rand() % 8);
            break;
        default:
            memmove(bytes + at, bytes + from, length);
        }
    }
}

START_TEST(damage_is_harmless)
{
    static uint8_t whole[MAX_INPUT], damaged[MAX_INPUT];
    size_t size = read_input(inputs.gl_pathv[_i], whole);
    take(whole, size);
    for (size_t cut = 0; cut < CUTS; cut++)
        take(whole, size * cut / CUTS);
    for (size_t cut = 0; cut < CUTS && cut < size; cut++)
        take(whole, cut);
    srand(1);
    for (int i = 0; i < DAMAGED; i++) {
        memcpy(damaged, whole, size);
        hurt(damaged, size);
        take(damaged, size);
    }
}
END_TEST

int main(void)
{
    if (glob(CORPUS "/*", 0, NULL, &inputs) != 0) {
        fprintf(stderr, CORPUS " has no inputs\n");
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create(TARGET " of damaged input");
    TCase *tests = tcase_create("damaged");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, damage_is_harmless, 0, (int)inputs.gl_pathc);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    globfree(&inputs);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
