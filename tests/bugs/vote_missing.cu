// Planted bug: a vote under the guard names all lanes, of which some go on without it.
#include "../kernels/launch.h"

__global__ void vote_missing(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float value = 0;
    if (threadIdx.x % 32 < 20)
        value = (float)__ballot_sync(0xffffffff, in[row * n + col % n] > 1);
    if (col < n)
        out[col * n + row] = value;
}

LAUNCH_ROWS(vote_missing, 128)
STEP(138, DEPLOY, "vote missing", "lanes 20 to 31 do not vote")
