// What becomes of sectors of which a part is stored, and the rest much later, or at once: each thread has lines of its own, of
// which it stores the first word of one sector, or of all four, waits, and stores the other words one by one; and so again for
// other lines, so many times. By how many lines all threads have at a time, side by side or far from each other, so that DRAM
// has others of their pages. No launch comes to the lines of the one before. How many sectors DRAM completes,
// lts__t_sectors_data_ecc tells of the same kernels (docs/runs/held-parts.csv).
#include "micro.h"

enum { LINES = 1 << 23, SECTOR_WORDS = SECTOR_BYTES / 4, WAIT = 100000 }; // 1 GiB of lines; cycles

// Far from the line before, and the same for no two of LINES numbers in a row: an odd multiple.
static __device__ unsigned far_line(unsigned number)
{
    return number * 2654435761u % LINES;
}

static __device__ void store(float *to)
{
    asm volatile("st.global.f32 [%0], %1;" ::"l"(to), "f"(1.0f) : "memory");
}

template <int sectors>
__global__ void hold_parts(float *memory, unsigned first, bool far, int rounds, int wait)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (int round = 0; round < rounds; round++) {
        const unsigned number = first + round * threads + thread,
                       line = far ? far_line(number) : number % LINES;
        float *to = memory + (size_t)line * LINE_WORDS;
#pragma unroll
        for (int s = 0; s < sectors; s++)
            store(to + s * SECTOR_WORDS);
        for (long long start = clock64(); clock64() - start < wait;)
            ;
#pragma unroll
        for (int s = 0; s < sectors; s++)
#pragma unroll
            for (int i = 1; i < SECTOR_WORDS; i++)
                store(to + s * SECTOR_WORDS + i);
    }
}

// The number of the first line that no launch came to yet, of all measurements: the others may still be in the L2.
static unsigned first_line;

template <int sectors>
static void measure(float *memory, int threads, bool far, int rounds, int wait)
{
    const int sms = multiprocessors();
    double ms = time_ms([=] {
        hold_parts<sectors><<<sms, threads>>>(memory, first_line, far, rounds, wait);
        first_line += sms * threads * rounds;
    });
    report(1e3 * ms, "us", "held_%d_sectors_of_%d_lines_%s_%d_times_%s", sectors, sms * threads,
           far ? "far" : "near", rounds, wait ? "waiting" : "at_once");
}

int main(void)
{
    float *memory;
    const size_t bytes = (size_t)LINES * LINE_BYTES;
    wake_up();
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemset(memory, 0, bytes));
    for (int threads : {64, 128, 256, 512, 1024})
        for (int rounds : {1, 16}) {
            for (bool far : {true, false})
                for (int wait : {0, (int)WAIT})
                    measure<1>(memory, threads, far, rounds, wait);
            measure<4>(memory, threads, true, rounds, WAIT);
        }
    CHECK(cudaFree(memory));
}
