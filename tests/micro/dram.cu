// DRAM: bandwidth of streams, of chunks that are scattered, and up to what size the L2 keeps it idle.
#include "micro.h"

enum { THREADS = 256, VECTORS = 4, DRAM_CHUNK = 256 };

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

// With so much shared memory that few blocks run at a time on an SM: fewer bytes are on their way.
static void measure_knee(const float4 *in, float4 *out, size_t bytes)
{
    unsigned grid = (unsigned)(bytes / sizeof(float4) / THREADS);
    const int shared = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    for (int blocks = 1; blocks <= 8; blocks++) {
        int each = shared / blocks - attribute(cudaDevAttrReservedSharedMemoryPerBlock);
        int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
        each = (each < most ? each : most) / 1024 * 1024;
        CHECK(cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, each));
        double ms = time_ms([=] { copy<<<grid, THREADS, each>>>(in, out); });
        report(2 * (bytes / 1e6) / ms, "GB/s", "dram_copy_%d_blocks", blocks);
    }
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

enum what { READ = 1, WRITE = 2, COPY = READ | WRITE };

// Where the bytes of an array lie whose size is a power of two: chunks of a smaller one, scattered over it or in their
// order. An odd factor scatters: each chunk has a place of its own (Knuth's multiplicative hash).
struct layout {
    int log_chunk;
    unsigned factor, mask;
};

static layout scattered(int log_chunk, size_t bytes)
{
    return {log_chunk, 2654435761u, (unsigned)((bytes >> log_chunk) - 1)};
}

static layout in_order(size_t bytes)
{
    layout layout = scattered(12, bytes);
    layout.factor = 1;
    return layout;
}

__device__ size_t place(layout layout, size_t byte)
{
    size_t chunk = (unsigned)(byte >> layout.log_chunk) * layout.factor & layout.mask;
    return (chunk << layout.log_chunk) + (byte & ((1u << layout.log_chunk) - 1));
}

// A thread has all that it reads on the way before it writes.
template <enum what what>
__global__ void move_chunks(const char *in, layout from, char *out, layout to)
{
    size_t first = (size_t)blockIdx.x * THREADS * VECTORS + threadIdx.x;
    float4 got[VECTORS] = {};
    float sum = 0;
#pragma unroll
    for (int v = 0; v < VECTORS && what & READ; v++)
        got[v] = *(const float4 *)(in + place(from, (first + v * THREADS) * sizeof *got));
#pragma unroll
    for (int v = 0; v < VECTORS; v++)
        if (what & WRITE)
            *(float4 *)(out + place(to, (first + v * THREADS) * sizeof *got)) = got[v];
        else
            sum += got[v].x + got[v].y + got[v].z + got[v].w;
    if (sum == 0.5f)
        *out = 1;
}

template <enum what what>
static double moved_gbs(char *in, layout from, char *out, layout to, size_t bytes)
{
    unsigned blocks = (unsigned)(bytes / sizeof(float4) / THREADS / VECTORS);
    double ms = time_ms([=] { move_chunks<what><<<blocks, THREADS>>>(in, from, out, to); });
    return (what == COPY ? 2 : 1) * (bytes / 1e6) / ms;
}

static void measure_chunks(char *in, char *out, size_t bytes)
{
    layout order = in_order(bytes);
    report(moved_gbs<READ>(in, order, out, order, bytes), "GB/s", "dram_read_chunks");
    report(moved_gbs<WRITE>(in, order, out, order, bytes), "GB/s", "dram_write_chunks");
    report(moved_gbs<COPY>(in, order, out, order, bytes), "GB/s", "dram_copy_chunks");
    for (int log_chunk : {5, 6, 7, 8, 9, 12, 16, 20}) {
        layout apart = scattered(log_chunk, bytes);
        int chunk = 1 << log_chunk;
        report(moved_gbs<READ>(in, apart, out, order, bytes), "GB/s", "dram_read_%d_bytes", chunk);
        report(moved_gbs<WRITE>(in, order, out, apart, bytes), "GB/s", "dram_write_%d_bytes",
               chunk);
        report(moved_gbs<COPY>(in, apart, out, order, bytes), "GB/s", "dram_copy_read_%d_bytes",
               chunk);
        report(moved_gbs<COPY>(in, order, out, apart, bytes), "GB/s", "dram_copy_written_%d_bytes",
               chunk);
    }
}

// Pieces that start so many bytes behind a chunk that DRAM moves at once.
static void measure_shifted_chunks(char *in, char *out, size_t bytes)
{
    static const struct {
        int log_chunk, shift;
    } pieces[] = {{7, 32}, {7, 64}, {8, 32},  {8, 64},   {8, 128},
                  {9, 32}, {9, 64}, {9, 128}, {10, 128}, {12, 128}};
    layout order = in_order(bytes);
    for (auto piece : pieces) {
        layout apart = scattered(piece.log_chunk, bytes);
        char name[32], *from = in + piece.shift, *to = out + piece.shift;
        snprintf(name, sizeof name, "%d_bytes_from_%d", 1 << piece.log_chunk, piece.shift);
        report(moved_gbs<READ>(from, apart, out, order, bytes), "GB/s", "dram_read_%s", name);
        report(moved_gbs<WRITE>(in, order, to, apart, bytes), "GB/s", "dram_write_%s", name);
        report(moved_gbs<COPY>(from, apart, out, order, bytes), "GB/s", "dram_copy_read_%s", name);
        report(moved_gbs<COPY>(in, order, to, apart, bytes), "GB/s", "dram_copy_written_%s", name);
    }
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
    CHECK(cudaMalloc(&in, bytes + DRAM_CHUNK));
    CHECK(cudaMalloc(&out, bytes + DRAM_CHUNK));
    CHECK(cudaMemset(in, 0, bytes + DRAM_CHUNK));
    measure_streams(in, out, bytes);
    measure_knee((float4 *)in, (float4 *)out, bytes);
    measure_chunks(in, out, bytes);
    measure_shifted_chunks(in, out, bytes);
    for (size_t mib = 8; mib <= 96; mib += 8)
        measure_capacity(in, out, mib);
    return 0;
}
