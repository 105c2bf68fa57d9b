#include "files/csv_read.h"

#include <string.h>

struct csv_reader csv_reader_of(char *text)
{
    return (struct csv_reader){.rest = text, .next_line = 1};
}

// Takes the quotes off the field at *rest, which begins with one, and returns its end; *rest is behind the closing one.
static char *unquote(struct csv_reader *reader, char **rest)
{
    char *from = *rest + 1, *to = *rest;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        from += *from == '"';
        reader->next_line += *from == '\n';
        *to++ = *from;
    }
    reader->unclosed |= *from == '\0';
    *rest = from + (*from == '"');
    return to;
}

// The field at *rest, and the sign that ended it.
static char take_field(struct csv_reader *reader, char **rest)
{
    char *end = **rest == '"' ? unquote(reader, rest) : NULL;
    char *stop = *rest + strcspn(*rest, ",\n");
    char sign = *stop;
    if (!end)
        end = stop > *rest && sign != ',' && stop[-1] == '\r' ? stop - 1 : stop;
    *end = '\0';
    *rest = sign ? stop + 1 : stop;
    return sign;
}

int csv_next(struct csv_reader *reader, struct csv_field *fields, int most)
{
    char *start = reader->rest, *rest = start, sign = ',';
    int count = 0;
    if (*rest == '\0')
        return 0;
    reader->line = reader->next_line;
    for (; sign == ','; count++) {
        char *field = rest;
        sign = take_field(reader, &rest);
        if (count < most)
            fields[count] = (struct csv_field){field, (int)(field - start) + 1};
    }
    reader->next_line += sign == '\n';
    reader->rest = rest;
    return count;
}

bool csv_next_begins(const struct csv_reader *reader, const char *start)
{
    return strncmp(reader->rest, start, strlen(start)) == 0;
}

bool csv_skip_line(struct csv_reader *reader)
{
    char *end = strchr(reader->rest, '\n');
    reader->rest = end ? end + 1 : reader->rest + strlen(reader->rest);
    reader->next_line++;
    return *reader->rest != '\0';
}
