// The advice on a step as JSON, for a run (json.c) and an explanation (json_explanation.c).
#ifndef JSON_ADVICE_H
#define JSON_ADVICE_H

#include "advice/advice.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

// Adds the array "advice" to the step, as docs/json.md describes it: empty without findings (NULL), as of
// a step that went wrong. False when memory ran out.
bool json_add_advice(cJSON *step, const struct findings *findings);

#endif
