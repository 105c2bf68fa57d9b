// What copies of tiles lose where their rows start within sectors, by how many blocks later the tile beside each comes, of all
// of them or of all but those at the edges of strips: each block copies one by way of shared memory, from rows that are
// aligned, and notes when it has stored it. How many of the sectors at the tiles' edges DRAM completes meanwhile,
// lts__t_sectors_data_ecc tells of the same kernels.
#include "micro.h"

enum { THREADS = 256, SECTOR_WORDS = 8 };
// Words of a row: whole sectors, and not; and of those that are loaded.
enum { WHOLE = 1251 * SECTOR_WORDS, SHIFTED = WHOLE - 1, PITCH = WHOLE + SECTOR_WORDS };

static int tiles_of(int words, int size)
{
    return (words + size - 1) / size;
}

// In which order tiles are copied: strips of so many of them side by side, and in each so many rows of tiles at a time, down
// their columns, so that the tile beside one comes that many blocks later, or with the next strip.
struct order {
    int strip, later;
};

template <int width, int height>
__global__ void __launch_bounds__(THREADS)
    copy_tiles(float *out, const float *in, int n, struct order order, unsigned long long *when)
{
    __shared__ float words[width * height];
    const int down = (n + height - 1) / height, across = (n + width - 1) / width,
              rows = (down + order.later - 1) / order.later * order.later,
              place = blockIdx.x % (order.strip * rows),
              x = blockIdx.x / (order.strip * rows) * order.strip +
                  place / order.later % order.strip,
              y = place / (order.later * order.strip) * order.later + place % order.later,
              column = x * width + threadIdx.x % width, first = y * height + threadIdx.x / width,
              end = min(n, (y + 1) * height);
    constexpr int STEP = THREADS / width;
    if (x >= across || first >= end)
        return;
    for (int row = first, i = threadIdx.x; row < end; row += STEP, i += THREADS)
        if (column < n)
            words[i] = __ldcg(in + (size_t)row * PITCH + column);
    __syncthreads();
    for (int row = first, i = threadIdx.x; row < end; row += STEP, i += THREADS)
        if (column < n)
            out[(size_t)row * n + column] = words[i];
    if (when && threadIdx.x == 0)
        when[y * across + x] = now_ns();
}

template <int width, int height>
static void measure(float *out, const float *in, unsigned long long *when, struct order order)
{
    const int down = tiles_of(WHOLE, height), across = tiles_of(WHOLE, width),
              blocks = tiles_of(across, order.strip) * order.strip * tiles_of(down, order.later) *
                       order.later;
    char name[64];
    snprintf(name, sizeof name, "order_%dx%d_tiles_%d_later_strips_of_%d", width, height,
             order.later, order.strip);
    for (int n : {WHOLE, SHIFTED}) {
        double ms = time_ms(
            [=] { copy_tiles<width, height><<<blocks, THREADS>>>(out, in, n, order, NULL); });
        report(4e-6 * n * n / ms, "GB/s", "%s_%s", name, n == WHOLE ? "aligned" : "shifted");
    }
    auto *host = (unsigned long long *)host_memory(across * down * sizeof *when);
    copy_tiles<width, height><<<blocks, THREADS>>>(out, in, SHIFTED, order, when);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, when, across * down * sizeof *when, cudaMemcpyDeviceToHost));
    report(apart_in_rows_us(host, across, across * down), "us", "%s_apart", name);
    free(host);
}

template <int width, int height>
static void measure_all(float *out, const float *in, unsigned long long *when)
{
    const int across = tiles_of(WHOLE, width);
    for (int later : {1, 8, 64})
        measure<width, height>(out, in, when, {across, later});
    for (int strip : {8, 32})
        measure<width, height>(out, in, when, {strip, 1});
}

int main(void)
{
    float *in, *out;
    unsigned long long *when;
    const size_t bytes = (size_t)PITCH * WHOLE * sizeof *in,
                 tiles = (size_t)tiles_of(WHOLE, 16) * tiles_of(WHOLE, 32);
    wake_up();
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMalloc(&when, tiles * sizeof *when));
    CHECK(cudaMemset(in, 0, bytes));
    measure_all<16, 64>(out, in, when);
    measure_all<32, 32>(out, in, when);
    measure_all<32, 64>(out, in, when);
    measure_all<32, 128>(out, in, when);
    measure_all<64, 32>(out, in, when);
    measure_all<64, 64>(out, in, when);
    measure_all<128, 32>(out, in, when);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(when));
}
