// What several suites need: commands as a user types them, golden files, a run to report on.
#ifndef SUPPORT_H
#define SUPPORT_H

#include "base/programs.h"
#include "base/source_file.h"
#include "base/style.h"
#include "facts/run.h"

#include <check.h>
#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdio.h>

// CUPTI comes with an nvcc that knows the simulated devices' architectures.
#ifdef WITH_CUPTI
enum { WITH_MACHINE_CODE = 1 };
#else
enum { WITH_MACHINE_CODE = 0 };
#endif

// A command's exit status (128 + the signal, if one ended it) and what it printed.
struct printed {
    int status;
    char *out, *err; // kept to the end of the program
};

// Runs the printf-style command in a shell, without standard input. Fails the test when it cannot.
__attribute__((format(printf, 1, 2))) struct printed type(const char *format, ...);

// The same, and fails the test unless the command ends with that exit status, or well.
__attribute__((format(printf, 2, 3))) struct printed type_to(int status, const char *format, ...);
#define type_well(...) type_to(0, __VA_ARGS__)

// The same on a terminal of so many columns (0: it does not say), where the keys are typed at the first question. All
// that it shows is in `out`.
struct printed type_on_terminal(const char *command, unsigned short columns, const char *keys);

// A folder of the test's own, which APODKIT_RESULTS names: made before a test and removed behind it (.set_up, .tear_down).
extern char folder[32];
void make_folder(void);
void remove_folder(void);

// Why tests of a GPU cannot be run here; NULL: they can.
const char *without_gpu(void);

// Like ck_assert(), for inner loops: Check notes every assertion's place, which takes its time.
#define ASSERT_QUICK_MSG(condition, ...)                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg(__VA_ARGS__);                                                             \
    } while (0)
#define ASSERT_QUICK(condition) ASSERT_QUICK_MSG(condition, "%s is not true", #condition)

// Fails the test unless `text` contains each of the parts behind it.
void assert_contains_all(const char *text, const char *const parts[]);
#define assert_contains(text, ...)                                                                 \
    assert_contains_all(text, (const char *const[]){__VA_ARGS__, NULL})

// How often the part is in the text.
int count_of(const char *text, const char *part);

// Fails the test unless `text` is what tests/golden/NAME holds. With UPDATE_GOLDEN set in the
// environment, the file is written instead.
void assert_golden(const char *text, const char *name);

// Fails the test unless the command is refused as a usage error: nothing on standard output, and on standard
// error `said` and `help`, what to type for more.
void assert_usage_error(const char *command, const char *said, const char *help);

// The same for each of `count` cases: what stands behind `run` in the command, and what is said of it.
void assert_usage_errors(const char *run, const char *const cases[][2], size_t count,
                         const char *help);
#define ASSERT_USAGE_ERRORS(run, cases, help)                                                      \
    assert_usage_errors(run, cases, sizeof cases / sizeof *cases, help)

// The styles that pages are printed in: on a terminal, into a pipe, and where the locale has ASCII alone.
extern const struct style style_terminal, style_pipe, style_ascii;

// Fails the test unless the page is what such a style allows, in lines of at most 120 columns without blanks at their
// ends; and where `golden` is not NULL, what that file holds (assert_golden()).
void assert_page(const char *page, struct style style, const char *golden);

// What is in JSON at a path of keys and places, printf-style: "steps/0/provenance/%s"; or a run's step, at a place or
// of a number. Each fails the test when it is not there, or of another kind.
#define JSON_PATH __attribute__((format(printf, 2, 3)))
JSON_PATH const cJSON *json_member(const cJSON *object, const char *path, ...);
JSON_PATH double json_number(const cJSON *object, const char *path, ...);
JSON_PATH const char *json_string(const cJSON *object, const char *path, ...);
const cJSON *json_step(const cJSON *run, int place);
const cJSON *step_numbered(const cJSON *run, int number);

// The samples of a step or of a line, as ./run stalls writes them, for a reason, or all (NULL).
double samples_of(const cJSON *object, const char *reason);

// What follows is kept to the end of the program, where no test frees it. Any memory; fails the test when there is none.
void *keep(void *memory);

// A whole file as a string. Fails the test when it cannot be read.
char *read_file(const char *name);

// A text that is written as to a file, one at a time: begins it, and ends it.
FILE *text_begin(void);
char *text_end(FILE *file);

// What the text holds, or a command that ends well prints. Fails the test unless that is JSON and nothing behind it.
cJSON *read_json(const char *text);
#define type_json(...) read_json(type_well(__VA_ARGS__).out)

// A run of the steps in the program at n = 8192, with figures like those of an NVIDIA H200.
void sample_run(struct run *run);

// The source that the recorded samples and counts are of, taken to be in that state, whenever it was checked out.
struct source_file sample_source(enum source_state state);

// The run by way of its JSON, kept too. Fails the test when it cannot be written or read.
struct run *written_and_read(const struct run *run);

#endif
