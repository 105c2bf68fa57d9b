// Parts of sectors of which the other warps of a block store the rest, as it turns a tile that it reads along the rows, or
// that it makes up: by how many bytes a part has, by the warps of a block, which lie below each other so that a line has
// parts of one sector, two or four of a block's, and where the blocks go down the columns of what they store, or along its
// rows. Bytes that are stored count; as many are loaded besides. What the times have in them beside requests is sectors
// that DRAM completes (docs/runs/halves.csv).
#include "micro.h"

enum { N = 8192 }; // rows of N words

// A lane has a column of a tile, of as many rows as a word has floats: it stores them to a row, side by side.
template <typename Word, bool reads, bool down_columns>
__global__ void store_turned(Word *out, const float *in)
{
    enum { FLOATS = sizeof(Word) / sizeof(float) };
    const unsigned x = (down_columns ? blockIdx.x : blockIdx.y) * WARP + threadIdx.x,
                   y = (down_columns ? blockIdx.y : blockIdx.x) * blockDim.y + threadIdx.y;
    union {
        float floats[FLOATS];
        Word word;
    } part;
#pragma unroll
    for (unsigned i = 0; i < FLOATS; i++)
        part.floats[i] = reads ? in[((size_t)y * FLOATS + i) * N + x] : 0;
    out[((size_t)x * N) / FLOATS + y] = part.word;
}

template <typename Word, bool reads, bool down_columns>
static void measure(Word *out, const float *in, unsigned warps)
{
    const unsigned across = N / WARP, down = N / (sizeof(Word) / sizeof(float)) / warps;
    const dim3 grid = down_columns ? dim3(across, down) : dim3(down, across);
    double ms = time_ms(
        [=] { store_turned<Word, reads, down_columns><<<grid, dim3(WARP, warps)>>>(out, in); });
    report(4e-6 * N * N / ms, "GB/s", "halves_%u_bytes_%u_warps_%s%s", (unsigned)sizeof(Word),
           warps, down_columns ? "down" : "along", reads ? "_reads" : "");
}

template <typename Word>
static void measure_all(void *out, const float *in)
{
    for (unsigned warps : {4u, 8u, 32u}) {
        measure<Word, true, true>((Word *)out, in, warps);
        measure<Word, true, false>((Word *)out, in, warps);
        measure<Word, false, true>((Word *)out, in, warps);
        measure<Word, false, false>((Word *)out, in, warps);
    }
}

int main(void)
{
    wake_up();
    void *out;
    float *in;
    CHECK(cudaMalloc(&out, (size_t)N * N * sizeof(float)));
    CHECK(cudaMalloc(&in, (size_t)N * N * sizeof(float)));
    CHECK(cudaMemset(in, 0, (size_t)N * N * sizeof(float)));
    measure_all<float2>(out, in);
    measure_all<float4>(out, in);
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
    return 0;
}
