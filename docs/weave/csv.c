// The generated part that shows columns of a recorded CSV file, none of whose fields is quoted.
#include "tables.h"

#include <errno.h>
#include <string.h>

enum { MAX_COLUMNS = 16, LINE_SIZE = 400, PATH_SIZE = 80 };

struct row {
    int count;
    const char *fields[MAX_COLUMNS];
    char text[LINE_SIZE]; // that they lie in
};

// A column that is shown, or that must have a value in a row that is.
struct choice {
    int column;
    const char *value; // NULL: it is shown
};

static bool read_row(FILE *file, struct row *row)
{
    if (!fgets(row->text, sizeof row->text, file))
        return false;
    row->text[strcspn(row->text, "\n")] = '\0';
    row->count = 0;
    for (char *at = row->text; at && row->count < MAX_COLUMNS;) {
        row->fields[row->count++] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    return true;
}

// The columns that the words behind the first name: "KEY" or "KEY=VALUE".
static bool choose(const struct words *words, const struct row *heading, struct choice *choices,
                   char *why)
{
    for (int i = 1; i < words->count; i++) {
        const char *word = words->word[i], *equals = strchr(word, '=');
        size_t length = strcspn(word, "=");
        int column = 0;
        while (column < heading->count && (strlen(heading->fields[column]) != length ||
                                           strncmp(heading->fields[column], word, length) != 0))
            column++;
        if (column == heading->count) {
            snprintf(why, BLOCK_WHY_SIZE, "docs/runs/%s.csv has no column %.*s", words->word[0],
                     (int)length, word);
            return false;
        }
        choices[i - 1] = (struct choice){column, equals ? equals + 1 : NULL};
    }
    return true;
}

static bool is_shown(const struct row *row, const struct choice *choices, int count)
{
    for (int i = 0; i < count; i++)
        if (choices[i].value && (choices[i].column >= row->count ||
                                 strcmp(row->fields[choices[i].column], choices[i].value) != 0))
            return false;
    return true;
}

// The unit stands with the number: of "copy_gbs" the heading is "copy".
static bool is_in_gbs(const char *name)
{
    static const char ending[] = "_gbs";
    size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

static void put_heading(FILE *out, const struct row *heading, const struct choice *choices,
                        int count)
{
    int shown = 0;
    for (int i = 0; i < count; i++) {
        if (choices[i].value)
            continue;
        const char *name = heading->fields[choices[i].column];
        int length = (int)strlen(name) - (is_in_gbs(name) ? 4 : 0);
        fprintf(out, shown++ ? " " : "| ");
        for (int k = 0; k < length; k++)
            fputc(name[k] == '_' ? ' ' : name[k], out);
        fprintf(out, " |");
    }
    fprintf(out, "\n|");
    while (shown-- > 0)
        fprintf(out, "---:|");
    fputc('\n', out);
}

static void put_row(FILE *out, const struct row *heading, const struct row *row,
                    const struct choice *choices, int count)
{
    fputc('|', out);
    for (int i = 0; i < count; i++) {
        int column = choices[i].column;
        bool known = column < row->count && *row->fields[column];
        if (!choices[i].value)
            fprintf(out, " %s%s |", known ? row->fields[column] : "–",
                    known && is_in_gbs(heading->fields[column]) ? " GB/s" : "");
    }
    fputc('\n', out);
}

// The first line says of what device, and what command made it: "# NVIDIA H100 ..., 2026-11-22: make ...".
static bool write_rows(FILE *file, const struct words *words, const char *to_root, FILE *out,
                       char *why)
{
    char line[LINE_SIZE], origin[160], command[80];
    struct choice choices[MAX_WORDS];
    struct row heading, row;
    int count = words->count - 1, rows = 0;
    const char *name = words->word[0];
    snprintf(why, BLOCK_WHY_SIZE,
             "docs/runs/%s.csv does not begin with where it is from, and a heading", name);
    if (!fgets(line, sizeof line, file) ||
        sscanf(line, "# %159[^:\n]: %79[^\n]", origin, command) != 2 || !read_row(file, &heading) ||
        !choose(words, &heading, choices, why))
        return false;
    put_heading(out, &heading, choices, count);
    while (read_row(file, &row))
        if (is_shown(&row, choices, count)) {
            put_row(out, &heading, &row, choices, count);
            rows++;
        }
    fprintf(out, "\nMeasured: %s, `%s` ([`docs/runs/%s.csv`](%sdocs/runs/%s.csv)).\n", origin,
            command, name, to_root, name);
    snprintf(why, BLOCK_WHY_SIZE, "docs/runs/%s.csv has no such rows", name);
    return rows > 0;
}

bool write_csv(const struct words *words, const char *to_root, FILE *out, char *why)
{
    char path[PATH_SIZE];
    if (words->count < 2) {
        snprintf(why, BLOCK_WHY_SIZE, "csv takes a file of docs/runs/, and then its columns");
        return false;
    }
    snprintf(path, sizeof path, "docs/runs/%.60s.csv", words->word[0]);
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(why, BLOCK_WHY_SIZE, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    bool good = write_rows(file, words, to_root, out, why);
    fclose(file);
    return good;
}
