// A recorded run, read back from its JSON: what docs/json.md describes under "A run".
//
// json_record.c reads it with cJSON; json_missing.c stands in where that library is missing. A record
// holds no pointers. Text from a file has its control characters replaced by blanks.
#ifndef RECORD_H
#define RECORD_H

#include "base/programs.h"
#include "facts/quantity.h"
#include "facts/run_data.h"
#include "files/save.h"
#include "verbs/options.h"

#include <stdbool.h>

enum { TITLE_SIZE = 80, SOURCE_SIZE = 800 };

// Whether a step's result is right. A published run need not say.
enum rightness { NOT_KNOWN, RIGHT, NOT_RIGHT };

struct record_step {
    double number; // matched by it; a fraction where the lesson has no such step
    char title[TITLE_SIZE];
    size_t n;
    enum rightness rightness;
    char error[COMPLAINT_SIZE]; // when NOT_RIGHT
    bool launched;              // grid and block are known
    unsigned grid[3], block[3]; // of the largest launch
    double launches;            // that the step makes; 0 when not known
    struct value values[QUANTITIES];
    struct limits limits;      // modelled; of an unknown limiter when there is no model
    char file_hash[HASH_SIZE]; // of the step's file, for a saved run; "" when not known
};

struct record {
    char label[KIT_PATH_SIZE]; // how the user calls it
    char kit[64];              // who made it: "apodkit 0.1.0"
    char source[SOURCE_SIZE];  // of a run that the kit did not take: where it comes from; else ""
    bool simulated;
    char device[128];
    int cc_major, cc_minor;       // its compute capability; 0 when not known
    char toolkit[16], driver[48]; // as in struct device; "" when not known
    int sms;                      // 0 when not known, as what follows
    double dram_peak_gbs;         // 1e9 bytes a second
    size_t l2_bytes;
    size_t n;
    double cpu_ms;                    // of the CPU's transpose, on all cores; 0 when not known
    double copy_gbs;                  // of the device's own copy; 0 when not known
    char saved_time[SAVED_TIME_SIZE]; // UTC, "2026-01-31T12:00:00Z", of a saved run; else ""
    int count;                        // steps, in ascending order of their numbers
    struct record_step steps[MAX_STEPS];
};

// A file of this size or more is not read: a run of MAX_STEPS steps takes a tenth of it.
enum { RECORD_MAX_BYTES = 1 << 20, RECORD_WHY_SIZE = 240 };

// Reads a run's JSON. False with the reason, and where in the text, in `why`.
bool record_parse(const char *text, struct record *record, char why[RECORD_WHY_SIZE]);

// Reads the recorded run that the user calls `name` (run_files.h). NULL after a message on standard
// error; the caller frees the record with free().
struct record *record_open(const char *name);

// Reads the recorded run in a file, to be called `label`; else as above.
struct record *record_read(const char *path, const char *label);

// The same for the text of a run's JSON that was not in a file.
struct record *record_of_text(const char *text, const char *label);

// The present run as a record, called `label`: by way of its JSON, so that there is one reader. NULL
// after a message on standard error; the caller frees the record with free().
struct record *record_of_run(const struct run_data *run, const char *label);

#endif
