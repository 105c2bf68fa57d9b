// Planted bug: a word is read whose bytes other threads store, with no barrier between.
#include "../kernels/launch.h"

enum { THREADS = 64 };

__global__ void byte_words(float *out, const float *in, size_t n)
{
    __shared__ __align__(4) unsigned char line[THREADS];
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    line[threadIdx.x] = threadIdx.x + 1;
    unsigned word = *(const unsigned *)&line[threadIdx.x / 4 * 4];
    if (col < n && word > 0)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(byte_words, THREADS)
STEP(133, DEPLOY, "bytes, words", "the barrier between bytes and words is missing")
