// What a learner predicts of a step before its panel is shown, and what came: the questions that the lesson's
// text prepares, their answers with units, the score, and what may have been overlooked.
#ifndef PREDICTION_H
#define PREDICTION_H

#include "facts/format.h"
#include "facts/run.h"

// What is asked for, a row each in the table of prediction.c.
enum subject {
    ASKED_GAIN,          // in bandwidth, over the step before
    ASKED_LIMIT,         // a limiter, by its letter
    ASKED_TIME,          // the rest are numbers of the step's own
    ASKED_LOAD_SECTORS,  // a request
    ASKED_STORE_SECTORS, //
    ASKED_STORE_EFFICIENCY,
    ASKED_WAVEFRONTS, // an access to shared memory
    ASKED_DRAM_SHARE, // of its peak
    ASKED_OCCUPANCY,  // the theoretical one
    SUBJECTS
};

enum {
    MAX_QUESTIONS = 6,
    ANSWER_WHY_SIZE = 240,
    MISTAKE_SIZE = 400,
    NEAR_PREDICTION = 20, // percent of what came: so near is right
    NEAR_POINTS = 2,      // and points of a percentage
};

struct prediction {
    enum subject subject;
    double came;      // in the unit of the metric; of ASKED_LIMIT, an enum limiter
    double came_too;  // what the advice calls the limit, where the timing model says another one
    bool answered;    // else the next is 0
    double predicted; // as `came`
};

// What was predicted of a step, of one run; and when. Text from a file is harmless (base/untrusted_text.h).
struct prediction_record {
    char time[SAVED_TIME_SIZE]; // UTC, "2026-01-31T12:00:00Z"
    char device[128];
    size_t n;
    double step;
    int count;
    struct prediction list[MAX_QUESTIONS];
};

// The questions of the step at `place` of the run whose answers are known, with what came. Returns how many;
// none of a step that went wrong.
int prediction_questions(const struct run *run, int place, struct prediction list[MAX_QUESTIONS]);

// The question in a line, without its question mark: "gain over step 3 (x)". A key in the JSON. The subject
// of a key, or SUBJECTS.
void prediction_question(char text[FORMAT_SIZE], const struct run *run, int place,
                         enum subject subject);
const char *subject_key(enum subject subject);
enum subject subject_find(const char *key);

// Takes an answer: a number with its unit ("1.97x", "265 us", "21 %", "2.1 M"), a limiter's letter, "?" for none.
// False with what is accepted in `why`.
bool prediction_answer(struct prediction *prediction, const char *text, char why[ANSWER_WHY_SIZE]);

// Predicted over what came; 0 where that makes no sense.
double prediction_ratio(const struct prediction *prediction);

bool prediction_is_right(const struct prediction *prediction);

// As text: "1.97x", "265 us", "bank conflicts".
void format_prediction(char text[FORMAT_SIZE], enum subject subject, double number,
                       const struct style *style);

// How well was predicted.
struct calibration {
    int answered, right;
    int numbers;   // of the answers: without the limits, and what came being 0
    double median; // of these: predicted over what came, or the other way round, 1 at least
    int too_much, too_little; // of these, beyond what is right
};
// Of MAX_STEPS records at most.
struct calibration predictions_calibrate(const struct prediction_record *records, int count);

// What may have been overlooked, in a sentence (prediction_mistakes.c); "" where the answer is right or nothing comes to
// mind.
void prediction_mistake(char text[MISTAKE_SIZE], const struct run *run, int place,
                        const struct prediction *prediction, const struct style *style);

#endif
