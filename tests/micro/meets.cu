// What takes the time of blocks that meet between what they load and what they store: tiles that are loaded, or stored, or both,
// by blocks of one to four accesses a thread, as many of which run on an SM as it holds, or fewer. The rows that are loaded,
// and those that are stored, start at a sector's begin, or anywhere.
#include "micro.h"

enum { SIDE = 32, ACROSS = 256, WORDS = ACROSS * SIDE, WITHIN = 7 };
enum { LOADS = 1, STORES = 2, COPIES = LOADS | STORES };

// A tile, a line a warp's access, as it is, to the place of the tile on the other side of the diagonal.
template <int threads, int what>
__global__ void __launch_bounds__(threads, SM_THREADS / threads)
    move(const float *in, float *out, unsigned in_pitch, unsigned out_pitch)
{
    extern __shared__ float words[];
    constexpr int each = SIDE * SIDE / threads, rows = threads / WARP;
    const unsigned x = threadIdx.x % WARP, y = threadIdx.x / WARP;
    const float *from = in + ((size_t)blockIdx.y * SIDE + y) * in_pitch + blockIdx.x * SIDE + x;
    float *to = out + ((size_t)blockIdx.x * SIDE + y) * out_pitch + blockIdx.y * SIDE + x;
    float got[each], sum = 0;
#pragma unroll
    for (int i = 0; i < each; i++)
        got[i] = what & LOADS ? from[(size_t)i * rows * in_pitch] : 1;
    pass_on<each>(words, got);
#pragma unroll
    for (int i = 0; i < each; i++) {
        sum += got[i];
        if (what & STORES)
            to[(size_t)i * rows * out_pitch] = got[i];
    }
    if (what == LOADS && sum == 0.5f)
        *to = sum;
}

template <int threads, int what>
static void measure(const float *in, float *out, int resident, const char *name)
{
    const unsigned shared =
        shared_to_fill(resident, threads, SIDE * SIDE * (unsigned)sizeof(float));
    auto kernel = move<threads, what>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (unsigned in_within : {0, 1})
        for (unsigned out_within : {0, 1}) {
            if ((in_within && !(what & LOADS)) || (out_within && !(what & STORES)))
                continue;
            double ms = time_ms([=] {
                kernel<<<dim3(ACROSS, ACROSS), threads, shared>>>(
                    in, out, WORDS + in_within * WITHIN, WORDS + out_within * WITHIN);
            });
            report(ms * 1e3, "us", "meets_%dx%d_threads_%s%s%s", resident, threads, name,
                   in_within ? "_from_within" : "", out_within ? "_to_within" : "");
        }
}

template <int threads>
static void measure_all(const float *in, float *out, int resident)
{
    measure<threads, LOADS>(in, out, resident, "load");
    measure<threads, STORES>(in, out, resident, "store");
    measure<threads, COPIES>(in, out, resident, "copy");
}

int main(void)
{
    wake_up();
    float *in, *out;
    const size_t bytes = (size_t)WORDS * (WORDS + WITHIN) * sizeof *in;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    for (int resident : {3, 8})
        measure_all<256>(in, out, resident);
    for (int resident : {2, 4})
        measure_all<512>(in, out, resident);
    for (int resident : {1, 2})
        measure_all<1024>(in, out, resident);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
