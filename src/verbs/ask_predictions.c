#define _POSIX_C_SOURCE 200809L // isatty, fileno, open, S_ISFIFO
#include "verbs/ask_predictions.h"

#include "base/progress.h"
#include "base/untrusted_text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_SIZE = 256, SHOWN_SIZE = 48 };

// Does not wait for somebody who writes to a FIFO, nor for a modem. NULL with errno.
static FILE *open_input(const char *name)
{
    int file = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    (void)fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK); // reading may wait
    FILE *opened = fdopen(file, "r");
    if (!opened)
        close(file);
    return opened;
}

bool answers_open(struct answers *answers, const char *name)
{
    bool is_input = strcmp(name, "-") == 0;
    *answers = (struct answers){.file = is_input ? stdin : open_input(name),
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

// After a line could not be read: NULL where the answers have just come to their end.
static const char *why_no_line(const struct answers *answers)
{
    struct stat found;
    if (ferror(answers->file))
        return strerror(errno);
    bool is_named_pipe = answers->file != stdin && fstat(fileno(answers->file), &found) == 0 &&
                         S_ISFIFO(found.st_mode);
    return is_named_pipe && answers->line == 1 ? "nobody writes to that FIFO" : NULL;
}

// The next line without its end. False at the end of the answers. Of a line that is longer than any answer, what a
// terminal has of it is thrown away; a file may have no end to it.
static bool read_line(struct answers *answers, char line[LINE_SIZE])
{
    answers->line++;
    if (!fgets(line, LINE_SIZE, answers->file)) {
        const char *why = why_no_line(answers);
        printf("\n");
        fflush(stdout);
        if (why)
            fprintf(stderr, "apodkit: --predict cannot read %s: %s\n", answers->name, why);
        answers->wrong = why;
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
        progress_question(answers->is_terminal);
        printf("  %s? ", question);
        fflush(stdout);
        bool is_there = read_line(answers, line);
        progress_question(false);
        if (!is_there)
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
    char label[STEP_LABEL_SIZE];
    step_label(result->number, label);
    printf("\n%s%c%s at n = %zu: what do you predict? (? skips it)%s\n",
           tone_start(style, TONE_TITLE), toupper((unsigned char)*label), label + 1, result->n,
           tone_end(style, TONE_TITLE));
    for (int i = 0; i < record->count && !answers->ended; i++) {
        char question[FORMAT_SIZE];
        prediction_question(question, run, place, record->list[i].subject);
        if (record->list[i].subject == ASKED_LIMIT)
            list_limiters();
        ask_one(answers, question, &record->list[i]);
    }
}
