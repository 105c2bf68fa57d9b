#include "measure/ask_launches.h"

#include "facts/matrix_size.h"
#include "facts/shared_results.h"
#include "measure/process_end.h"
#include "measure/resource_limits.h"
#include "measure/supervise.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TIMEOUT_S = 30 };

// The device is known; the step at the place is asked now; it has answered.
enum note_kind { NOTE_DEVICE, NOTE_ASKED, NOTE_ANSWERED };

struct question {
    int device;
    size_t n;
    const bool *chosen;
    struct launch_answers *answers; // the supervisor's
    struct launch_answers *shared;  // the worker's, of which they are taken over
    bool opened;
    int next;  // the place of the first step that was not asked yet
    int asked; // the place of the one that is; -1: none
};

static int next_chosen(const struct question *question, int place)
{
    while (place < step_count() && !question->chosen[place])
        place++;
    return place;
}

// ---- In the worker ---------------------------------------------------------------------------------

static void ask_step(const struct step *step, size_t n, struct launch_answer *answer)
{
    char failure[FAILURE_SIZE];
    launches_forget();
    step_start(step, NULL, NULL, n);
    struct launch_record launch = launches_largest();
    if (!launch.kernel)
        snprintf(answer->failure, COMPLAINT_SIZE, "launched no kernel: look at launch() in %s",
                 step->file);
    else if (!launch_needs(&launch, &answer->needs, failure))
        snprintf(answer->failure, COMPLAINT_SIZE, "failed: %s", failure);
    else if (answer->needs.threads == 0)
        snprintf(answer->failure, COMPLAINT_SIZE, "has blocks of no thread: look at launch() in %s",
                 step->file);
}

static void ask(void *context, const struct note_sender *sender)
{
    const struct question *question = context;
    struct launch_answers *shared = question->shared;
    if (!device_open(question->device, &shared->device, shared->fatal)) {
        shared->no_gpu = device_none();
        return;
    }
    sender->send(sender->context, (struct note){.kind = NOTE_DEVICE});
    size_t n = question->n ? question->n : matrix_size_default(&shared->device);
    launches_only_record(true);
    resource_limits_keep();
    bool goes_on = true; // else another process asks the rest
    for (int i = question->next; i < step_count() && goes_on; i = next_chosen(question, i + 1)) {
        sender->send(sender->context,
                     (struct note){.kind = NOTE_ASKED, .place = i, .limited = true});
        ask_step(step_at(i), n, &shared->steps[i]);
        goes_on = resource_limits_restore();
        sender->send(sender->context, (struct note){.kind = NOTE_ANSWERED, .place = i});
    }
}

// ---- In the supervisor -----------------------------------------------------------------------------

static bool take_device(struct question *question)
{
    struct device device = question->shared->device;
    if (question->opened)
        return true;
    if (!device_sound(&device))
        return false;
    question->answers->device = device;
    return question->opened = true;
}

static bool take_answer(struct question *question, int place)
{
    struct launch_answer answer = question->shared->steps[place];
    if (!text_sound(answer.failure, sizeof answer.failure) ||
        (!*answer.failure && !launch_needs_sound(&answer.needs)))
        return false;
    question->answers->steps[place] = answer;
    question->next = next_chosen(question, place + 1);
    return true;
}

static bool handle(void *context, struct note note)
{
    struct question *question = context;
    if (note.kind == NOTE_DEVICE)
        return take_device(question);
    if (!question->opened || note.place != question->next)
        return false;
    question->asked = note.place;
    return note.kind == NOTE_ASKED ||
           (note.kind == NOTE_ANSWERED && take_answer(question, note.place));
}

// Of a process that ended in the step that is asked, it is the answer.
static void blame(struct question *question, enum process_end end, int status)
{
    const struct step *step = step_at(question->next);
    char how[COMPLAINT_SIZE];
    if (end == HUNG)
        snprintf(how, sizeof how, "launch() in %s did not return within %d seconds", step->file,
                 TIMEOUT_S);
    else
        explain_process_end(end == ENDED ? GARBLED : end, status, TIMEOUT_S, step, LAUNCH, false,
                            how);
    snprintf(question->answers->steps[question->next].failure, COMPLAINT_SIZE, "failed: %.*s",
             COMPLAINT_SIZE - 16, how);
    question->next = next_chosen(question, question->next + 1);
}

static void ask_all(struct question *question)
{
    struct launch_answers *answers = question->answers;
    const struct supervision supervision = {.work = ask,
                                            .work_context = question,
                                            .handle = handle,
                                            .handler_context = question,
                                            .timeout_s = TIMEOUT_S,
                                            .output = stderr};
    while (question->next < step_count() && !*answers->fatal) {
        int status;
        question->asked = -1;
        memset(question->shared, 0, sizeof *question->shared);
        enum process_end end = supervise(&supervision, &status);
        if (question->asked >= 0 && question->asked == question->next) {
            blame(question, end, status);
        } else if (question->asked < 0) { // nothing of a step's has run
            memcpy(answers->fatal, question->shared->fatal, FAILURE_SIZE);
            answers->no_gpu = question->shared->no_gpu;
            if (!*answers->fatal)
                snprintf(answers->fatal, FAILURE_SIZE, "no process for the steps: %s",
                         end == NOT_STARTED ? strerror(status) : "it ended before the first");
        }
    }
}

bool ask_launches(int device, size_t n, const bool chosen[MAX_STEPS],
                  struct launch_answers *answers)
{
    struct question question = {.device = device, .n = n, .chosen = chosen, .answers = answers};
    memset(answers, 0, sizeof *answers);
    question.next = next_chosen(&question, 0);
    question.shared = shared_open(sizeof *question.shared);
    if (!question.shared) {
        snprintf(answers->fatal, FAILURE_SIZE, "mmap of %zu bytes for what the steps launch: %s",
                 sizeof *question.shared, strerror(errno));
        return false;
    }
    ask_all(&question);
    shared_close(question.shared, sizeof *question.shared);
    return !*answers->fatal;
}
