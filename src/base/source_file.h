// A source file as the build saw it, found again from wherever the program is called.
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include "base/programs.h"

#include <stdbool.h>

enum source_state {
    SOURCE_AS_BUILT, //
    SOURCE_EDITED,   // newer than the program: perhaps not what was compiled
    SOURCE_MISSING,  // it is not there, or no regular file
};

struct source_file {
    const char *name; // as the build saw it, and as it is printed: steps/step2_per_column.cu
    enum source_state state;
    char path[KIT_PATH_SIZE]; // where it lies, unless it is missing
    const char *lacks;        // why it is: "is not there", "is no plain file"
};

// Finds the file: a relative name is one in the kit's folder. `name` must live as long as the result.
struct source_file source_file_find(const char *name);

// Whether a path that a compiler wrote into its code means that file: it may have made it absolute.
bool source_file_is(const struct source_file *source, const char *compiled);

#endif
