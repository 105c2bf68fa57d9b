// Stores of parts of sectors, one in each of 32 rows of a matrix, of which the other warps of the block store the rest,
// or other blocks, or the same warp next: by how many bytes a part has, by how many blocks run at once, down the
// columns and along the rows, and beside loads.
#include "micro.h"

enum { THREADS = 128, WARPS = THREADS / WARP, SECTOR = 32 };
enum { N = 4096, SECTORS = N / 8, GROUPS = N / WARP }; // rows of N words; sectors of a row; 32 rows
enum { FEW = 8, MOST = 16 };                           // blocks of an SM

// The sector of a lane's row among the sectors that are number `unit` in that order, one in each of 32 rows.
static __device__ char *sector_of_lane(char *memory, unsigned unit, bool down_columns)
{
    const unsigned lane = threadIdx.x % WARP, group = down_columns ? unit % GROUPS : unit / SECTORS,
                   sector = down_columns ? unit / GROUPS : unit % SECTORS;
    return memory + ((size_t)(group * WARP + lane) * SECTORS + sector) * SECTOR;
}

// A block has a sector in each of 32 rows, each warp a quarter of it or, in 16 bytes, two of them a half.
template <typename Word, bool reads>
__global__ void __launch_bounds__(THREADS)
    store_sectors(char *memory, const Word *in, bool down_columns)
{
    const unsigned parts = SECTOR / sizeof(Word), lane = threadIdx.x % WARP,
                   warp = threadIdx.x / WARP;
    constexpr unsigned each = parts > WARPS ? parts / WARPS : 1;
    if (warp * each >= parts)
        return;
    Word words[each] = {};
    if (reads)
#pragma unroll
        for (unsigned i = 0; i < each; i++)
            words[i] = in[((size_t)blockIdx.x * parts + warp * each + i) * WARP + lane];
    Word *to = (Word *)sector_of_lane(memory, blockIdx.x, down_columns);
#pragma unroll
    for (unsigned i = 0; i < each; i++)
        to[warp * each + i] = words[i];
}

// The same, but each warp has a sector in each of 32 rows, and stores all of it, part by part.
template <typename Word, bool reads>
__global__ void __launch_bounds__(THREADS)
    store_own_sectors(char *memory, const Word *in, bool down_columns)
{
    constexpr unsigned parts = SECTOR / sizeof(Word);
    const unsigned lane = threadIdx.x % WARP, warp = blockIdx.x * WARPS + threadIdx.x / WARP;
    Word words[parts] = {};
    if (reads)
#pragma unroll
        for (unsigned i = 0; i < parts; i++)
            words[i] = in[((size_t)warp * parts + i) * WARP + lane];
    Word *to = (Word *)sector_of_lane(memory, warp, down_columns);
#pragma unroll
    for (unsigned i = 0; i < parts; i++)
        to[i] = words[i];
}

// The same, but each warp stores one part in each of 32 rows, and other blocks the rest: along the rows the next ones, down
// the columns those after all rows.
template <typename Word, bool reads>
__global__ void __launch_bounds__(THREADS)
    store_parts(char *memory, const Word *in, bool down_columns)
{
    constexpr unsigned parts = SECTOR / sizeof(Word), blocks_down = GROUPS / WARPS;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP,
                   part = (down_columns ? blockIdx.x / blocks_down : blockIdx.x) % parts,
                   sector = down_columns ? blockIdx.x / blocks_down / parts
                                         : blockIdx.x / parts % SECTORS,
                   down = down_columns ? blockIdx.x % blocks_down : blockIdx.x / parts / SECTORS;
    Word word = {};
    if (reads)
        word = in[((size_t)blockIdx.x * WARPS + warp) * WARP + lane];
    ((Word *)sector_of_lane(memory, (down * WARPS + warp) * SECTORS + sector, false))[part] = word;
}

// A kernel whose blocks have parts of the same sectors: their warps, or they themselves, as `who` says.
template <typename Word>
static void measure(void (*kernel)(char *, const Word *, bool), unsigned blocks, const char *who,
                    char *memory, const char *in, bool down_columns, bool reads, int resident)
{
    const unsigned shared = resident == MOST ? 0 : shared_of_block(resident);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    double ms = time_ms(
        [=] { kernel<<<blocks, THREADS, shared>>>(memory, (const Word *)in, down_columns); });
    report(4e-6 * N * N / ms, "GB/s", "rows_%d_bytes_%s%s%s_%d_blocks", (int)sizeof(Word), who,
           down_columns ? "down" : "along", reads ? "_reads" : "", resident);
}

template <typename Word, bool reads>
static void measure_both(char *memory, const char *in, bool down_columns, int resident)
{
    constexpr unsigned parts = SECTOR / sizeof(Word);
    measure(store_sectors<Word, reads>, GROUPS * SECTORS, "", memory, in, down_columns, reads,
            resident);
    measure(store_parts<Word, reads>, GROUPS / WARPS * SECTORS * parts, "of_blocks_", memory, in,
            down_columns, reads, resident);
}

template <typename Word, bool reads>
static void measure_own(char *memory, const char *in, bool down_columns)
{
    double ms = time_ms([=] {
        store_own_sectors<Word, reads>
            <<<GROUPS * SECTORS / WARPS, THREADS>>>(memory, (const Word *)in, down_columns);
    });
    report(4e-6 * N * N / ms, "GB/s", "rows_%d_bytes_one_warp_%s%s", (int)sizeof(Word),
           down_columns ? "down" : "along", reads ? "_reads" : "");
}

template <typename Word>
static void measure_all(char *memory, const char *in)
{
    for (bool down_columns : {true, false}) {
        measure_own<Word, false>(memory, in, down_columns);
        measure_own<Word, true>(memory, in, down_columns);
        for (int resident : {(int)FEW, (int)MOST}) {
            measure_both<Word, false>(memory, in, down_columns, resident);
            measure_both<Word, true>(memory, in, down_columns, resident);
        }
    }
}

int main(void)
{
    wake_up();
    char *memory, *in;
    CHECK(cudaMalloc(&memory, (size_t)N * N * 4));
    CHECK(cudaMalloc(&in, (size_t)N * N * 4));
    CHECK(cudaMemset(in, 0, (size_t)N * N * 4));
    measure_all<float>(memory, in);
    measure_all<float2>(memory, in);
    measure_all<float4>(memory, in);
    CHECK(cudaFree(memory));
    CHECK(cudaFree(in));
    return 0;
}
