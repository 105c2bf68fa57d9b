// Words that are stored down the columns of a matrix by blocks that go along its rows, a word a thread, so that other blocks
// store the rest of each sector: of 4, 8 and 16 bytes, by how many a row has, with rows side by side and 256 bytes apart.
#include "micro.h"

enum { THREADS = 256, FEWEST = 2048, MOST = 16384, APART = 256 };
// Bytes of the largest matrix, but for what lies between its rows.
static const size_t room = (size_t)1 << 30;

template <typename Word>
__global__ void __launch_bounds__(THREADS) store_columns(char *memory, size_t row_bytes)
{
    const size_t row = blockIdx.x * THREADS + threadIdx.x;
    ((Word *)(memory + row * row_bytes))[blockIdx.y] = Word{};
}

template <typename Word>
static void measure(char *memory, int words, int apart)
{
    const size_t row_bytes = words * sizeof(Word) + apart;
    double ms = time_ms(
        [=] { store_columns<Word><<<dim3(words / THREADS, words), THREADS>>>(memory, row_bytes); });
    report(cycles_in(ms) * multiprocessors() * WARP / ((double)words * words), "cycles",
           "columns_%d_bytes_%d_words%s", (int)sizeof(Word), words, apart ? "_apart" : "");
}

template <typename Word>
static void measure_all(char *memory)
{
    for (int words = FEWEST; words <= MOST && sizeof(Word) * words * words <= room; words *= 2)
        for (int apart : {0, (int)APART})
            measure<Word>(memory, words, apart);
}

int main(void)
{
    wake_up();
    char *memory;
    CHECK(cudaMalloc(&memory, room + (size_t)MOST * APART));
    measure_all<float>(memory);
    measure_all<float2>(memory);
    measure_all<float4>(memory);
    CHECK(cudaFree(memory));
    return 0;
}
