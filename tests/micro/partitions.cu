// The two partitions of an L2, each of which is near half of the SMs. Atomics on a line take longer from SMs that are far from
// where it is at home: that tells which are. Then lines are loaded or stored again and again by SMs that are near, by SMs
// that are far, or by any; and loaded a sector of each at a time: what the L2 still has of them (docs/runs/l2-partitions.csv).
#include "micro.h"

#include <string.h>

enum { THREADS = 1024, WARPS = THREADS / WARP, PARTS = LINE_BYTES / sizeof(float4) };
static const unsigned percents[] = {50, 60, 70, 80, 90, 100, 110}; // of all lines of the L2
enum { PERCENTS = sizeof percents / sizeof *percents, OTHERS = 200 };
enum { PROBED = 4096, TIMERS = 8, LAUNCHES = 8, MOST_SMS = 256, SECTORS = 4, ALL = 15 };
enum who { NEAR, FAR, ANY };

// Groups of lines side by side, so many lines from one to the next.
struct layout {
    unsigned pitch, width;
};

// Who comes to which lines: a bit for each line that is at home in the second partition, and the SMs' partitions, and their
// numbers in these.
struct homes {
    unsigned *of_lines;
    struct {
        unsigned partition, number;
    } sms[MOST_SMS];
    unsigned sm_count[2];
};

static __host__ __device__ size_t place(layout layout, unsigned line)
{
    return ((size_t)(line / layout.width) * layout.pitch + line % layout.width) * LINE_BYTES;
}

static __device__ unsigned this_sm(void)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

// Each SM takes one line in `stride`, and the time of an atomic on it: of two, the shorter one.
static __global__ void time_atomics(char *lines, layout layout, unsigned each, unsigned stride,
                                    unsigned *cycles)
{
    const unsigned sm = this_sm();
    unsigned last = 0;
    if (threadIdx.x)
        return;
#pragma unroll 1
    for (unsigned i = 0; i < each; i++) {
        unsigned at = (i + sm * each / gridDim.x) % each, shortest = ~0u; // not all at one line
        unsigned *word = (unsigned *)(lines + place(layout, at * stride + sm % stride));
#pragma unroll 1
        for (int twice = 0; twice < 2; twice++) {
            unsigned start = clock();
            last = atomicAdd(word + (last & 1), 2);
            shortest = min(shortest, clock_at(__uint_as_float(last)) - start);
        }
        cycles[(size_t)sm * each + at] = shortest;
    }
}

// The cycles of each SM, `each` of them, which the caller frees.
static unsigned *timed(char *lines, layout layout, unsigned each, unsigned stride)
{
    size_t bytes = (size_t)multiprocessors() * each * sizeof(unsigned);
    unsigned *cycles, *host = (unsigned *)host_memory(bytes);
    CHECK(cudaMalloc(&cycles, bytes));
    CHECK(cudaMemset(cycles, 0, bytes));
    time_atomics<<<multiprocessors(), THREADS>>>(lines, layout, each, stride, cycles);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, cycles, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(cycles));
    for (int sm = 0; sm < multiprocessors(); sm++)
        if (host[(size_t)sm * each] == 0) {
            fprintf(stderr, "SM %d ran no block: partitions needs a GPU of its own\n", sm);
            exit(1);
        }
    return host;
}

static double mean(const unsigned *values, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

// SMs whose times go up and down together, from line to line, are near the same partition.
static void find_partitions(char *lines, homes *homes)
{
    const unsigned sms = multiprocessors();
    unsigned *cycles = timed(lines, {1, 1}, PROBED, 1);
    double *of_line = (double *)host_memory(PROBED * sizeof *of_line);
    for (unsigned i = 0; i < PROBED; i++) {
        of_line[i] = 0;
        for (unsigned sm = 0; sm < sms; sm++)
            of_line[i] += (double)cycles[(size_t)sm * PROBED + i] / sms;
    }
    for (unsigned sm = 0; sm < sms; sm++) {
        const unsigned *own = cycles + (size_t)sm * PROBED;
        double together = 0, first = mean(cycles, PROBED), its = mean(own, PROBED);
        double all = mean(cycles, sms * PROBED);
        for (unsigned i = 0; i < PROBED; i++)
            together += (cycles[i] - first - of_line[i] + all) * (own[i] - its - of_line[i] + all);
        unsigned partition = together < 0;
        homes->sms[sm] = {partition, homes->sm_count[partition]++};
    }
    free(of_line);
    free(cycles);
}

// Whether some of the SMs that time a line are near each partition.
static bool are_two(const homes *homes)
{
    unsigned counts[TIMERS][2] = {};
    bool are_two = true;
    for (int sm = 0; sm < multiprocessors(); sm++)
        counts[sm % TIMERS][homes->sms[sm].partition]++;
    for (const auto &of : counts)
        are_two &= of[0] && of[1];
    return are_two;
}

// Of so many lines, those at home in the second partition: the ones that its SMs wait less for, by what each is timed by some
// SMs of both.
static void find_homes(char *lines, layout layout, unsigned count, homes *homes)
{
    const unsigned sms = multiprocessors(), each = count / TIMERS;
    unsigned *cycles = timed(lines, layout, each, TIMERS);
    memset(homes->of_lines, 0, count / WARP * sizeof *homes->of_lines);
    for (unsigned timers = 0; timers < TIMERS; timers++) {
        double of[2] = {0};
        unsigned counts[2] = {0};
        for (unsigned sm = timers; sm < sms; sm += TIMERS) {
            unsigned partition = homes->sms[sm].partition;
            of[partition] += mean(cycles + (size_t)sm * each, each);
            counts[partition]++;
        }
        const double further = of[1] / counts[1] - of[0] / counts[0];
        for (unsigned i = 0; i < each; i++) {
            double sums[2] = {0};
            for (unsigned sm = timers; sm < sms; sm += TIMERS)
                sums[homes->sms[sm].partition] += cycles[(size_t)sm * each + i];
            unsigned line = i * TIMERS + timers,
                     is_second = sums[1] / counts[1] - sums[0] / counts[0] < further;
            homes->of_lines[line / WARP] |= is_second << line % WARP;
        }
    }
    free(cycles);
}

// An SM's warps go through the lines that are its own, a group of 32 after the other: near it, far from it, or any. They load or
// store some of their sectors, a bit for each.
template <bool stores>
static __global__ void __launch_bounds__(THREADS)
    go_through(char *lines, layout layout, unsigned count, const homes homes, who who,
               unsigned sectors)
{
    const unsigned sm = this_sm(), partition = homes.sms[sm].partition,
                   first = (who == ANY ? sm : homes.sms[sm].number) * WARPS + threadIdx.x / WARP,
                   warps = (who == ANY ? gridDim.x : homes.sm_count[partition]) * WARPS,
                   part = threadIdx.x % PARTS;
    float sum = 0;
    for (unsigned group = first; group < count / WARP; group += warps) {
        const unsigned second = homes.of_lines[group];
        for (unsigned of_group = threadIdx.x % WARP / PARTS; of_group < WARP;
             of_group += WARP / PARTS) {
            unsigned is_near = (second >> of_group & 1) == partition;
            float4 *from = (float4 *)(lines + place(layout, group * WARP + of_group)) + part;
            if ((who != ANY && is_near != (who == NEAR)) || !(sectors >> part / 2 & 1))
                continue;
            if (stores)
                *from = float4();
            else
                sum += __ldcg(from).x;
        }
    }
    if (sum == 0.5f)
        *(float *)lines = sum;
}

// Of the lines that the L2 has room for.
static unsigned lines_of(unsigned percent)
{
    unsigned all = attribute(cudaDevAttrL2CacheSize) / LINE_BYTES;
    return all * percent / 100 / (WARP * TIMERS) * (WARP * TIMERS);
}

// So many percent of what the L2 has room for, launched again and again after all of it was loaded full of others: its rate the
// last time.
template <bool stores>
static void measure(char *lines, char *others, layout layout, unsigned percent, const homes &homes,
                    who who, bool by_sectors = false)
{
    static const char *const names[] = {"near", "far", "any"};
    const unsigned count = lines_of(percent), sms = multiprocessors();
    go_through<false><<<sms, THREADS>>>(others, {1, 1}, lines_of(OTHERS), homes, ANY, ALL);
    CHECK(cudaGetLastError());
    cudaEvent_t start, stop;
    float ms;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (unsigned i = 0; i < LAUNCHES; i++) {
        CHECK(cudaEventRecord(start));
        go_through<stores><<<sms, THREADS>>>(lines, layout, count, homes, who,
                                             by_sectors ? 1 << i % SECTORS : ALL);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop));
    }
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    report(1e-6 * count * LINE_BYTES / (by_sectors ? SECTORS : 1) / ms, "GB/s",
           "partitions_%s_%s_%u_of_%u_lines_%u_percent%s", names[who], stores ? "stores" : "loads",
           layout.width, layout.pitch, percent, by_sectors ? "_by_sectors" : "");
}

int main(void)
{
    static const layout layouts[] = {{1, 1}, {2, 1}, {4, 1}, {33, 1}, {128, 32}};
    const unsigned most = lines_of(percents[PERCENTS - 1]);
    wake_up();
    homes homes = {};
    if (multiprocessors() > MOST_SMS) {
        fprintf(stderr, "partitions is for at most %d SMs: raise MOST_SMS\n", MOST_SMS);
        return 1;
    }
    char *lines, *others;
    const size_t bytes = place({33, 1}, most) + LINE_BYTES;
    CHECK(cudaMalloc(&lines, bytes));
    CHECK(cudaMemset(lines, 0, bytes));
    CHECK(cudaMalloc(&others, (size_t)lines_of(OTHERS) * LINE_BYTES));
    CHECK(cudaMallocManaged(&homes.of_lines, lines_of(OTHERS) / WARP * sizeof *homes.of_lines));
    find_partitions(lines, &homes);
    for (unsigned partition : {0, 1})
        report(homes.sm_count[partition], "SMs", "partitions_sms_%u", partition);
    if (!are_two(&homes)) {
        fprintf(stderr,
                "partitions: the SMs are not near two, so that there is no more to measure\n");
        return 0;
    }
    for (layout layout : layouts) {
        find_homes(lines, layout, most, &homes);
        for (who who : {NEAR, FAR})
            if (layout.pitch == 1)
                measure<false>(lines, others, layout, percents[0], homes, who, true);
        for (unsigned percent : percents) {
            measure<false>(lines, others, layout, percent, homes, NEAR);
            if (layout.pitch == 1) {
                measure<false>(lines, others, layout, percent, homes, FAR);
                measure<false>(lines, others, layout, percent, homes, ANY);
            }
            if (layout.pitch == 1 || layout.pitch == 33)
                measure<true>(lines, others, layout, percent, homes, NEAR);
        }
    }
    CHECK(cudaFree(homes.of_lines));
    CHECK(cudaFree(others));
    CHECK(cudaFree(lines));
    return 0;
}
