#include "files/csv.h"

#include "facts/points.h"

static void put_names(FILE *file, const struct selection *selection)
{
    fputs("run,step,title,n,tile,rows,device,verified,error", file);
    fputs(",time_ms,time_ms_provenance,bandwidth_gbs,bandwidth_gbs_provenance", file);
    fputs(",copy_gbs,copy_gbs_provenance,percent_of_copy,percent_of_copy_provenance", file);
    for (int i = 0; i < selection->count; i++) {
        const char *key = metric_table[selection->metric_table[i]].key;
        fprintf(file, ",%s,%s_provenance", key, key);
    }
    fputs(",time_low_ms,time_high_ms\n", file);
}

// Between which the true median of the time lies; empty where that is not known.
static void put_interval(FILE *file, const struct timing *timing)
{
    if (timing_has_interval(timing))
        fprintf(file, "%.10g,%.10g\n", timing->low_ms, timing->high_ms);
    else
        fputs(",\n", file);
}

static void put_point(FILE *file, const struct point *point, const struct selection *selection)
{
    const struct step_result *step = &point->step;
    const char *verified = went_wrong(step) ? "false" : step->outcome == VERIFIED ? "true" : "";
    csv_text(file, point->run, ',');
    fprintf(file, "%g,", step->number);
    csv_text(file, step->title, ',');
    csv_count(file, step->n, ',');
    csv_count(file, (size_t)point->tile, ',');
    csv_count(file, (size_t)point->rows, ',');
    csv_text(file, point->device, ',');
    csv_text(file, verified, ',');
    csv_text(file, step->complaint, ',');
    csv_value(file, &step->values[TIME_MS], ',');
    csv_value(file, &step->values[BANDWIDTH_GBS], ',');
    csv_value(file, &point->copy_gbs, ',');
    csv_value(file, &point->share, ',');
    for (int i = 0; i < selection->count; i++)
        csv_value(file, &step->values[selection->metric_table[i]], ',');
    put_interval(file, &step->timing);
}

bool write_points_csv(const char *name, const struct point *points, int count,
                      const struct selection *selection)
{
    FILE *file = csv_begin();
    if (!file)
        return false;
    put_names(file, selection);
    for (int i = 0; i < count; i++)
        put_point(file, &points[i], selection);
    return csv_finish(file, name);
}
