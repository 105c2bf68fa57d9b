// Small CUDA programs that are all correct.
#ifndef PROGRAMS_H
#define PROGRAMS_H

enum { PROGRAMS = 25 };

#ifdef __cplusplus
extern "C" {
#endif

// Runs one; returns 0 when its result is right and no call failed.
int program_run(int program);

// Runs a kernel whose assert() fails; returns what the next call says.
int program_break_assertion(void);

#ifdef __cplusplus
}
#endif

#endif
