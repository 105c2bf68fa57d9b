// What stores cost that go to the same lines as others just before them, and how far apart loads are that do. How many of them
// the L2 sees, lts__t_requests_srcunit_tex_op_write and _op_read tell of the same kernels: those that meet on their way out of
// the SM come as one.
#include "micro.h"

enum { TIMES = 8, BLOCKS_AN_SM = 8, MOST_WARPS = 16 };
enum { ROOM = 256 };           // bytes from one line that is stored to to the next
enum { ONE_A_SM = 200 << 10 }; // bytes of shared memory

// Each warp stores to `lines` lines of its own, so many times: of what a lane has there first the first part, and then the
// others, one after the other.
template <typename Word, int lines, int parts>
__global__ void store_parts(char *memory)
{
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    char *mine = memory + (size_t)warp * TIMES * lines * ROOM + lane % lines * ROOM +
                 lane / lines * parts * sizeof(Word);
#pragma unroll
    for (int time = 0; time < TIMES; time++)
#pragma unroll
        for (int part = 0; part < parts; part++)
            *(Word *)(mine + time * lines * ROOM + part * sizeof(Word)) = Word();
}

template <int count>
static __device__ void multiply(unsigned &word)
{
#pragma unroll
    for (int i = 0; i < count; i++)
        asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(word));
}

// The same of two words, each some multiplications after the one before, as it is what they come to; and how many cycles
// after it that is, in the mean.
template <int lines, int multiplications>
__global__ void store_parts_later(char *memory, unsigned word, float *cycles)
{
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    char *mine = memory + (size_t)warp * TIMES * lines * ROOM + lane % lines * ROOM +
                 lane / lines * 2 * sizeof word;
    const unsigned begin = clock();
#pragma unroll
    for (int time = 0; time < TIMES; time++) {
        char *line = mine + time * lines * ROOM;
        asm volatile("st.global.u32 [%0], %1;" ::"l"(line), "r"(word) : "memory");
        multiply<multiplications>(word);
        asm volatile("st.global.u32 [%0], %1;" ::"l"(line + sizeof word), "r"(word) : "memory");
        multiply<multiplications>(word);
    }
    *cycles = ((unsigned)clock() - begin) / (2.0f * TIMES);
    if (word == 1) // which it is not
        *memory = 1;
}

// Two warps of a block load from sectors side by side of the same lines, each time lines of their own, the second warp so many
// multiplications after they met; and how many cycles that is after the first by the SM's clock, in sum over the blocks. `zero`
// is 0, which nobody knows here.
__global__ void load_parts(const char *memory, int lines, unsigned multiplications, unsigned zero,
                           unsigned *apart)
{
    unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, word = lane;
    const char *mine = memory + (size_t)blockIdx.x * TIMES * lines * ROOM + lane % lines * ROOM +
                       lane / lines * sizeof word % SECTOR_BYTES + warp * SECTOR_BYTES;
    unsigned whens = 0;
    int sum = 0;
#pragma unroll 1
    for (int time = 0; time < TIMES; time++) {
        __syncthreads();
#pragma unroll 1
        for (unsigned i = 0; i < warp * multiplications; i++)
            asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(word));
        const unsigned now = (unsigned)clock() + (word & zero);
        int loaded; // a volatile load would pass L1
        asm volatile("ld.global.u32 %0, [%1];"
                     : "=r"(loaded)
                     : "l"(mine + time * lines * ROOM + (now & zero))
                     : "memory");
        sum += loaded;
        whens += now;
    }
    if (lane == 0)
        atomicAdd(apart, warp ? whens : -whens);
    if (sum == 1) // which it is not
        *apart = sum;
}

template <typename Word, int parts, int lines>
static void measure(char *memory)
{
    auto kernel = store_parts<Word, lines, parts>;
    char how[32] = "";
    if (parts > 2)
        snprintf(how, sizeof how, "_%d_parts", parts);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ONE_A_SM));
    const int blocks = multiprocessors() * BLOCKS_AN_SM;
    for (int warps = 1; warps <= MOST_WARPS; warps *= 2) {
        double ms = time_ms([=] { kernel<<<blocks, WARP * warps, ONE_A_SM>>>(memory); });
        report(cycles_in(ms) / (BLOCKS_AN_SM * warps * TIMES * parts), "cycles/request",
               "join_%d_bytes_%d_lines_%d_warps%s", (int)sizeof(Word), lines, warps, how);
    }
}

template <int lines, int multiplications>
static void measure_later(char *memory)
{
    auto kernel = store_parts_later<lines, multiplications>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ONE_A_SM));
    float *cycles;
    CHECK(cudaMallocManaged(&cycles, sizeof *cycles));
    for (int warps = 1; warps <= 4; warps++) {
        kernel<<<multiprocessors() * BLOCKS_AN_SM, WARP * warps, ONE_A_SM>>>(memory, 2, cycles);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        report(*cycles, "cycles/request", "join_later_%d_lines_%d_warps_%d", lines, warps,
               multiplications);
    }
    CHECK(cudaFree(cycles));
}

static void measure_loads(const char *memory)
{
    const int blocks = multiprocessors() * BLOCKS_AN_SM;
    unsigned *apart;
    CHECK(cudaFuncSetAttribute(load_parts, cudaFuncAttributeMaxDynamicSharedMemorySize, ONE_A_SM));
    CHECK(cudaMallocManaged(&apart, sizeof *apart));
    for (int lines : {1, 4, 8, 16, 24, 28, 32})
        for (unsigned multiplications : {0, 1, 2}) {
            *apart = 0;
            load_parts<<<blocks, 2 * WARP, ONE_A_SM>>>(memory, lines, multiplications, 0, apart);
            CHECK(cudaGetLastError());
            CHECK(cudaDeviceSynchronize());
            report((double)(int)*apart / blocks / TIMES, "cycles", "join_loads_%d_lines_%u", lines,
                   multiplications);
        }
    CHECK(cudaFree(apart));
}

template <typename Word, int parts, int... lines>
static void measure_all(char *memory)
{
    (measure<Word, parts, lines>(memory), ...);
}

template <int lines, int... multiplications>
static void measure_all_later(char *memory)
{
    (measure_later<lines, multiplications>(memory), ...);
}

int main(void)
{
    wake_up();
    char *memory;
    CHECK(cudaMalloc(&memory,
                     (size_t)multiprocessors() * BLOCKS_AN_SM * MOST_WARPS * TIMES * WARP * ROOM));
    measure_all<float, 2, 2, 4, 8, 16, 32>(memory);
    measure_all<float2, 2, 4, 8, 16, 32>(memory);
    measure_all<float4, 2, 8, 16, 32>(memory);
    measure_all<float, 4, 4, 8, 16, 32>(memory);
    measure_all<float, 8, 8, 16, 32>(memory);
    measure_all_later<2, 0, 2, 4, 6, 8, 10, 12, 16>(memory);
    measure_all_later<4, 0, 2, 4, 6, 8, 10, 12, 16>(memory);
    measure_all_later<8, 0, 2, 4, 6, 8, 10, 12, 16>(memory);
    measure_all_later<16, 0, 2, 4, 6, 8, 10, 12, 16>(memory);
    CHECK(cudaMemset(memory, 0, (size_t)multiprocessors() * BLOCKS_AN_SM * TIMES * WARP * ROOM));
    measure_loads(memory);
    CHECK(cudaFree(memory));
    return 0;
}
