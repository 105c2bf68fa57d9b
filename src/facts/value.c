#include "facts/value.h"

#include "base/untrusted_text.h"

#include <stdarg.h>
#include <stdio.h>

const char *provenance_name(enum provenance provenance)
{
    static const char *const names[PROVENANCES] = {"unavailable", "computed", "measured", "counted",
                                                   "modelled"};
    return names[provenance];
}

enum provenance weaker(enum provenance a, enum provenance b)
{
    return a > b ? a : b;
}

const char *provenance_mark(enum provenance provenance)
{
    return provenance == MODELLED ? "~" : "";
}

struct value value_of(double number, enum provenance provenance)
{
    return (struct value){.number = number, .provenance = provenance};
}

struct value value_unavailable(const char *format, ...)
{
    struct value value = {.provenance = UNAVAILABLE};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value.why, sizeof value.why, format, arguments);
    va_end(arguments);
    foreign_trim(value.why);
    return value;
}

bool value_known(const struct value *value)
{
    return value->provenance != UNAVAILABLE;
}
