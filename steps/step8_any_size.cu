// Step 8: 16 bytes an access whatever n is: rows are moved in memory's 16-byte words, wherever they start.
#include "step.h"
#include "step8_parameters.h"

// A tile's side, in elements and in quads of 4 elements; a block's rows of threads, a quad wide each.
enum { SIDE = 64, QUADS = SIDE / 4, THREAD_ROWS = 32 * WARPS / QUADS };

// The place of a quad in its row of the tile: in each row of 4 x 4 elements, another order.
static __device__ int swizzled(int row, int quad)
{
    return quad ^ (row / 4 % 8);
}

// A thread reads a square of 4 x 4 elements, as in step 7: a warp, two rows 4 apart at a time.
static __device__ void read_squares(float4 (*tile)[QUADS], const float *in, int n)
{
    int x = tile_right() * SIDE + threadIdx.x * 4;
    int y = tile_down() * SIDE + threadIdx.y * 4;
    if (x < n && y < n) {
        float4 row[4];
        for (int k = 0; k < 4; k++)
            row[k] = *(const float4 *)&in[(size_t)(y + k) * n + x];
        int column = threadIdx.x * 4, place = swizzled(column, threadIdx.y);
        tile[column + 0][place] = make_float4(row[0].x, row[1].x, row[2].x, row[3].x);
        tile[column + 1][place] = make_float4(row[0].y, row[1].y, row[2].y, row[3].y);
        tile[column + 2][place] = make_float4(row[0].z, row[1].z, row[2].z, row[3].z);
        tile[column + 3][place] = make_float4(row[0].w, row[1].w, row[2].w, row[3].w);
    }
}

// A warp reads two rows that follow each other, then those THREAD_ROWS further down; it stores two lanes a bank.
static __device__ void read_rows(float4 (*tile)[QUADS], const float *in, int n)
{
    int x = tile_right() * SIDE + threadIdx.x * 4;
    int y = tile_down() * SIDE + threadIdx.y;
    float4 quad[SIDE / THREAD_ROWS] = {};
    for (int i = 0; i < SIDE / THREAD_ROWS; i++)
        if (x < n && y + i * THREAD_ROWS < n)
            quad[i] = *(const float4 *)&in[(size_t)(y + i * THREAD_ROWS) * n + x];
    for (int i = 0; i < SIDE / THREAD_ROWS; i++) {
        int row = threadIdx.y + i * THREAD_ROWS, column = threadIdx.x * 4;
        for (int k = 0; k < 4; k++)
            (&tile[column + k][swizzled(column, row / 4)].x)[row % 4] = (&quad[i].x)[k];
    }
}

// Of an n that 4 divides: what step8_parameters.h has is for this one.
__global__ void transpose_aligned(float *out, const float *in, int n)
{
    __shared__ float4 tile[SIDE][QUADS];

    if (ROWWISE)
        read_rows(tile, in, n);
    else
        read_squares(tile, in, n);
    __syncthreads();

    int x = tile_down() * SIDE + threadIdx.x * 4;
    int y = tile_right() * SIDE;
    for (int row = threadIdx.y; row < SIDE; row += THREAD_ROWS)
        if (x < n && y + row < n)
            *(float4 *)&out[(size_t)(y + row) * n + x] = tile[row][swizzled(row, threadIdx.x)];
}

// Of any n. A row of the tile lies in one word more than it has quads; and as the words of a row of
// `out` start up to 3 elements before the tile's own, the tile has 3 rows more.
enum { THREADS = 256, WORDS = QUADS + 1, EARLY = 3, ROWS_HELD = EARLY + SIDE };
enum { LOADS = (ROWS_HELD * WORDS + THREADS - 1) / THREADS }; // of a thread

// The elements of its 16-byte word that lie before element `at` of a matrix.
static __device__ int into_word(size_t at)
{
    return at % 4;
}

// The word that starts at element `at` of `size`; zeros beyond the matrix.
static __device__ float4 load_word(const float *in, size_t at, size_t size)
{
    if (at + 4 <= size)
        return *(const float4 *)&in[at];
    return make_float4(at < size ? in[at] : 0, at + 1 < size ? in[at + 1] : 0,
                       at + 2 < size ? in[at + 2] : 0, 0);
}

// What lies in the row, of n elements, of a word that starts at its element x.
static __device__ void store_word(float *row, int x, int n, float4 word)
{
    if (0 <= x && x + 4 <= n)
        *(float4 *)&row[x] = word;
    else
        for (int k = 0; k < 4; k++)
            if (0 <= x + k && x + k < n)
                row[x + k] = (&word.x)[k];
}

__global__ void transpose_shifted(float *out, const float *in, int n)
{
    __shared__ float tile[ROWS_HELD][SIDE + 1];

    int left = blockIdx.y * SIDE, top = (int)blockIdx.x * SIDE - EARLY; // the tile's place in `in`
    float4 word[LOADS] = {};
    for (int i = 0; i < LOADS; i++) {
        int id = i * THREADS + threadIdx.x, row = id / WORDS, y = top + row;
        size_t start = (size_t)y * n + left;
        if (row < ROWS_HELD && 0 <= y && y < n)
            word[i] = load_word(in, start - into_word(start) + id % WORDS * 4, (size_t)n * n);
    }
    for (int i = 0; i < LOADS; i++) {
        int id = i * THREADS + threadIdx.x, row = id / WORDS;
        int column = id % WORDS * 4 - into_word((size_t)(top + row) * n + left);
        for (int k = 0; k < 4; k++)
            if (row < ROWS_HELD && 0 <= column + k && column + k < SIDE)
                tile[row][column + k] = (&word[i].x)[k];
    }
    __syncthreads();

    for (int i = 0; i < SIDE * QUADS / THREADS; i++) {
        int id = i * THREADS + threadIdx.x, row = id / QUADS, y = left + row; // in `out`
        int column = EARLY - into_word((size_t)y * n + top + EARLY) + id % QUADS * 4;
        if (y < n)
            store_word(&out[(size_t)y * n], top + column, n,
                       make_float4(tile[column][row], tile[column + 1][row], tile[column + 2][row],
                                   tile[column + 3][row]));
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + SIDE - 1) / SIDE, tiles_down = (n + EARLY + SIDE - 1) / SIDE;
    if (n % 4 == 0)
        transpose_aligned<<<grid_in_bands(tiles, tiles), dim3(QUADS, THREAD_ROWS),
                            idle_shared_bytes<transpose_aligned>()>>>(out, in, n);
    else
        transpose_shifted<<<dim3(tiles_down, tiles), THREADS>>>(out, in, n);
}

STEP(8, OPTIMISE, "any n at full width", "rows that start anywhere move in 16-byte words too")
