// How far apart blocks come to their stores whose tiles lie side by side: tiles of 32 x 32 down the columns of a matrix
// whose rows start anywhere, by how many blocks an SM has, for how long each waits between its loads and its stores, and
// how many tiles a column has. How many sectors at the tiles' edges DRAM completes, lts__t_sectors_data_ecc tells of the
// same kernels.
#include "micro.h"

enum { SIDE = 32, THREADS = 256, STEP = THREADS / SIDE, MOST_BLOCKS = 8 };
enum { TILE_BYTES = SIDE * (SIDE + 1) * sizeof(float) };

// When a tile's block began, and when its first warp had stored its part of it.
struct times {
    unsigned long long began, stored;
};

// Of rows of n words, `down` tiles high. Each block notes its times, unless `times` is NULL.
__global__ void __launch_bounds__(THREADS)
    copy_late(float *out, const float *in, int n, int down, int cycles, struct times *times)
{
    __shared__ float tile[SIDE][SIDE + 1];
    const int column = threadIdx.x % SIDE, row = threadIdx.x / SIDE,
              x = blockIdx.x / down * SIDE + column, y = blockIdx.x % down * SIDE + row;
    if (times && threadIdx.x == 0)
        times[blockIdx.x].began = now_ns();
#pragma unroll
    for (int i = 0; i < SIDE; i += STEP)
        if (x < n)
            tile[row + i][column] = __ldcg(in + (size_t)(y + i) * n + x);
    __syncthreads();
    for (long long begin = clock64(); cycles && clock64() - begin < cycles;)
        ;
#pragma unroll
    for (int i = 0; i < SIDE; i += STEP)
        if (x < n)
            out[(size_t)(y + i) * n + x] = tile[row + i][column];
    if (times && threadIdx.x == 0)
        times[blockIdx.x].stored = now_ns();
}

// In blocks that are launched meanwhile: the mean time from a tile to the one beside it; a block's until it has stored, and
// the deviation of that.
static void report_times(const struct times *times, int blocks, int down, double launch_ns,
                         const char *name)
{
    double apart = 0, sum = 0, squares = 0;
    for (int i = 0; i < blocks; i++) {
        double life = (double)(times[i].stored - times[i].began) / launch_ns;
        sum += life;
        squares += life * life;
        if (i + down < blocks)
            apart += fabs((double)times[i + down].stored - (double)times[i].stored) / launch_ns;
    }
    double life = sum / blocks;
    report(apart / (blocks - down), "launches", "%s_apart", name);
    report(life, "launches", "%s_life", name);
    report(sqrt(fmax(0, squares / blocks - life * life)), "launches", "%s_deviation", name);
}

static void measure(float *out, const float *in, struct times *times, struct times *host, int n,
                    int down, int resident, int cycles)
{
    const int blocks = (n + SIDE - 1) / SIDE * down;
    const unsigned shared = shared_to_fill(resident, THREADS, TILE_BYTES) - TILE_BYTES;
    char name[80];
    double ms =
        time_ms([=] { copy_late<<<blocks, THREADS, shared>>>(out, in, n, down, cycles, NULL); });
    snprintf(name, sizeof name, "late_%d_tiles_%d_blocks_%d_cycles", down, resident, cycles);
    report(4e-6 * n * SIDE * down / ms, "GB/s", "%s", name);
    copy_late<<<blocks, THREADS, shared>>>(out, in, n, down, cycles, times);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, times, blocks * sizeof *times, cudaMemcpyDeviceToHost));
    report_times(host, blocks, down, ms * 1e6 / blocks, name);
}

// Columns of so many tiles, in rows of so many words: seven in eight start within a sector.
static const struct {
    int down, words;
} shapes[] = {{313, 10007}, {32, 97855}, {128, 24463}, {1024, 3055}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

int main(void)
{
    static const int residents[] = {MOST_BLOCKS, 4, 2}, waits[] = {0, 1000, 2000, 4000, 16000};
    size_t floats = 0, tiles = 0;
    wake_up();
    for (int i = 0; i < SHAPES; i++) {
        size_t here = (size_t)(shapes[i].words + SIDE - 1) / SIDE * shapes[i].down,
               words = (size_t)shapes[i].words * shapes[i].down * SIDE;
        tiles = here > tiles ? here : tiles;
        floats = words > floats ? words : floats;
    }
    float *in, *out;
    struct times *times, *host;
    CHECK(cudaMalloc(&in, floats * sizeof *in));
    CHECK(cudaMalloc(&out, floats * sizeof *out));
    CHECK(cudaMemset(in, 0, floats * sizeof *in));
    CHECK(cudaMalloc(&times, tiles * sizeof *times));
    CHECK(cudaMallocHost(&host, tiles * sizeof *host));
    CHECK(cudaFuncSetAttribute(copy_late, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared_of_block(2) - TILE_BYTES));
    for (int cycles : waits)
        for (int resident : residents)
            measure(out, in, times, host, shapes[0].words, shapes[0].down, resident, cycles);
    for (int i = 1; i < SHAPES; i++)
        for (int cycles : {0, 4000})
            measure(out, in, times, host, shapes[i].words, shapes[i].down, MOST_BLOCKS, cycles);
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(times));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
