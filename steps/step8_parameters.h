// What step 8 can be built with of an n that 4 divides (where rows start anywhere, nothing else was faster): the order of
// its blocks, how many of them an SM holds at once, and how a block reads its tile. `make BAND=4 BLOCKS=3 ROWWISE=1
// WARPS=16` sets them, these are the defaults, and ./run tune looks for the fastest.
#ifndef STEP8_PARAMETERS_H
#define STEP8_PARAMETERS_H

#ifndef BAND
#define BAND 1 // tiles side by side that blocks go through before they go down; 0: all of a row
#endif

#ifndef BLOCKS
#define BLOCKS 0 // that an SM holds at most; 0: as many as find room
#endif

#ifndef ROWWISE
#define ROWWISE 0 // 1: a warp reads rows that follow each other; 0: a thread reads 4 x 4 elements
#endif

#ifndef WARPS
#define WARPS 8 // of a block
#endif

static const struct parameter order_and_reading[] = {
    {"BAND", "tiles side by side before blocks go down (0: a whole row)", "1 2 0"},
    {"BLOCKS", "blocks that an SM holds at most (0: no limit)", "0 3 4"},
    {"ROWWISE", "1: a warp reads rows that follow each other; 0: a thread reads 4 x 4 elements",
     "0 1"},
    {"WARPS", "warps of a block", "8 16"},
    {0, 0, 0},
};

static inline const char *lacks_reading(const int *settings)
{
    return settings[2] || settings[3] == 8 ? 0
                                           : "8 WARPS have a square of 4 x 4 elements each thread";
}

#undef PARAMETERS
#define PARAMETERS order_and_reading, lacks_reading
#undef BUILT_WITH
#define BUILT_WITH BAND, BLOCKS, ROWWISE, WARPS

static_assert(BAND >= 0 && BAND <= 1024, "BAND must be 0..1024 tiles: 0 stands for a whole row");
static_assert(BLOCKS >= 0 && BLOCKS <= 32, "BLOCKS must be 0..32, as many as an SM holds");
static_assert(ROWWISE == 0 || ROWWISE == 1, "ROWWISE must be 0 or 1");
static_assert(WARPS == 8 || (ROWWISE && (WARPS == 2 || WARPS == 4 || WARPS == 16 || WARPS == 32)),
              "WARPS must be 8, or with ROWWISE=1 a power of 2 from 2 to 32");

// This block's tile: blocks are launched with blockIdx.x counting fastest, and blockIdx.z slowest.
static __device__ int tile_right()
{
    return BAND == 1 ? blockIdx.y : blockIdx.z * BAND + blockIdx.x;
}

static __device__ int tile_down()
{
    return BAND == 1 ? blockIdx.x : blockIdx.y;
}

// So many tiles to the right, and down.
static dim3 grid_in_bands(unsigned right, unsigned down)
{
    return BAND == 0   ? dim3(right, down)
           : BAND == 1 ? dim3(down, right)
                       : dim3(BAND, down, (right + BAND - 1) / BAND);
}

// Dynamic shared memory that a kernel has no use for: what a block asks for decides how many an SM holds. An error stays
// with the CUDA runtime.
static size_t ask_idle_shared_bytes(const void *kernel)
{
    if (BLOCKS == 0)
        return 0;
    int device = 0, of_an_sm = 0, reserved = 0;
    cudaFuncAttributes its = {};
    (void)cudaGetDevice(&device);
    (void)cudaDeviceGetAttribute(&of_an_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    (void)cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device);
    (void)cudaFuncGetAttributes(&its, kernel);
    int share = of_an_sm / (BLOCKS ? BLOCKS : 1) / 128 * 128 - reserved - (int)its.sharedSizeBytes;
    if (share <= 0) // so many find no room anyway
        return 0;
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, share);
    return share;
}

// The same, asked once: it would be part of every launch's time.
template <void (*KERNEL)(float *, const float *, int)>
static size_t idle_shared_bytes()
{
    static const size_t bytes = ask_idle_shared_bytes((const void *)KERNEL);
    return bytes;
}

#endif
