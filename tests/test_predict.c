// ./run --predict and ./run progress: answers and their units, the score, what may have been overlooked, what is
// kept, and the commands as learners type them.
#define _GNU_SOURCE // open_memstream
#include "advice/prediction.h"
#include "files/predictions.h"
#include "files/run_read.h"
#include "show/report.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

SUITE(predict, .seconds = 60, .set_up = make_folder, .tear_down = remove_folder)

TEST(answers_have_units)
{
    static const struct {
        enum subject subject;
        const char *typed;
        double number; // 0: refused
    } cases[] = {
        {ASKED_GAIN, "16.5x", 16.5},
        {ASKED_GAIN, " 2 × \n", 2},
        {ASKED_GAIN, "1.2k", 1200},
        {ASKED_GAIN, "2M", 2e6},
        {ASKED_GAIN, "0x10", 0},
        {ASKED_GAIN, "-2", 0},
        {ASKED_GAIN, "0", 0},
        {ASKED_GAIN, "", 0},
        {ASKED_GAIN, "nan", 0},
        {ASKED_GAIN, "1.2.3", 0},
        {ASKED_GAIN, "2 us", 0},
        {ASKED_TIME, "265 us", .265},
        {ASKED_TIME, "265µs", .265},
        {ASKED_TIME, "8.5ms", 8.5},
        {ASKED_TIME, "1 s", 1000},
        {ASKED_TIME, "265", 0},
        {ASKED_DRAM_SHARE, "12.5", 12.5},
        {ASKED_DRAM_SHARE, "12.5 %", 12.5},
        {ASKED_DRAM_SHARE, "12x", 0},
        {ASKED_WAVEFRONTS, "16.5", 16.5},
        {ASKED_LIMIT, "a", 1},
        {ASKED_LIMIT, "I", LIMITER_DRAM},
        {ASKED_LIMIT, "dram", LIMITER_DRAM},
        {ASKED_LIMIT, "n", 0},
        {ASKED_LIMIT, "unknown", 0},
        {ASKED_LIMIT, "aa", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prediction prediction = {.subject = cases[i].subject};
        char why[ANSWER_WHY_SIZE] = "";
        bool good = prediction_answer(&prediction, cases[i].typed, why);
        ck_assert_msg(good == (cases[i].number != 0) && good == prediction.answered, "'%s'",
                      cases[i].typed);
        ck_assert_msg(fabs(prediction.predicted - cases[i].number) < 1e-9, "'%s': %g",
                      cases[i].typed, prediction.predicted);
        ck_assert_msg(good || strstr(why, "or ? to skip it"), "'%s': %s", cases[i].typed, why);
    }
    struct prediction skipped = {.subject = ASKED_GAIN};
    char why[ANSWER_WHY_SIZE];
    ck_assert(prediction_answer(&skipped, " ?\n", why) && !skipped.answered);
}

TEST(a_fifth_is_near_enough)
{
    struct prediction p = {.subject = ASKED_GAIN, .came = 10, .answered = true, .predicted = 12};
    ck_assert(prediction_is_right(&p));
    p.predicted = 12.1;
    ck_assert(!prediction_is_right(&p));
    p = (struct prediction){
        .subject = ASKED_DRAM_SHARE, .came = 0, .answered = true, .predicted = 2};
    ck_assert(prediction_is_right(&p));
    p = (struct prediction){.subject = ASKED_LIMIT,
                            .came = LIMITER_L2,
                            .came_too = LIMITER_UNCOALESCED,
                            .answered = true,
                            .predicted = LIMITER_UNCOALESCED};
    ck_assert(prediction_is_right(&p)); // as the advice calls it
    p.predicted = LIMITER_DRAM;
    ck_assert(!prediction_is_right(&p));
    p.answered = false;
    ck_assert(!prediction_is_right(&p));
}

// What one types who overlooks it, of an H200's recorded run.
static const struct {
    int step;
    enum subject subject;
    double typed;
    const char *said;
} mistakes[] = {
    {3, ASKED_GAIN, 16.5, "Your 16.5x may count the SMs"},
    {3, ASKED_GAIN, 33, "threads that the GPU can hold at once"},
    {3, ASKED_GAIN, 8192, "may count threads: far fewer"},
    {3, ASKED_GAIN, 68.3, "the roof is reached"},
    {4, ASKED_GAIN, 8, "the stores' sectors alone"},
    {5, ASKED_GAIN, 16.5, "the wavefronts alone"},
    {5, ASKED_GAIN, .29, "the wrong way round"},
    {5, ASKED_GAIN, 6.88, "one direction left out"},
    {5, ASKED_GAIN, 1.72, "counted twice"},
    {2, ASKED_TIME, .1285, "the roof is reached"},
    {2, ASKED_TIME, 4.388, "one direction alone"},
    {2, ASKED_TIME, 17.55, "goes on at the same time"},
    {2, ASKED_TIME, 70.2, "a sector holds eight floats"},
    {2, ASKED_TIME, 1.097, "an eighth of a sector"},
    {2, ASKED_TIME, 280.8, "may count threads"},
    {2, ASKED_TIME, .2743, "may count warps"},
    {2, ASKED_TIME, 8776, "slip of the unit"},
    {2, ASKED_TIME, .008776, "slip of the unit"},
    {3, ASKED_LOAD_SECTORS, 32, "one a lane"},
    {3, ASKED_LOAD_SECTORS, 128, "may be bytes"},
    {3, ASKED_LOAD_SECTORS, 1, "lines of 128 bytes"},
    {4, ASKED_STORE_SECTORS, 32, "one a lane"},
    {4, ASKED_STORE_SECTORS, 128, "may be bytes"},
    {6, ASKED_STORE_SECTORS, 4, "lanes of 4 bytes where they have 16"},
    {3, ASKED_STORE_SECTORS, 4, "a row apart"},
    {3, ASKED_STORE_EFFICIENCY, 100, "may start within a sector"},
    {4, ASKED_WAVEFRONTS, 33, "the access down a column alone"},
    {4, ASKED_WAVEFRONTS, 1, "may forget the bank conflicts"},
    {5, ASKED_WAVEFRONTS, 2, "two accesses together"},
    {6, ASKED_WAVEFRONTS, 1, "16 bytes a lane take four"},
    {3, ASKED_DRAM_SHARE, 48.8, "let every sector go to DRAM"},
    {4, ASKED_DRAM_SHARE, 100, "DRAM for busy all the time"},
    {5, ASKED_DRAM_SHARE, 36.6, "one direction alone"},
    {4, ASKED_DRAM_SHARE, 42.6, "a direction twice"},
    {6, ASKED_OCCUPANCY, 100, "may leave out a limit"},
    {4, ASKED_LIMIT, LIMITER_DRAM, "different words of the same bank"},
    {4, ASKED_GAIN, 1.97, ""}, // right
    {4, ASKED_GAIN, 77, ""},   // nothing comes to mind
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

// Asks as a run does; else, of a subject that the step's text does not prepare, what the run says.
static struct prediction asked(const struct run *run, int place, enum subject subject)
{
    struct prediction list[MAX_QUESTIONS];
    int count = prediction_questions(run, place, list);
    for (int i = 0; i < count; i++)
        if (list[i].subject == subject)
            return list[i];
    const struct value *values = run->steps[place].values;
    return (struct prediction){.subject = subject,
                               .came = subject == ASKED_DRAM_SHARE ? values[DRAM_UTILIZATION].number
                                                                   : values[GST_EFFICIENCY].number};
}

TEST(a_mistake_is_named, .times = MISTAKES)
{
    static const struct style plain = {0};
    char text[MISTAKE_SIZE];
    struct run *run = keep(run_open("h200"));
    int place = mistakes[_i].step - 1;
    struct prediction prediction = asked(run, place, mistakes[_i].subject);
    prediction.answered = true;
    prediction.predicted = mistakes[_i].typed;
    prediction_mistake(text, run, place, &prediction, &plain);
    assert_contains(text, mistakes[_i].said);
    ck_assert(*mistakes[_i].said || !*text);
}

TEST(steps_have_questions_that_can_be_scored)
{
    struct run *run = keep(run_open("h200"));
    struct prediction list[MAX_QUESTIONS];
    ck_assert_ptr_nonnull(run);
    static const int counts[] = {2, 5, 5, 4, 4, 5, 4, 4};
    for (int i = 0; i < run->count; i++)
        ck_assert_int_eq(prediction_questions(run, i, list), counts[i]);
    // A measured run has no timing model: its limit is the advice's.
    ck_assert(asked(run, 3, ASKED_LIMIT).came == LIMITER_BANK_CONFLICTS);
    run->steps[3].values[GST_TRANSACTIONS_PER_REQUEST] = value_unavailable("no counters");
    ck_assert_int_eq(prediction_questions(run, 3, list), 3);
    run->steps[3].outcome = WRONG;
    ck_assert_int_eq(prediction_questions(run, 3, list), 0);
}

// What the walkthrough says to write down before a step's panel, in one line.
static void find_what_to_write_down(char text[512], const char *walkthrough, int step)
{
    char heading[32];
    snprintf(heading, sizeof heading, "### Step %d: ", step);
    const char *from = strstr(walkthrough, heading);
    from = from ? strstr(from, "*Write down:*") : NULL;
    const char *end = from ? strstr(from, "\n\n") : NULL;
    ck_assert_msg(end && end - from < 512, "step %d has nothing to write down", step);
    snprintf(text, 512, "%.*s", (int)(end - from), from);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
}

TEST(the_walkthrough_prepares_what_is_asked)
{
    static const char *const words[SUBJECTS] = {
        [ASKED_GAIN] = "the gain",
        [ASKED_LIMIT] = "what limits it",
        [ASKED_TIME] = "the time",
        [ASKED_LOAD_SECTORS] = "a request of loads",
        [ASKED_STORE_SECTORS] = "of stores",
        [ASKED_STORE_EFFICIENCY] = "the efficiency of stores",
        [ASKED_WAVEFRONTS] = "the wavefronts of an access",
        [ASKED_DRAM_SHARE] = "DRAM's utilization",
        [ASKED_OCCUPANCY] = "the theoretical occupancy",
    };
    char text[512], *walkthrough = read_file("walkthrough.md");
    struct run *run = keep(run_open("h200"));
    struct prediction list[MAX_QUESTIONS];
    ck_assert_ptr_nonnull(run);
    for (int place = 0; place < run->count; place++) {
        bool asked[SUBJECTS] = {false};
        for (int i = prediction_questions(run, place, list) - 1; i >= 0; i--)
            asked[list[i].subject] = true;
        find_what_to_write_down(text, walkthrough, place + 1);
        for (enum subject i = 0; i < SUBJECTS; i++)
            ck_assert_msg(asked[i] == (strstr(text, words[i]) != NULL), "step %d, '%s': %s",
                          place + 1, words[i], text);
    }
    free(walkthrough);
}

static struct prediction_record record_of(double step, double predicted, double came)
{
    return (struct prediction_record){
        .device = "a \"GPU\"",
        .n = 512,
        .step = step,
        .count = 2,
        .list = {{.subject = ASKED_GAIN, .came = came, .answered = true, .predicted = predicted},
                 {.subject = ASKED_LIMIT, .came = LIMITER_DRAM, .came_too = LIMITER_DRAM}}};
}

TEST(the_last_of_each_step_is_kept)
{
    struct prediction_record first[] = {record_of(5, 4, 3.9), record_of(3, 16, 8)};
    struct prediction_record none = record_of(7, 1, 1), read[MAX_STEPS];
    int unreadable;
    none.list[0].answered = false;
    ck_assert_int_eq(predictions_read(read, &unreadable), 0);
    ck_assert(predictions_keep(&none, 1)); // nothing was answered: nothing is kept
    ck_assert_int_eq(predictions_read(read, &unreadable), 0);
    ck_assert(predictions_keep(first, 2));
    ck_assert_int_eq(predictions_read(read, &unreadable), 2);
    ck_assert_int_eq(unreadable, 0);
    ck_assert(read[0].step == 3 && read[1].step == 5 && read[0].n == 512);
    ck_assert_str_eq(read[0].device, "a \"GPU\"");
    ck_assert_int_eq(read[0].count, 1); // what was not answered is not there
    struct calibration all = predictions_calibrate(read, 2);
    ck_assert(all.answered == 2 && all.right == 1 && all.numbers == 2 && all.too_much == 1);
    ck_assert(fabs(all.median - (2 + 4 / 3.9) / 2) < 1e-9);
    type_well("echo '[{\"step\": 3}]' >%s/predictions/20990101T000000-1.json", folder);
    type_well("echo '[{' >%s/predictions/20990101T000000-2.json", folder);
    ck_assert_int_eq(predictions_read(read, &unreadable), 2);
    ck_assert_int_eq(unreadable, 2);
}

// ---- As typed ----------------------------------------------------------------------------------

#define RUN "CUDA_VISIBLE_DEVICES= build/sim/run "

TEST(answers_from_a_pipe)
{
    struct printed printed =
        type_well("printf '33x\\nf\\n?\\n4\\n' | " RUN "3 --sim --predict -n 4096 --reps 1");
    assert_contains(printed.out, "gain over step 2 (x)? 33x\n");
    const char *panel = strstr(printed.out, "Global Store Sectors/Request"),
               *asked = strstr(printed.out, "global store sectors/request? 4\n"),
               *score = strstr(printed.out, "1 of 3 right");
    ck_assert(asked && panel && score && asked < panel && panel < score);
    assert_contains(printed.out, " may count the SMs that now have work");
    printed = type_well(RUN "progress");
    assert_contains(printed.out, "     1 of 3      33.0", "1 of 3 answers right: 33%");
    assert_contains(type_well(RUN "history").out, "No run was kept yet"); // they are no runs
    struct printed json = type_well(RUN "progress --json -");
    cJSON *records = read_json(json.out);
    ck_assert_int_eq(cJSON_GetArraySize(records), 1);
    ck_assert(json_number(records, "0/step") == 3);
}

TEST(wrong_answers_of_a_file_are_usage_errors)
{
    type_well("printf '33x\\nblah\\n' >%s/answers", folder);
    struct printed printed = type_to(EXIT_USAGE, RUN "3 --sim -n 64 --predict=%s/answers", folder);
    char said[200];
    snprintf(said, sizeof said,
             "line 2 of %s/answers, 'blah', is no answer: a letter from a to m is wanted", folder);
    assert_contains(printed.err, said);
    ck_assert_ptr_null(strstr(printed.out, "Global Store Sectors/Request"));
    assert_contains(type_well(RUN "progress").out, "Nothing was predicted yet");
    assert_contains(type_to(EXIT_USAGE, RUN "3 --sim -n 64 --predict=%s/none", folder).err,
                    "--predict cannot read ");
    assert_contains(type_to(EXIT_USAGE, RUN "3 --sim -n 64 --predict=/").err,
                    "--predict cannot read /: Is a directory");
    assert_contains(type_to(EXIT_USAGE, RUN "3 --sim -n 64 --predict=/dev/zero").err,
                    "line 1 of /dev/zero, '', is no answer");
    printed = type_to(EXIT_USAGE,
                      "mkfifo %s/fifo && timeout 20 env " RUN "3 --sim -n 64 --predict=%s/fifo",
                      folder, folder);
    assert_contains(printed.err, "/fifo: nobody writes to that FIFO");
    printed = type_well("bash -c \"" RUN "3 --sim -n 64 --predict=<(printf '33x\\nf\\n')\"");
    assert_contains(printed.out, "gain over step 2 (x)? 33x\n");
    assert_usage_error(RUN "3 --predict --json -", "--predict asks before a panel", "--help");
    assert_usage_error(RUN "3 --predict --summary", "--predict asks before a panel", "--help");
}

TEST(the_end_of_the_answers_is_no_error)
{
    struct printed printed = type_well("printf '2x\\n' | " RUN "3 4 --sim -n 64 --predict");
    assert_contains(printed.out, "0 of 1 right", "\nStep 4 "); // its panel comes without questions
    ck_assert_ptr_null(strstr(printed.out, "Step 4 at n"));
    assert_contains(type_well(RUN "progress").out, "0 of 1 answer right: 0%",
                    "The one number is off by ");
    assert_contains(type_well(RUN "4 --sim -n 64 --predict").out, "Duration  ");
    // Beside the JSON, which is as without predictions but for the step before.
    printed =
        type_well("printf '2x\\n' | " RUN "3 4 --sim -n 64 --predict --json %s/run.json", folder);
    ck_assert_str_eq(type_well("grep -c predict %s/run.json || :", folder).out, "0\n");
}

TEST(a_terminal_asks_again)
{
    struct printed printed =
        type_on_terminal(RUN "4 --sim -n 64 --predict", 80, "abc\n2x\nd\n\x04");
    ck_assert_int_eq(printed.status, EXIT_GOOD);
    assert_contains(printed.out, "'abc' is not it: a number: 16, 2.5x", "of 2 right");
}

// Whose shell then has a line of its own for its prompt.
TEST(ctrl_c_at_a_question_ends_its_line)
{
    struct printed printed = type_on_terminal(
        "exec env CUDA_VISIBLE_DEVICES= build/sim/run 4 --sim -n 64 --predict", 80, "\x03");
    ck_assert_int_eq(printed.status, 128 + SIGINT);
    ck_assert_str_eq(strstr(printed.out, ")? "), ")? ^C\r\n");
}

TEST(predictions_fit_the_terminal, .times = 2)
{
    static const unsigned short widths[] = {60, 80};
    struct printed printed =
        type_on_terminal("NO_COLOR=1 TERM=dumb " RUN
                         "4 --sim -n 64 --predict --color never && build/sim/run progress",
                         widths[_i], "16.5x\nd\n4\n1\n");
    ck_assert_int_eq(printed.status, EXIT_GOOD);
    assert_contains(printed.out, "of 4 right", "answers right");
    // Questions share a line here: the keys, which end it, came before them.
    for (char *line = strtok(printed.out, "\r\n"); line; line = strtok(NULL, "\r\n"))
        ck_assert_msg(text_width(line) <= widths[_i] || strstr(line, "?  "), "%d columns: %s",
                      text_width(line), line);
}
