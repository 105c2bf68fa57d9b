// DRAM: bandwidth of streams, of pieces in an order that opens its pages again and again, and up to
// what size the L2 keeps it idle.
#include "micro.h"

enum { THREADS = 256, COLUMNS = 32, ROWS = 128 };

// The thread's element of arrays that THREADS threads a block walk.
__device__ size_t element(void)
{
    return blockIdx.x * (size_t)THREADS + threadIdx.x;
}

__global__ void read(const float4 *in, float4 *sink)
{
    float4 got = in[element()];
    if (got.x + got.y + got.z + got.w == 0.5f)
        *sink = got;
}

__global__ void write(float4 *out)
{
    out[element()] = float4();
}

__global__ void copy(const float4 *in, float4 *out)
{
    out[element()] = in[element()];
}

static void measure_streams(char *in, char *out, size_t bytes)
{
    float4 *from = (float4 *)in, *to = (float4 *)out;
    unsigned blocks = (unsigned)(bytes / sizeof(float4) / THREADS);
    double megabytes = bytes / 1e6;
    report(megabytes / time_ms([=] { read<<<blocks, THREADS>>>(from, to); }), "GB/s", "dram_read");
    report(megabytes / time_ms([=] { write<<<blocks, THREADS>>>(to); }), "GB/s", "dram_write");
    report(2 * megabytes / time_ms([=] { copy<<<blocks, THREADS>>>(from, to); }), "GB/s",
           "dram_copy");
}

enum what { READ, WRITE };
enum order { ACROSS, DOWN };

// A block reads or writes a piece of 32 x 128 words of a square. Blocks that follow one another take
// the pieces beside each other, and so all of a DRAM page at about the same time; or those below
// each other, and so 128 bytes of a page.
template <enum what what, enum order order>
__global__ void pieces(float *words, int n)
{
    int x = (order == DOWN ? blockIdx.y : blockIdx.x) * COLUMNS,
        y = (order == DOWN ? blockIdx.x : blockIdx.y) * ROWS;
    float *piece = words + (size_t)y * n + x, sum = 0;
#pragma unroll
    for (int i = threadIdx.x; i < COLUMNS * ROWS; i += THREADS) {
        float *word = piece + (size_t)(i / COLUMNS) * n + i % COLUMNS;
        if (what == READ)
            sum += *word;
        else
            *word = 1;
    }
    if (sum == 0.5f)
        *words = sum;
}

template <enum what what, enum order order>
static void measure_pieces(float *words, int n, const char *name)
{
    int wide = n / COLUMNS, high = n / ROWS;
    dim3 grid = order == DOWN ? dim3(high, wide) : dim3(wide, high);
    double ms = time_ms([=] { pieces<what, order><<<grid, THREADS>>>(words, n); });
    report(4e-6 * n * n / ms, "GB/s", "%s_%d", name, n);
}

// The pieces that a block reads follow one another across, and those that it writes come down another square; or the
// other way round.
template <enum order order>
__global__ void copy_pieces(const float *in, float *out, int n)
{
    int x = blockIdx.x, y = blockIdx.y, across = n / COLUMNS;
    int piece = y * gridDim.x + x, turned = piece % (n / ROWS) * across + piece / (n / ROWS);
    int from = order == DOWN ? turned : piece, to = order == DOWN ? piece : turned;
    const float *source = in + (size_t)(from / across) * ROWS * n + from % across * COLUMNS;
    float *target = out + (size_t)(to / across) * ROWS * n + to % across * COLUMNS;
#pragma unroll
    for (int i = threadIdx.x; i < COLUMNS * ROWS; i += THREADS)
        target[(size_t)(i / COLUMNS) * n + i % COLUMNS] =
            source[(size_t)(i / COLUMNS) * n + i % COLUMNS];
}

static void measure_copies(const float *in, float *out, int n)
{
    dim3 grid(n / COLUMNS, n / ROWS);
    double written_down = time_ms([=] { copy_pieces<ACROSS><<<grid, THREADS>>>(in, out, n); });
    double read_down = time_ms([=] { copy_pieces<DOWN><<<grid, THREADS>>>(in, out, n); });
    report(8e-6 * n * n / written_down, "GB/s", "dram_copy_written_down_%d", n);
    report(8e-6 * n * n / read_down, "GB/s", "dram_copy_read_down_%d", n);
}

// Reads the same array `passes` times over.
__global__ void read_again(const float4 *in, float4 *sink, size_t count, int passes)
{
    size_t stride = (size_t)gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int pass = 0; pass < passes; pass++)
        for (size_t i = first; i < count; i += 4 * stride)
#pragma unroll
            for (size_t at = i; at < i + 4 * stride; at += stride)
                if (at < count)
                    sum += __ldcg(in + at).x;
    if (sum == 0.5f)
        sink->x = sum;
}

// The bandwidth of later passes, from the difference of many and few.
static void measure_capacity(char *in, char *out, size_t mib)
{
    enum { MANY = 20, FEW = 4 };
    size_t bytes = mib << 20;
    const int blocks = 2 * multiprocessors();
    auto time = [=](int passes) {
        return time_ms([=] {
            read_again<<<blocks, 1024>>>((float4 *)in, (float4 *)out, bytes / sizeof(float4),
                                         passes);
        });
    };
    report((MANY - FEW) * (bytes / 1e6) / (time(MANY) - time(FEW)), "GB/s", "read_again_%zu_mib",
           mib);
}

int main(void)
{
    wake_up();
    const size_t bytes = (size_t)2 << 30;
    char *in, *out;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    measure_streams(in, out, bytes);
    for (int n : {16384, 18432, 20480}) {
        measure_pieces<READ, ACROSS>((float *)in, n, "dram_read_across");
        measure_pieces<READ, DOWN>((float *)in, n, "dram_read_down");
        measure_pieces<WRITE, ACROSS>((float *)out, n, "dram_write_across");
        measure_pieces<WRITE, DOWN>((float *)out, n, "dram_write_down");
        measure_copies((float *)in, (float *)out, n);
    }
    for (size_t mib = 8; mib <= 96; mib += 8)
        measure_capacity(in, out, mib);
    return 0;
}
