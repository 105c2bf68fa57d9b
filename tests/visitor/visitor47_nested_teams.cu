// Nested loops of a portability layer, without shared memory: a team of 16 threads takes 16 rows, and the 8 vector
// lanes of each thread run along its row. Views have two strides of 64 bits, and the loop's body is a functor.
#include "step.h"

enum { TEAM = 16, VECTOR = 8 };

template <typename T>
struct view {
    T *data;
    size_t extent, stride_0, stride_1;
    __device__ T &operator()(size_t i, size_t j) const
    {
        return data[i * stride_0 + j * stride_1];
    }
};

struct transpose_row {
    view<float> out;
    view<const float> in;
    __device__ void operator()(size_t i) const
    {
        for (size_t j = threadIdx.x; j < in.extent; j += blockDim.x)
            out(j, i) = in(i, j);
    }
};

template <typename Functor>
__global__ void __launch_bounds__(TEAM *VECTOR) run_teams(const Functor functor, size_t rows)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.y + threadIdx.y; i < rows;
         i += (size_t)gridDim.x * blockDim.y)
        functor(i);
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_row body = {{out, n, n, 1}, {in, n, n, 1}};
    run_teams<<<(n + TEAM - 1) / TEAM, dim3(VECTOR, TEAM)>>>(body, n);
}

STEP(47, OPTIMISE, "a row per 8 lanes, 8 x 16", "nested loops over views, no tile")
