// Lines that are loaded and stored again and again, and lines that come once, as many as the L2 holds, or more.
#include "micro.h"

// Threads of a block, one an SM; lines of a kind at a time.
enum { THREADS = 1024, CHUNK = 128, PASSES = 8 };
enum { PITCH_LINES = 513, DOWN = 8192, BYTES = 1 << 30 };

// Lines of an SM; whether a word of each sector is stored; and whether lines lie below each other in a matrix.
struct amounts {
    unsigned loaded, stored, streamed;
    bool words, down;
};

// Each block has lines of its own.
static __device__ size_t place(const amounts &all, unsigned of_block, unsigned line)
{
    size_t number = (size_t)blockIdx.x * of_block + line;
    return all.down ? (number % DOWN * PITCH_LINES + number / DOWN) * LINE_BYTES
                    : number * LINE_BYTES;
}

static __device__ float load(const char *from)
{
    return __ldcg((const float4 *)from).x;
}

__global__ void __launch_bounds__(THREADS)
    go_through(const char *in, char *out, const char *stream, const amounts all)
{
    enum { PARTS = LINE_BYTES / sizeof(float4), SECTORS = LINE_BYTES / SECTOR_BYTES };
    const unsigned part = threadIdx.x % PARTS, of_chunk = threadIdx.x / PARTS,
                   most = max(max(all.loaded, all.stored), all.streamed);
    float sum = 0;
    for (unsigned pass = 0; pass < PASSES; pass++)
        for (unsigned chunk = 0; chunk < most; chunk += CHUNK) {
            unsigned line = chunk + of_chunk;
            size_t next = ((size_t)pass * gridDim.x + blockIdx.x) * all.streamed + line;
            if (line < all.loaded)
                sum += load(in + place(all, all.loaded, line) + part * sizeof(float4));
            if (line < all.stored && all.words && part < SECTORS)
                *(volatile float *)(out + place(all, all.stored, line) + part * SECTOR_BYTES +
                                    pass * sizeof(float)) = 1;
            else if (line < all.stored && !all.words)
                *(float4 *)(out + place(all, all.stored, line) + part * sizeof(float4)) = float4();
            if (line < all.streamed)
                sum += load(stream + next * LINE_BYTES % BYTES + part * sizeof(float4));
            __syncthreads();
        }
    if (sum == 0.5f)
        *out = 1;
}

static void measure(const char *in, char *out, const char *stream, amounts all)
{
    double ms = time_ms([=] { go_through<<<multiprocessors(), THREADS>>>(in, out, stream, all); });
    report(1e3 * ms / PASSES, "us", "capacity_%s_%u_loaded_%u_stored%s_%u_streamed",
           all.down ? "down" : "along", all.loaded, all.stored, all.words ? "_words" : "",
           all.streamed);
}

int main(void)
{
    static_assert(PASSES * sizeof(float) == SECTOR_BYTES,
                  "a pass stores another word of each sector");
    wake_up();
    char *in, *out, *stream;
    CHECK(cudaMalloc(&in, BYTES));
    CHECK(cudaMalloc(&out, BYTES));
    CHECK(cudaMalloc(&stream, BYTES));
    CHECK(cudaMemset(in, 0, BYTES));
    CHECK(cudaMemset(out, 0, BYTES));
    CHECK(cudaMemset(stream, 0, BYTES));
    for (bool down : {false, true}) {
        for (unsigned lines : {2048, 2560, 3072, 3584})
            measure(in, out, stream, {lines, 0, 0, false, down});
        measure(in, out, stream, {1024, 0, 1024, false, down});
        measure(in, out, stream, {1024, 0, 1536, false, down});
        for (bool words : {false, true}) {
            for (unsigned lines : {1024, 1536, 2048, 2560, 3072})
                measure(in, out, stream, {0, lines, 0, words, down});
            for (unsigned lines : {1024, 1536, 2048, 2560})
                measure(in, out, stream, {1024, lines, 0, words, down});
            measure(in, out, stream, {0, 1536, 1024, words, down});
            measure(in, out, stream, {0, 2048, 1024, words, down});
        }
    }
    CHECK(cudaFree(stream));
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
    return 0;
}
