#include "files/csv.h"

#include "facts/comparison.h"

bool write_comparison_csv(const char *name, const struct comparison *comparison)
{
    FILE *file = csv_begin();
    if (!file)
        return false;
    fputs("step,title,n_a,n_b,quantity,a,a_provenance,b,b_provenance,verdict\n", file);
    for (int i = 0; i < comparison->count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        for (enum metric q = 0; pair_is_comparable(pair) && q < METRICS; q++) {
            struct difference difference = pair_difference(pair, q);
            fprintf(file, "%g,", pair->b->number);
            csv_text(file, pair->b->title, ',');
            csv_count(file, pair->a->n, ',');
            csv_count(file, pair->b->n, ',');
            csv_text(file, metric_table[q].key, ',');
            csv_value(file, difference.a, ',');
            csv_value(file, difference.b, ',');
            csv_text(file, verdict_name(difference.verdict), '\n');
        }
    }
    return csv_finish(file, name);
}
