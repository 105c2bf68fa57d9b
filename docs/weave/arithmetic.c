#include "arithmetic.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double factor;
    bool measured; // not exact by definition
} units[] = {
    {"GB/s", 1e9, true},    {"TB/s", 1e12, true},      {"GHz", 1e9, false}, {"KiB", 1024, false},
    {"MiB", 1048576, true}, {"GiB", 1073741824, true}, {"KB", 1e3, true},   {"MB", 1e6, true},
    {"GB", 1e9, true},      {"ns", 1e-9, true},        {"µs", 1e-6, true},  {"ms", 1e-3, true},
    {"s", 1, true},         {"%", 0.01, true},         {"×", 1, true},      {"times", 1, true},
    {"cycles", 1, true},
};
enum { UNITS = sizeof units / sizeof *units };

bool unit_is_measured(const char *unit)
{
    for (int i = 0; i < UNITS; i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].measured;
    return false;
}

// The unit that the text starts with, up to the end of the word; UNITS when there is none.
static int find_unit(const char *text)
{
    for (int i = 0; i < UNITS; i++) {
        size_t length = strlen(units[i].name);
        unsigned char next = (unsigned char)text[length < strlen(text) ? length : strlen(text)];
        bool ends = !isalnum(next) && next < 0x80;
        if (strncmp(text, units[i].name, length) == 0 && ends)
            return i;
    }
    return UNITS;
}

// Half of the last digit's place: of "36.8" 0.05.
static double half_digit(const char *number)
{
    const char *point = strchr(number, '.');
    return 0.5 * pow(10, point ? -(double)strlen(point + 1) : 0);
}

bool figure_read(const char **text, struct figure *figure)
{
    const char *start = *text;
    size_t length = strspn(start, "0123456789");
    if (length == 0)
        return false;
    if (start[length] == '.' && isdigit((unsigned char)start[length + 1]))
        length += 1 + strspn(start + length + 1, "0123456789");
    if (length >= sizeof figure->number)
        return false;
    *figure = (struct figure){0};
    memcpy(figure->number, start, length);
    const char *end = start + length;
    const char *behind = *end == ' ' ? end + 1 : end;
    int unit = find_unit(behind);
    double factor = 1;
    if (unit < UNITS) {
        factor = units[unit].factor;
        end = behind + strlen(units[unit].name);
        snprintf(figure->unit, sizeof figure->unit, "%s",
                 strcmp(units[unit].name, "times") == 0 ? "×" : units[unit].name);
    }
    figure->value = strtod(figure->number, NULL) * factor;
    figure->precision = half_digit(figure->number) * factor;
    *text = end;
    return true;
}

// ---- Expressions -----------------------------------------------------------------------------------

struct expression {
    const char *at, *end;
    bool failed;
};

static double sum(struct expression *e);

static void skip_blanks(struct expression *e)
{
    while (e->at < e->end && *e->at == ' ')
        e->at++;
}

static bool take(struct expression *e, const char *token)
{
    skip_blanks(e);
    size_t length = strlen(token);
    if ((size_t)(e->end - e->at) < length || strncmp(e->at, token, length) != 0)
        return false;
    e->at += length;
    return true;
}

// A word that says of what there are so many: "lanes", but not the 'x' of a product.
static void skip_words(struct expression *e)
{
    for (;;) {
        skip_blanks(e);
        size_t length = 0;
        while (e->at + length < e->end && isalpha((unsigned char)e->at[length]))
            length++;
        if (length < 2)
            return;
        e->at += length;
    }
}

static double operand(struct expression *e)
{
    struct figure figure;
    if (take(e, "(")) {
        double value = sum(e);
        e->failed |= !take(e, ")");
        return value;
    }
    skip_blanks(e);
    if (e->at >= e->end || !figure_read(&e->at, &figure)) {
        e->failed = true;
        return 0;
    }
    skip_words(e);
    return figure.value;
}

static double product(struct expression *e)
{
    double value = operand(e);
    while (!e->failed) {
        if (take(e, "x") || take(e, "×") || take(e, "*"))
            value *= operand(e);
        else if (take(e, "/"))
            value /= operand(e);
        else
            break;
    }
    return value;
}

static double sum(struct expression *e)
{
    double value = product(e);
    while (!e->failed) {
        if (take(e, "+"))
            value += product(e);
        else if (take(e, "-"))
            value -= product(e);
        else
            break;
    }
    return value;
}

bool evaluate(const char *text, size_t length, double *value)
{
    struct expression e = {.at = text, .end = text + length};
    *value = sum(&e);
    skip_blanks(&e);
    return !e.failed && e.at == e.end && isfinite(*value);
}
