// Draws the documents' pictures: draw FOLDER. `make pictures` types it. Exit status: 0, or 1 after a
// message on standard error.
#include "pictures.h"

#include "base/programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    picture *draw;
} pictures[] = {
    {"coalescing", draw_coalescing}, {"bank_conflicts", draw_bank_conflicts},
    {"block_size", draw_block_size}, {"littles_law", draw_littles_law},
    {"swizzle", draw_swizzle},       {"block_order", draw_block_order},
    {"occupancy", draw_occupancy},   {"ladder", draw_ladder},
};

static int draw(const char *folder, size_t which)
{
    char path[KIT_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.svg", folder, pictures[which].name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "draw: cannot write %s: %s\n", path, strerror(errno));
        return 0;
    }
    int drawn = pictures[which].draw(file);
    if (ferror(file) || fclose(file) != 0) {
        fprintf(stderr, "draw: cannot write %s: %s\n", path, strerror(errno));
        return 0;
    }
    return drawn;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "Usage: draw FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (!draw(argv[1], i))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
