// A trace as comma-separated values, for plots and spreadsheets.
#include "facts/trace.h"

#include "files/csv.h"

// Empty where the activity is no kernel.
static void put_dimensions(FILE *file, const unsigned size[3], bool is_kernel)
{
    for (int i = 0; i < 3; i++)
        csv_count(file, is_kernel ? size[i] : 0, ',');
}

static void put_number(FILE *file, double number, bool known)
{
    if (known)
        fprintf(file, "%.10g", number);
    fputc(',', file);
}

static void put_activity(FILE *file, const struct traced_step *step,
                         const struct activity *activity)
{
    char name[FUNCTION_NAME_SIZE];
    bool timed = activity->timed != UNAVAILABLE, kernel = activity->kind == ACTIVITY_KERNEL;
    fprintf(file, "%d,%zu,", step->at.step, step->at.n);
    csv_text(file, activity_phase(&step->activities, activity), ',');
    put_number(file, activity->start_ns, timed);
    put_number(file, activity->duration_ns, timed);
    fprintf(file, "%s,", provenance_name(activity->timed));
    put_dimensions(file, activity->grid, kernel);
    put_dimensions(file, activity->block, kernel);
    put_number(file, activity->registers, kernel);
    put_number(file, (double)activity->static_shared, kernel);
    put_number(file, (double)activity->dynamic_shared, kernel);
    put_number(file, (double)activity->bytes, !kernel);
    put_number(file, activity_gbs(activity), !kernel && timed);
    fprintf(file, "%u,", activity->stream);
    activity_name(&step->activities, activity, name);
    csv_text(file, name, '\n');
}

bool write_trace_csv(const char *name, const struct trace *trace)
{
    FILE *file = csv_begin();
    if (!file)
        return false;
    fputs(
        "step,n,phase,start_ns,duration_ns,provenance,grid_x,grid_y,grid_z,block_x,block_y,block_z,"
        "registers,static_shared_bytes,dynamic_shared_bytes,bytes,throughput_gbs,stream,name\n",
        file);
    for (int i = 0; i < trace->all.count; i++)
        for (int k = 0; k < trace->steps[i].activities.count; k++)
            put_activity(file, &trace->steps[i], &trace->steps[i].activities.list[k]);
    return csv_finish(file, name);
}
