// How an exercise stands: a solution beside the kit's own step, by the exercise's goals.
#ifndef EXERCISE_GOALS_H
#define EXERCISE_GOALS_H

#include "facts/run.h"

// Beside its own goals, each exercise asks for this much of the reference's bandwidth, in percent.
enum { ENOUGH_OF_REFERENCE = 90, MAX_GOALS = 8 };

// Below this n nothing is judged: a launch costs more than the transposing, whatever the kernel.
enum { LEAST_JUDGED_N = 64 };

enum judgement {
    NOT_JUDGED, // a number is missing, or n is too small
    REACHED,
    NOT_YET,
};

// One goal: `bound` a value, in the metric's unit.
struct aim {
    enum metric metric;
    enum bound bound;
    double value;
    struct value yours, reference;
    enum judgement judgement;
    bool as_the_reference; // reached as far as the reference reaches it, which is not all the way
};

struct exercise_result {
    int place;                           // of the exercise in run->steps
    const struct step_result *reference; // NULL with --no-reference
    int count;
    struct aim aims[MAX_GOALS + 1]; // the bandwidth comes first
    enum judgement judgement;       // of all of them; NOT_JUDGED of a result that is not verified
    const char *unknown_metric; // the first goal that names no metric, which is left out; or NULL
};

// Judges the step at `place` of run->steps. False when it is no exercise.
//
// A goal is what the definition of its metric allows at sizes whose rows start on whole sectors. Where
// the reference itself does not reach it, at other sizes, what the reference reaches is enough.
bool judge_exercise(const struct run *run, int place, struct exercise_result *exercise);

// What stands in place of a number of the reference where that was not run.
struct value no_reference(void);

#endif
