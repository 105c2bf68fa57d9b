// Generated from how many words are read and written at once: the widest that n allows, of four in and two out. The
// tile is 64 columns by 32 rows, and loads leave nothing in the L1.
#include "step.h"

enum { WIDTH = 64, HEIGHT = 32, THREADS = 128 };

template <int WORDS>
struct vector;
template <>
struct vector<1> {
    typedef float type;
};
template <>
struct vector<2> {
    typedef float2 type;
};
template <>
struct vector<4> {
    typedef float4 type;
};

// Words that can be seen one by one or all at once.
template <int WORDS>
union packed {
    typename vector<WORDS>::type all;
    float word[WORDS];
};

template <int IN, int OUT>
__global__ void __launch_bounds__(THREADS)
    transpose_widths_as_types(float *__restrict__ out, const float *__restrict__ in, int n)
{
    typedef typename vector<IN>::type in_type;
    typedef typename vector<OUT>::type out_type;
    constexpr int READERS = WIDTH / IN, WRITERS = HEIGHT / OUT; // threads along a row
    __shared__ float tile[HEIGHT][WIDTH + 1];

    const int left = blockIdx.x * WIDTH, top = blockIdx.y * HEIGHT;
    const int x = threadIdx.x % READERS * IN, y = threadIdx.x % WRITERS * OUT;

#pragma unroll
    for (int k = 0; k < HEIGHT; k += THREADS / READERS) {
        int row = k + threadIdx.x / READERS;
        if (left + x < n && top + row < n) {
            packed<IN> v;
            v.all = __ldcg((const in_type *)&in[(size_t)(top + row) * n + left + x]);
            for (int i = 0; i < IN; i++)
                tile[row][x + i] = v.word[i];
        }
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < WIDTH; k += THREADS / WRITERS) {
        int column = k + threadIdx.x / WRITERS;
        if (top + y < n && left + column < n) {
            packed<OUT> v;
            for (int i = 0; i < OUT; i++)
                v.word[i] = tile[y + i][column];
            *(out_type *)&out[(size_t)(left + column) * n + top + y] = v.all;
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + WIDTH - 1) / WIDTH, (n + HEIGHT - 1) / HEIGHT);
    if (n % 4 == 0)
        transpose_widths_as_types<4, 2><<<grid, THREADS>>>(out, in, n);
    else if (n % 2 == 0)
        transpose_widths_as_types<2, 2><<<grid, THREADS>>>(out, in, n);
    else
        transpose_widths_as_types<1, 1><<<grid, THREADS>>>(out, in, n);
}

STEP(40, OPTIMISE, "padded tile 64 x 32, 128 x 1", "quads in, pairs out, from a template")
