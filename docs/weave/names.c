// Generated parts that are tables of names: of metrics, and of the counts that they are made of.
#include "tables.h"

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
static const char *nvprof_name(const struct quantity_row *row)
{
    static const char instead[] = "nvprof: ";
    if (row->nvprof)
        return row->nvprof;
    return row->note && strncmp(row->note, instead, strlen(instead)) == 0
               ? row->note + strlen(instead)
               : NULL;
}

bool write_definitions(const struct words *words, const char *to_root, FILE *out, char *why)
{
    (void)to_root;
    if (!takes_nothing(words, "definitions", why))
        return false;
    fprintf(out, "| shown | definition |\n|---|---|\n");
    for (enum quantity i = 0; i < FIRST_COUNT; i++)
        if (quantities[i].formula)
            fprintf(out, "| %s | %s |\n", quantities[i].label, quantities[i].formula);
    return true;
}

bool write_metrics(const struct words *words, const char *to_root, FILE *out, char *why)
{
    (void)to_root;
    if (!takes_nothing(words, "metrics", why))
        return false;
    fprintf(out, "| shown | nvprof | kit: key in the JSON | CUPTI, or else the kit's formula |\n");
    fprintf(out, "|---|---|---|---|\n");
    for (enum quantity i = FIRST_METRIC; i < FIRST_COUNT; i++) {
        const struct quantity_row *row = &quantities[i];
        const char *nvprof = nvprof_name(row);
        fprintf(out, "| %s | ", row->label);
        fprintf(out, nvprof ? "`%s`" : "–", nvprof);
        fprintf(out, " | `%s` | ", row->key);
        if (row->cupti)
            put_expression(out, row->cupti);
        else
            fprintf(out, "%s", row->formula);
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
    for (enum quantity i = FIRST_COUNT; i < QUANTITIES; i++) {
        fprintf(out, "| `%s` | ", quantities[i].key);
        put_expression(out, quantities[i].cupti);
        fprintf(out, " |\n");
    }
    return true;
}
