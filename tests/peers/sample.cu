// The transposes of NVIDIA's cuda-samples, for tests/peers/compare.py: compiled from the user's checkout of them.
// SAMPLE is the path of its transpose.cu, in quotes.
#define main main_of_the_sample
#include SAMPLE
#undef main

// Launches one of them by its name on the default stream. Returns the runtime's error; -1 where there is none of that
// name, or it is not for such an n: their kernels have no guards.
extern "C" int sample_launch_named(const char *name, float *out, float *in, size_t n)
{
    static const struct {
        const char *name;
        void (*kernel)(float *out, float *in, int width, int height);
    } kernels[] = {{"transposeCoalesced", transposeCoalesced},
                   {"transposeNoBankConflicts", transposeNoBankConflicts},
                   {"transposeDiagonal", transposeDiagonal}};
    for (const auto &known : kernels)
        if (strcmp(known.name, name) == 0 && n % TILE_DIM == 0) {
            dim3 grid(n / TILE_DIM, n / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS);
            known.kernel<<<grid, threads>>>(out, in, (int)n, (int)n);
            return cudaGetLastError();
        }
    return -1;
}
