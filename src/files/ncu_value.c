#include "files/ncu_value.h"

#include "facts/expression.h"
#include "files/local_number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Nanoseconds of a unit of time; 0 of what is none.
static double nanoseconds_of(const char *unit)
{
    static const struct {
        const char *name;
        double ns;
    } times[] = {{"ns", 1},   {"nsecond", 1},   {"us", 1e3}, {"usecond", 1e3},
                 {"ms", 1e6}, {"msecond", 1e6}, {"s", 1e9},  {"second", 1e9}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strcmp(unit, times[i].name) == 0)
            return times[i].ns;
    return 0;
}

// What one of the unit is in base units.
static double scale_of(const char *unit)
{
    double ns = nanoseconds_of(unit);
    if (ns > 0)
        return ns;
    static const char prefixes[] = "KMGT";
    const char *prefix = *unit ? strchr(prefixes, *unit) : NULL;
    if (!prefix || !islower((unsigned char)unit[1]))
        return 1;
    return pow(unit[1] == 'i' && unit[2] == 'b' ? 1024 : 1000, (double)(prefix - prefixes + 1));
}

static bool has_column(void *context, const char *name)
{
    return ncu_column(context, name) >= 0;
}

static struct value value_of_term(struct ncu_table *table, int row, const struct term *term)
{
    int column = ncu_column(table, term->name);
    const struct csv_field *field = ncu_cell(table, row, column);
    const char *unit = table->units[column].text;
    double number;
    if (!*field->text || strcmp(field->text, "n/a") == 0 || strcmp(field->text, "nan") == 0)
        return value_unavailable("ncu has no number for %.100s", term->name);
    if (strcmp(term->name, NCU_TIME) == 0 && nanoseconds_of(unit) == 0)
        ncu_refuse(table, table->name_line + 1, 0,
                   "'%.20s' is no unit of time that ncu has, for " NCU_TIME, unit);
    else if (local_number(field->text, table->point, &number))
        return value_of(term->factor * number * scale_of(unit), MEASURED);
    else
        ncu_refuse(table, table->lines[row], field->column, "'%.40s' is no number, for %.60s",
                   field->text, term->name);
    return value_unavailable("%s", "");
}

struct value ncu_value(struct ncu_table *table, int row, const char *text)
{
    struct expression expression;
    char why[WHY_SIZE];
    double sum = 0;
    if (!expression_resolve(text, has_column, table, &expression, why, sizeof why))
        return value_unavailable("ncu was not asked for %.120s", text);
    for (int i = 0; i < expression.count; i++) {
        struct value value = value_of_term(table, row, &expression.terms[i]);
        if (!value_known(&value))
            return value;
        sum += value.number;
    }
    return value_of(sum, MEASURED);
}

// ---- The other way round ---------------------------------------------------------------------------

static bool any_name(void *context, const char *name)
{
    (void)context, (void)name;
    return true;
}

// Appends the names of an expression, the first where there are several for one thing.
static bool add_names(char *text, size_t size, const char *its)
{
    struct expression expression;
    char why[WHY_SIZE];
    bool good = expression_resolve(its, any_name, NULL, &expression, why, sizeof why);
    for (int i = 0; good && i < expression.count; i++) {
        size_t used = strlen(text);
        good = snprintf(text + used, size - used, "%s%s", used ? "," : "",
                        expression.terms[i].name) < (int)(size - used);
    }
    return good;
}

bool ncu_metric_names(char *text, size_t size)
{
    static const char *const others[] = {NCU_TIME, NCU_REGISTERS, NCU_SHARED, NCU_DEVICE,
                                         NCU_SMS,  NCU_L2,        NCU_CLOCK,  NCU_BUS};
    bool good = true;
    *text = '\0';
    for (size_t i = 0; good && i < sizeof others / sizeof *others; i++)
        good = add_names(text, size, others[i]);
    for (enum metric i = FIRST_METRIC; good && i < METRICS; i++)
        if (metric_table[i].is_counted)
            good = add_names(text, size, metric_table[i].cupti);
    return good;
}
