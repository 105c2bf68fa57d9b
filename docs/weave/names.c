// Generated parts that are tables of names: of metrics, and of the counts that they are made of.
#include "tables.h"

#include "facts/metric_names.h"
#include "facts/quantity.h"

#include <string.h>

// The expression in backquotes; between names for other chips, which '|' parts, stands "or".
static void put_expression(FILE *out, const char *expression)
{
    size_t length = strcspn(expression, "|");
    fprintf(out, "`%.*s`", (int)length, expression);
    if (expression[length]) {
        fprintf(out, " or ");
        put_expression(out, expression + length + 1);
    }
}

static bool takes_nothing(const struct words *words, const char *what, char *why)
{
    snprintf(why, BLOCK_WHY_SIZE, "%s takes no words", what);
    return words->count == 0;
}

// nvprof's name, or what it had instead, which the note says; NULL when it had nothing of the kind.
static const char *nvprof_name(const struct metric_definition *definition)
{
    static const char instead[] = "nvprof: ";
    if (definition->nvprof)
        return definition->nvprof;
    return strncmp(definition->note, instead, strlen(instead)) == 0
               ? definition->note + strlen(instead)
               : NULL;
}

bool write_metrics(const struct words *words, const char *to_root, FILE *out, char *why)
{
    (void)to_root;
    if (!takes_nothing(words, "metrics", why))
        return false;
    fprintf(out, "| shown | nvprof | kit: key in the JSON | CUPTI, or else the kit's formula |\n");
    fprintf(out, "|---|---|---|---|\n");
    for (int i = 0; i < METRICS; i++) {
        const struct metric_definition *definition = metric_define(i);
        const char *nvprof = nvprof_name(definition);
        fprintf(out, "| %s | ", quantity_label(FIRST_METRIC + i));
        fprintf(out, nvprof ? "`%s`" : "–", nvprof);
        fprintf(out, " | `%s` | ", metric_key(i));
        if (definition->cupti)
            put_expression(out, definition->cupti);
        else
            fprintf(out, "%s", definition->formula);
        fprintf(out, " |\n");
    }
    return true;
}

bool write_counts(const struct words *words, const char *to_root, FILE *out, char *why)
{
    (void)to_root;
    if (!takes_nothing(words, "counts", why))
        return false;
    fprintf(out, "| count | CUPTI |\n|---|---|\n");
    for (int i = 0; i < COUNTS; i++) {
        fprintf(out, "| `%s` | ", count_key(i));
        put_expression(out, count_cupti(i));
        fprintf(out, " |\n");
    }
    return true;
}
