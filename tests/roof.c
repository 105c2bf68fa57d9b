// How near the steps come to the roof: every step but the serial ones, the device's own copy, cuBLAS's
// transpose and the kernels of the other roofs (a copy, a pure read, a pure write), launched in turns, so that whatever the machine does meanwhile, it does to all of them.
//
//   roof [--reps R] [--csv FILE] [N...]
//
// fp32, square, out of place: other element sizes and shapes are no part of the lesson. Each kernel's
// transpose is verified before it is timed. A repetition is one launch of each; its ratio is the kernel's bandwidth over
// the copy's. `make bench-gpu` types it. Exit status: 0; 1 when a result is wrong or a call fails,
// 2 for a wrong command line, 3 without a GPU.
#include "base/progress.h"
#include "command_line/options.h"
#include "facts/format.h"
#include "facts/launches.h"
#include "facts/run.h"
#include "measure/problem.h"
#include "measure/roofs.h"

#include <cublas_v2.h>
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_REPETITIONS = 1000, MAX_SIZES = 16, MAX_RUNNERS = MAX_STEPS + 2 + ROOFS, WARM_UPS = 3 };
enum { COPY, GEAM, FIRST_ROOF, FIRST_STEP = FIRST_ROOF + ROOFS }; // places among the runners
enum { NAME_SIZE = 32 };

// Who is timed: a step, or one of those that set the measure.
struct runner {
    char name[NAME_SIZE];
    const struct step *step; // NULL for the others
    double ms[MAX_REPETITIONS];
};

struct bench {
    struct device device;
    struct style style;
    cublasHandle_t cublas;
    struct problem problem;
    int repetitions, count;
    struct runner runners[MAX_RUNNERS];
    cudaEvent_t events[MAX_RUNNERS + 1]; // before the first and behind each
    FILE *csv;                           // NULL: none
};

// What the middle eight tenths of the repetitions say of a runner.
struct summary {
    double ms, ratio, low, high; // medians; the 10th and 90th percentile of the ratio
};

static bool cublas_ok(cublasStatus_t status, const char *call, char failure[FAILURE_SIZE])
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return true;
    snprintf(failure, FAILURE_SIZE,
             "%s: %s. cuBLAS is part of the CUDA toolkit: does its version fit the driver's?", call,
             cublasGetStatusString(status));
    return false;
}

// out = 1 * in^T + 0 * out; cuBLAS counts in columns, which is the same for a square.
static bool launch_geam(struct bench *bench, char failure[FAILURE_SIZE])
{
    const float one = 1, zero = 0;
    int n = (int)bench->problem.n;
    float *out = problem_output(&bench->problem);
    return cublas_ok(cublasSgeam(bench->cublas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one,
                                 problem_input(&bench->problem), n, &zero, out, n, out, n),
                     "cublasSgeam", failure);
}

static bool launch(struct bench *bench, int place, char failure[FAILURE_SIZE])
{
    const struct problem *problem = &bench->problem;
    size_t n = problem->n;
    if (place == GEAM)
        return launch_geam(bench, failure);
    if (place == COPY)
        return cuda_ok(problem_launch_copy(problem), failure,
                       "the device's copy of %zu x %zu floats", n, n);
    if (place < FIRST_STEP)
        return cuda_ok(roof_launch_once(place - FIRST_ROOF, problem), failure, "launching %s",
                       bench->runners[place].name);
    bench->runners[place].step->launch(problem_output(problem), problem_input(problem), n);
    return cuda_ok(cudaGetLastError(), failure, "launching %s", bench->runners[place].name);
}

static bool verify(struct bench *bench, int place, char failure[FAILURE_SIZE])
{
    char complaint[COMPLAINT_SIZE];
    const struct runner *runner = &bench->runners[place];
    launches_forget();
    if (!problem_poison_output(&bench->problem, failure) || !launch(bench, place, failure) ||
        !cuda_ok(cudaDeviceSynchronize(), failure, "running %s", runner->name))
        return false;
    struct launch_record launched = launches_largest();
    bool transposes = place == GEAM || place >= FIRST_STEP;
    if (!transposes || problem_verify(&bench->problem, runner->step ? launch_tile(&launched) : 0,
                                      complaint, sizeof complaint))
        return true;
    snprintf(failure, FAILURE_SIZE, "%s gave a wrong result: %.500s", runner->name, complaint);
    return false;
}

// One launch of each; a negative repetition only warms up. All are given to the device before the first
// ends, behind a copy that nobody times, so that it never waits for the host.
static bool repeat(struct bench *bench, int repetition, char failure[FAILURE_SIZE])
{
    cudaEvent_t *events = bench->events;
    bool good = launch(bench, COPY, failure) &&
                cuda_ok(cudaEventRecord(events[0], 0), failure, "cudaEventRecord");
    for (int i = 0; good && i < bench->count; i++)
        good = launch(bench, i, failure) &&
               cuda_ok(cudaEventRecord(events[i + 1], 0), failure, "cudaEventRecord");
    good = good && cuda_ok(cudaDeviceSynchronize(), failure, "running the kernels in turns");
    for (int i = 0; good && repetition >= 0 && i < bench->count; i++) {
        float ms;
        good = cuda_ok(cudaEventElapsedTime(&ms, events[i], events[i + 1]), failure,
                       "cudaEventElapsedTime");
        bench->runners[i].ms[repetition] = (double)ms;
    }
    return good;
}

static bool make_events(struct bench *bench, char failure[FAILURE_SIZE])
{
    for (int i = 0; i <= bench->count; i++)
        if (!cuda_ok(cudaEventCreate(&bench->events[i]), failure, "cudaEventCreate"))
            return false;
    return true;
}

static bool measure(struct bench *bench, char failure[FAILURE_SIZE])
{
    for (int i = 0; i < bench->count; i++)
        if (!verify(bench, i, failure))
            return false;
    for (int i = -WARM_UPS; i < bench->repetitions; i++)
        if (!repeat(bench, i, failure))
            return false;
    return true;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A runner's bytes over those of a transpose: pure reads and writes pass over one matrix alone.
static double share_of_bytes(const struct bench *bench, int place)
{
    bool is_roof = place >= FIRST_ROOF && place < FIRST_STEP;
    size_t n = bench->problem.n;
    return is_roof
               ? roof_bytes(place - FIRST_ROOF, n) / (2.0 * (double)n * (double)n * sizeof(float))
               : 1;
}

// The value that a share of `count` sorted ones lies below.
static double quantile(const double *sorted, int count, double share)
{
    return sorted[(int)(share * (count - 1) + 0.5)];
}

static struct summary summarise(const struct bench *bench, int place)
{
    double ms[MAX_REPETITIONS], ratios[MAX_REPETITIONS];
    int count = bench->repetitions;
    double share = share_of_bytes(bench, place);
    for (int i = 0; i < count; i++) {
        ms[i] = bench->runners[place].ms[i];
        ratios[i] = share * bench->runners[COPY].ms[i] / ms[i];
    }
    qsort(ms, (size_t)count, sizeof *ms, compare_doubles);
    qsort(ratios, (size_t)count, sizeof *ratios, compare_doubles);
    return (struct summary){quantile(ms, count, 0.5), quantile(ratios, count, 0.5),
                            quantile(ratios, count, 0.1), quantile(ratios, count, 0.9)};
}

static void print_size(const struct bench *bench)
{
    size_t n = bench->problem.n;
    printf("\nn = %-*zu%12s%10s%10s  (80%% of the repetitions)\n", NAME_SIZE - 4, n, "time", "GB/s",
           "of copy");
    for (int i = 0; i < bench->count; i++) {
        struct summary s = summarise(bench, i);
        char time[FORMAT_SIZE], rate[FORMAT_SIZE];
        format_duration(time, s.ms, &bench->style);
        double gbs = share_of_bytes(bench, i) * bandwidth_gbs(n, s.ms);
        format_number(rate, gbs);
        put_padded(stdout, bench->runners[i].name, NAME_SIZE);
        put_padded(stdout, time, -12);
        printf("%10s%10.3f  (%.3f to %.3f)\n", rate, s.ratio, s.low, s.high);
        if (bench->csv)
            fprintf(bench->csv, "%zu,\"%s\",%.6f,%.1f,%.4f,%.4f,%.4f\n", n, bench->runners[i].name,
                    s.ms, gbs, s.ratio, s.low, s.high);
    }
    fflush(stdout);
}

static void choose_runners(struct bench *bench)
{
    strcpy(bench->runners[COPY].name, "the device's own copy");
    strcpy(bench->runners[GEAM].name, "cublasSgeam");
    for (int i = 0; i < ROOFS; i++)
        snprintf(bench->runners[FIRST_ROOF + i].name, NAME_SIZE, "%s", roof_rows[i].label);
    bench->count = FIRST_STEP;
    for (int i = 0; i < step_count(); i++) {
        const struct step *step = step_at(i);
        if (step->stage == ASSESS) // one thread
            continue;
        struct runner *runner = &bench->runners[bench->count++];
        runner->step = step;
        snprintf(runner->name, NAME_SIZE, "%d. %.27s", step->number, step->title);
    }
}

static void print_heading(struct bench *bench)
{
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    printf("%s, driver %s, %s: fp32, square, out of place; %d repetitions in turns\n",
           bench->device.name, bench->device.driver, date, bench->repetitions);
    if (bench->csv)
        fprintf(bench->csv,
                "# %s, driver %s, %s: make bench-gpu\n"
                "n,kernel,median_ms,bandwidth_gbs,of_copy,of_copy_p10,of_copy_p90\n",
                bench->device.name, bench->device.driver, date);
}

// Measures and prints one size.
static bool bench_size(struct bench *bench, size_t n, char failure[FAILURE_SIZE])
{
    char now[32];
    snprintf(now, sizeof now, "n = %zu", n);
    progress_say(now);
    bool good = problem_open(&bench->problem, n, NULL, failure) && measure(bench, failure);
    progress_wipe();
    if (good)
        print_size(bench);
    problem_close(&bench->problem);
    return good;
}

static int bench_sizes(struct bench *bench, const size_t *sizes, int count)
{
    char failure[FAILURE_SIZE];
    if (!device_open(0, &bench->device, failure)) {
        fprintf(stderr, "apodkit: make bench-gpu needs a GPU: %s\n", failure);
        return EXIT_NO_DEVICE;
    }
    choose_runners(bench);
    bool good = cublas_ok(cublasCreate(&bench->cublas), "cublasCreate", failure) &&
                make_events(bench, failure);
    if (good)
        print_heading(bench);
    for (int i = 0; good && i < count; i++)
        good = bench_size(bench, sizes[i], failure);
    if (!good)
        fprintf(stderr, "apodkit: %s\n", failure);
    return good ? EXIT_GOOD : EXIT_WRONG;
}

static bool parse(struct bench *bench, int argc, char **argv, size_t *sizes, int *count)
{
    static const struct option options[] = {{"reps", required_argument, NULL, 'r'},
                                            {"csv", required_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    long number;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'r' && number_option("--reps", optarg, 1, MAX_REPETITIONS, &number)) {
            bench->repetitions = (int)number;
        } else if (option == 'c') {
            bench->csv = fopen(optarg, "w");
            if (!bench->csv) {
                fprintf(stderr, "apodkit: %s cannot be written: %s\n", optarg, strerror(errno));
                return false;
            }
        } else {
            return false;
        }
    }
    for (int i = optind; i < argc; i++) {
        if (*count == MAX_SIZES || !number_option("a size", argv[i], 1, MAX_N, &number))
            return false;
        sizes[(*count)++] = (size_t)number;
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct bench bench = {.repetitions = 50};
    size_t sizes[MAX_SIZES] = {8192, 16384, 20480, 24576, 10007};
    int count = 0;
    setlocale(LC_CTYPE, "");
    bench.style = style_for(stdout, COLOR_AUTO);
    if (!parse(&bench, argc, argv, sizes, &count)) {
        fprintf(stderr, "Usage: roof [--reps R] [--csv FILE] [N...]\n");
        return EXIT_USAGE;
    }
    int status = bench_sizes(&bench, sizes, count ? count : 5);
    if (bench.csv && fclose(bench.csv) != 0) {
        fprintf(stderr, "apodkit: the CSV file cannot be written: %s\n", strerror(errno));
        return EXIT_WRONG;
    }
    return status;
}
