#include "facts/expression.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The text up to one of the characters in `stops`, without the blanks around it.
struct piece {
    const char *start;
    int length;
    const char *rest; // at the stop, or at the end
};

static struct piece next_piece(const char *text, const char *stops)
{
    const char *start = text + strspn(text, " ");
    const char *rest = start + strcspn(start, stops);
    const char *end = rest;
    while (end > start && end[-1] == ' ')
        end--;
    return (struct piece){.start = start, .length = (int)(end - start), .rest = rest};
}

// Takes "2*" off the front of a term's first name. 1 when there is none.
static double take_factor(struct piece *piece)
{
    char *end;
    if (!isdigit((unsigned char)*piece->start))
        return 1;
    double factor = strtod(piece->start, &end);
    if (*end != '*' || end >= piece->start + piece->length)
        return 1;
    piece->length -= (int)(end + 1 - piece->start);
    piece->start = end + 1;
    return factor;
}

// Resolves the term at `text`; returns where it ends, or NULL.
static const char *resolve_term(const char *text, expression_has *has, void *context,
                                struct term *term, char *why, size_t size)
{
    struct piece piece = next_piece(text, "|+");
    struct piece whole = next_piece(text, "+");
    term->factor = take_factor(&piece);
    for (;;) {
        if (piece.length > 0 && piece.length < METRIC_NAME_SIZE) {
            snprintf(term->name, sizeof term->name, "%.*s", piece.length, piece.start);
            if (has(context, term->name))
                return whole.rest;
        }
        if (*piece.rest != '|')
            break;
        piece = next_piece(piece.rest + 1, "|+");
    }
    bool has_rollup = memchr(whole.start, '.', (size_t)whole.length) != NULL;
    snprintf(why, size, "this chip has no metric '%.*s'%s", whole.length, whole.start,
             has_rollup ? "" : " (names end in a rollup: .sum, .avg, .max, .pct and so on)");
    return NULL;
}

bool expression_resolve(const char *text, expression_has *has, void *context,
                        struct expression *expression, char *why, size_t size)
{
    expression->count = 0;
    for (;;) {
        if (expression->count == MAX_TERMS) {
            snprintf(why, size, "'%s' has more than %d terms", text, MAX_TERMS);
            return false;
        }
        struct term *term = &expression->terms[expression->count++];
        const char *rest = resolve_term(text, has, context, term, why, size);
        if (!rest)
            return false;
        if (*rest == '\0')
            return true;
        text = rest + 1;
    }
}
