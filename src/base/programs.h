// The kit's two programs: build/gpu/run on a GPU, build/sim/run on the simulated device. ./run is one
// of them, and hands over to the other when that is the one to run.
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

// Exit statuses, documented in --help.
enum { EXIT_GOOD = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_NO_DEVICE = 3 };

enum { KIT_PATH_SIZE = 4096 + 256 };

// The path of something in the kit's folder, "docs/runs/h200.json", from wherever the program is
// called: the kit is three levels above the program (build/gpu/run). False when it cannot be told.
bool kit_path(const char *inside, char path[KIT_PATH_SIZE]);

// The path of the list of this program's sources, which lies beside it. False when it cannot be told.
bool program_list_path(char path[KIT_PATH_SIZE]);

// The path of the kit's program on that kind of device: this one if it is of that kind, else the other.
// False when it cannot be told, or when there is no such program.
bool program_path(bool simulated, char path[KIT_PATH_SIZE]);

// Runs the program at argv[0] with the arguments argv[1] to NULL, waits for its end, and gives what it
// wrote to standard output: text of at most `most` bytes, which the caller frees. Its standard error
// is this program's. NULL after a message on standard error when it could not be run, wrote more, or
// was ended by a signal; its exit status is in *status. NULL without a message, and EXIT_TOO_LATE, when it took
// longer than `limit_s` seconds (0: it may take any time): it is ended then.
enum { EXIT_TOO_LATE = 124 };
char *program_output(char *const *argv, size_t most, int limit_s, int *status);

#endif
