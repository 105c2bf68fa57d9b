#include "verbs/inspect.h"

#include "base/progress.h"
#include "facts/matrix_size.h"
#include "facts/shared_results.h"
#include "measure/process_end.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What a worker hands over: the inspection, and behind it the step. The device's name is never empty.
static struct inspected *step_behind(struct inspection *all)
{
    return (struct inspected *)(all + 1);
}

// The step at a place from 0 on.
static struct inspected *step_at_place(const struct inspector *inspector,
                                       struct inspection *inspection, int place)
{
    return (void *)((char *)inspection + inspector->steps + (size_t)place * inspector->step_size);
}

// In the worker: hands over what it has found out up to now.
static void hand_over(const struct inspection_task *task)
{
    *(struct inspection *)task->shared = *task->inspection;
    memcpy(step_behind(task->shared), task->at, task->inspector->step_size);
}

// Takes it over, unless nothing was handed over; false when it cannot be read.
static bool take_over(const struct inspection_task *task)
{
    const struct inspector *inspector = task->inspector;
    struct inspection *all = task->shared;
    struct inspected *at = step_behind(all);
    if (!inspection_sound(all) || !inspector->is_sound(at))
        return false;
    if (all->count != task->inspection->count)
        return all->count == 0;
    at->step = task->at->step;
    *task->inspection = *all;
    memcpy(task->at, at, inspector->step_size);
    return true;
}

bool inspection_open_device(struct inspection_task *task)
{
    struct inspection *inspection = task->inspection;
    if (!device_open(task->options->device, &inspection->device, inspection->fatal)) {
        inspection->no_gpu = device_none();
        hand_over(task);
        return false;
    }
    inspection->n = task->options->n ? task->options->n : matrix_size_default(&inspection->device);
    task->at->n = step_size(task->at->step, inspection->n);
    hand_over(task);
    return true;
}

// The work goes on, or a function of the step's has begun or ended.
static bool handle(void *context, struct note note)
{
    enum step_function *function = context;
    if (note.kind != 0 || note.place != 0 || note.function < 0 || note.function >= STEP_FUNCTIONS)
        return false;
    *function = note.function;
    return true;
}

static void work(void *context, const struct note_sender *sender)
{
    struct inspection_task *task = context;
    task->trial.sender = sender;
    task->trial.problem = &task->problem;
    task->work(task);
    hand_over(task);
    problem_close(&task->problem);
}

void inspection_run(struct inspection_task *task, void (*look)(struct inspection_task *task),
                    char *complaint)
{
    double timeout_s = (double)task->options->timeout_s;
    enum step_function function = LAUNCH;
    struct supervision supervision = {.work = work,
                                      .work_context = task,
                                      .handle = handle,
                                      .handler_context = &function,
                                      .timeout_s = timeout_s,
                                      .output = task->inspector->is_printed ? stdout : stderr};
    int status;
    task->work = look;
    memset(task->shared, 0, sizeof *task->inspection + task->inspector->step_size);
    enum process_end end = supervise(&supervision, &status);
    bool taken = take_over(task);
    if (end == ENDED && (!taken || (task->at->outcome == PENDING && !*task->inspection->fatal)))
        end = GARBLED;
    if (end == NOT_STARTED)
        snprintf(complaint, COMPLAINT_SIZE, "no process can be started for it: %s",
                 strerror(status));
    else if (end != ENDED)
        explain_process_end(end, status, timeout_s, task->trial.step, function, true, complaint);
}

static void look_at(const struct inspector *inspector, const struct options *options,
                    struct inspection *inspection, void *shared, struct inspected *at, int place)
{
    struct inspection_task task = {.trial = {.step = step_find(at->step)},
                                   .options = options,
                                   .inspection = inspection,
                                   .at = at,
                                   .inspector = inspector,
                                   .shared = shared,
                                   .context = inspector->context};
    char complaint[COMPLAINT_SIZE] = "";
    progress_show(place, inspection->count, task.trial.step->title);
    inspection_run(&task, inspector->look, complaint);
    if (at->outcome == PENDING && !*inspection->fatal) {
        at->outcome = FAILED;
        snprintf(at->complaint, COMPLAINT_SIZE, "%s", complaint);
    }
    if (at->outcome == VERIFIED && inspector->look_on)
        inspector->look_on(&task);
    progress_wipe();
}

static void print_step(const struct inspector *inspector, const struct options *options,
                       const struct inspection *inspection, int place, const struct inspected *at)
{
    struct style style = style_for(stdout, options->color);
    struct source_file source = source_file_find(step_find(at->step)->file);
    if (place == 0)
        print_inspected_device(stdout, &style, inspector->page, inspection);
    inspector->page->print_step(stdout, &style, at, &source);
    if (place == inspection->count - 1)
        print_inspection_legend(stdout, inspector->page, inspection);
    fflush(stdout);
}

static int inspect_steps(const struct inspector *inspector, const struct options *options,
                         struct inspection *inspection, void *shared)
{
    int status = EXIT_GOOD;
    for (int i = 0; i < inspection->count; i++) {
        struct inspected *at = step_at_place(inspector, inspection, i);
        look_at(inspector, options, inspection, shared, at, i);
        if (inspection->no_gpu)
            program_without_gpu(options->choice, options->argv);
        if (*inspection->fatal) {
            fprintf(stderr, "apodkit: %s\n", inspection->fatal);
            return EXIT_NO_DEVICE;
        }
        if (inspector->is_printed)
            print_step(inspector, options, inspection, i, at);
        if (at->outcome == VERIFIED)
            continue;
        char label[STEP_LABEL_SIZE];
        fprintf(stderr, "apodkit: %s %s: %s\n", step_label(at->step, label),
                at->outcome == WRONG ? "gave a wrong result" : "failed", at->complaint);
        status = EXIT_WRONG;
    }
    return inspector->hand_out(inspector->context, inspection) ? status : EXIT_WRONG;
}

int inspect(const struct inspector *inspector, const struct options *options)
{
    size_t shared_size = sizeof(struct inspection) + inspector->step_size;
    struct inspection *inspection = calloc(1, inspector->size);
    void *shared = shared_open(shared_size);
    int status = EXIT_WRONG;
    if (!inspection || !shared) {
        fprintf(stderr, "apodkit: there are no %zu bytes for %s: %s\n",
                inspector->size + shared_size, inspector->of, strerror(errno));
    } else {
        for (int i = 0; i < step_count(); i++)
            if (options->chosen[i])
                step_at_place(inspector, inspection, inspection->count++)->step =
                    step_at(i)->number;
        status = inspect_steps(inspector, options, inspection, shared);
    }
    shared_close(shared, shared_size);
    free(inspection);
    return status;
}
