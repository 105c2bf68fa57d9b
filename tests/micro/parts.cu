// Stores of parts of sectors whose other parts come later: how fast, by how much is stored in between, where the lanes of
// a request are, whether the L2 holds all of it, and beside loads.
#include "micro.h"

enum { THREADS = 128, WARPS = THREADS / WARP, SECTOR = 32, ROW = 32 << 10, IN_L2 = 8 << 20 };
enum { BEYOND_L2 = 512 << 20 }; // bytes, all powers of two
enum { FEW = 2, MOST = 16 };    // blocks of an SM

struct order {
    unsigned rows; // on which a request's lanes lie, 32 KiB apart; 1: side by side, a sector each
    // Requests before the next parts of their sectors come; 0: a warp stores all parts of its sectors.
    unsigned together;
    unsigned bytes; // of memory
    bool reads;     // as many bytes as are stored, from elsewhere, before
};

// Where lane l of request q stores its sector: rows first, then the next sector of them.
__device__ size_t sector_of(struct order o, unsigned q, unsigned lane)
{
    if (o.rows == 1)
        return ((size_t)q * WARP + lane) * SECTOR;
    unsigned groups = o.bytes / ROW / WARP;
    return ((size_t)(q % groups) * WARP + lane) * ROW + (size_t)(q / groups) * SECTOR;
}

template <typename Word>
__global__ void __launch_bounds__(THREADS) store_parts(char *memory, const char *in, struct order o)
{
    const unsigned parts = SECTOR / sizeof(Word), lane = threadIdx.x % WARP,
                   warp = blockIdx.x * WARPS + threadIdx.x / WARP;
    if (o.together) {
        unsigned all = o.together * parts, part = warp % all / o.together,
                 q = warp / all * o.together + warp % o.together;
        const Word *from = (const Word *)in + (size_t)warp * WARP + lane;
        Word word = o.reads ? *from : Word();
        ((Word *)(memory + sector_of(o, q, lane)))[part] = word;
        return;
    }
    const Word *from = (const Word *)in + (size_t)warp * parts * WARP + lane;
    Word *to = (Word *)(memory + sector_of(o, warp, lane)), words[parts] = {};
    if (o.reads) {
#pragma unroll
        for (unsigned i = 0; i < parts; i++)
            words[i] = from[i * WARP];
    }
#pragma unroll
    for (unsigned i = 0; i < parts; i++)
        to[i] = words[i];
}

template <typename Word>
static void measure(char *memory, const char *in, struct order o, int resident)
{
    const unsigned parts = SECTOR / sizeof(Word),
                   requests = o.bytes / SECTOR / WARP * (o.together ? parts : 1),
                   shared = resident == MOST ? 0 : shared_of_block(resident);
    CHECK(cudaFuncSetAttribute(store_parts<Word>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared));
    double ms =
        time_ms([=] { store_parts<Word><<<requests / WARPS, THREADS, shared>>>(memory, in, o); });
    report(o.bytes / ms * 1e-6, "GB/s", "parts_%d_bytes_%u_rows_%u_apart_%u_mib%s_%d_blocks",
           (int)sizeof(Word), o.rows, o.together * WARP, o.bytes >> 20, o.reads ? "_reads" : "",
           resident);
}

template <typename Word>
static void measure_all(char *memory, const char *in)
{
    for (unsigned rows : {1u, (unsigned)WARP})
        for (unsigned bytes : {(unsigned)IN_L2, (unsigned)BEYOND_L2})
            for (bool reads : {false, true})
                for (int resident : {(int)FEW, (int)MOST})
                    measure<Word>(memory, in, {rows, 0, bytes, reads}, resident);
    for (unsigned rows : {1u, (unsigned)WARP})
        for (bool reads : {false, true})
            for (unsigned together = WARPS; together <= WARPS << 13; together *= 8)
                for (int resident : {(int)FEW, (int)MOST})
                    measure<Word>(memory, in, {rows, together, BEYOND_L2, reads}, resident);
}

int main(void)
{
    wake_up();
    char *memory, *in;
    CHECK(cudaMalloc(&memory, BEYOND_L2));
    CHECK(cudaMalloc(&in, BEYOND_L2));
    CHECK(cudaMemset(memory, 0, BEYOND_L2));
    CHECK(cudaMemset(in, 0, BEYOND_L2));
    measure_all<float>(memory, in);
    measure_all<float2>(memory, in);
    measure_all<float4>(memory, in);
    CHECK(cudaFree(memory));
    CHECK(cudaFree(in));
    return 0;
}
