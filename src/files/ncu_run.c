#include "files/ncu_run.h"

#include "base/compute_capability.h"
#include "base/untrusted_text.h"
#include "facts/median.h"
#include "files/local_number.h"
#include "files/ncu_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL_SIZE = 256 };

struct launch {
    int number; // the step's
    char kernel[KERNEL_SIZE];
    unsigned grid[3], block[3];
    double threads;
};

struct import {
    struct ncu_table table;
    struct run *run;
    size_t n; // as it was given; 0
    ncu_step_of *step_of_kernel;
    void *context;
    struct launch launches[NCU_MAX_LAUNCHES]; // of the table's rows
    float ms[NCU_MAX_LAUNCHES];               // of one step's launches
    int foreign_count;                        // of kernels that are none of the kit's
};

// ---- Launches --------------------------------------------------------------------------------------

// The name alone, of "void scale<4>(float *, int)".
static void kernel_name(const char *text, char name[KERNEL_SIZE])
{
    size_t length = strcspn(text, "(<");
    while (length > 0 && text[length - 1] == ' ')
        length--;
    size_t start = length;
    while (start > 0 && text[start - 1] != ' ')
        start--;
    char plain[KERNEL_SIZE];
    snprintf(plain, sizeof plain, "%.*s", (int)(length - start), text + start);
    foreign_copy(name, KERNEL_SIZE, plain);
}

// "(32, 8, 1)", or nothing where there is no such column.
static bool get_dimensions(struct ncu_table *table, int row, const char *name, unsigned size[3])
{
    int column = ncu_column(table, name), used = 0;
    if (column < 0)
        return true;
    const struct csv_field *field = ncu_cell(table, row, column);
    if (!strchr(field->text, '-') &&
        sscanf(field->text, "(%9u, %9u, %9u)%n", &size[0], &size[1], &size[2], &used) == 3 &&
        field->text[used] == '\0')
        return true;
    return ncu_refuse(table, table->lines[row], field->column, "'%.40s' is no %s, as (32, 8, 1) is",
                      field->text, name);
}

static bool get_launch(struct ncu_table *table, int row, struct launch *launch)
{
    const struct csv_field *name = ncu_cell(table, row, ncu_column(table, "Kernel Name"));
    kernel_name(name->text, launch->kernel);
    if (!*launch->kernel)
        return ncu_refuse(table, table->lines[row], name->column, "the kernel has no name");
    launch->threads = 1;
    if (!get_dimensions(table, row, "Grid Size", launch->grid) ||
        !get_dimensions(table, row, "Block Size", launch->block))
        return false;
    for (int i = 0; i < 3; i++)
        launch->threads *= (double)launch->grid[i] * launch->block[i];
    return true;
}

// The kit's number of the step, or one for a kernel that is none of its.
static int number_of(struct import *import, const struct launch *launch)
{
    for (const struct launch *before = import->launches; before < launch; before++)
        if (strcmp(before->kernel, launch->kernel) == 0)
            return before->number;
    int number = import->step_of_kernel(import->context, launch->kernel);
    return number ? number : FOREIGN_KERNELS + import->foreign_count++;
}

// Makes a place for the step in the run, in the order of numbers, if it has none. False when there are too many.
static bool add_step(struct run *run, int number)
{
    int place = 0;
    while (place < run->count && run->steps[place].number < number)
        place++;
    if (place < run->count && run->steps[place].number == number)
        return true;
    if (run->count == MAX_STEPS)
        return false;
    memmove(&run->steps[place + 1], &run->steps[place],
            (size_t)(run->count++ - place) * sizeof *run->steps);
    run->steps[place] = (struct step_result){.number = number};
    return true;
}

static bool get_launches(struct import *import)
{
    struct ncu_table *table = &import->table;
    for (int i = 0; i < table->rows; i++) {
        struct launch *launch = &import->launches[i];
        if (!get_launch(table, i, launch))
            return false;
        launch->number = number_of(import, launch);
        if (!add_step(import->run, launch->number))
            return ncu_refuse(table, table->lines[i], 0, "it has more than %d kernels", MAX_STEPS);
    }
    return true;
}

// ---- Steps -----------------------------------------------------------------------------------------

// The row of the first of the step's largest launches.
static int find_largest(const struct import *import, const struct step_result *step)
{
    int largest = -1;
    for (int i = 0; i < import->table.rows; i++)
        if (import->launches[i].number == step->number &&
            (largest < 0 || import->launches[i].threads > import->launches[largest].threads))
            largest = i;
    return largest;
}

// The times of the launches that are as large as the one of that row.
static void get_times(struct import *import, struct step_result *step, int largest)
{
    int count = 0;
    for (int i = 0; i < import->table.rows; i++) {
        const struct launch *launch = &import->launches[i];
        if (launch->number != step->number || launch->threads != import->launches[largest].threads)
            continue;
        struct value ns = ncu_value(&import->table, i, NCU_TIME);
        step->values[TIME_MS] = ns;
        if (value_known(&ns) && ns.number > 0)
            import->ms[count++] = (float)(ns.number * 1e-6);
    }
    if (count > 0) {
        step->timing = timing_of(import->ms, count);
        step->values[TIME_MS] = value_of(step->timing.median_ms, MEASURED);
    } else if (value_known(&step->values[TIME_MS])) {
        step->values[TIME_MS] = value_unavailable("ncu has a time of 0 for it");
    }
}

static void get_counts(struct ncu_table *table, int row, struct step_result *step)
{
    step->values[REGISTERS] = ncu_value(table, row, NCU_REGISTERS);
    step->values[SHARED_BYTES] = ncu_value(table, row, NCU_SHARED);
    for (enum metric i = FIRST_METRIC; i < METRICS; i++)
        if (metric_table[i].is_counted)
            step->values[i] = ncu_value(table, row, metric_table[i].cupti);
}

// Of a transpose n follows from the bytes that it stores.
static bool find_n(struct import *import, int line, struct step_result *step)
{
    const struct value *stored = &step->values[GLOBAL_STORE_DATA_BYTES];
    double n = value_known(stored) ? sqrt(stored->number / sizeof(float)) : 0;
    bool is_transpose = step->number < OWN_KERNEL,
         says = is_transpose && n >= 1 && n <= MAX_N && n == floor(n);
    if (import->n)
        step->n = is_transpose && step_find((int)step->number)
                      ? step_size((int)step->number, import->n)
                      : import->n;
    else if (says)
        step->n = (size_t)n;
    else if (is_transpose)
        return ncu_refuse(&import->table, line, 0,
                          "n is not known, as the kernel's stored bytes are not there or no "
                          "square of floats: give -n N");
    if (says && step->n != (size_t)n)
        return ncu_refuse(&import->table, line, 0,
                          "with -n %zu step %g has n = %zu, but what it stored is a matrix of "
                          "n = %g",
                          import->n, step->number, step->n, n);
    return true;
}

static bool get_step(struct import *import, struct step_result *step)
{
    int row = find_largest(import, step);
    const struct launch *launch = &import->launches[row];
    const struct device *device = &import->run->device;
    get_times(import, step, row);
    get_counts(&import->table, row, step);
    if (*import->table.why || !find_n(import, import->table.lines[row], step))
        return false;
    const struct step *its = step->number < FOREIGN_KERNELS ? step_find((int)step->number) : NULL;
    foreign_copy(step->title, sizeof step->title, its ? its->title : launch->kernel);
    step->outcome = NOT_KNOWN;
    step->launched = launch->grid[0] > 0 && launch->block[0] > 0;
    step->launches = 1;
    memcpy(step->grid, launch->grid, sizeof step->grid);
    memcpy(step->block, launch->block, sizeof step->block);
    const struct value *ms = &step->values[TIME_MS];
    step->values[BANDWIDTH_GBS] = !value_known(ms) ? *ms
                                  : step->number >= OWN_KERNEL
                                      ? value_unavailable("what bytes it has to move is not known")
                                      : value_of(bandwidth_gbs(step->n, ms->number), MEASURED);
    double occupancy = theoretical_occupancy(device, step);
    step->values[THEORETICAL_OCCUPANCY] = occupancy >= 0 && value_known(&step->values[SHARED_BYTES])
                                              ? value_of(occupancy, COMPUTED)
                                              : value_unavailable("the launch is not known");
    metrics_derive(step->values, device->dram_peak_gbs);
    return true;
}

static bool get_steps(struct import *import)
{
    struct run *run = import->run;
    for (int i = 0; i < run->count; i++) {
        if (!get_step(import, &run->steps[i]))
            return false;
        run->n = run->steps[i].n > run->n ? run->steps[i].n : run->n;
    }
    for (int i = 0; i < run->count; i++)
        if (run->steps[i].n == 0)
            run->steps[i].n = run->n;
    return run->n > 0 || ncu_refuse(&import->table, 0, 0,
                                    "no kernel of it is one of this program's steps (`make` "
                                    "builds them all), so n is not known: give -n N");
}

// ---- The device and the run ------------------------------------------------------------------------

static const char *text_of(const struct ncu_table *table, const char *name)
{
    int column = ncu_column(table, name);
    return column < 0 ? "" : ncu_cell(table, 0, column)->text;
}

// 0 where it is none, or more than any device has.
static double number_if_known(const struct ncu_table *table, const char *name)
{
    double number;
    return local_number(text_of(table, name), table->point, &number) && number < 1e9 ? number : 0;
}

static void get_device(const struct ncu_table *table, struct device *device)
{
    if (sscanf(text_of(table, "CC"), "%3d.%3d", &device->cc_major, &device->cc_minor) == 2 &&
        device->cc_major > 0)
        device->sm = compute_capability_nearest(device->cc_major, device->cc_minor)->sm;
    else
        device->cc_major = device->cc_minor = 0;
    foreign_copy(device->name, sizeof device->name, text_of(table, NCU_DEVICE));
    if (!*device->name)
        snprintf(device->name, sizeof device->name, "a GPU of compute capability %d.%d",
                 device->cc_major, device->cc_minor);
    device->sms = (int)fmin(number_if_known(table, NCU_SMS), 1e5);
    device->l2_bytes = (size_t)number_if_known(table, NCU_L2);
    device->dram_peak_gbs =
        2e3 * number_if_known(table, NCU_CLOCK) * number_if_known(table, NCU_BUS) / 8 * 1e-9;
}

static bool get_run(struct import *import, char *text)
{
    struct run *run = import->run;
    if (!ncu_table_read(&import->table, text))
        return false;
    get_device(&import->table, &run->device);
    run->copy_gbs = value_unavailable("ncu times no copy");
    for (enum roof i = 0; i < ROOFS; i++)
        run->roofs[i].gbs = run->copy_gbs;
    return get_launches(import) && get_steps(import);
}

bool ncu_parse(char *text, size_t n, ncu_step_of *step_of_kernel, void *context, struct run *run,
               char why[NCU_WHY_SIZE])
{
    struct import *import = calloc(1, sizeof *import);
    if (!import) {
        snprintf(why, NCU_WHY_SIZE, "the host has no memory for it");
        return false;
    }
    import->run = run;
    import->n = n;
    import->step_of_kernel = step_of_kernel;
    import->context = context;
    bool good = get_run(import, text);
    if (!good)
        memcpy(why, import->table.why, NCU_WHY_SIZE);
    free(import->table.cells);
    free(import);
    return good;
}
