#include "base/source_files.h"

#include <string.h>

int source_files_place(struct source_files *files, const char *name)
{
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->names[i], name) == 0)
            return i;
    if (files->count == MAX_LINE_FILES || strlen(name) >= LINE_FILE_SIZE)
        return -1;
    strcpy(files->names[files->count], name);
    return files->count++;
}
