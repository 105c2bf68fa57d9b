// Global memory in L1 and in the L2: cycles an SM needs for a request, by the request's shape.
//
// LANES lanes share a line, so that a request has 32 / LANES lines of 128 bytes: 32 lanes make a
// coalesced request (1 line, 4 sectors), 8 fill one sector of each of 4 lines, 1 is a word in each
// of 32. All of these are the first words of their lines, in the same few banks of L1; "spread", each line's lie in
// other banks. Parts: a word in each of 2 or 4 sectors of a line. "one": one SM works alone; "all": all do, and share the L2.
#include "micro.h"

enum { THREADS = 1024, L1_WARPS = 8, UNROLL = 16, ROUNDS = 64, MEMORY = 16 << 20 };
enum { LINES = MEMORY / LINE_BYTES }; // which the L2 holds

// A lane's word in the first of UNROLL requests; the others follow, request_words() apart.
template <int LANES, bool spread>
__device__ size_t word_of_lane(size_t line)
{
    return (line + threadIdx.x % WARP / LANES) * LINE_WORDS + threadIdx.x % (spread ? WARP : LANES);
}

template <int LANES>
__host__ __device__ constexpr int request_words()
{
    return WARP / LANES * LINE_WORDS;
}

// Where a warp's requests of a round are: every warp of the grid has lines of its own.
template <int LANES, bool spread>
__device__ size_t place(int round)
{
    size_t warps = (size_t)gridDim.x * blockDim.x / WARP,
           warp = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / WARP;
    return word_of_lane<LANES, spread>((round * warps + warp) * UNROLL * (WARP / LANES) % LINES);
}

// An ordinary load, which is not left out even when it is the same as another one.
__device__ float read(const float *from)
{
    float got;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(got) : "l"(from));
    return got;
}

// Eight warps read the same few lines again and again.
template <int LANES, bool spread>
__global__ void load_l1(const float *in, float *sink, long long *cycles)
{
    const float *from = in + word_of_lane<LANES, spread>(0);
    float sum = 0;
    long long start = 0;
    for (int i = -1; i < ROUNDS; i++) { // the first brings the lines to L1
        if (i == 0) {
            __syncthreads();
            start = clock64();
        }
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += read(from + k * request_words<LANES>());
    }
    sink[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
}

template <int LANES, bool spread>
__global__ void __launch_bounds__(THREADS) load(const float *in, float *sink, int rounds)
{
    float sum = 0;
    for (int i = 0; i < rounds; i++) {
        const float *from = in + place<LANES, spread>(i);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += read(from + k * request_words<LANES>());
    }
    if (sum == 0.5f)
        *sink = sum;
}

template <int LANES, bool spread>
__global__ void __launch_bounds__(THREADS) store(float *out, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        float *to = out + place<LANES, spread>(i);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            to[k * request_words<LANES>()] = 1;
    }
}

// A lane's word is alone in its sector; SECTORS lanes have a line.
template <int SECTORS>
__global__ void __launch_bounds__(THREADS) store_parts(float *out, int rounds)
{
    int lane = threadIdx.x % WARP, apart = LINE_WORDS / SECTORS;
    for (int i = 0; i < rounds; i++) {
        float *to = out + place<SECTORS, false>(i) + lane % SECTORS * (apart - 1);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            to[k * request_words<SECTORS>()] = 1;
    }
}

// Cycles an SM takes for a request, without what a launch takes beside: from the difference of a
// long and a short run.
template <typename Launch>
static double cycles_a_request(int blocks_per_sm, Launch launch)
{
    double ms = time_ms([=] { launch(5 * ROUNDS); }) - time_ms([=] { launch(ROUNDS); });
    return cycles_in(ms) / (4.0 * ROUNDS * UNROLL * THREADS / WARP * blocks_per_sm);
}

template <int LANES, bool spread = false>
static void measure(float *memory, float *sink)
{
    const char *unit = "cycles/request", *more = spread ? "_spread" : "";
    const int lines = WARP / LANES, all = 2 * multiprocessors();
    auto l1 = [=](long long *c) {
        load_l1<LANES, spread><<<1, L1_WARPS * WARP>>>(memory, sink, c);
    };
    report(count_cycles(l1) / ((double)L1_WARPS * UNROLL * ROUNDS), unit, "l1_load_%d_lines%s",
           lines, more);
    auto load_one = [=](int r) { load<LANES, spread><<<1, THREADS>>>(memory, sink, r); };
    auto load_all = [=](int r) { load<LANES, spread><<<all, THREADS>>>(memory, sink, r); };
    auto store_one = [=](int r) { store<LANES, spread><<<1, THREADS>>>(memory, r); };
    auto store_all = [=](int r) { store<LANES, spread><<<all, THREADS>>>(memory, r); };
    report(cycles_a_request(1, load_one), unit, "l2_load_%d_lines_one%s", lines, more);
    report(cycles_a_request(2, load_all), unit, "l2_load_%d_lines_all%s", lines, more);
    report(cycles_a_request(1, store_one), unit, "l2_store_%d_lines_one%s", lines, more);
    report(cycles_a_request(2, store_all), unit, "l2_store_%d_lines_all%s", lines, more);
}

template <int SECTORS>
static void measure_parts(float *memory)
{
    const int all = 2 * multiprocessors();
    auto one_sm = [=](int r) { store_parts<SECTORS><<<1, THREADS>>>(memory, r); };
    auto all_sms = [=](int r) { store_parts<SECTORS><<<all, THREADS>>>(memory, r); };
    report(cycles_a_request(1, one_sm), "cycles/request", "l2_store_%d_parts_one", SECTORS);
    report(cycles_a_request(2, all_sms), "cycles/request", "l2_store_%d_parts_all", SECTORS);
}

int main(void)
{
    wake_up();
    float *memory, *sink;
    CHECK(cudaMalloc(&memory, MEMORY));
    CHECK(cudaMalloc(&sink, THREADS * sizeof *sink));
    CHECK(cudaMemset(memory, 0, MEMORY));
    measure<32>(memory, sink);
    measure<16>(memory, sink);
    measure<8>(memory, sink);
    measure<4>(memory, sink);
    measure<2>(memory, sink);
    measure<1>(memory, sink);
    measure<4, true>(memory, sink);
    measure<1, true>(memory, sink);
    measure_parts<2>(memory);
    measure_parts<4>(memory);
    return 0;
}
