// How many rounds of a loop are between two warps of a block, and between two blocks that began together, if nobody waits for
// others: as they copy lines, as they load sectors of some rows and store parts of others, and as each thread stores to a line of
// its own, which the L2 limits. All blocks run at once, or an eighth of them at a time; and how far behind a block is the next one
// that its SM got.
#include "micro.h"

enum { THREADS = 128, WARPS = THREADS / WARP, RESIDENT = 4, NOTES = 3 };
enum { LINES, PARTS, SCATTERED };
static const char *const names[] = {"lines", "parts", "scattered"};
static const size_t WORDS = 256 << 20, L2_WORDS = 2 << 20, APART = L2_WORDS / WARP;

// A warp loads 8 words of each of 4 rows and stores them down the columns, as parts of sectors that the next warp has the rest of.
enum { PART_ROWS = 4, PART_WORDS = WARP / PART_ROWS, SECTOR_WORDS = SECTOR_BYTES / 4 };

// Each warp notes when it has done a fourth, a half, and three fourths of its rounds.
template <int what>
__global__ void __launch_bounds__(THREADS)
    go_round(float *out, const float *in, unsigned rounds, size_t n, unsigned long long *when)
{
    const size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP,
                 warps = (size_t)gridDim.x * WARPS;
    const unsigned lane = threadIdx.x % WARP;
    for (unsigned round = 0, note = 0; round < rounds; round++) {
        const size_t row = warp * PART_ROWS + lane / PART_WORDS,
                     column = round * PART_WORDS + lane % PART_WORDS, turn = round * warps + warp,
                     word = (turn * WARP + lane) % WORDS,
                     scattered = turn * SECTOR_WORDS % APART + lane * APART;
        if (what == LINES)
            out[word] = __ldcg(in + word);
        else if (what == SCATTERED)
            out[scattered] = __ldcg(in + word);
        else
            out[column * n + row] = __ldcg(in + row * n + column);
        if (lane == 0 && note < NOTES && round == (note + 1) * rounds / (NOTES + 1))
            when[warp * NOTES + note++] = now_ns();
    }
}

// What a warp's time is to another one's.
typedef double compare(unsigned long long one, unsigned long long other);

static double behind_ns(unsigned long long one, unsigned long long other)
{
    return (double)(long long)(other - one);
}

// From each warp to the one so many further on that is of the same block, or of the same wave of blocks, in the mean.
static double mean_ns(compare *compare, const unsigned long long *when, unsigned count,
                      unsigned further, unsigned together)
{
    double sum = 0;
    unsigned pairs = 0;
    for (unsigned i = 0; i + further < count; i++)
        for (unsigned note = 0; i / together == (i + further) / together && note < NOTES; note++) {
            sum += compare(when[i * NOTES + note], when[(i + further) * NOTES + note]);
            pairs++;
        }
    return sum / pairs;
}

template <int what>
static void measure(float *out, const float *in, unsigned waves, unsigned rounds,
                    unsigned long long *when, unsigned long long *host)
{
    const unsigned shared = shared_of_block(RESIDENT), running = RESIDENT * multiprocessors(),
                   blocks = running * waves, warps = blocks * WARPS;
    const size_t rows = (size_t)warps * PART_ROWS, columns = (size_t)rounds * PART_WORDS,
                 n = rows > columns ? rows : columns;
    if (what == PARTS && n * n > WORDS)
        return;
    auto kernel = go_round<what>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    double ms = time_ms([=] { kernel<<<blocks, THREADS, shared>>>(out, in, rounds, n, when); });
    CHECK(cudaMemcpy(host, when, (size_t)warps * NOTES * sizeof *when, cudaMemcpyDeviceToHost));
    const double round_ns = ms * 1e6 / waves / rounds;
    char name[64];
    snprintf(name, sizeof name, "rounds_%s_%u_rounds_%u_waves", names[what], rounds, waves);
    report(round_ns, "ns", "%s_each", name);
    report(mean_ns(apart_ns, host, warps, 1, WARPS) / round_ns, "rounds", "%s_warps_apart", name);
    report(mean_ns(apart_ns, host, warps, WARPS, running * WARPS) / round_ns, "rounds",
           "%s_blocks_apart", name);
    report(mean_ns(behind_ns, host, warps, running / RESIDENT * WARPS, running * WARPS) / round_ns /
               rounds,
           "lives", "%s_behind", name);
}

int main(void)
{
    wake_up();
    float *in, *out;
    unsigned long long *when, *host;
    const size_t most = (size_t)8 * RESIDENT * multiprocessors() * WARPS * NOTES * sizeof *when;
    CHECK(cudaMalloc(&in, WORDS * sizeof *in));
    CHECK(cudaMalloc(&out, WORDS * sizeof *out));
    CHECK(cudaMemset(in, 0, WORDS * sizeof *in));
    CHECK(cudaMalloc(&when, most));
    CHECK(cudaMallocHost(&host, most));
    for (unsigned rounds : {4, 16, 64, 256, 1024}) {
        measure<LINES>(out, in, 1, rounds, when, host);
        measure<PARTS>(out, in, 1, rounds, when, host);
        measure<SCATTERED>(out, in, 1, rounds, when, host);
    }
    for (unsigned rounds : {4, 16, 64}) {
        measure<LINES>(out, in, 8, rounds, when, host);
        measure<SCATTERED>(out, in, 8, rounds, when, host);
    }
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(when));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
