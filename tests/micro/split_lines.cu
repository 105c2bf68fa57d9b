// What tiles lose whose rows of 128 bytes cross lines, where all are whole sectors, by how many blocks later the tile beside each
// comes: loads alone, stores alone, copies whose loads do so or whose stores do, by ld.global.cs and st.global.cs too, and
// copies of each tile to its own place, of which both do.
#include "micro.h"

enum { SIDE = 32, THREADS = 256, STEP = THREADS / SIDE, EACH = SIDE / STEP };
enum { ACROSS = 32, DOWN = 2048, PITCH = 1088 }; // tiles, tiles, words
enum { WORDS = DOWN * SIDE * PITCH };

enum kind {
    LOADED,
    STORED,
    COPIED_LOADS,
    COPIED_STORES,
    STREAMED_LOADS,
    STREAMED_STORES,
    IN_PLACE
};
static const char *const names[] = {"loaded",         "stored",         "copied_loads",
                                    "copied_stores",  "streamed_loads", "streamed_stores",
                                    "copied_in_place"};

// `later` tiles below each other, then those beside them. Notes when a block's first warp is done, unless `when` is NULL.
template <kind what>
__global__ void __launch_bounds__(THREADS)
    move_tiles(float *out, const float *in, int later, unsigned long long *when)
{
    const int x = blockIdx.x / later % ACROSS,
              y = blockIdx.x / (later * ACROSS) * later + blockIdx.x % later;
    const size_t first =
        (size_t)(y * SIDE + threadIdx.x / SIDE) * PITCH + x * SIDE + threadIdx.x % SIDE;
    float words[EACH] = {}, sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const float *from = in + first + (size_t)i * STEP * PITCH;
        if (what == STREAMED_LOADS)
            words[i] = __ldcs(from);
        else if (what != STORED)
            words[i] = __ldcg(from);
        sum += words[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        float *to = out + first + (size_t)i * STEP * PITCH;
        if (what == STREAMED_STORES)
            __stcs(to, words[i]);
        else if (what != LOADED || sum == 0.5f) // which it is not
            *to = words[i];
    }
    if (when && threadIdx.x == 0)
        when[y * ACROSS + x] = now_ns();
}

template <kind what>
static void measure(float *out, const float *in, unsigned long long *when, int later)
{
    const bool loads_cross = what != STORED && what != COPIED_STORES && what != STREAMED_STORES,
               stores_cross = what != LOADED && what != COPIED_LOADS && what != STREAMED_LOADS,
               copies = what != LOADED && what != STORED;
    auto *host = (unsigned long long *)host_memory(ACROSS * DOWN * sizeof *when);
    for (int bytes : {0, (int)SECTOR_BYTES, 2 * (int)SECTOR_BYTES}) {
        const int words = bytes / sizeof *in;
        float *to = out + stores_cross * words;
        const float *from = what == IN_PLACE ? to : in + loads_cross * words;
        double ms =
            time_ms([=] { move_tiles<what><<<ACROSS * DOWN, THREADS>>>(to, from, later, NULL); });
        report(1e-6 * ACROSS * DOWN * SIDE * LINE_BYTES * (copies ? 2 : 1) / ms, "GB/s",
               "split_lines_%s_%d_later_from_%d", names[what], later, bytes);
        if (bytes != SECTOR_BYTES)
            continue;
        move_tiles<what><<<ACROSS * DOWN, THREADS>>>(to, from, later, when);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, when, ACROSS * DOWN * sizeof *when, cudaMemcpyDeviceToHost));
        report(apart_in_rows_us(host, ACROSS, ACROSS * DOWN), "us", "split_lines_%s_%d_later_apart",
               names[what], later);
    }
    free(host);
}

int main(void)
{
    wake_up();
    float *in, *out;
    unsigned long long *when;
    CHECK(cudaMalloc(&in, WORDS * sizeof *in));
    CHECK(cudaMalloc(&out, WORDS * sizeof *out));
    CHECK(cudaMalloc(&when, ACROSS * DOWN * sizeof *when));
    CHECK(cudaMemset(in, 0, WORDS * sizeof *in));
    CHECK(cudaMemset(out, 0, WORDS * sizeof *out));
    for (int later : {1, 64, 512, 2048}) {
        measure<LOADED>(out, in, when, later);
        measure<STORED>(out, in, when, later);
        measure<COPIED_LOADS>(out, in, when, later);
        measure<COPIED_STORES>(out, in, when, later);
        measure<STREAMED_LOADS>(out, in, when, later);
        measure<STREAMED_STORES>(out, in, when, later);
        measure<IN_PLACE>(out, in, when, later);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(when));
    return 0;
}
