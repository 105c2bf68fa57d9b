#define _POSIX_C_SOURCE 200809L
// Whether the figures in a document's prose are those of its generated parts.
#include "arithmetic.h"
#include "blocks.h"
#include "checks.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { PROSE, GENERATED, WORKED, LEFT_OUT };

struct known {
    struct figure *figures;
    size_t count, capacity;
};

static void add(struct known *known, const struct figure *figure)
{
    if (known->count == known->capacity) {
        known->capacity = 2 * known->capacity + 64;
        known->figures = realloc(known->figures, known->capacity * sizeof *known->figures);
        if (!known->figures) {
            fprintf(stderr, "weave: no memory left\n");
            exit(EXIT_FAILURE);
        }
    }
    known->figures[known->count++] = *figure;
}

static bool is_known(const struct known *known, const struct figure *figure)
{
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->figures[i].number, figure->number) == 0 &&
            strcmp(known->figures[i].unit, figure->unit) == 0)
            return true;
    return false;
}

// The next measured figure in the text, code in backquotes left out; moves `*text` behind it.
static bool next_figure(const char **text, struct figure *figure)
{
    bool in_code = false, in_word = false;
    while (**text) {
        unsigned char c = (unsigned char)**text;
        in_code ^= c == '`';
        if (isdigit(c) && !in_code && !in_word && figure_read(text, figure)) {
            if (unit_is_measured(figure->unit))
                return true;
            continue;
        }
        in_word = isalnum(c) || c == '_' || c == '.';
        (*text)++;
    }
    return false;
}

// What each line is.
static enum kind *kinds_of(const struct document *document)
{
    enum kind *kinds = malloc((document->count + 1) * sizeof *kinds);
    bool generated = false, fenced = false, worked = false;
    for (size_t i = 0; kinds && i < document->count; i++) {
        const char *line = document->lines[i];
        bool is_fence = line_is_fence(line);
        if (is_fence && !fenced)
            worked = strcmp(fence_info(line), "worked") == 0;
        fenced ^= is_fence;
        if (block_ends(line))
            generated = false;
        kinds[i] = is_fence || strncmp(line, "<!--", 4) == 0 ? LEFT_OUT
                   : generated                               ? GENERATED
                   : fenced                                  ? (worked ? WORKED : LEFT_OUT)
                                                             : PROSE;
        generated |= block_opens(line);
    }
    return kinds;
}

// Where a worked line's result begins, behind its last " = "; NULL when there is none.
static const char *find_result(const char *line)
{
    const char *result = NULL;
    for (const char *at = line; (at = strstr(at, " = ")); at += 3)
        result = at + 3;
    return result;
}

// Where its expression begins: behind the words in front and two blanks.
static const char *find_expression(const char *line, const char *end)
{
    const char *start = line;
    for (const char *at = line; at + 1 < end; at++)
        if (at[0] == ' ' && at[1] == ' ')
            start = at + 2;
    return start;
}

// Checks a worked line, and adds its result. Returns 1 after a complaint, else 0.
static int work(const struct document *document, size_t i, struct known *known)
{
    const char *line = document->lines[i], *result = find_result(line), *at = result;
    struct figure figure;
    double value;
    if (!result || !figure_read(&at, &figure)) {
        complain(document, i, "worked arithmetic needs a result: 'what it is  7 x 6 = 42'");
        return 1;
    }
    add(known, &figure);
    const char *start = find_expression(line, result - 3);
    if (!evaluate(start, (size_t)(result - 3 - start), &value)) {
        complain(document, i, "this is no arithmetic: '%.*s'", (int)(result - 3 - start), start);
        return 1;
    }
    if (fabs(value - figure.value) <= 1.001 * figure.precision)
        return 0;
    double unit = figure.value > 0 ? figure.value / strtod(figure.number, NULL) : 1;
    complain(document, i, "the arithmetic gives %.6g, not %s %s", value / unit, figure.number,
             figure.unit);
    return 1;
}

// Complains about the figures of a line that are not known, up to `end` of it.
static int check_line(const struct document *document, size_t i, const struct known *known,
                      const char *end)
{
    int complaints = 0;
    const char *at = document->lines[i];
    for (struct figure figure; next_figure(&at, &figure) && (!end || at <= end);)
        if (!is_known(known, &figure)) {
            complain(document, i, "no generated part and no worked line up to here has '%s %s'",
                     figure.number, figure.unit);
            complaints++;
        }
    return complaints;
}

static bool starts_section(const char *line)
{
    return strncmp(line, "## ", 3) == 0 || strncmp(line, "### ", 4) == 0;
}

// Checks the lines of a section, `first` .. `end` - 1.
static int check_section(const struct document *document, const enum kind *kinds, size_t first,
                         size_t end, struct known *known)
{
    int complaints = 0;
    for (size_t i = first; i < end; i++) {
        const char *at = document->lines[i];
        if (kinds[i] == GENERATED)
            for (struct figure figure; next_figure(&at, &figure);)
                add(known, &figure);
        if (kinds[i] == WORKED)
            complaints += work(document, i, known);
    }
    for (size_t i = first; i < end; i++) {
        if (kinds[i] == PROSE)
            complaints += check_line(document, i, known, NULL);
        if (kinds[i] == WORKED)
            complaints += check_line(document, i, known, find_result(document->lines[i]));
    }
    return complaints;
}

int check_figures(const struct document *document)
{
    struct known known = {0};
    enum kind *kinds = kinds_of(document);
    int complaints = 0;
    bool any = false;
    for (size_t i = 0; kinds && i < document->count; i++)
        any |= kinds[i] == GENERATED;
    for (size_t first = 0, end; any && first < document->count; first = end) {
        for (end = first + 1; end < document->count &&
                              (kinds[end] != PROSE || !starts_section(document->lines[end]));)
            end++;
        complaints += check_section(document, kinds, first, end, &known);
    }
    free(known.figures);
    if (!kinds) {
        fprintf(stderr, "weave: no memory left\n");
        complaints++;
    }
    free(kinds);
    return complaints;
}
