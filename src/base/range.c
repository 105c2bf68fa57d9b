#include "base/range.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    size_t least, most;
    struct range *range;
    char *why;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct reader *reader,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->why, RANGE_WHY_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

// A whole number at *text, which moves on behind it.
static bool read_number(const struct reader *reader, const char **text, size_t *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return refuse(reader, "a whole number is expected at '%.40s'", *text);
    errno = 0;
    unsigned long long value = strtoull(*text, &end, 10);
    if (errno != 0 || value > (size_t)-1)
        return refuse(reader, "'%.40s' is too large a number", *text);
    *number = (size_t)value;
    *text = end;
    return true;
}

static bool add(const struct reader *reader, size_t value)
{
    struct range *range = reader->range;
    if (value < reader->least || value > reader->most)
        return refuse(reader, "%zu is not from %zu to %zu", value, reader->least, reader->most);
    for (int i = 0; i < range->count; i++)
        if (range->values[i] == value)
            return true;
    if (range->count == MAX_RANGE)
        return refuse(reader, "there are more than %d values", MAX_RANGE);
    range->values[range->count++] = value;
    return true;
}

// Behind "A:": the "B:*K" or "B:+K".
static bool read_progression(const struct reader *reader, const char **text, size_t first)
{
    size_t last, by;
    if (!read_number(reader, text, &last))
        return false;
    if (last < first)
        return refuse(reader, "%zu:%zu goes down: the smaller end comes first", first, last);
    if (**text != ':' || !(*text)[1] || !strchr("*x+", (*text)[1]))
        return refuse(reader, "%zu:%zu needs a step behind it, as in %zu:%zu:*2 or %zu:%zu:+1000",
                      first, last, first, last, first, last);
    bool times = (*text)[1] != '+';
    *text += 2;
    if (!read_number(reader, text, &by))
        return false;
    if (by < (times ? 2 : 1))
        return refuse(reader, "%c%zu gets nowhere: a factor is 2 or more, a summand 1 or more",
                      times ? '*' : '+', by);
    for (size_t value = first;;) {
        if (!add(reader, value))
            return false;
        if (times ? value > last / by : by > last - value)
            return true;
        value = times ? value * by : value + by;
    }
}

static bool read_item(const struct reader *reader, const char **text)
{
    size_t first;
    if (!read_number(reader, text, &first))
        return false;
    if (**text != ':')
        return add(reader, first);
    ++*text;
    return read_progression(reader, text, first);
}

bool range_parse(const char *text, size_t least, size_t most, struct range *range,
                 char why[RANGE_WHY_SIZE])
{
    struct reader reader = {.least = least, .most = most, .range = range, .why = why};
    *range = (struct range){0};
    for (;;) {
        if (!read_item(&reader, &text))
            return false;
        if (*text == '\0')
            return true;
        if (*text != ',')
            return refuse(&reader, "a comma or the end is expected at '%.40s'", text);
        text++;
    }
}
