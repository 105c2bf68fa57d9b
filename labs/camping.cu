// Lab camping: at which pitch do some of DRAM's channels wait for others?
#include "lab.h"

enum { SIDE = 32, AT_ONCE = 8 };
enum order { ACROSS, DOWN, ASLANT };

// Copies the matrix as if its rows were `pitch` words long, a tile of SIDE x SIDE a block. Blocks that follow each
// other take tiles along a row, down a column, or aslant, down a diagonal.
__global__ void camping(float *out, const float *in, size_t count, unsigned pitch, int order)
{
    unsigned across = pitch / SIDE, down = gridDim.x / across, low = blockIdx.x % down,
             high = blockIdx.x / down;
    unsigned left = order == ACROSS ? blockIdx.x % across
                    : order == DOWN ? high
                                    : (low + high) % across,
             top = order == ACROSS ? blockIdx.x / across : low;
    size_t first = (size_t)(top * SIDE + threadIdx.y) * pitch + left * SIDE + threadIdx.x,
           step = (size_t)AT_ONCE * pitch;

    float value[SIDE / AT_ONCE];
#pragma unroll
    for (int k = 0; k < SIDE / AT_ONCE; k++)
        value[k] = first + k * step < count ? in[first + k * step] : 0;
#pragma unroll
    for (int k = 0; k < SIDE / AT_ONCE; k++)
        if (first + k * step < count)
            out[first + k * step] = value[k];
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    size_t pitch = (size_t)settings[0], tiles_down = (n * n + pitch * SIDE - 1) / (pitch * SIDE);
    dim3 threads(SIDE, AT_ONCE);
    camping<<<(unsigned)(pitch / SIDE * tiles_down), threads>>>(out, in, n * n, (unsigned)pitch,
                                                                settings[1]);
}

LAB_BEYOND("The simulated device has no channels: what differs here between pitches and orders is "
           "not what a GPU's channels make of them.",
           "at which pitch do some of DRAM's channels wait for others?",
           "dram_read_bytes,global_load_sectors", copy_on_cpu, bytes_of_copy, NULL,
           {"pitch", "words from a row to the next",
            "8192 10240 16384 19968 20480 20544 20992 24576 40960"},
           {"order", "which way the blocks go", "across down aslant"})
