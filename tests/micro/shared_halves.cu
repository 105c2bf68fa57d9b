// What stores of halves of sectors cost of which another block stores the rest, one that was launched so many blocks later: by how
// much of a line a store has, as pieces of 32 bytes to 4 KiB lie below each other, and beside whole sectors of such pieces. Blocks
// that are far apart come when the L2 has completed the first halves (docs/runs/shared-halves.csv).
#include "chunks_below.h"
#include "micro.h"

enum { THREADS = 256, HALF = 16, LOG_BYTES = 28, LOG_ROWS = 13 };

// Of twice `apart` blocks the first have the first halves of sectors, the others the second ones; of 0, each has all of its own.
__global__ void __launch_bounds__(THREADS)
    store_halves(char *out, struct order pieces, unsigned apart)
{
    const unsigned block = blockIdx.x;
    unsigned half = block * THREADS + threadIdx.x;
    if (apart) {
        const unsigned first = block / (2 * apart) * apart + block % apart;
        half = 2 * (first * THREADS + threadIdx.x) + block / apart % 2;
    }
    *(float4 *)(out + place(pieces, half * HALF)) = float4{};
}

static void measure(char *out, int log_piece, unsigned apart)
{
    const order pieces = {log_piece, LOG_ROWS, LOG_BYTES - LOG_ROWS};
    const unsigned blocks = (1u << LOG_BYTES) / HALF / THREADS;
    const double sectors = (1u << LOG_BYTES) / SECTOR_BYTES;
    double ms = time_ms([=] { store_halves<<<blocks, THREADS>>>(out, pieces, apart); });
    double cycles = cycles_in(ms) * multiprocessors() / sectors;
    if (apart)
        report(cycles, "cycles/sector", "shared_halves_%u_bytes_%u_blocks_apart", 1u << log_piece,
               apart);
    else
        report(cycles, "cycles/sector", "shared_halves_%u_bytes_whole", 1u << log_piece);
}

int main(void)
{
    wake_up();
    char *out;
    CHECK(cudaMalloc(&out, 1u << LOG_BYTES));
    for (int log_piece : {5, 6, 7, 8, 10, 12})
        for (unsigned apart : {0u, 1u, 64u, 512u, 4096u, 16384u})
            measure(out, log_piece, apart);
    CHECK(cudaFree(out));
    return 0;
}
