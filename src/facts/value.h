// A number, and where it comes from. It holds no pointers, so that it can live in memory that two
// processes share.
#ifndef VALUE_H
#define VALUE_H

#include <stdbool.h>

// What nobody filled in is unavailable. What is made of several values is as weak as the last of them
// in this order.
enum provenance {
    UNAVAILABLE, // no number; `why` says the reason
    COMPUTED,    // from the launch and what the device has
    MEASURED,    // a hardware counter or a clock
    COUNTED,     // an exact count of the simulated device
    MODELLED,    // a prediction
    PROVENANCES
};

enum { WHY_SIZE = 160 };

struct value {
    double number; // meaningful unless the provenance is UNAVAILABLE
    enum provenance provenance;
    char why[WHY_SIZE]; // the reason, when unavailable
};

// "computed", "measured", "counted", "modelled" or "unavailable". Static strings.
const char *provenance_name(enum provenance provenance);

// The one that says less of the two.
enum provenance weaker(enum provenance a, enum provenance b);

// What stands before a predicted number in a report: "~"; else "". A static string.
const char *provenance_mark(enum provenance provenance);

// A number with its provenance (not UNAVAILABLE).
struct value value_of(double number, enum provenance provenance);

// No number, for the reason that the printf-style format gives (cut to fit WHY_SIZE).
__attribute__((format(printf, 1, 2))) struct value value_unavailable(const char *format, ...);

// Whether the value holds a number.
bool value_known(const struct value *value);

#endif
