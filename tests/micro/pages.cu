// DRAM's pages: what chunks cost by how many other pages are moved of until the next chunk of theirs is, as where tiles go
// down the columns of a matrix: read, written, or both, while the other kind goes in order. At the far end all are closed.
#include "chunks_below.h"
#include "micro.h"

enum { THREADS = 256, LOG_TOTAL = 30, LOG_PAGE = 11 }; // of bytes

static const order in_order = {LOG_PAGE, 0, LOG_PAGE};

// Each thread moves so many words; a block's are side by side in their order.
template <int each>
__global__ void __launch_bounds__(THREADS)
    move(const char *in, struct order from, char *out, struct order to)
{
    const unsigned first = blockIdx.x * THREADS * each + threadIdx.x;
    float4 got[each];
#pragma unroll
    for (int i = 0; i < each; i++)
        got[i] = *(const float4 *)(in + place(from, (first + i * THREADS) * sizeof *got));
#pragma unroll
    for (int i = 0; i < each; i++)
        *(float4 *)(out + place(to, (first + i * THREADS) * sizeof *got)) = got[i];
}

template <int each>
static double moved_gbs(const char *in, struct order from, char *out, struct order to)
{
    const unsigned bytes = 1u << LOG_TOTAL, blocks = bytes / sizeof(float4) / THREADS / each;
    return 2e-6 * bytes / time_ms([=] { move<each><<<blocks, THREADS>>>(in, from, out, to); });
}

template <int each>
static void measure(const char *in, char *out, struct order far, const char *where)
{
    const int chunk = 1 << far.log_chunk, bytes = each * (int)sizeof(float4);
    report(moved_gbs<each>(in, far, out, in_order), "GB/s", "pages_%d_a_thread_read_%d_bytes_%s",
           bytes, chunk, where);
    report(moved_gbs<each>(in, in_order, out, far), "GB/s", "pages_%d_a_thread_written_%d_bytes_%s",
           bytes, chunk, where);
    report(moved_gbs<each>(in, far, out, far), "GB/s", "pages_%d_a_thread_both_%d_bytes_%s", bytes,
           chunk, where);
}

template <int each>
static void measure_all(const char *in, char *out)
{
    char where[32];
    report(moved_gbs<each>(in, in_order, out, in_order), "GB/s", "pages_%d_a_thread_in_order",
           each * (int)sizeof(float4));
    for (int log_chunk = 5; log_chunk <= 8; log_chunk++) {
        for (int log_rows = 12; log_rows <= 14; log_rows++) { // square, of floats
            snprintf(where, sizeof where, "%d_rows", 1 << log_rows);
            measure<each>(in, out, {log_chunk, log_rows, log_rows + 2}, where);
        }
        measure<each>(in, out, {log_chunk, LOG_TOTAL - LOG_PAGE, LOG_PAGE}, "far");
    }
}

int main(void)
{
    wake_up();
    char *in, *out;
    CHECK(cudaMalloc(&in, (size_t)1 << LOG_TOTAL));
    CHECK(cudaMalloc(&out, (size_t)1 << LOG_TOTAL));
    CHECK(cudaMemset(in, 0, (size_t)1 << LOG_TOTAL));
    measure_all<1>(in, out);
    measure_all<4>(in, out);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
