#define _POSIX_C_SOURCE 200809L // isatty, fileno
#include "verbs/predict.h"

#include "base/foreign.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 256, SHOWN_SIZE = 48 };

bool answers_open(struct answers *answers, const char *name)
{
    bool is_input = strcmp(name, "-") == 0;
    *answers = (struct answers){.file = is_input ? stdin : fopen(name, "r"),
                                .name = is_input ? "standard input" : name};
    if (!answers->file) {
        fprintf(stderr, "apodkit: --predict cannot read %s: %s\n", name, strerror(errno));
        return false;
    }
    answers->is_terminal = isatty(fileno(answers->file));
    return true;
}

void answers_close(struct answers *answers)
{
    if (answers->file && answers->file != stdin)
        fclose(answers->file);
}

static void list_limiters(void)
{
    for (enum limiter i = LIMITER_UNKNOWN + 1; i < LIMITERS; i++)
        printf("    %c  %s\n", 'a' + (int)i - 1, limiters[i].name);
}

static void complain(struct answers *answers, const char *typed, const char *why)
{
    if (answers->is_terminal) {
        printf("    '%s' is not it: %s.\n", typed, why);
        return;
    }
    fflush(stdout);
    fprintf(stderr, "apodkit: --predict: line %d of %s, '%s', is no answer: %s\n", answers->line,
            answers->name, typed, why);
    answers->ended = answers->wrong = true;
}

// The next line without its end. False at the end of the answers. Of a line that is longer than any answer, what a
// terminal has of it is thrown away; a file may have no end to it.
static bool read_line(struct answers *answers, char line[LINE_SIZE])
{
    answers->line++;
    if (!fgets(line, LINE_SIZE, answers->file)) {
        if (ferror(answers->file)) {
            fflush(stdout);
            fprintf(stderr, "apodkit: --predict cannot read %s: %s\n", answers->name,
                    strerror(errno));
            answers->wrong = true;
        }
        printf("\n");
        answers->ended = true;
        return false;
    }
    bool is_whole = strchr(line, '\n') != NULL;
    for (int c = 0; !is_whole && answers->is_terminal && c != '\n' && c != EOF;)
        c = getc(answers->file);
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

// Asks until the answer is one. What does not come from a terminal is shown behind its question.
static void ask_one(struct answers *answers, const char *question, struct prediction *prediction)
{
    char line[LINE_SIZE], shown[SHOWN_SIZE], why[ANSWER_WHY_SIZE];
    bool done = false;
    while (!done && !answers->ended) {
        printf("  %s? ", question);
        fflush(stdout);
        if (!read_line(answers, line))
            return;
        foreign_copy(shown, sizeof shown, line);
        if (!answers->is_terminal)
            printf("%s\n", shown);
        done = prediction_answer(prediction, line, why);
        if (!done)
            complain(answers, shown, why);
    }
}

void ask_predictions(struct answers *answers, const struct run *run, int place,
                     const struct style *style, struct prediction_record *record)
{
    const struct step_result *result = &run->steps[place];
    *record = (struct prediction_record){.n = result->n, .step = result->number};
    foreign_copy(record->device, sizeof record->device, run->device.name);
    record->count = prediction_questions(run, place, record->list);
    if (record->count == 0 || answers->ended)
        return;
    printf("\n%sStep %g at n = %zu: what do you predict? (? skips it)%s\n",
           tone_start(style, TONE_TITLE), result->number, result->n, tone_end(style, TONE_TITLE));
    for (int i = 0; i < record->count && !answers->ended; i++) {
        char question[FORMAT_SIZE];
        prediction_question(question, run, place, record->list[i].subject);
        if (record->list[i].subject == ASKED_LIMIT)
            list_limiters();
        ask_one(answers, question, &record->list[i]);
    }
}
