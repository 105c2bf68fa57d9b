// The JSON schema of a run, as docs/json.md documents it.
#ifndef SCHEMA_H
#define SCHEMA_H

#include <cjson/cJSON.h>

// Fails the test unless the JSON is a run: every key, its type, and for each value a provenance
// that goes with it (null and "unavailable: ...", or a number and where it comes from).
void assert_run_schema(const cJSON *run);

#endif
