#include "facts/points.h"

#include "facts/csv.h"

static void put_names(FILE *file, const struct selection *selection)
{
    fputs("run,step,title,n,tile,rows,device,verified,error", file);
    fputs(",time_ms,time_ms_provenance,bandwidth_gbs,bandwidth_gbs_provenance", file);
    fputs(",copy_gbs,copy_gbs_provenance,percent_of_copy,percent_of_copy_provenance", file);
    for (int i = 0; i < selection->count; i++) {
        const char *key = quantity_key(selection->quantities[i]);
        fprintf(file, ",%s,%s_provenance", key, key);
    }
    fputc('\n', file);
}

static void put_point(FILE *file, const struct point *point, const struct selection *selection)
{
    static const char *const words[] = {[NOT_KNOWN] = "", [RIGHT] = "true", [NOT_RIGHT] = "false"};
    csv_text(file, point->run, ',');
    fprintf(file, "%g,", point->step);
    csv_text(file, point->title, ',');
    csv_count(file, point->n, ',');
    csv_count(file, (size_t)point->tile, ',');
    csv_count(file, (size_t)point->rows, ',');
    csv_text(file, point->device, ',');
    csv_text(file, words[point->rightness], ',');
    csv_text(file, point->error, ',');
    csv_value(file, &point->values[TIME_MS], ',');
    csv_value(file, &point->values[BANDWIDTH_GBS], ',');
    csv_value(file, &point->copy_gbs, ',');
    csv_value(file, &point->share, selection->count > 0 ? ',' : '\n');
    for (int i = 0; i < selection->count; i++)
        csv_value(file, &point->values[selection->quantities[i]],
                  i + 1 < selection->count ? ',' : '\n');
}

void write_points_csv(FILE *file, const struct point *points, int count,
                      const struct selection *selection)
{
    put_names(file, selection);
    for (int i = 0; i < count; i++)
        put_point(file, &points[i], selection);
}
