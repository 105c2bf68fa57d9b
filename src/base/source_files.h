// The source files that code came from, as the compiler saw them.
//
// They hold no pointers, so that they can live in memory that two processes share.
#ifndef SOURCE_FILES_H
#define SOURCE_FILES_H

enum { MAX_LINE_FILES = 16, LINE_FILE_SIZE = 512 };

struct source_files {
    int count;
    char names[MAX_LINE_FILES][LINE_FILE_SIZE];
};

// The file's place in the list, where it is put if need be; -1 when there is no room.
int source_files_place(struct source_files *files, const char *name);

#endif
