// Partition camping: at which pitch going down a matrix's columns keeps some of DRAM's channels waiting for
// others. Transposes in three orders of blocks beside the device's own copy, their reads and their writes
// alone, and of the reads how much more than the average the busiest channel moved.
//
//   camping [--csv FILE] [N[+WORDS]...]
//
// N x N words, each row WORDS longer in memory. Each kernel's result is verified before it is timed. `make
// camping` types it. Exit status: 0; 1 when a result is wrong or a call fails, 2 for a wrong command line, 3
// without a GPU.
#include "camping.h"

#include "base/progress.h"
#include "command_line/options.h"
#include "facts/device.h"
#include "facts/run.h"
#include "files/csv.h"
#include "measure/instruments.h"
#include "measure/timing.h"

#include <getopt.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SIZES = 32, LARGEST_N = 65472, LARGEST_EXTRA = 65536 };

// Blocks whose reads are counted: over the whole matrix each channel has its share, whatever the order.
enum { SLICE = 4000 };

struct size {
    size_t n, extra; // words of a row, and behind each
};

struct bench {
    struct device device;
    struct matrices matrices;
    uint32_t *found; // of the device: a sum, or a count
    struct profiler *profiler;
    FILE *csv;
};

// What is timed. What goes down the columns of `in` writes across: along the rows of `out`.
static const struct kernel {
    const char *name;
    enum half half;
    enum order order;
} kernels[] = {
    {"the transpose across", BOTH, ACROSS},
    {"the transpose down", BOTH, DOWN},
    {"the diagonal transpose", BOTH, DIAGONAL},
    {"reads across", READS, ACROSS},
    {"reads down", READS, DOWN},
    {"writes across", WRITES, DOWN},
    {"writes down", WRITES, ACROSS},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

// A kernel on the matrices at hand; no kernel: the device's own copy.
struct work {
    struct bench *bench;
    const struct kernel *kernel;
};

static size_t matrix_bytes(const struct matrices *matrices)
{
    return matrices->n * matrices->pitch * sizeof(uint32_t);
}

static unsigned block_count(const struct matrices *matrices)
{
    return (unsigned)(matrices->n / SIDE * (matrices->n / SIDE));
}

static cudaError_t launch(void *context)
{
    const struct work *work = context;
    const struct matrices *m = &work->bench->matrices;
    if (!work->kernel)
        return cudaMemcpyAsync(m->out, m->in, m->n * m->n * sizeof(uint32_t),
                               cudaMemcpyDeviceToDevice, 0);
    camping_move(m, work->kernel->half, work->kernel->order, 0, block_count(m), work->bench->found,
                 0);
    return cudaGetLastError();
}

// Poisons the output, runs the kernel once, and looks at what it wrote, or at the sum of what it read.
static bool verify(struct bench *bench, const struct kernel *kernel, char failure[FAILURE_SIZE])
{
    const struct matrices *m = &bench->matrices;
    uint32_t found, n = (uint32_t)m->n, expected = 0;
    if (!cuda_ok(cudaMemset(m->out, 0xff, matrix_bytes(m)), failure, "poisoning the output") ||
        !cuda_ok(cudaMemset(bench->found, 0, sizeof found), failure, "cudaMemset"))
        return false;
    camping_move(m, kernel->half, kernel->order, 0, block_count(m), bench->found, 1);
    if (kernel->half == READS) // 0 + 1 + ... + (n n - 1)
        expected = (uint32_t)((uint64_t)n * n / 2 * ((uint64_t)n * n - 1));
    else
        camping_check(m, bench->found);
    if (!cuda_ok(cudaGetLastError(), failure, "launching %s", kernel->name) ||
        !cuda_ok(cudaMemcpy(&found, bench->found, sizeof found, cudaMemcpyDeviceToHost), failure,
                 "running %s", kernel->name))
        return false;
    if (found != expected)
        snprintf(failure, FAILURE_SIZE, "%s at n = %zu, pitch %zu: %s %u, not %u", kernel->name,
                 m->n, m->pitch, kernel->half == READS ? "the sum is" : "wrong words are", found,
                 expected);
    return found == expected;
}

static void no_beat(void *context)
{
    (void)context;
}

static bool measure(struct bench *bench, const struct kernel *kernel, double *ms,
                    char failure[FAILURE_SIZE])
{
    struct work work = {bench, kernel};
    const struct timed_work timed = {kernel ? kernel->name : "the device's own copy", launch,
                                     no_beat, &work, false};
    struct timing timing;
    bool good =
        (!kernel || verify(bench, kernel, failure)) && time_launches(&timed, 0, &timing, failure);
    *ms = timing.median_ms;
    return good;
}

// Reads of a slice, with nothing of them in the L2.
static void launch_slice(void *context)
{
    const struct work *work = context;
    const struct matrices *m = &work->bench->matrices;
    unsigned blocks = block_count(m), first = blocks / 3, rest = blocks - first;
    (void)cudaMemsetAsync(m->out, 0xff, matrix_bytes(m), 0);
    camping_move(m, READS, work->kernel->order, first, rest < SLICE ? rest : SLICE,
                 work->bench->found, 0);
}

static const char *const channel_counts[] = {"dram__bytes_read.max", "dram__bytes_read.avg"};

// The busiest channel's bytes over the average channel's; NAN, with a note, where they are not counted.
static double busiest_channel(struct bench *bench, const struct kernel *kernel)
{
    struct step_result counted = {0};
    struct work work = {bench, kernel};
    const struct value *max = &counted.extras[0], *average = &counted.extras[1];
    if (!bench->profiler)
        return NAN;
    instruments.counters->measure(bench->profiler, launch_slice, &work, &counted);
    if (value_known(max) && value_known(average))
        return max->number / average->number;
    fprintf(stderr, "note: the channels' bytes are not counted: %s\n", max->why);
    instruments.counters->close(bench->profiler);
    bench->profiler = NULL;
    return NAN;
}

static void put_row(const struct bench *bench, double copy_ms, const double ms[KERNELS],
                    const double busiest[2])
{
    const struct matrices *m = &bench->matrices;
    fprintf(bench->csv, "%zu,%zu,%.0f", m->n, (m->pitch - m->n) * sizeof(uint32_t),
            bandwidth_gbs(m->n, copy_ms));
    for (int i = 0; i < KERNELS; i++)
        if (kernels[i].half == BOTH)
            fprintf(bench->csv, ",%.3f", copy_ms / ms[i]);
        else
            fprintf(bench->csv, ",%.0f", bandwidth_gbs(m->n, ms[i]) / 2);
    for (int i = 0; i < 2; i++)
        if (isnan(busiest[i]))
            fputc(',', bench->csv);
        else
            fprintf(bench->csv, ",%.3f", busiest[i]);
    fputc('\n', bench->csv);
    fflush(bench->csv);
}

static bool measure_size(struct bench *bench, char failure[FAILURE_SIZE])
{
    double copy_ms, ms[KERNELS], busiest[2] = {NAN, NAN};
    camping_fill(&bench->matrices);
    if (!cuda_ok(cudaGetLastError(), failure, "filling the input") ||
        !measure(bench, NULL, &copy_ms, failure))
        return false;
    for (int i = 0; i < KERNELS; i++) {
        if (!measure(bench, &kernels[i], &ms[i], failure))
            return false;
        if (kernels[i].half == READS)
            busiest[kernels[i].order] = busiest_channel(bench, &kernels[i]);
    }
    progress_wipe();
    put_row(bench, copy_ms, ms, busiest);
    return cuda_ok(cudaDeviceSynchronize(), failure, "counting the channels' bytes");
}

static bool bench_size(struct bench *bench, const struct size *size, char failure[FAILURE_SIZE])
{
    char now[48];
    struct matrices *m = &bench->matrices;
    *m = (struct matrices){.n = size->n, .pitch = size->n + size->extra};
    snprintf(now, sizeof now, "n = %zu, pitch %zu", m->n, m->pitch);
    progress_say(now);
    bool good = cuda_ok(cudaMalloc((void **)&m->in, matrix_bytes(m)), failure,
                        "cudaMalloc of the input, %s", now) &&
                cuda_ok(cudaMalloc((void **)&m->out, matrix_bytes(m)), failure,
                        "cudaMalloc of the output, %s", now) &&
                measure_size(bench, failure);
    progress_wipe();
    (void)cudaFree(m->in); // a failure to do so was reported before, or ends nothing
    (void)cudaFree(m->out);
    return good;
}

static void put_heading(const struct bench *bench)
{
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    fprintf(bench->csv,
            "# %s, driver %s, %s: make camping\n"
            "n,extra_bytes,copy_gbs,across,down,diagonal,reads_across_gbs,reads_down_gbs,"
            "writes_across_gbs,writes_down_gbs,busiest_across,busiest_down\n",
            bench->device.name, bench->device.driver, date);
}

static int bench_sizes(struct bench *bench, const struct size *sizes, int count)
{
    char failure[FAILURE_SIZE], why[COMPLAINT_SIZE];
    if (!device_open(0, &bench->device, failure)) {
        fprintf(stderr, "apodkit: make camping needs a GPU: %s\n", failure);
        return EXIT_NO_DEVICE;
    }
    const struct counters *counters = instruments.counters;
    bench->profiler = counters ? counters->open(channel_counts, 2, why, sizeof why) : NULL;
    if (!bench->profiler)
        fprintf(stderr, "note: the channels' bytes are not counted: %s\n",
                counters ? why : instruments.why_not.counters);
    put_heading(bench);
    bool good =
        cuda_ok(cudaMalloc((void **)&bench->found, sizeof *bench->found), failure, "cudaMalloc");
    for (int i = 0; good && i < count; i++)
        good = bench_size(bench, &sizes[i], failure);
    if (!good)
        fprintf(stderr, "apodkit: %s\n", failure);
    (void)cudaFree(bench->found);
    if (bench->profiler)
        counters->close(bench->profiler);
    return good ? EXIT_GOOD : EXIT_WRONG;
}

// "20480" or "20480+64".
static bool parse_size(char *text, struct size *size)
{
    long n, extra = 0;
    char *plus = strchr(text, '+');
    if (plus)
        *plus++ = '\0';
    if (!number_option("N", text, SIDE, LARGEST_N, &n) ||
        (plus && !number_option("WORDS", plus, 0, LARGEST_EXTRA, &extra)))
        return false;
    *size = (struct size){(size_t)n, (size_t)extra};
    if (n % SIDE == 0 && extra % 4 == 0)
        return true;
    fprintf(stderr, "apodkit: N must be a multiple of %d, and WORDS of 4\n", SIDE);
    return false;
}

static bool parse(const char **csv, int argc, char **argv, struct size *sizes, int *count)
{
    static const struct option options[] = {{"csv", required_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1; *csv = optarg)
        if (option != 'c')
            return false;
    for (int i = optind; i < argc; i++)
        if (*count == MAX_SIZES || !parse_size(argv[i], &sizes[(*count)++]))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    static const struct size usual[] = {{8192, 0},  {10240, 0},  {15360, 0},   {16384, 0},
                                        {19968, 0}, {20480, 0},  {20992, 0},   {24576, 0},
                                        {25600, 0}, {20480, 64}, {20480, 128}, {20480, 256}};
    struct size sizes[MAX_SIZES];
    const char *csv = "-";
    int count = 0;
    setlocale(LC_CTYPE, "");
    if (!parse(&csv, argc, argv, sizes, &count)) {
        fprintf(stderr, "Usage: camping [--csv FILE] [N[+WORDS]...]\n");
        return EXIT_USAGE;
    }
    struct bench bench = {.csv = csv_begin()};
    if (!bench.csv)
        return EXIT_USAGE;
    int status = count ? bench_sizes(&bench, sizes, count)
                       : bench_sizes(&bench, usual, sizeof usual / sizeof *usual);
    return csv_finish(bench.csv, csv) ? status : EXIT_WRONG;
}
