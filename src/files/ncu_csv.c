#include "files/ncu_csv.h"

#include "base/compute_capability.h"
#include "base/foreign.h"
#include "facts/expression.h"
#include "facts/median.h"
#include "files/csv_read.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 8192, MAX_LAUNCHES = 4096, KERNEL_SIZE = 256 };

// Beside the counts, by their names in ncu.
#define TIME "gpu__time_duration.sum"
#define REGISTERS_OF "launch__registers_per_thread"
#define SHARED_OF "launch__shared_mem_per_block_static + launch__shared_mem_per_block_dynamic"
#define DEVICE_NAME "device__attribute_display_name"
#define DEVICE_SMS "device__attribute_multiprocessor_count"
#define DEVICE_L2 "device__attribute_l2_cache_size"
#define DEVICE_CLOCK "device__attribute_memory_clock_rate"     // kHz
#define DEVICE_BUS "device__attribute_global_memory_bus_width" // bits

struct table {
    char *why;
    int columns, rows;
    int name_line;
    struct csv_field *names, *units; // of each column
    struct csv_field *cells;         // rows x columns
    int *lines;                      // of each row
    char point;                      // of the numbers: '.' or ','
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct table *table, const char *format,
                                                         ...)
{
    char text[NCU_WHY_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    foreign_copy(table->why, NCU_WHY_SIZE, text);
    return false;
}

// ---- Rows and columns ------------------------------------------------------------------------------

static const struct csv_field *cell(const struct table *table, int row, int column)
{
    return &table->cells[(size_t)row * (size_t)table->columns + (size_t)column];
}

// The column of that name, or -1.
static int column_of(const struct table *table, const char *name)
{
    for (int i = 0; i < table->columns; i++)
        if (strcmp(table->names[i].text, name) == 0)
            return i;
    return -1;
}

static bool read_names(struct table *table, struct csv_reader *reader)
{
    static const char command[] = "type `ncu --csv --page raw`";
    while (!csv_next_begins(reader, "\"ID\",") && !csv_next_begins(reader, "ID,"))
        if (!csv_skip_line(reader))
            return refuse(table,
                          "no line of it begins with \"ID\", as the names of the columns do: %s",
                          command);
    table->columns = csv_next(reader, table->names, MAX_COLUMNS);
    table->name_line = reader->line;
    if (table->columns > MAX_COLUMNS)
        return refuse(table, "line %d has more than %d columns", reader->line, MAX_COLUMNS);
    if (column_of(table, "Metric Name") >= 0)
        return refuse(table, "line %d: it is a row a metric, of another page: %s", reader->line,
                      command);
    if (column_of(table, "Kernel Name") < 0)
        return refuse(table, "line %d: no column is called \"Kernel Name\": %s", reader->line,
                      command);
    return true;
}

// A whole record, or what is wrong with it; at the end of the text, `at_end`.
static bool read_record(struct table *table, struct csv_reader *reader, struct csv_field *fields,
                        bool *at_end)
{
    while (csv_next_begins(reader, "==") || csv_next_begins(reader, "\n") ||
           csv_next_begins(reader, "\r\n")) // ncu's own notes, and nothing
        csv_skip_line(reader);
    int count = csv_next(reader, fields, table->columns);
    *at_end = count == 0;
    if (count > 0 && reader->unclosed)
        return refuse(table, "line %d, column %d: the text ends within quotes: the file is cut off",
                      reader->line,
                      fields[(count < table->columns ? count : table->columns) - 1].column);
    if (count > 0 && count != table->columns)
        return refuse(
            table, "line %d, column %d: it has %d fields, and line %d names %d%s", reader->line,
            fields[(count < table->columns ? count : table->columns) - 1].column, count,
            table->name_line, table->columns, *reader->rest ? "" : ": the file may be cut off");
    return true;
}

static bool read_rows(struct table *table, struct csv_reader *reader)
{
    bool at_end;
    if (!read_record(table, reader, table->units, &at_end))
        return false;
    if (at_end || *table->units[0].text)
        return refuse(table, "line %d: the row of units is missing, which has nothing under \"ID\"",
                      at_end ? table->name_line : reader->line);
    for (;;) {
        size_t used = (size_t)table->rows * (size_t)table->columns;
        struct csv_field *grown =
            realloc(table->cells, (used + (size_t)table->columns) * sizeof *table->cells);
        if (!grown)
            return refuse(table, "the host has no memory for it");
        table->cells = grown;
        if (!read_record(table, reader, grown + used, &at_end))
            return false;
        if (at_end)
            break;
        if (table->rows == MAX_LAUNCHES)
            return refuse(table, "line %d: it has more than %d launches", reader->line,
                          MAX_LAUNCHES);
        table->lines[table->rows++] = reader->line;
    }
    return table->rows > 0 ||
           refuse(table, "line %d: there is no launch below it: what was profiled?", reader->line);
}

// ---- Numbers ---------------------------------------------------------------------------------------

// The length of a sign that may stand between thousands, in whatever locale; 0 for none.
static size_t between_thousands(const char *text)
{
    static const char *const signs[] = {" ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i], strlen(signs[i])) == 0)
            return strlen(signs[i]);
    return 0;
}

// The decimal point that a number must have; 0 where it has none, or it may be either.
static char point_of(const char *text)
{
    if (!isdigit((unsigned char)*text) || text[strspn(text, "0123456789.,")] != '\0')
        return 0;
    const char *dot = strrchr(text, '.'), *comma = strrchr(text, ',');
    if (dot && comma)
        return dot > comma ? '.' : ',';
    const char *last = dot ? dot : comma;
    if (!last)
        return 0;
    char other = dot ? ',' : '.';
    if (strchr(text, *last) != last) // twice
        return other;
    bool groups = strlen(last + 1) == 3 && last - text <= 3 && *text != '0';
    return groups ? 0 : *last;
}

// What all numbers agree on. Before the metrics' columns there are none.
static bool find_point(struct table *table)
{
    int first = column_of(table, "CC");
    table->point = 0;
    for (int row = 0; row < table->rows; row++)
        for (int i = first + 1; i < table->columns; i++) {
            const struct csv_field *field = cell(table, row, i);
            char point = point_of(field->text);
            if (point && table->point && point != table->point)
                return refuse(table,
                              "line %d, column %d: '%.40s' has another decimal point than the "
                              "numbers before it",
                              table->lines[row], field->column, field->text);
            table->point = point ? point : table->point;
        }
    table->point = table->point ? table->point : '.';
    return true;
}

// A number without what stands between thousands. False for what is none.
static bool parse_number(const struct table *table, const char *text, double *number)
{
    char plain[64], *end;
    size_t used = 0;
    char thousands = table->point == '.' ? ',' : '.';
    for (; *text && used + 1 < sizeof plain; text++) {
        size_t sign = between_thousands(text);
        if (sign)
            text += sign - 1;
        else if (*text != thousands)
            plain[used++] = *text == table->point ? '.' : *text;
    }
    plain[used] = '\0';
    if (*text || !isdigit((unsigned char)*plain) || strchr(plain, 'x') || strchr(plain, 'X'))
        return false;
    *number = strtod(plain, &end); // the program's locale has a point
    return *end == '\0' && isfinite(*number) && *number < 1e18;
}

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

// What one of the unit is in base units: nanoseconds, bytes, events, percent.
static double scale_of(const char *unit)
{
    double ns = nanoseconds_of(unit);
    if (ns > 0)
        return ns;
    static const char prefixes[] = "KMGT";
    const char *prefix = *unit ? strchr(prefixes, *unit) : NULL;
    if (!prefix || !islower((unsigned char)unit[1]))
        return 1;
    double power = (double)(prefix - prefixes + 1);
    return unit[1] == 'i' && unit[2] == 'b' ? pow(1024, power) : pow(1000, power);
}

struct lookup {
    struct table *table;
    int row;
    bool failed; // why is in the table
};

static bool has_column(void *context, const char *name)
{
    const struct lookup *lookup = context;
    return column_of(lookup->table, name) >= 0;
}

static struct value value_of_term(struct lookup *lookup, const struct term *term)
{
    struct table *table = lookup->table;
    int column = column_of(table, term->name);
    const struct csv_field *field = cell(table, lookup->row, column);
    double number;
    if (!*field->text || strcmp(field->text, "n/a") == 0 || strcmp(field->text, "nan") == 0)
        return value_unavailable("ncu has no number for %.100s", term->name);
    const char *unit = table->units[column].text;
    if (strcmp(term->name, TIME) == 0 && nanoseconds_of(unit) == 0) {
        lookup->failed = true;
        refuse(table, "line %d: '%.20s' is no unit of time that ncu has, for " TIME,
               table->name_line + 1, unit);
        return value_unavailable("%s", "");
    }
    if (parse_number(table, field->text, &number))
        return value_of(term->factor * number * scale_of(unit), MEASURED);
    lookup->failed = true;
    refuse(table, "line %d, column %d: '%.40s' is no number, for %.60s", table->lines[lookup->row],
           field->column, field->text, term->name);
    return value_unavailable("%s", "");
}

// The sum of the expression's terms in a row.
static struct value look_up(struct lookup *lookup, const char *text)
{
    struct expression expression;
    char why[WHY_SIZE];
    double sum = 0;
    if (!expression_resolve(text, has_column, lookup, &expression, why, sizeof why))
        return value_unavailable("ncu was not asked for %.120s", text);
    for (int i = 0; i < expression.count; i++) {
        struct value value = value_of_term(lookup, &expression.terms[i]);
        if (!value_known(&value))
            return value;
        sum += value.number;
    }
    return value_of(sum, MEASURED);
}

// ---- Launches and steps ----------------------------------------------------------------------------

struct launch {
    int row, number; // the step's
    char kernel[KERNEL_SIZE];
    unsigned grid[3], block[3];
    bool has_size;
    double threads;
};

struct import {
    struct table table;
    struct run *run;
    size_t n; // as it was given; 0
    ncu_step_of *step_of_kernel;
    void *context;
    struct launch launches[MAX_LAUNCHES];
    char foreign[MAX_STEPS][KERNEL_SIZE];
    int foreign_count;
};

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
static bool get_dimensions(struct import *import, int row, const char *name, unsigned size[3])
{
    struct table *table = &import->table;
    int column = column_of(table, name), used = 0;
    if (column < 0)
        return true;
    const struct csv_field *field = cell(table, row, column);
    if (!strchr(field->text, '-') &&
        sscanf(field->text, "(%9u, %9u, %9u)%n", &size[0], &size[1], &size[2], &used) == 3 &&
        field->text[used] == '\0')
        return true;
    return refuse(table, "line %d, column %d: '%.40s' is no %s, as (32, 8, 1) is",
                  table->lines[row], field->column, field->text, name);
}

static bool get_launch(struct import *import, int row)
{
    struct launch *launch = &import->launches[row];
    const struct table *table = &import->table;
    *launch = (struct launch){.row = row};
    kernel_name(cell(table, row, column_of(table, "Kernel Name"))->text, launch->kernel);
    if (!*launch->kernel)
        return refuse(&import->table, "line %d, column %d: the kernel has no name",
                      table->lines[row], cell(table, row, column_of(table, "Kernel Name"))->column);
    if (!get_dimensions(import, row, "Grid Size", launch->grid) ||
        !get_dimensions(import, row, "Block Size", launch->block))
        return false;
    launch->has_size = launch->grid[0] > 0 && launch->block[0] > 0;
    launch->threads = 1;
    for (int i = 0; i < 3; i++)
        launch->threads *= (double)launch->grid[i] * launch->block[i];
    return true;
}

// The kit's number of the step, or one for a kernel that is none of its; 0 when there are too many.
static int number_of(struct import *import, const char *kernel)
{
    int number = import->step_of_kernel(import->context, kernel), i = 0;
    if (number)
        return number;
    while (i < import->foreign_count && strcmp(import->foreign[i], kernel) != 0)
        i++;
    if (i == MAX_STEPS)
        return 0;
    if (i == import->foreign_count)
        memcpy(import->foreign[import->foreign_count++], kernel, KERNEL_SIZE);
    return FOREIGN_KERNELS + i;
}

// The place of the step in the run, in the order of numbers, where it is made if it is not there. -1 when there are too
// many.
static int place_of(struct run *run, int number)
{
    int place = 0;
    while (place < run->count && run->steps[place].number < number)
        place++;
    if (place < run->count && run->steps[place].number == number)
        return place;
    if (run->count == MAX_STEPS)
        return -1;
    memmove(&run->steps[place + 1], &run->steps[place],
            (size_t)(run->count++ - place) * sizeof *run->steps);
    run->steps[place] = (struct step_result){.number = number};
    return place;
}

// The times of the launches that are as large as the step's largest, which `largest` becomes: the first of them.
static bool get_times(struct import *import, struct step_result *step,
                      const struct launch **largest)
{
    float *ms = calloc((size_t)import->table.rows, sizeof *ms);
    int count = 0;
    struct lookup lookup = {.table = &import->table};
    if (!ms)
        return refuse(&import->table, "the host has no memory for the times");
    *largest = NULL;
    for (int i = 0; i < import->table.rows; i++) {
        const struct launch *launch = &import->launches[i];
        if (launch->number == step->number && (!*largest || launch->threads > (*largest)->threads))
            *largest = launch;
    }
    for (int i = 0; i < import->table.rows && !lookup.failed; i++) {
        const struct launch *launch = &import->launches[i];
        if (launch->number != step->number || launch->threads != (*largest)->threads)
            continue;
        lookup.row = i;
        struct value ns = look_up(&lookup, TIME);
        step->values[TIME_MS] = ns;
        if (value_known(&ns) && ns.number > 0)
            ms[count++] = (float)(ns.number * 1e-6);
    }
    if (count > 0) {
        step->timing = timing_of(ms, count);
        step->values[TIME_MS] = value_of(step->timing.median_ms, MEASURED);
    } else if (value_known(&step->values[TIME_MS])) {
        step->values[TIME_MS] = value_unavailable("ncu has a time of 0 for it");
    }
    free(ms);
    return !lookup.failed;
}

static void get_counts(struct lookup *lookup, struct step_result *step)
{
    step->values[REGISTERS] = look_up(lookup, REGISTERS_OF);
    step->values[SHARED_BYTES] = look_up(lookup, SHARED_OF);
    for (enum metric i = FIRST_METRIC; i < METRICS && !lookup->failed; i++)
        if (metric_table[i].is_counted)
            step->values[i] = look_up(lookup, metric_table[i].cupti);
}

// Of a transpose n follows from the bytes that it stores.
static bool find_n(struct import *import, int row, struct step_result *step)
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
        return refuse(&import->table,
                      "line %d: n is not known, as the kernel's stored bytes are not there or no "
                      "square of floats: give -n N",
                      import->table.lines[row]);
    if (says && step->n != (size_t)n)
        return refuse(&import->table,
                      "line %d: with -n %zu step %g has n = %zu, but what it stored is a matrix of "
                      "n = %g",
                      import->table.lines[row], import->n, step->number, step->n, n);
    return true;
}

static void find_occupancy(const struct device *device, const struct launch *launch,
                           struct step_result *step)
{
    double threads = (double)launch->block[0] * launch->block[1] * launch->block[2];
    const struct value *registers = &step->values[REGISTERS], *shared = &step->values[SHARED_BYTES];
    step->values[THEORETICAL_OCCUPANCY] = value_unavailable("the launch is not known");
    if (device->sm.warps == 0 || threads < 1 || threads > MAX_BLOCK_THREADS ||
        !value_known(registers) || registers->number < 1 || registers->number > 255 ||
        !value_known(shared) || shared->number > 1e6)
        return;
    struct occupancy occupancy = occupancy_of(&device->sm, (unsigned)threads,
                                              (unsigned)registers->number, (size_t)shared->number);
    step->occupancy_limit = occupancy.limit;
    step->values[THEORETICAL_OCCUPANCY] =
        value_of(100.0 * occupancy.warps / device->sm.warps, COMPUTED);
}

static bool get_step(struct import *import, struct step_result *step)
{
    const struct launch *launch = NULL;
    const struct device *device = &import->run->device;
    if (!get_times(import, step, &launch))
        return false;
    struct lookup lookup = {.table = &import->table, .row = launch->row};
    get_counts(&lookup, step);
    if (lookup.failed || !find_n(import, launch->row, step))
        return false;
    const struct step *its = step->number < FOREIGN_KERNELS ? step_find((int)step->number) : NULL;
    foreign_copy(step->title, sizeof step->title, its ? its->title : launch->kernel);
    step->outcome = NOT_KNOWN;
    step->launched = launch->has_size;
    step->launches = 1;
    memcpy(step->grid, launch->grid, sizeof step->grid);
    memcpy(step->block, launch->block, sizeof step->block);
    const struct value *ms = &step->values[TIME_MS];
    step->values[BANDWIDTH_GBS] = !value_known(ms) ? *ms
                                  : step->number >= OWN_KERNEL
                                      ? value_unavailable("what bytes it has to move is not known")
                                      : value_of(bandwidth_gbs(step->n, ms->number), MEASURED);
    find_occupancy(device, launch, step);
    metrics_derive(step->values, device->dram_peak_gbs);
    return true;
}

// ---- The device and the run ------------------------------------------------------------------------

static const char *text_of(const struct table *table, const char *name)
{
    int column = column_of(table, name);
    return column < 0 ? "" : cell(table, 0, column)->text;
}

// 0 where it is none, or more than any device has.
static double number_if_known(struct table *table, const char *name)
{
    double number;
    return parse_number(table, text_of(table, name), &number) && number < 1e9 ? number : 0;
}

static void get_device(struct import *import)
{
    struct table *table = &import->table;
    struct device *device = &import->run->device;
    if (sscanf(text_of(table, "CC"), "%3d.%3d", &device->cc_major, &device->cc_minor) == 2 &&
        device->cc_major > 0)
        device->sm = compute_capability_nearest(device->cc_major, device->cc_minor)->sm;
    else
        device->cc_major = device->cc_minor = 0;
    foreign_copy(device->name, sizeof device->name, text_of(table, DEVICE_NAME));
    if (!*device->name)
        snprintf(device->name, sizeof device->name, "a GPU of compute capability %d.%d",
                 device->cc_major, device->cc_minor);
    device->sms = (int)fmin(number_if_known(table, DEVICE_SMS), 1e5);
    device->l2_bytes = (size_t)number_if_known(table, DEVICE_L2);
    device->dram_peak_gbs =
        2e3 * number_if_known(table, DEVICE_CLOCK) * number_if_known(table, DEVICE_BUS) / 8 * 1e-9;
}

static bool get_steps(struct import *import)
{
    struct run *run = import->run;
    for (int i = 0; i < import->table.rows; i++) {
        struct launch *launch = &import->launches[i];
        if (!get_launch(import, i))
            return false;
        launch->number = number_of(import, launch->kernel);
        if (!launch->number || place_of(run, launch->number) < 0)
            return refuse(&import->table, "line %d: it has more than %d kernels",
                          import->table.lines[i], MAX_STEPS);
    }
    for (int i = 0; i < run->count; i++) {
        if (!get_step(import, &run->steps[i]))
            return false;
        run->n = run->steps[i].n > run->n ? run->steps[i].n : run->n;
    }
    for (int i = 0; i < run->count && run->n; i++)
        if (run->steps[i].n == 0)
            run->steps[i].n = run->n;
    return run->n > 0 ||
           refuse(&import->table, "no kernel of it is one of this program's steps (`make` "
                                  "builds them all), so n is not known: give -n N");
}

static bool get_run(struct import *import, char *text)
{
    struct table *table = &import->table;
    struct csv_reader reader = csv_reader_of(text);
    if (!table->names || !table->units || !table->lines)
        return refuse(table, "the host has no memory for it");
    if (!read_names(table, &reader) || !read_rows(table, &reader) || !find_point(table))
        return false;
    get_device(import);
    import->run->copy_gbs = value_unavailable("ncu times no copy");
    for (enum roof i = 0; i < ROOFS; i++)
        import->run->roofs[i].gbs = import->run->copy_gbs;
    return get_steps(import);
}

bool ncu_parse(char *text, size_t n, ncu_step_of *step_of_kernel, void *context, struct run *run,
               char *why)
{
    struct import *import = calloc(1, sizeof *import);
    if (!import) {
        snprintf(why, NCU_WHY_SIZE, "the host has no memory for it");
        return false;
    }
    import->table = (struct table){.why = why,
                                   .names = calloc(MAX_COLUMNS, sizeof *import->table.names),
                                   .units = calloc(MAX_COLUMNS, sizeof *import->table.units),
                                   .lines = calloc(MAX_LAUNCHES, sizeof *import->table.lines)};
    import->run = run;
    import->n = n;
    import->step_of_kernel = step_of_kernel;
    import->context = context;
    static const char mark[] = "\xef\xbb\xbf"; // of UTF-8, as spreadsheets put it before a text
    bool good = get_run(import, text + (strncmp(text, mark, 3) == 0 ? 3 : 0));
    free(import->table.names);
    free(import->table.units);
    free(import->table.lines);
    free(import->table.cells);
    free(import);
    return good;
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
    static const char *const others[] = {TIME,       REGISTERS_OF, SHARED_OF,    DEVICE_NAME,
                                         DEVICE_SMS, DEVICE_L2,    DEVICE_CLOCK, DEVICE_BUS};
    bool good = true;
    *text = '\0';
    for (size_t i = 0; good && i < sizeof others / sizeof *others; i++)
        good = add_names(text, size, others[i]);
    for (enum metric i = FIRST_METRIC; good && i < METRICS; i++)
        if (metric_table[i].is_counted)
            good = add_names(text, size, metric_table[i].cupti);
    return good;
}
