// What stores of halves of sectors cost of which another block stores the rest, one that was launched so many blocks later: by how
// much of a line a store has, as pieces of 32 bytes to 4 KiB lie below each other, and beside whole sectors of such pieces. Blocks
// that are far apart come when the L2 has completed the first halves (docs/runs/shared-halves.csv).
#include "micro.h"

enum {
    THREADS = 256,
    HALF = 16,
    LOG2_BYTES = 28,
    LOG2_ROWS = 13,
    FIRST = 64,
    FURTHER = 8,
    FURTHEST = 16384
};

// Where a half goes: pieces follow each other down the rows.
static __device__ size_t place(size_t half, unsigned log2_piece)
{
    const size_t at = half * HALF, piece = at >> log2_piece, row = piece & ((1u << LOG2_ROWS) - 1),
                 column = piece >> LOG2_ROWS;
    return (((row << (LOG2_BYTES - log2_piece - LOG2_ROWS)) + column) << log2_piece |
            (at & ((1u << log2_piece) - 1))) /
           HALF;
}

// Of twice `apart` blocks the first have the first halves of sectors, the others the second ones; of 0, each has all of its own.
__global__ void __launch_bounds__(THREADS)
    store_halves(float4 *out, unsigned apart, unsigned log2_piece)
{
    const size_t block = blockIdx.x;
    size_t half = block * THREADS + threadIdx.x;
    if (apart) {
        const size_t first = block / (2 * apart) * apart + block % apart;
        half = 2 * (first * THREADS + threadIdx.x) + block / apart % 2;
    }
    out[place(half, log2_piece)] = float4{};
}

static void measure(float4 *out, unsigned log2_piece, unsigned apart)
{
    const unsigned blocks = (1u << LOG2_BYTES) / HALF / THREADS;
    const double sectors = (1u << LOG2_BYTES) / SECTOR_BYTES;
    double ms = time_ms([=] { store_halves<<<blocks, THREADS>>>(out, apart, log2_piece); });
    double cycles = cycles_in(ms) * multiprocessors() / sectors;
    if (apart)
        report(cycles, "cycles/sector", "shared_halves_%u_bytes_%u_blocks_apart", 1u << log2_piece,
               apart);
    else
        report(cycles, "cycles/sector", "shared_halves_%u_bytes_whole", 1u << log2_piece);
}

int main(void)
{
    wake_up();
    float4 *out;
    CHECK(cudaMalloc(&out, 1u << LOG2_BYTES));
    for (unsigned log2_piece : {5u, 6u, 7u, 8u, 10u, 12u}) {
        measure(out, log2_piece, 0);
        measure(out, log2_piece, 1);
        for (unsigned apart = FIRST; apart <= FURTHEST; apart *= apart < FURTHEST / 4 ? FURTHER : 4)
            measure(out, log2_piece, apart);
    }
    CHECK(cudaFree(out));
    return 0;
}
