#include "blocks.h"

#include "excerpts.h"
#include "recorded.h"
#include "show/report.h"
#include "tables.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

typedef bool writer(const struct words *words, const char *to_root, FILE *out, char *why);

static const struct {
    const char *name;
    writer *write;
} writers[] = {
    {"panel", write_panel},     {"summary", write_summary},
    {"device", write_device},   {"table", write_table},
    {"micro", write_micro},     {"code", write_code},
    {"output", write_output},   {"bandwidths", write_bandwidths},
    {"metrics", write_metrics}, {"definitions", write_definitions},
    {"counts", write_counts},   {"roof", write_roof},
    {"csv", write_csv},
};
enum { WRITERS = sizeof writers / sizeof *writers };

static const char opening[] = "<!-- ";

// The place of the writer that the line names; WRITERS when it names none.
static int find_writer(const char *line)
{
    for (int i = 0; i < WRITERS && strncmp(line, opening, strlen(opening)) == 0; i++) {
        size_t length = strlen(writers[i].name);
        const char *name = line + strlen(opening);
        if (strncmp(name, writers[i].name, length) == 0 && name[length] == ':')
            return i;
    }
    return WRITERS;
}

bool block_opens(const char *line)
{
    return find_writer(line) < WRITERS;
}

bool block_ends(const char *line)
{
    return strcmp(line, "<!-- end -->") == 0;
}

bool block_write(const char *marker, const char *to_root, FILE *out, char why[BLOCK_WHY_SIZE])
{
    int which = find_writer(marker);
    const char *arguments = marker + strlen(opening) + strlen(writers[which].name) + 1;
    const char *end = strstr(arguments, " -->");
    struct words words;
    if (!end || end[4]) {
        snprintf(why, BLOCK_WHY_SIZE, "the marker must end with -->, and its line with that");
        return false;
    }
    if (!words_split(arguments, (size_t)(end - arguments), &words)) {
        snprintf(why, BLOCK_WHY_SIZE,
                 "the marker has too many words, or a quote that does not end");
        return false;
    }
    return writers[which].write(&words, to_root, out, why);
}
