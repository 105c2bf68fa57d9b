// Names as a reader wants them; those of functions are in base/function_name.h.
#ifndef SIM_NAMES_H
#define SIM_NAMES_H

// The path from the working directory, when the file is below it; else the path itself. Points into
// `path`.
const char *name_of_file(const char *path);

#endif
