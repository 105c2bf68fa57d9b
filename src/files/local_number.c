#include "files/local_number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

char point_of(const char *text)
{
    if (!isdigit((unsigned char)*text) || text[strspn(text, "0123456789.,")] != '\0')
        return 0;
    const char *dot = strrchr(text, '.'), *comma = strrchr(text, ',');
    if (dot && comma)
        return dot > comma ? '.' : ',';
    const char *last = dot ? dot : comma;
    if (!last)
        return 0;
    if (strchr(text, *last) != last) // twice
        return dot ? ',' : '.';
    bool groups = strlen(last + 1) == 3 && last - text <= 3 && *text != '0';
    return groups ? 0 : *last;
}

// The length of a sign that may stand between thousands, in whatever locale; 0 for none.
static size_t between_thousands(const char *text)
{
    static const char *const signs[] = {" ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i], strlen(signs[i])) == 0)
            return strlen(signs[i]);
    return 0;
}

bool local_number(const char *text, char point, double *number)
{
    char plain[64], *end;
    size_t used = 0;
    for (; *text && used + 1 < sizeof plain; text++) {
        size_t sign = between_thousands(text);
        if (sign)
            text += sign - 1;
        else if (*text != (point == '.' ? ',' : '.'))
            plain[used++] = *text == point ? '.' : *text;
    }
    plain[used] = '\0';
    if (*text || !isdigit((unsigned char)*plain) || strpbrk(plain, "xX"))
        return false;
    *number = strtod(plain, &end); // the program's locale has a point
    return *end == '\0' && isfinite(*number) && *number < 1e18;
}
