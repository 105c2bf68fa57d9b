// Every file that the program writes: tried before the work for it is done, and then written whole or not at all.
//
// A file gets its name, or the place of the one that is there, when all of it is on the disk: what was there stays
// until then, and when something fails. It keeps its permissions, and a symbolic link goes on pointing to it. What
// cannot be replaced is written as it is: a device, a pipe, standard output, a file in a folder that is read-only.
#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

// Whether the file can be written; nothing changes in it. A FIFO must have a reader, who is held until the program
// ends. When somebody closes the pipe behind standard output, the program goes on from now on, for the file's sake.
// Returns an error number, or 0. The name "-" is standard output's, here and below.
int output_try(const char *name);

// The same, with a message on standard error: "apodkit: writing the JSON to x.json: Is a directory" for a `what` of
// "writing the JSON to".
bool output_possible(const char *what, const char *name);

// Writes `size` bytes. False after a message on standard error; then the text is in a file of TMPDIR or /tmp, or else
// on standard output, and the message says where, unless it was meant for standard output.
bool output_write(const char *what, const char *name, const char *text, size_t size);

// Writes a file that must not be there: of several who create it at once, one does. Returns an error number (EEXIST),
// or 0.
int output_create(const char *name, const char *text, size_t size);

// What output_write() does with a text that it cannot write for the reason `error`.
void output_keep_elsewhere(const char *what, const char *name, const char *text, size_t size,
                           int error);

// Makes a write fail (EPIPE, EFBIG) that would end the program by that signal: SIGPIPE, SIGXFSZ.
void output_survive(int signal);

// Whether it is standard output, by whatever name.
bool output_is_stdout(const char *name);

// Whether the second of the two would be written over the first, or be mixed with it: they are one file, by whatever
// names and links, and no device.
bool output_is_same(const char *one, const char *other);

#endif
