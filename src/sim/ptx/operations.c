#include "sim/ptx/operations.h"

#include <stdio.h>
#include <string.h>

#include "sim/ptx/lanes.h"

const struct operation operations[] = {
    {NULL, OTHER, {0}},
#define ROW_1(kind, text, name, TD, TA, value) {text, kind, {sizeof(TD), sizeof(TA)}},
#define ROW_2(kind, text, name, TD, TA, TB, value)                                                 \
    {text, kind, {sizeof(TD), sizeof(TA), sizeof(TB)}},
#define ROW_3(kind, text, name, TD, TA, TB, TC, value)                                             \
    {text, kind, {sizeof(TD), sizeof(TA), sizeof(TB), sizeof(TC)}},
#define ROW_4(kind, text, name, TD, TA, TB, TC, TE, value)                                         \
    {text, kind, {sizeof(TD), sizeof(TA), sizeof(TB), sizeof(TC), sizeof(TE)}},
#include "sim/ptx/arithmetic.h"
};

enum { OPERATIONS = sizeof operations / sizeof *operations };
_Static_assert(OPERATIONS <= UINT8_MAX, "an instruction has 8 bits for its operation");

static uint8_t find(const char *stem, const char *suffix)
{
    size_t length = strlen(stem);
    for (uint8_t i = 1; i < OPERATIONS; i++)
        if (strncmp(operations[i].name, stem, length) == 0 && operations[i].name[length] == '.' &&
            strcmp(operations[i].name + length + 1, suffix) == 0)
            return i;
    return 0;
}

uint8_t find_operation(const char *stem, enum type type)
{
    char bits[16];
    uint8_t found = find(stem, type_name(type));
    snprintf(bits, sizeof bits, "b%u", 8 * type_size(type));
    return found || type_is_float(type) ? found : find(stem, bits);
}
