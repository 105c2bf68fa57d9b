// The cache-oblivious order without recursion, for any number of tiles: each block halves the longer side of the
// matrix, and goes with its number into one of the halves, until a tile of 64 x 32 is left.
#include "step.h"

enum { WIDTH = 64, HEIGHT = 32, THREADS = 256 };

__global__ void __launch_bounds__(THREADS)
    transpose_halved_order(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tile[HEIGHT][WIDTH + 1];

    int x0 = 0, y0 = 0, number = blockIdx.x;
    int width = (n + WIDTH - 1) / WIDTH, height = (n + HEIGHT - 1) / HEIGHT;
    while (width > 1 || height > 1) {
        if (width * WIDTH >= height * HEIGHT && width > 1) {
            int first = width / 2;
            if (number < first * height) {
                width = first;
            } else {
                number -= first * height;
                x0 += first;
                width -= first;
            }
        } else {
            int first = height / 2;
            if (number < first * width) {
                height = first;
            } else {
                number -= first * width;
                y0 += first;
                height -= first;
            }
        }
    }

    const int left = x0 * WIDTH, top = y0 * HEIGHT;
    for (int i = threadIdx.x; i < WIDTH * HEIGHT; i += THREADS) {
        int x = i % WIDTH, y = i / WIDTH;
        if (left + x < n && top + y < n)
            tile[y][x] = __ldg(&in[(top + y) * n + left + x]);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < WIDTH * HEIGHT; i += THREADS) {
        int y = i % HEIGHT, x = i / HEIGHT;
        if (left + x < n && top + y < n)
            out[(left + x) * n + top + y] = tile[y][x];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    size_t across = (n + WIDTH - 1) / WIDTH, down = (n + HEIGHT - 1) / HEIGHT;
    transpose_halved_order<<<across * down, THREADS>>>(out, in, n);
}

STEP(53, OPTIMISE, "padded tile 64 x 32, halved order", "blocks as a recursion would visit them")
