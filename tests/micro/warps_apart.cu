// How far apart the warps of a block come to their first stores, by what they load before: nothing, words that lie beside those
// of the next warp, or words of rows of their own, through DRAM or in the L2. They store parts of some rows' sectors, side by side,
// the last of which goes on at the rows' beginning where it is shifted. How often the parts join on their way out of an SM, and
// how many sectors DRAM completes, counters tell of the same kernels (docs/runs/warps-apart.csv).
#include "micro.h"

enum { IN_DRAM = 10240, IN_L2 = 1024, MOST = IN_DRAM }; // words of a row, and rows
enum { SHIFT = 3 };                                     // words
enum { NOTHING = 0, BESIDE = -1 }; // in place of rows of its own that a warp loads of

// Each warp notes when it has stored half of its words and a row more, unless `when` is NULL.
template <int words, int warps, int stores, int rows>
__global__ void __launch_bounds__(warps *WARP)
    store_parts(float *out, const float *in, int n, int shift, unsigned long long *when)
{
    constexpr int HEIGHT = WARP / words, WIDTH = words * warps, OWN = rows > 0 ? rows : 1,
                  OWN_WORDS = WARP / OWN;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, down = n / (HEIGHT * stores),
              column = warp * words + lane % words, left = blockIdx.x / down * WIDTH,
              top = blockIdx.x % down * HEIGHT * stores + lane / words,
              own_down = n / (warps * OWN),
              own_row = (blockIdx.x % own_down * warps + warp) * OWN + lane / OWN_WORDS,
              own_column = blockIdx.x / own_down * OWN_WORDS * stores + lane % OWN_WORDS;
    float word[stores];
#pragma unroll
    for (int i = 0; i < stores; i++)
        word[i] = rows == NOTHING  ? 1
                  : rows == BESIDE ? __ldcg(in + (size_t)(top + i * HEIGHT) * n + left + column)
                                   : __ldcg(in + (size_t)own_row * n + own_column + i * OWN_WORDS);
#pragma unroll
    for (int i = 0; i < stores; i++) {
        out[(size_t)(top + i * HEIGHT) * n + left + (column + shift) % WIDTH] = word[i];
        if (i == stores / 2 && when && lane == 0)
            when[blockIdx.x * warps + warp] = now_ns();
    }
}

// From each warp to the next one of its block, in the mean.
static double mean_apart_ns(const unsigned long long *when, int blocks, int warps)
{
    double sum = 0;
    for (int b = 0; b < blocks; b++)
        for (int w = 0; w + 1 < warps; w++)
            sum += apart_ns(when[b * warps + w], when[b * warps + w + 1]);
    return sum / blocks / (warps - 1);
}

// What a warp loads, as names have it.
static const char *loads_of(int rows)
{
    static char own[16];
    snprintf(own, sizeof own, "%d_rows", rows);
    return rows == NOTHING ? "nothing" : rows == BESIDE ? "beside" : own;
}

template <int words, int warps, int stores, int rows>
static void measure(float *out, const float *in, int n, unsigned long long *when,
                    unsigned long long *host)
{
    const int blocks = n / (words * warps) * (n / (WARP / words * stores));
    auto kernel = store_parts<words, warps, stores, rows>;
    char name[80];
    snprintf(name, sizeof name, "apart_%d_words_%d_warps_%d_stores_%s_%s", words, warps, stores,
             loads_of(rows), n == IN_L2 ? "l2" : "dram");
    for (int shift : {0, (int)SHIFT}) {
        double ms = time_ms([=] { kernel<<<blocks, warps * WARP>>>(out, in, n, shift, NULL); });
        report(4e-6 * n * n / ms, "GB/s", "%s_%s", name, shift ? "shifted" : "aligned");
    }
    if (!HAS_CLOCK)
        return;
    kernel<<<blocks, warps * WARP>>>(out, in, n, SHIFT, when);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, when, (size_t)blocks * warps * sizeof *when, cudaMemcpyDeviceToHost));
    report(mean_apart_ns(host, blocks, warps), "ns", "%s_ns", name);
}

template <int words, int warps, int stores>
static void measure_all(float *out, const float *in, unsigned long long *when,
                        unsigned long long *host)
{
    for (int n : {IN_DRAM, IN_L2}) {
        measure<words, warps, stores, NOTHING>(out, in, n, when, host);
        measure<words, warps, stores, BESIDE>(out, in, n, when, host);
        measure<words, warps, stores, 1>(out, in, n, when, host);
        measure<words, warps, stores, 4>(out, in, n, when, host);
    }
}

int main(void)
{
    wake_up();
    float *in, *out;
    unsigned long long *when, *host;
    const size_t bytes = (size_t)MOST * MOST * sizeof *in,
                 most = (size_t)MOST * MOST / WARP * sizeof *when;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    CHECK(cudaMalloc(&when, most));
    CHECK(cudaMallocHost(&host, most));
    measure_all<2, 8, 1>(out, in, when, host);
    measure_all<4, 8, 1>(out, in, when, host);
    measure_all<8, 8, 1>(out, in, when, host);
    measure_all<32, 8, 1>(out, in, when, host);
    measure_all<4, 4, 1>(out, in, when, host);
    measure_all<4, 16, 1>(out, in, when, host);
    measure_all<4, 8, 2>(out, in, when, host);
    measure_all<32, 8, 2>(out, in, when, host);
    measure_all<4, 8, 4>(out, in, when, host);
    measure_all<32, 8, 4>(out, in, when, host);
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(when));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
