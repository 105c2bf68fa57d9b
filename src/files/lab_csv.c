#include "facts/labs.h"
#include "facts/points.h"
#include "files/csv.h"

#include <string.h>

static void put_names(FILE *file, const struct lab *lab, const struct selection *watched)
{
    for (int i = 0; i < lab->parameter_count; i++)
        fprintf(file, "%s,", lab->parameters[i].name);
    fputs("n,device,verified,time_ms,time_ms_provenance,bandwidth_gbs,bandwidth_gbs_provenance"
          ",percent_of_copy,percent_of_copy_provenance",
          file);
    for (int i = 0; i < watched->count; i++) {
        const char *key = metric_table[watched->metric_table[i]].key;
        fprintf(file, ",%s,%s_provenance", key, key);
    }
    fputs(",error\n", file);
}

static void put_point(FILE *file, const struct run *run, const struct step_result *result,
                      const struct selection *watched)
{
    struct point point;
    const struct step *step = step_of(result);
    point_take(&point, run, result);
    for (int i = 0; i < step->lab->parameter_count; i++) {
        char text[SETTING_SIZE];
        setting_text(step, i, text);
        csv_text(file, text, ',');
    }
    csv_count(file, result->n, ',');
    csv_text(file, point.device, ',');
    csv_text(file, result->outcome == VERIFIED ? "true" : went_wrong(result) ? "false" : "", ',');
    csv_value(file, &point.step.values[TIME_MS], ',');
    csv_value(file, &point.step.values[BANDWIDTH_GBS], ',');
    csv_value(file, &point.share, ',');
    for (int i = 0; i < watched->count; i++)
        csv_value(file, &point.step.values[watched->metric_table[i]], ',');
    char line[COMPLAINT_SIZE]; // the first: a row is a line
    snprintf(line, sizeof line, "%.*s", (int)strcspn(result->complaint, "\n"), result->complaint);
    csv_text(file, line, '\n');
}

bool write_lab_csv(const char *name, const struct run *run, const struct lab *lab,
                   const struct selection *watched)
{
    FILE *file = csv_begin();
    if (!file)
        return false;
    put_names(file, lab, watched);
    for (int i = 0; i < run->count; i++)
        put_point(file, run, &run->steps[i], watched);
    return csv_finish(file, name);
}
