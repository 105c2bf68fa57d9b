// ./run --predict: asks for a step's figures before its panel is shown.
#ifndef ASK_PREDICTIONS_H
#define ASK_PREDICTIONS_H

#include "advice/prediction.h"

#include <stdio.h>

// Where the answers come from.
struct answers {
    FILE *file;
    const char *name; // in messages
    bool is_terminal; // then what is wrong is asked again
    int line;
    bool ended; // no more questions: they ended, or a wrong one came that was not to be asked again
    bool wrong; // it is the latter
};

// Opens the file, "-" for standard input. False after a message on standard error.
bool answers_open(struct answers *answers, const char *name);
void answers_close(struct answers *answers);

// Asks for the figures of the step at `place` of the run, on standard output.
void ask_predictions(struct answers *answers, const struct run *run, int place,
                     const struct style *style, struct prediction_record *record);

#endif
