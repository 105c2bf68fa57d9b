// What stores cost that go to the same lines as others just before them. How many of them the L2 sees,
// lts__t_requests_srcunit_tex_op_write tells of the same kernels: those that meet on their way out of the SM come as one.
#include "micro.h"

enum { PAIRS = 8, BLOCKS_AN_SM = 8, MOST_WARPS = 16 };
enum { ROOM = 256 };           // bytes from one line that is stored to to the next
enum { ONE_A_SM = 200 << 10 }; // bytes of shared memory

// Each warp stores pairs, one after the other, to `lines` lines of its own each: of what a lane has there, the first half
// and then the second.
template <typename Word, int lines>
__global__ void store_pairs(char *memory)
{
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    char *mine = memory + (size_t)warp * PAIRS * lines * ROOM + lane % lines * ROOM +
                 lane / lines * 2 * sizeof(Word);
#pragma unroll
    for (int pair = 0; pair < PAIRS; pair++)
#pragma unroll
        for (int half = 0; half < 2; half++)
            *(Word *)(mine + pair * lines * ROOM + half * sizeof(Word)) = Word();
}

template <typename Word, int lines>
static void measure(char *memory)
{
    CHECK(cudaFuncSetAttribute(store_pairs<Word, lines>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, ONE_A_SM));
    const int blocks = multiprocessors() * BLOCKS_AN_SM;
    for (int warps = 1; warps <= MOST_WARPS; warps *= 2) {
        double ms =
            time_ms([=] { store_pairs<Word, lines><<<blocks, WARP * warps, ONE_A_SM>>>(memory); });
        report(cycles_in(ms) / (BLOCKS_AN_SM * warps * PAIRS * 2), "cycles/request",
               "join_%d_bytes_%d_lines_%d_warps", (int)sizeof(Word), lines, warps);
    }
}

template <typename Word, int... lines>
static void measure_all(char *memory)
{
    (measure<Word, lines>(memory), ...);
}

int main(void)
{
    wake_up();
    char *memory;
    CHECK(cudaMalloc(&memory,
                     (size_t)multiprocessors() * BLOCKS_AN_SM * MOST_WARPS * PAIRS * WARP * ROOM));
    measure_all<float, 2, 4, 8, 16, 32>(memory);
    measure_all<float2, 4, 8, 16, 32>(memory);
    measure_all<float4, 8, 16, 32>(memory);
    CHECK(cudaFree(memory));
    return 0;
}
