// What learners predicted: a file a run in results/predictions/ (run_files.h), a JSON array of records.
#ifndef PREDICTIONS_H
#define PREDICTIONS_H

#include "advice/prediction.h"

// Keeps the records of a run, with the time; of those without an answer nothing. False after a message on standard
// error; then they are where the message says.
bool predictions_keep(struct prediction_record *records, int count);

// The last record of each step, in the steps' order; at most MAX_STEPS. Returns how many, -1 after a message when
// they cannot be listed. A file that cannot be read is left out after a message, and counted.
int predictions_read(struct prediction_record records[], int *unreadable);

// As JSON text (json.h).
char *json_of_predictions(const struct prediction_record *records, int count);

#endif
