#define _GNU_SOURCE // vasprintf, forkpty and so on
#include "support.h"

#include "facts/version.h"
#include "files/json.h"
#include "files/run_read.h"

#include <check.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *keep(void *memory)
{
    static void **kept; // where no one looks for a leak
    static size_t count;
    ck_assert_ptr_nonnull(memory);
    kept = realloc(kept, (count + 1) * sizeof *kept);
    ck_assert_ptr_nonnull(kept);
    return kept[count++] = memory;
}

char *read_file(const char *name)
{
    FILE *file = fopen(name, "r");
    ck_assert_msg(file != NULL, "%s cannot be opened", name);
    size_t size = 0, used = 0;
    char *text = NULL;
    do {
        size += 65536;
        text = realloc(text, size + 1);
        ck_assert_ptr_nonnull(text);
        used += fread(text + used, 1, size - used, file);
    } while (used == size);
    ck_assert(!ferror(file));
    fclose(file);
    text[used] = '\0';
    return keep(text);
}

static char *read_and_remove(const char *name)
{
    char *text = read_file(name);
    unlink(name);
    return text;
}

static char *begun;

FILE *text_begin(void)
{
    static size_t size;
    FILE *file = open_memstream(&begun, &size);
    ck_assert_ptr_nonnull(file);
    return file;
}

char *text_end(FILE *file)
{
    ck_assert_int_eq(fclose(file), 0);
    return keep(begun);
}

cJSON *read_json(const char *text)
{
    cJSON *json = cJSON_ParseWithOpts(text, NULL, true);
    ck_assert_msg(json, "it is no JSON, or there is more behind it:\n%s", text);
    return keep(json);
}

static struct printed type_command(const char *command)
{
    char *redirected;
    char out[] = "/tmp/apodkit-out-XXXXXX", err[] = "/tmp/apodkit-err-XXXXXX";
    int out_file = mkstemp(out), err_file = mkstemp(err);
    ck_assert(out_file >= 0 && err_file >= 0);
    close(out_file);
    close(err_file);

    ck_assert_int_ge(asprintf(&redirected, "(%s) >%s 2>%s </dev/null", command, out, err), 0);
    int raw = system(redirected);
    ck_assert_int_ne(raw, -1);
    free(redirected);
    return (struct printed){.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw),
                            .out = read_and_remove(out),
                            .err = read_and_remove(err)};
}

static char *format_command(const char *format, va_list arguments)
{
    char *command;
    ck_assert_int_ge(vasprintf(&command, format, arguments), 0);
    return keep(command);
}

struct printed type(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *command = format_command(format, arguments);
    va_end(arguments);
    return type_command(command);
}

struct printed type_to(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *command = format_command(format, arguments);
    va_end(arguments);
    struct printed printed = type_command(command);
    ck_assert_msg(printed.status == status, "%s\nexit status %d, expected %d\n%s%s", command,
                  printed.status, status, printed.out, printed.err);
    return printed;
}

struct printed type_on_terminal(const char *command, unsigned short columns, const char *keys)
{
    enum { SIZE = 1 << 16 };
    struct printed printed = {.out = keep(calloc(SIZE, 1)), .err = ""};
    size_t used = 0;
    int terminal, ended;
    struct winsize size = {.ws_col = columns, .ws_row = 24};
    pid_t child = forkpty(&terminal, NULL, NULL, &size);
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    for (ssize_t more;
         used < SIZE - 1 && (more = read(terminal, printed.out + used, SIZE - 1 - used)) > 0;) {
        used += (size_t)more;
        if (*keys && strstr(printed.out, ")? ")) {
            ck_assert_int_eq(write(terminal, keys, strlen(keys)), (ssize_t)strlen(keys));
            keys = "";
        }
    }
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    printed.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    close(terminal);
    return printed;
}

char folder[32];

void make_folder(void)
{
    strcpy(folder, "/tmp/apodkit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("APODKIT_RESULTS", folder, 1);
}

void remove_folder(void)
{
    type("rm -rf %s", folder);
    unsetenv("APODKIT_RESULTS");
}

const char *without_gpu(void)
{
    int raw = system("./run --gpu 1 -n 1 --no-profile >/dev/null 2>&1");
    bool has_gpu =
        WIFEXITED(raw) && (WEXITSTATUS(raw) == EXIT_GOOD || WEXITSTATUS(raw) == EXIT_WRONG);
    return has_gpu ? NULL : "no GPU can be used here";
}

void assert_contains_all(const char *text, const char *const parts[])
{
    for (; *parts; parts++)
        ck_assert_msg(strstr(text, *parts) != NULL, "'%s' is not in:\n%s", *parts, text);
}

int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

// Both texts whole may be more than a message of Check's can hold.
static void fail_at_first_difference(const char *path, const char *golden, const char *text)
{
    int line = 1;
    while (*golden && strcspn(golden, "\n") == strcspn(text, "\n") &&
           strncmp(golden, text, strcspn(golden, "\n") + 1) == 0) {
        golden += strcspn(golden, "\n") + 1;
        text += strcspn(text, "\n") + 1;
        line++;
    }
    ck_abort_msg("%s, line %d, holds:\n%.*s\nthe text is:\n%.*s\n(make golden rewrites it)", path,
                 line, (int)strcspn(golden, "\n"), golden, (int)strcspn(text, "\n"), text);
}

void assert_usage_error(const char *command, const char *said, const char *help)
{
    struct printed printed = type("%s", command);
    ck_assert_msg(printed.status == EXIT_USAGE, "%s: exit status %d\n%s", command, printed.status,
                  printed.err);
    ck_assert_str_eq(printed.out, "");
    assert_contains(printed.err, said, help);
}

void assert_usage_errors(const char *run, const char *const cases[][2], size_t count,
                         const char *help)
{
    for (size_t i = 0; i < count; i++) {
        char command[512];
        snprintf(command, sizeof command, "%s%s", run, cases[i][0]);
        assert_usage_error(command, cases[i][1], help);
    }
}

const struct style style_terminal = {.color = true, .utf8 = true, .marks = true};
const struct style style_pipe = {.utf8 = true};
const struct style style_ascii = {0};

void assert_page(const char *page, struct style style, const char *golden)
{
    int column = 0;
    for (const char *c = page; *c; c++) {
        if (style.color && *c == '\033') {
            c = strchr(c, 'm');
            continue;
        }
        if (!style.utf8)
            ASSERT_QUICK_MSG((*c >= ' ' && *c <= '~') || *c == '\n', "byte %d", *c);
        ASSERT_QUICK_MSG(*c != '\n' || c == page || c[-1] != ' ', "a line ends in a blank:\n%s",
                         page);
        column = *c == '\n' ? 0 : column + (((unsigned char)*c & 0xC0) != 0x80);
        ASSERT_QUICK_MSG(column <= 120, "a line is longer than 120 columns:\n%.200s", c - 120);
    }
    if (golden)
        assert_golden(page, golden);
}

enum { PATH_SIZE = 2 * METRIC_NAME_SIZE };

// What is at the path that it makes of the format.
static const cJSON *find(const cJSON *item, char path[PATH_SIZE], const char *format,
                         va_list arguments)
{
    vsnprintf(path, PATH_SIZE, format, arguments);
    for (const char *at = path; *at; at += *at == '/') {
        char key[PATH_SIZE];
        size_t length = strcspn(at, "/");
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        item = cJSON_IsArray(item) ? cJSON_GetArrayItem(item, atoi(key))
                                   : cJSON_GetObjectItemCaseSensitive(item, key);
        ASSERT_QUICK_MSG(item, "there is no %s in %s", key, path);
        at += length;
    }
    return item;
}

#define FIND(path, format)                                                                         \
    char path[PATH_SIZE];                                                                          \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    const cJSON *item = find(object, path, format, arguments);                                     \
    va_end(arguments)

const cJSON *json_member(const cJSON *object, const char *format, ...)
{
    FIND(path, format);
    return item;
}

double json_number(const cJSON *object, const char *format, ...)
{
    FIND(path, format);
    ASSERT_QUICK_MSG(cJSON_IsNumber(item), "%s is no number", path);
    return item->valuedouble;
}

const char *json_string(const cJSON *object, const char *format, ...)
{
    FIND(path, format);
    ASSERT_QUICK_MSG(cJSON_IsString(item), "%s is no string", path);
    return item->valuestring;
}

const cJSON *json_step(const cJSON *run, int place)
{
    return json_member(run, "steps/%d", place);
}

const cJSON *step_numbered(const cJSON *run, int number)
{
    const cJSON *step;
    cJSON_ArrayForEach(step, json_member(run, "steps"))
    {
        if (json_number(step, "step") == number)
            return step;
    }
    ck_abort_msg("there is no step %d", number);
}

double samples_of(const cJSON *object, const char *reason)
{
    const cJSON *count;
    double sum = 0;
    cJSON_ArrayForEach(count, json_member(object, "samples"))
    {
        if (!reason || strcmp(count->string, reason) == 0)
            sum += count->valuedouble;
    }
    return sum;
}

void assert_golden(const char *text, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "tests/golden/%s", name);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fputs(text, file);
        ck_assert_int_eq(fclose(file), 0);
        return;
    }
    const char *golden = read_file(path);
    if (strcmp(text, golden) != 0)
        fail_at_first_difference(path, golden, text);
}

// What an H200 gave for the five steps at n = 8192 (1024 for the first).
static const struct sample {
    size_t n;
    unsigned grid[3], block[3];
    int registers;
    size_t shared_bytes;
    double ms, occupancy;
} samples[] = {
    {1024, {1, 1, 1}, {1, 1, 1}, 32, 0, 37.11, 1.562},
    {8192, {8, 1, 1}, {1024, 1, 1}, 32, 0, 8.783, 49.9},
    {8192, {8, 8192, 1}, {1024, 1, 1}, 12, 0, 1.031, 58.7},
    {8192, {256, 256, 1}, {32, 32, 1}, 20, 4096, 0.5373, 91.4},
    {8192, {256, 256, 1}, {32, 8, 1}, 30, 4224, 0.1522, 93.7},
};
static const double sample_counts[][METRICS - FIRST_COUNT] = {
    {3702799, 1048576, 1048576, 4194304, 1048576, 1048576, 4194304, 2097152,
     0,       0,       0,       0,       70000,   0,       322304,  837376,
     1,       0,       917504,  131072,  131072,  121000,  1048576, 1048576},
    {9560000, 2097152, 8388608, 268435456, 2097152, 67108864, 268435456, 69206016,
     0,       0,       0,       0,         140000,  0,        278000000, 271000000,
     1,       0,       0,       2097152,   8388608, 700,      67108864,  67108864},
    {48234496, 2097152, 8388608, 268435456, 2097152, 67108864, 268435456, 69206016,
     0,        0,       0,       0,         0,       0,        300000000, 287000000,
     500,      489,     0,       2097152,   8388608, 900,      67108864,  67108864},
    {88080384, 2097152,  8388608,   268435456, 2097152, 8388608, 268435456, 4194304,
     4194304,  69206016, 536870912, 0,         4194304, 0,       268500000, 268400000,
     508,      483,      0,         2097152,   8388608, 100,     2097152,   8388608},
    {72876032, 2097152, 8388608,   268435456, 2097152, 8388608, 268435456, 4194304,
     4194304,  4194304, 536870912, 0,         1572864, 0,       268464640, 267847424,
     508,      483,     0,         2097152,   8388608, 90,      2097152,   8388608},
};

static void fill_step(struct step_result *result, int place)
{
    const struct sample *sample = &samples[place];
    const struct step *step = step_at(place);
    result->number = step->number;
    snprintf(result->title, sizeof result->title, "%s", step->title);
    result->n = sample->n;
    result->outcome = VERIFIED;
    result->launched = true;
    result->launches = 1;
    memcpy(result->grid, sample->grid, sizeof sample->grid);
    memcpy(result->block, sample->block, sizeof sample->block);
    result->timing = (struct timing){sample->ms, sample->ms * 0.99,  sample->ms * 1.02,
                                     100,        sample->ms * 0.998, sample->ms * 1.003};
    struct value *values = result->values;
    values[REGISTERS] = value_of(sample->registers, MEASURED);
    values[SHARED_BYTES] = value_of((double)sample->shared_bytes, MEASURED);
    values[TIME_MS] = value_of(sample->ms, MEASURED);
    values[BANDWIDTH_GBS] = value_of(bandwidth_gbs(sample->n, sample->ms), MEASURED);
    for (int i = FIRST_COUNT; i < METRICS; i++)
        values[i] = value_of(sample_counts[place][i - FIRST_COUNT], MEASURED);
    metrics_derive(values, 4814.3);
    values[ACHIEVED_OCCUPANCY] = value_of(sample->occupancy, MEASURED);
    values[L1_UTILIZATION] = value_of(41.5, MEASURED);
    values[L2_UTILIZATION] = value_of(22.5, MEASURED);
    values[THEORETICAL_OCCUPANCY] = value_of(step->number == 1 ? 50 : 100, COMPUTED);
    result->occupancy_limit = step->number == 1 ? LIMIT_BLOCKS : LIMIT_WARPS;
}

struct source_file sample_source(enum source_state state)
{
    struct source_file source = source_file_find("tests/recorded/source.cu.txt");
    ck_assert_int_ne(source.state, SOURCE_MISSING);
    source.state = state;
    return source;
}

void sample_run(struct run *run)
{
    *run = (struct run){.kit = "apodkit " KIT_VERSION,
                        .device = {.name = "NVIDIA H200",
                                   .cc_major = 9,
                                   .sms = 132,
                                   .dram_peak_gbs = 4814.3,
                                   .l2_bytes = 62914560,
                                   .sm = {.warps = 64, .blocks = 32}},
                        .n = 8192,
                        .cpu = {24.76, 24.5, 26.1, 3, 0, 0},
                        .copy = {0.1284, 0.1279, 0.1301, 100, 0.1283, 0.1285}};
    run->copy_gbs = value_of(bandwidth_gbs(run->n, run->copy.median_ms), MEASURED);
    for (enum roof i = 0; i < ROOFS; i++)
        run->roofs[i] = (struct roof_result){value_of(4100 + 50 * (double)i, MEASURED), run->copy};
    for (int i = 0; i < step_count() && i < 5; i++)
        fill_step(&run->steps[run->count++], i);
}

struct run *written_and_read(const struct run *run)
{
    return keep(run_of_text(keep(json_of_run(run)), "this run"));
}
