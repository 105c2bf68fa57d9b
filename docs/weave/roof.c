// The generated part that says how near the steps come to the roof: a row a kernel, a column a size.
#include "tables.h"

#include "facts/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 256, PATH_SIZE = 80 };

// What `make bench-gpu` measured of one kernel at one size.
struct measured {
    size_t n;
    char kernel[48];
    double ms, gbs;
    double of_copy, low, high; // the copy's time over the kernel's: median, 10th, 90th percentile
};

struct roof {
    char origin[160]; // device, driver and date
    int count;
    struct measured rows[MAX_ROWS];
};

// The heading names the device, the driver and the date: "# NVIDIA H200, driver ..., 2026-11-21: make ...".
static bool read_origin(FILE *file, char origin[160])
{
    char line[200];
    bool read = fgets(line, sizeof line, file) && sscanf(line, "# %159[^:\n]:", origin) == 1;
    return read && fgets(line, sizeof line, file) && strncmp(line, "n,kernel,", 9) == 0;
}

static bool read_row(const char *line, struct measured *row)
{
    return sscanf(line, "%zu,\"%47[^\"]\",%lf,%lf,%lf,%lf,%lf", &row->n, row->kernel, &row->ms,
                  &row->gbs, &row->of_copy, &row->low, &row->high) == 7;
}

static bool read_rows(FILE *file, const char *path, struct roof *roof, char *why)
{
    char line[200];
    if (!read_origin(file, roof->origin)) {
        snprintf(why, BLOCK_WHY_SIZE, "%s does not begin as `make bench-gpu` writes it", path);
        return false;
    }
    for (; fgets(line, sizeof line, file); roof->count++)
        if (roof->count == MAX_ROWS || !read_row(line, &roof->rows[roof->count])) {
            snprintf(why, BLOCK_WHY_SIZE, "%s:%d is no row of `make bench-gpu`, or one too many",
                     path, roof->count + 3);
            return false;
        }
    snprintf(why, BLOCK_WHY_SIZE, "%s has no rows", path);
    return roof->count > 0;
}

static const struct measured *find(const struct roof *roof, size_t n, const char *kernel)
{
    for (int i = 0; i < roof->count; i++)
        if (roof->rows[i].n == n && strcmp(roof->rows[i].kernel, kernel) == 0)
            return &roof->rows[i];
    return NULL;
}

// Whether row i is the first of its size; whether it is the first of its kernel.
static bool begins_size(const struct roof *roof, int i)
{
    return find(roof, roof->rows[i].n, roof->rows[0].kernel) == &roof->rows[i];
}

static bool begins_kernel(const struct roof *roof, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(roof->rows[k].kernel, roof->rows[i].kernel) == 0)
            return false;
    return true;
}

// A share in three places, a leading zero left out: ".966", "1.004".
static const char *short_share(char text[FORMAT_SIZE], double share)
{
    snprintf(text, FORMAT_SIZE, "%.3f", share);
    return text + (*text == '0');
}

// "0.975 (.966–.981)"; of the copy itself, the first of each size, its bandwidth.
static void put_cell(FILE *out, const struct measured *row, bool is_copy)
{
    char gbs[FORMAT_SIZE], low[FORMAT_SIZE], high[FORMAT_SIZE];
    if (!row) {
        fprintf(out, " – |");
    } else if (is_copy) {
        format_number(gbs, row->gbs);
        fprintf(out, " %s GB/s |", gbs);
    } else {
        fprintf(out, " %.3f (%s–%s) |", row->of_copy, short_share(low, row->low),
                short_share(high, row->high));
    }
}

static void put_roof(FILE *out, const struct roof *roof)
{
    fprintf(out, "| share of the copy |");
    for (int i = 0; i < roof->count; i++)
        if (begins_size(roof, i))
            fprintf(out, " n = %zu |", roof->rows[i].n);
    fprintf(out, "\n|---|");
    for (int i = 0; i < roof->count; i++)
        if (begins_size(roof, i))
            fprintf(out, "---:|");
    fputc('\n', out);
    for (int row = 0; row < roof->count; row++) {
        const char *kernel = roof->rows[row].kernel;
        if (!begins_kernel(roof, row))
            continue;
        fprintf(out, "| %s |", kernel);
        for (int i = 0; i < roof->count; i++)
            if (begins_size(roof, i))
                put_cell(out, find(roof, roof->rows[i].n, kernel), row == 0);
        fputc('\n', out);
    }
}

bool write_roof(const struct words *words, const char *to_root, FILE *out, char *why)
{
    char path[PATH_SIZE];
    if (words->count != 1) {
        snprintf(why, BLOCK_WHY_SIZE, "roof takes a device: that of docs/runs/roof-<device>.csv");
        return false;
    }
    snprintf(path, sizeof path, "docs/runs/roof-%s.csv", words->word[0]);
    FILE *file = fopen(path, "r");
    struct roof *roof = calloc(1, sizeof *roof);
    snprintf(why, BLOCK_WHY_SIZE, "cannot read %s: %s", path, strerror(errno));
    bool good = file && roof && read_rows(file, path, roof, why);
    if (good) {
        put_roof(out, roof);
        fprintf(out, "\nMeasured: %s, `make bench-gpu` ([`%s`](%s%s)).\n", roof->origin, path,
                to_root, path);
    }
    if (file)
        fclose(file);
    free(roof);
    return good;
}
