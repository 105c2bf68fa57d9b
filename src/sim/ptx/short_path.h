// The path of a source file as messages have it.
#ifndef SIM_SHORT_PATH_H
#define SIM_SHORT_PATH_H

// The path from the working directory, when the file is below it; else the path itself. Points into
// `path`.
const char *short_path(const char *path);

#endif
