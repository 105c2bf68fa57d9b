#include "advice/exercise_goals.h"

// In percent points or whatever the metric's unit is: less does not show.
static const double unseen = 0.05;

static bool reaches(const struct aim *aim, double number, double value)
{
    return aim->bound == AT_LEAST ? number >= value - unseen : number <= value + unseen;
}

static void judge(struct aim *aim)
{
    if (!value_known(&aim->yours))
        return;
    bool reached = reaches(aim, aim->yours.number, aim->value);
    if (!reached && value_known(&aim->reference) &&
        !reaches(aim, aim->reference.number, aim->value))
        aim->as_the_reference = reaches(aim, aim->yours.number, aim->reference.number);
    aim->judgement = reached || aim->as_the_reference ? REACHED : NOT_YET;
}

struct value no_reference(void)
{
    return value_unavailable("the reference was not run");
}

static struct aim *add_aim(struct exercise_result *exercise, const struct step_result *yours,
                           enum metric metric, enum bound bound, double value)
{
    const struct step_result *reference = exercise->reference;
    struct aim *aim = &exercise->aims[exercise->count++];
    *aim = (struct aim){.metric = metric,
                        .bound = bound,
                        .value = value,
                        .yours = yours->values[metric],
                        .reference = reference ? reference->values[metric] : no_reference()};
    return aim;
}

static void add_bandwidth(struct exercise_result *exercise, const struct step_result *yours)
{
    struct aim *aim = add_aim(exercise, yours, BANDWIDTH_GBS, AT_LEAST, 0);
    if (!value_known(&aim->reference))
        return;
    aim->value = aim->reference.number * ENOUGH_OF_REFERENCE / 100;
    judge(aim);
}

static void add_goal(struct exercise_result *exercise, const struct step_result *yours,
                     const struct goal *goal)
{
    enum metric metric = metric_find(goal->metric);
    if (metric >= FIRST_METRIC && metric < FIRST_COUNT)
        judge(add_aim(exercise, yours, metric, goal->bound, goal->value));
    else
        exercise->unknown_metric = goal->metric;
}

// What is not reached weighs more than what is not known.
static enum judgement judge_all(const struct exercise_result *exercise)
{
    enum judgement all = exercise->unknown_metric ? NOT_JUDGED : REACHED;
    for (int i = 0; i < exercise->count; i++) {
        enum judgement one = exercise->aims[i].judgement;
        if (one == NOT_YET || all == NOT_YET)
            all = NOT_YET;
        else if (one == NOT_JUDGED)
            all = NOT_JUDGED;
    }
    return all;
}

bool judge_exercise(const struct run *run, int place, struct exercise_result *exercise)
{
    const struct step_result *yours = &run->steps[place];
    const struct step *step = step_of(yours);
    if (!step || !step->goals)
        return false;
    const struct step_result *reference = reference_result(run, place);
    *exercise = (struct exercise_result){.place = place, .reference = reference};
    add_bandwidth(exercise, yours);
    for (int i = 0; i < step->goal_count && i < MAX_GOALS; i++)
        add_goal(exercise, yours, &step->goals[i]);
    for (int i = 0; yours->n < LEAST_JUDGED_N && i < exercise->count; i++)
        exercise->aims[i].judgement = NOT_JUDGED;
    if (yours->outcome == VERIFIED)
        exercise->judgement = judge_all(exercise);
    return true;
}
