// The exercises: what is judged and what is said. The programs build/sim/started, solved and solution_* are made for
// this suite (make exercise-programs).
#include "advice/exercise_goals.h"
#include "schema.h"
#include "show/report.h"
#include "suites.h"
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- The judgement, of a sample run whose fourth step is an exercise -----------------------------

static void no_launch(float *out, const float *in, size_t n)
{
    (void)out;
    (void)in;
    (void)n;
}

static const struct goal goals[] = {{"gst_efficiency", AT_LEAST, 100},
                                    {"shared_replay_overhead", AT_MOST, 10}};
static const struct step exercise = {4, OPTIMISE, "my/step4.cu", "mine", "mine", no_launch, goals,
                                     2, NULL,     NULL,          {0},    NULL,   NULL};

// Check gives each test a process of its own, so that the step is an exercise there alone.
static struct run run;
static struct step_result *yours, *reference;
static struct exercise_result result;

static void make_run(void)
{
    step_register(&exercise);
    sample_run(&run);
    yours = &run.steps[3];
    reference = &run.steps[run.count + run.reference_count++];
    *reference = *yours;
    reference->reference = true;
}

static void set(struct step_result *result, double gbs, double store, double replay)
{
    result->values[BANDWIDTH_GBS] = value_of(gbs, MEASURED);
    result->values[GST_EFFICIENCY] = value_of(store, MEASURED);
    result->values[SHARED_REPLAY_OVERHEAD] = value_of(replay, MEASURED);
}

static enum judgement judged(void)
{
    ck_assert(judge_exercise(&run, 3, &result));
    ck_assert_ptr_eq(result.reference, reference);
    ck_assert_int_eq(result.count, 3);
    return result.judgement;
}

// What is printed for people; the caller frees it.
static char *print_result(struct style style)
{
    FILE *file = text_begin();
    struct report report = {.file = file, .style = style};
    report_exercise(&report, &run, &result);
    return text_end(file);
}

// Sentences are broken into lines: of blanks and ends of lines, one blank is left. In its place.
static char *unbroken(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        bool blank = *from == ' ' || *from == '\n';
        if (!blank || to == text || to[-1] != ' ')
            *to++ = blank ? ' ' : *from;
    }
    *to = '\0';
    return text;
}

static void assert_said(const char *part)
{
    char *text = print_result((struct style){0});
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        ck_assert_msg(text_width(line) <= 120, "%d columns: %s", text_width(line), line);
        for (const char *c = line; *c; c++)
            ck_assert_int_lt((unsigned char)*c, 0x80);
    }
    text = print_result((struct style){0});
    assert_contains(unbroken(text), part);
}

SUITE(exercises)

TEST(an_exercise_takes_the_steps_place)
{
    make_run();
    ck_assert_ptr_eq(step_find(4), &exercise);
    ck_assert_str_eq(step_reference(4)->file, "steps/step4_shared_tile.cu");
    ck_assert_ptr_null(step_reference(3));
    ck_assert_ptr_null(step_reference(99));
    ck_assert_ptr_eq(step_of(yours), &exercise);
    ck_assert_ptr_eq(step_of(reference), step_reference(4));
    ck_assert(!judge_exercise(&run, 2, &result)); // step 3 is none
}

// Whichever is linked first; and later steps that are put before them move neither.
TEST(steps_register_in_any_order)
{
    static const struct step later = {90, OPTIMISE, "b",  "b", "b",  no_launch, goals,
                                      2,  NULL,     NULL, {0}, NULL, NULL};
    static const struct step kits = {90, OPTIMISE, "c",  "c", "c",  no_launch, NULL,
                                     0,  NULL,     NULL, {0}, NULL, NULL};
    static const struct step earlier = {80, OPTIMISE, "a",  "a", "a",  no_launch, NULL,
                                        0,  NULL,     NULL, {0}, NULL, NULL};
    step_register(&later);
    ck_assert_ptr_null(step_reference(90));
    step_register(&kits);
    step_register(&earlier);
    ck_assert_ptr_eq(step_find(90), &later);
    ck_assert_ptr_eq(step_reference(90), &kits);
    ck_assert_ptr_null(step_reference(80));
}

TEST(two_exercises_of_one_number_are_refused, .exits = EXIT_FAILURE)
{
    step_register(&exercise);
    step_register(&exercise);
}

TEST(goals_are_reached_or_not)
{
    make_run();
    set(reference, 1000, 100, 0);
    set(yours, 900, 100, 10);
    ck_assert_int_eq(judged(), REACHED);
    assert_said(" Goal reached. ");
    set(yours, 899, 100, 10);
    ck_assert_int_eq(judged(), NOT_YET);
    assert_said("Not yet: the bandwidth is 89% of the reference's, the goal is 90%.");
    set(yours, 500, 12.5, 10.04); // the last would print as 10%
    ck_assert_int_eq(judged(), NOT_YET);
    assert_said("Not yet: the bandwidth is 50% of the reference's, the goal is 90%; Global Store");
    set(yours, 1000, 100, 10.1);
    ck_assert_int_eq(judged(), NOT_YET);
    assert_said("Not yet: Shared Memory Replay Overhead is 10.1%, the goal is at most 10%. `make");
    set(yours, 2000, 99.96, 0);
    ck_assert_int_eq(judged(), REACHED);
}

// At a size whose rows start within sectors, nobody reaches 100 %.
TEST(the_references_value_is_enough)
{
    make_run();
    set(reference, 1000, 81.7, 0);
    set(yours, 1000, 81.7, 0);
    ck_assert_int_eq(judged(), REACHED);
    yours->n = 1001;
    assert_said(" Goal reached, as far as the reference reaches it at n = 1001: n = 1024, say, "
                "allows all of it. ");
    set(yours, 1000, 80, 0);
    ck_assert_int_eq(judged(), NOT_YET);
    set(yours, 1000, 100, 0);
    ck_assert_int_eq(judged(), REACHED);
    assert_said(" Goal reached. ");
}

TEST(what_is_not_known_is_not_judged)
{
    make_run();
    set(reference, 1000, 100, 0);
    set(yours, 1000, 100, 0);
    yours->values[GST_EFFICIENCY] = value_unavailable("the counters are locked");
    ck_assert_int_eq(judged(), NOT_JUDGED);
    assert_said("Not judged: the counters are locked.");
    yours->values[BANDWIDTH_GBS].number = 100; // yet this is too little, whatever that may be
    ck_assert_int_eq(judged(), NOT_YET);
    run.reference_count = 0;
    ck_assert(judge_exercise(&run, 3, &result));
    ck_assert_ptr_null(result.reference);
    assert_said("Not judged: the reference was not run.");
    set(yours, 1000, 100, 0);
    ck_assert(judge_exercise(&run, 3, &result));
    ck_assert_int_eq(result.judgement, NOT_JUDGED);
    assert_said("Not judged: the reference was not run.");
    yours->outcome = WRONG;
    ck_assert(judge_exercise(&run, 3, &result));
    ck_assert_int_eq(result.judgement, NOT_JUDGED);
    assert_said("Not judged: it gave a wrong result. `make hint4` helps.");
}

TEST(a_goal_that_is_no_metric_is_named)
{
    static const struct goal wrong[] = {{"gst_eficiency", AT_LEAST, 100}};
    static const struct step mistaken = {4,     OPTIMISE, "my/step4.cu", "mine", "mine", no_launch,
                                         wrong, 1,        NULL,          NULL,   {0},    NULL,
                                         NULL};
    step_register(&mistaken);
    sample_run(&run);
    ck_assert(judge_exercise(&run, 3, &result));
    ck_assert_int_eq(result.judgement, NOT_JUDGED);
    assert_said("the kit has no metric 'gst_eficiency'");
}

TEST(the_table)
{
    make_run();
    set(reference, 1000, 100, 0);
    set(yours, 500, 12.5, 0);
    yours->values[TIME_MS] = value_of(0.25, MODELLED);
    (void)judged();
    char *text = print_result((struct style){.utf8 = true});
    assert_golden(text, "exercise.txt");
}

// ---- The shipped exercises, on the simulated device ----------------------------------------------

static void assert_all(const char *command, int count, bool reached)
{
    cJSON *json = type_json("%s", command);
    assert_run_schema(json);
    const cJSON *exercises = cJSON_GetObjectItem(json, "exercises"), *one;
    ck_assert_int_eq(cJSON_GetArraySize(exercises), count);
    cJSON_ArrayForEach(one, exercises)
    {
        ck_assert_msg(cJSON_IsTrue(json_member(one, "reached")) == reached, "%s: step %d", command,
                      (int)json_number(one, "step"));
        const cJSON *of_kit = json_member(one, "reference");
        ck_assert(cJSON_IsTrue(json_member(of_kit, "verified")));
    }
}

static int exercise_count(void)
{
    struct printed printed = type("ls steps/exercises/step*.cu | wc -l");
    int count = atoi(printed.out);
    ck_assert_int_ge(count, 4);
    return count;
}

CASE(shipped, .seconds = 120)

TEST(as_they_start_the_goals_are_not_reached)
{
    assert_all("build/sim/started -n 512 --json -", exercise_count(), false);
}

// With kernels of the same names as the reference's; also at a size of incomplete sectors.
TEST(the_kits_steps_reach_the_goals)
{
    assert_all("build/sim/solved -n 512 --json -", exercise_count(), true);
    assert_all("build/sim/solved -n 1001 --json -", exercise_count(), true);
}

// Yours and its verdict, which comes last; of the kit's other steps nothing, unless they are named.
TEST(the_verdict_comes_last)
{
    struct printed printed = type("build/sim/solution_step4_scattered -n 64");
    ck_assert_ptr_null(strstr(printed.out, "one serial thread"));
    ck_assert_ptr_null(strstr(printed.out, "Deploy: "));
    const char *verdict = strstr(printed.out, "  Not yet: ");
    ck_assert_msg(verdict && !strstr(verdict, "\n\n"), "%s", printed.out);
    printed = type("build/sim/solution_step4_scattered all -n 64");
    assert_contains(printed.out, "one serial thread");
    verdict = strstr(printed.out, "  Not yet: ");
    ck_assert_msg(verdict && !strstr(verdict, "\n\n"), "%s", printed.out);
    printed = type("build/sim/solution_step4_no_barrier -n 64 2>&1");
    verdict = strstr(printed.out, "  Not judged: it failed. `make hint4` helps.\n");
    ck_assert_msg(verdict && !strchr(verdict, '\n')[1], "%s", printed.out);
    const char *said = strstr(printed.out, "Race __shared__");
    ck_assert(said && !strstr(said + 1, "Race __shared__"));
}

TEST(a_step_alone_has_no_exercise)
{
    assert_all("build/sim/solved 1 -n 64 --json -", 0, false);
    assert_contains(type_well("build/sim/solved 4 -n 64 --no-reference").out,
                    "Not judged: the reference was not run.");
}

// An exercise after a serial step starts as that, and so stays at its size; the reference goes along.
TEST(nothing_is_judged_at_tiny_sizes)
{
    static const int sizes[] = {1, 63};
    for (int i = 0; i < 2; i++) {
        struct printed printed = type_well("build/sim/started 4 -n %d", sizes[i]);
        char said[80];
        snprintf(said, sizeof said,
                 "Not judged: n = %d is too small to tell one kernel from another: it takes 64.",
                 sizes[i]);
        assert_contains(unbroken(printed.out), said);
    }
    struct printed printed = type("build/sim/started 4 -n 64");
    assert_contains(unbroken(printed.out), "Not yet: ");
}

TEST(a_serial_start_stays_small)
{
    cJSON *json = type_json("build/sim/solved 2 3 -n 2048 --json -");
    for (int i = 0; i < 2; i++) {
        const cJSON *one = json_member(json, "exercises/%d", i);
        const cJSON *step = json_step(json, i);
        const cJSON *of_kit = json_member(one, "reference");
        ck_assert_int_eq((int)json_number(step, "n"), i == 0 ? 1024 : 2048);
        ck_assert_int_eq((int)json_number(of_kit, "n"), i == 0 ? 1024 : 2048);
    }
}

// ---- Typical mistakes, and what is said of each --------------------------------------------------

#define SAYS(its_name, its_status, ...)                                                            \
    {                                                                                              \
        .name = its_name, .status = its_status, .words = { __VA_ARGS__ }                           \
    }
#define FAILS(name, ...) SAYS(name, EXIT_WRONG, __VA_ARGS__)
#define NOT_YET(name, ...) SAYS(name, EXIT_GOOD, __VA_ARGS__)

// The first two words are on standard error, or on standard output where the result is right. Each line
// is that of the mistake in its file.
static const struct {
    const char *name;
    int status;
    const char *words[4];
} mistakes[] = {
    FAILS("step2_no_guard", "Out of bounds __global__ ", "step2_no_guard.cu:8 "),
    NOT_YET("step3_swapped_axes", "Not yet: ", "Global Load Efficiency is 12.5%, the goal is 100%"),
    FAILS("step4_no_barrier", "Race __shared__ write", "step4_no_barrier.cu:12 ",
          "read the same word in line 17, with no barrier between the two"),
    FAILS("step4_barrier_in_branch", "right at n = 512, but at n = 997", "Divergent barrier",
          "is it in an `if`"),
    FAILS("step4_unturned", "the tiles are in their places, but not turned",
          "read the tile back as tile[threadIdx.x][threadIdx.y]"),
    FAILS("step4_misplaced", "the tiles are turned, but stand in the wrong places",
          "swap blockIdx.x and blockIdx.y"),
    FAILS("step4_no_guard", "right at n = 512, but at n = 997", "Out of bounds __global__ read",
          "step4_no_guard.cu:11 "),
    FAILS("step4_half_guard", "right at n = 512, but at n = 997", "that is row 997, column 0",
          "is the row (y < n) guarded, as in `if (x < n && y < n)`?"),
    FAILS("step4_row_guard", "right at n = 512, but at n = 997",
          "is the column (x < n) guarded, as in `if (x < n && y"),
    FAILS("step4_small_tile", "Race __shared__ write", "step4_small_tile.cu:12 ",
          "Does an index leave its row? In rows of 16 elements [0][16] is [1][0]",
          "the block is 32 threads wide"),
    FAILS("step4_large_block", "A block has 1024 threads at most",
          "blocks of [64,64,1] threads, 4096 in each"),
    FAILS("step4_endless_barrier", "Endless loop", "does the loop around it end?",
          "step4_endless_barrier.cu:14 "),
    FAILS("step4_rounded_down", "right at n = 512, but at n = 997",
          "only the incomplete edge tiles were not written", "the grid is rounded down"),
    FAILS("step4_swapped_arguments", "step 4 gave a wrong result: the kernel changed its input",
          "`out` and `in` mixed up?"),
    FAILS("step4_endless_at_edges", "right at n = 512, but at n = 997",
          "did not end within 5 seconds", "try a higher --timeout. Else it is an endless loop"),
    NOT_YET("step4_scattered", "Not yet: ", "Global Store Efficiency is 12.5%, the goal is 100%"),
    NOT_YET("step5_wrong_padding", "Not yet: ", "Shared Memory Replay Overhead is ",
            ", the goal is 0%"),
    FAILS("step5_no_stride", "of each tile's 32 rows only the first 8 were written", "steps of 8"),
    FAILS("step5_no_loops", "Uninitialized __shared__ read", "step5_no_loops.cu:19 ",
          "is all of it filled"),
    FAILS("step5_loop_too_far", "Out of bounds __shared__ write", "step5_loop_too_far.cu:14 "),
    FAILS("step6_any_n", "right at n = 512, but at n = 997",
          "Misaligned __global__ read of 16 bytes", "step6_any_n.cu:24 ",
          "elements of a row whose column 4 divides do, where 4 divides n"),
    FAILS("step6_no_guard", "right at n = 512, but at n = 996",
          "Out of bounds __global__ read of 16 bytes", "step6_no_guard.cu:24 "),
    FAILS("step6_no_loop", "of each tile's 64 rows only the first 16 were written", "steps of 16"),
    FAILS("step6_unturned_quads", "4 x 4 elements at a time are in their places, but not turned",
          "4 columns of them"),
    FAILS("step6_swizzled_once", "in groups of 4 that stand in another order",
          "the same where the tile is written"),
    NOT_YET("step6_no_swizzle", "Not yet: ", "Shared Memory Replay Overhead is ",
            ", the goal is 0%. "),
    NOT_YET("step6_padded", "Not yet: Shared Memory Replay Overhead is ", ", the goal is 0%. "),
    NOT_YET("step6_wrong_bits", "Not yet: Shared Memory Replay Overhead is ", ", the goal is 0%. "),
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };
#define BUDGET (INT64_C(1) << 27) // the simulated device's own

TEST(a_mistake_gets_its_message, .times = MISTAKES)
{
    const char *name = mistakes[_i].name;
    struct printed printed = type("APODKIT_SIM_BUDGET=%" PRId64 " build/sim/solution_%s %c -n 512 "
                                  "--timeout 5",
                                  strstr(name, "endless_at") ? INT64_MAX : BUDGET, name,
                                  name[strlen("step")]); // there, endless is endless
    ck_assert_msg(printed.status == mistakes[_i].status, "%s: exit status %d\n%s", name,
                  printed.status, printed.err);
    bool right = mistakes[_i].status == EXIT_GOOD;
    const char *said = right ? unbroken(printed.out) : strstr(printed.err, "apodkit: step ");
    ck_assert_ptr_nonnull(said);
    for (int i = 0; i < 4 && mistakes[_i].words[i]; i++)
        assert_contains(said, mistakes[_i].words[i]);
    assert_contains(printed.out, right ? "`make hint" : "Not judged: it ");
    ck_assert_ptr_null(strstr(printed.err, "the reference's"));
}

TEST(every_mistake_is_looked_at)
{
    struct printed printed = type("ls tests/wrong_solutions/*.sed");
    int files = 0;
    for (const char *line = strtok(printed.out, "\n"); line; line = strtok(NULL, "\n"), files++) {
        bool known = false;
        for (int i = 0; i < MISTAKES; i++)
            known |= strstr(line, mistakes[i].name) != NULL;
        ck_assert_msg(known, "%s has no message that is expected", line);
    }
    ck_assert_int_eq(files, MISTAKES);
}
