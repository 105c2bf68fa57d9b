#include "camping.h"

enum { QUADS = SIDE / 4, THREADS = 256 };

// The place of a quad in its row of the tile, as in step 6.
static __device__ int swizzled(int row, int quad)
{
    return quad ^ (row / 4 % 8);
}

// Four words of `in` as camping_fill() makes them.
static __device__ int4 quad_of(unsigned row, unsigned column, unsigned n)
{
    int word = row * n + column;
    return make_int4(word, word + 1, word + 2, word + 3);
}

template <enum half half>
__global__ void move(struct matrices m, enum order order, unsigned first, uint32_t *sum, int adds)
{
    __shared__ int4 tile[SIDE][QUADS];

    unsigned tiles = m.n / SIDE, block = first + blockIdx.x, low = block % tiles,
             high = block / tiles;
    unsigned left = SIDE * (order == ACROSS ? low
                            : order == DOWN ? high
                                            : (low + high) % tiles),
             top = SIDE * (order == ACROSS ? high : low);

    int4 row[4];
    unsigned x = left + threadIdx.x * 4, y = top + threadIdx.y * 4;
    for (int k = 0; k < 4; k++)
        row[k] =
            half == WRITES ? quad_of(y + k, x, m.n) : *(const int4 *)&m.in[(y + k) * m.pitch + x];
    if (half == READS) {
        unsigned total = 0;
        for (int k = 0; k < 4; k++)
            total += (unsigned)row[k].x + row[k].y + row[k].z + row[k].w;
        if (adds || total == 1) // else the compiler would leave out the loads
            atomicAdd(sum, total);
        return;
    }

    int column = threadIdx.x * 4, place = swizzled(column, threadIdx.y);
    tile[column + 0][place] = make_int4(row[0].x, row[1].x, row[2].x, row[3].x);
    tile[column + 1][place] = make_int4(row[0].y, row[1].y, row[2].y, row[3].y);
    tile[column + 2][place] = make_int4(row[0].z, row[1].z, row[2].z, row[3].z);
    tile[column + 3][place] = make_int4(row[0].w, row[1].w, row[2].w, row[3].w);
    __syncthreads();

    for (int r = threadIdx.y; r < SIDE; r += QUADS)
        *(int4 *)&m.out[(left + r) * m.pitch + top + threadIdx.x * 4] =
            tile[r][swizzled(r, threadIdx.x)];
}

__global__ void fill(struct matrices m)
{
    unsigned column = blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    if (column < m.n)
        m.in[row * m.pitch + column] = row * (unsigned)m.n + column;
}

__global__ void check(struct matrices m, uint32_t *wrong)
{
    unsigned column = blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    uint32_t expected = column < m.n ? column * (unsigned)m.n + row : 0xffffffff;
    if (column < m.pitch && m.out[row * m.pitch + column] != expected)
        atomicAdd(wrong, 1);
}

static dim3 blocks_for(size_t columns, size_t rows)
{
    return dim3((columns + THREADS - 1) / THREADS, rows);
}

void camping_fill(const struct matrices *matrices)
{
    fill<<<blocks_for(matrices->n, matrices->n), THREADS>>>(*matrices);
}

void camping_move(const struct matrices *matrices, enum half half, enum order order, unsigned first,
                  unsigned blocks, uint32_t *sum, int adds)
{
    dim3 threads(QUADS, QUADS);
    if (half == BOTH)
        move<BOTH><<<blocks, threads>>>(*matrices, order, first, sum, adds);
    else if (half == READS)
        move<READS><<<blocks, threads>>>(*matrices, order, first, sum, adds);
    else
        move<WRITES><<<blocks, threads>>>(*matrices, order, first, sum, adds);
}

void camping_check(const struct matrices *matrices, uint32_t *wrong)
{
    check<<<blocks_for(matrices->pitch, matrices->n), THREADS>>>(*matrices, wrong);
}
