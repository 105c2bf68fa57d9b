// Where recorded runs lie, and by which names: docs/runs/ comes with the kit, results/ has those that
// ./run --save keeps.
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include "base/programs.h"

#include <stdbool.h>
#include <stddef.h>

enum run_folder { REFERENCE_RUNS, SAVED_RUNS, PREDICTIONS };

enum { RUN_NAME_SIZE = 40 };

struct run_names {
    size_t count;
    char (*names)[RUN_NAME_SIZE];
};

// The folder's path: results/ and docs/runs/ in the kit's folder, or for SAVED_RUNS the one that the
// environment names in APODKIT_RESULTS, and predictions/ in that. False when it cannot be told.
bool run_folder_path(enum run_folder folder, char path[KIT_PATH_SIZE]);

// The path of the file that a run of this name has, or would have, in the folder.
bool run_file_path(enum run_folder folder, const char *name, char path[KIT_PATH_SIZE]);

// Whether a run can have the name: letters, digits, '.', '_' and '-', the first a letter or digit, at
// most RUN_NAME_SIZE - 1 of them.
bool run_name_is_good(const char *name);

// The names of the runs in a folder, in alphabetical order; none where there is no such folder. The
// caller frees them with run_names_free(). False after a message on standard error.
bool run_names_list(enum run_folder folder, struct run_names *names);
void run_names_free(struct run_names *names);

// The file that a user means: a saved run's name, a reference's, or a path. False after a message on
// standard error that says what there is.
bool run_file_find(const char *name, char path[KIT_PATH_SIZE]);

#endif
