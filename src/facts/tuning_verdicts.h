// What ./run tune finds out: a kernel at many settings, the candidates, and which of them is the fastest on a device.
#ifndef TUNING_VERDICTS_H
#define TUNING_VERDICTS_H

#include "facts/labs.h"
#include "facts/run.h"

enum candidate_state {
    CANDIDATE_PENDING,
    CANDIDATE_LACKING, // the device, or the step's file, has no such settings; the complaint says why
    CANDIDATE_SLOW,    // the model predicts it far slower than the best: it is not timed
    CANDIDATE_WRONG,   // its result is wrong, or it failed; the complaint says how
    CANDIDATE_RIGHT,   // verified: it is timed, or its time is modelled
    CANDIDATE_BEATEN, // slower than the fastest, by more than the noise
    CANDIDATE_LEVEL,  // the launches do not tell it from the fastest
    CANDIDATE_FASTEST,
};

struct candidate {
    int number; // of the point in the program
    enum candidate_state state;
    char complaint[COMPLAINT_SIZE];
    double predicted_ms;  // the model's, at model_n; 0: not known
    struct timing timing; // at n; of the simulated device the model's, one launch
    struct timing behind; // its times over the fastest's of the same rounds
    double share;         // of the device's copy in the same rounds, in percent; 0: not known
};

struct tuning {
    struct device device;
    size_t n, model_n;           // model_n is 0 where the model was not asked
    char why_no_model[WHY_SIZE]; // then, or ""
    int rounds;                  // in which all launched in turns; 0 on the simulated device
    bool no_gpu;                 // no CUDA device at all can be used
    char fatal[FAILURE_SIZE];    // why nothing came of it; "" when something did
    int count;
    struct candidate candidates[MAX_STEPS]; // of a step's, the first is built as ./run is
};

// The same candidates at several sizes.
struct tunings {
    int count;
    struct tuning *at;
};

// A candidate that the model predicts this much slower than the best is not timed. It is off by a third at worst where
// it is judged (docs/simulated_device.md), and two that are off by that in opposite directions by twice as much.
extern const double model_margin;

// The place of the fastest; -1 when none was right.
int tuning_fastest(const struct tuning *tuning);

// The geometric mean of its times over the fastest's, over all sizes; 0 when it was not timed at each.
double tunings_behind(const struct tunings *tunings, int place);

// The place of the one to keep: the first, where it is level with the fastest at every size, else the one with the least
// tunings_behind(), which of a single size is the fastest. -1 when none was right at each.
int tunings_choice(const struct tunings *tunings);

// Marks those that the model predicts to be far slower than the best of it.
void tuning_prune(struct tuning *tuning);

// How many there are of that state.
int tuning_count(const struct tuning *tuning, enum candidate_state state);

enum { MOST_ROUNDS = 200 };

// Launches in turns: a row of `stride` times a round, a column a candidate; the last column is the device's copy's.
struct rounds {
    const float *ms;
    int stride;
    int of
        [MAX_STEPS]; // the rounds, MOST_ROUNDS at most, that launched a candidate: all from the first on
};

// Who is the fastest, and whom it has beaten beyond the noise: of those that are right or level, who was slower than it in
// so many rounds more than faster that among equals it happens to any of them in fewer than 5 % of tunings, however often
// this is asked.
void tuning_judge(struct tuning *tuning, const struct rounds *rounds);

// The same of the simulated device, where each launch of a candidate takes what the first took.
void tuning_judge_modelled(struct tuning *tuning);

// Whether the model predicts it to be so far behind the best that it is not worth its launches.
bool tuning_is_slow(const struct tuning *tuning, int place);

#endif
