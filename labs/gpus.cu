// Lab gpus: what does it cost several GPUs to transpose a matrix that they share?
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_NCCL
#include <nccl.h>
#endif

enum { GPUS, WAY, PARTS }; // what is varied
enum way { STORES, COPIES, NCCL };
enum { SIDE = 32, AT_ONCE = 8, MOST_GPUS = 16, MOST_PARTS = 4 };

// Transposes `rows` x `columns` elements, of matrices whose rows are so many apart.
__global__ void transpose(float *out, size_t out_pitch, const float *in, size_t in_pitch, int rows,
                          int columns)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;
    for (int y = threadIdx.y; y < SIDE; y += AT_ONCE)
        if (top + y < rows && left + threadIdx.x < columns)
            tile[y][threadIdx.x] = in[(top + y) * in_pitch + left + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < SIDE; y += AT_ONCE)
        if (left + y < columns && top + threadIdx.x < rows)
            out[(left + y) * out_pitch + top + threadIdx.x] = tile[threadIdx.x][y];
}

// What a GPU has: some rows of the input, and of the output; what it has for others, and from others.
static struct share {
    int device;
    size_t first, rows;
    float *memory, *in, *out, *away, *come; // the four are in the memory, `held` elements each
    size_t held;
    cudaStream_t work, travel;
    cudaEvent_t ready[MOST_PARTS], arrived[MOST_PARTS];
} shares[MOST_GPUS];

static int gpus; // that share the matrix, n x n
static size_t side;

// The rows of `to`'s output that are part `part` of what it gets from `from`: a block of so many times from->rows.
struct block {
    struct share *from, *to;
    size_t first, rows;
};

static block block_of(int from, int to, int part, int parts)
{
    size_t first = shares[to].rows * part / parts, end = shares[to].rows * (part + 1) / parts;
    return {&shares[from], &shares[to], first, end - first};
}

static size_t elements(const block &block)
{
    return block.rows * block.from->rows;
}

// Where it lies: in the output, and on either end of its way.
static float *place_in_out(const block &block)
{
    return block.to->out + block.first * side + block.from->first;
}
static float *place_away(const block &block)
{
    return block.from->away + (block.to->first + block.first) * block.from->rows;
}
static float *place_come(const block &block)
{
    return block.to->come + block.from->first * block.to->rows + block.first * block.from->rows;
}

// ---- The parts of the errand: each gives the GPUs work, and waits for none of them ----------------------

static void turn(const block &block, bool stays)
{
    struct share *from = block.from;
    dim3 grid((unsigned)((block.rows + SIDE - 1) / SIDE),
              (unsigned)((from->rows + SIDE - 1) / SIDE));
    if (elements(block) > 0)
        transpose<<<grid, dim3(SIDE, AT_ONCE), 0, from->work>>>(
            stays ? place_in_out(block) : place_away(block), stays ? side : from->rows,
            from->in + block.to->first + block.first, side, (int)from->rows, (int)block.rows);
}

// Each of them transposes its rows: what is its own or what it can store on another, into place.
static void turn_all(int way, int part, int parts)
{
    for (int from = 0; from < gpus; from++) {
        (void)cudaSetDevice(shares[from].device);
        for (int to = 0; to < gpus; to++)
            turn(block_of(from, to, part, parts), way == STORES || to == from);
        (void)cudaEventRecord(shares[from].ready[part], shares[from].work);
        (void)cudaStreamWaitEvent(shares[from].travel, shares[from].ready[part], 0);
    }
}

// Into the rows of the output, on the way of a stream.
static void put(const block &block, const float *data, cudaStream_t stream)
{
    size_t width = block.from->rows * sizeof *data;
    if (elements(block) > 0)
        (void)cudaMemcpy2DAsync(place_in_out(block), side * sizeof *data, data, width, width,
                                block.rows, cudaMemcpyDefault, stream);
}

static void copy_all(int part, int parts)
{
    for (int from = 0; from < gpus; from++) {
        (void)cudaSetDevice(shares[from].device);
        for (int i = 1; i < gpus; i++) { // no two begin with the same one
            block block = block_of(from, (from + i) % gpus, part, parts);
            put(block, place_away(block), shares[from].travel);
        }
    }
}

#ifdef WITH_NCCL
static void nccl_ok(ncclResult_t result, const char *what)
{
    if (result == ncclSuccess)
        return;
    fprintf(stderr, "apodkit: %s of %d GPUs: %s. NCCL_DEBUG=WARN says more\n", what, gpus,
            ncclGetErrorString(result));
    exit(EXIT_FAILURE);
}

static ncclComm_t communicators[MOST_GPUS];

static void open_nccl(void)
{
    static int open;
    int devices[MOST_GPUS];
    if (open == gpus)
        return;
    for (int i = 0; i < open; i++)
        nccl_ok(ncclCommDestroy(communicators[i]), "ncclCommDestroy");
    for (int i = 0; i < gpus; i++)
        devices[i] = shares[i].device;
    nccl_ok(ncclCommInitAll(communicators, gpus, devices), "ncclCommInitAll");
    open = gpus;
}

static void exchange_all(int part, int parts)
{
    nccl_ok(ncclGroupStart(), "ncclGroupStart");
    for (int from = 0; from < gpus; from++)
        for (int to = 0; to < gpus; to++) {
            block block = block_of(from, to, part, parts);
            if (to == from || elements(block) == 0)
                continue;
            nccl_ok(ncclSend(place_away(block), elements(block), ncclFloat, to, communicators[from],
                             block.from->travel),
                    "ncclSend");
            nccl_ok(ncclRecv(place_come(block), elements(block), ncclFloat, from, communicators[to],
                             block.to->travel),
                    "ncclRecv");
        }
    nccl_ok(ncclGroupEnd(), "an exchange by NCCL");
}
#else
static void open_nccl(void)
{
}
static void exchange_all(int, int)
{
}
#endif

// What has come, behind all that is transposed here.
static void unpack_all(int part, int parts)
{
    for (int to = 0; to < gpus; to++) {
        struct share *share = &shares[to];
        (void)cudaSetDevice(share->device);
        (void)cudaEventRecord(share->arrived[part], share->travel);
        (void)cudaStreamWaitEvent(share->work, share->arrived[part], 0);
        for (int from = 0; from < gpus; from++) {
            block block = block_of(from, to, part, parts);
            if (from != to)
                put(block, place_come(block), share->work);
        }
    }
}

static void wait_for_all(void)
{
    for (int i = 0; i < gpus; i++) {
        (void)cudaSetDevice(shares[i].device);
        (void)cudaDeviceSynchronize();
    }
}

// What is timed, whole: from nothing to do to all done.
static void run_errand(int way, int parts)
{
    wait_for_all();
    for (int part = 0; part < parts; part++) {
        turn_all(way, part, parts);
        if (way == COPIES)
            copy_all(part, parts);
        if (way == NCCL)
            exchange_all(part, parts);
    }
    for (int part = 0; way == NCCL && part < parts; part++)
        unpack_all(part, parts);
    wait_for_all();
}

// ---- Set-up ---------------------------------------------------------------------------------------------

static void reach_each_other(int count)
{
#ifndef SIMULATED
    static bool done;
    for (int a = 0; !done && a < count; a++)
        for (int b = 0; b < count; b++) {
            int reaches = 0;
            (void)cudaSetDevice(a);
            if (a != b && cudaDeviceCanAccessPeer(&reaches, a, b) == cudaSuccess && reaches &&
                cudaDeviceEnablePeerAccess(b, 0) == cudaErrorPeerAccessAlreadyEnabled)
                (void)cudaGetLastError();
        }
    done = true;
#endif
    (void)count;
}

static void make_streams(struct share *share)
{
    if (share->work)
        return;
    (void)cudaStreamCreateWithFlags(&share->work, cudaStreamNonBlocking);
    (void)cudaStreamCreateWithFlags(&share->travel, cudaStreamNonBlocking);
    for (int i = 0; i < MOST_PARTS; i++) {
        (void)cudaEventCreateWithFlags(&share->ready[i], cudaEventDisableTiming);
        (void)cudaEventCreateWithFlags(&share->arrived[i], cudaEventDisableTiming);
    }
}

// Its memory, with its rows of the input and none of the output that a point before this one made. False where there is
// no such memory: the driver sees CUDA's error.
static bool fill(struct share *share, const float *in)
{
    size_t count = share->rows * side, bytes = count * sizeof *in;
    if (count > share->held) {
        (void)cudaFree(share->memory);
        share->memory = NULL;
        share->held = 0;
        if (cudaMalloc(&share->memory, 4 * bytes) != cudaSuccess)
            return false;
        share->held = count;
    }
    share->in = share->memory;
    share->out = share->in + count;
    share->away = share->out + count;
    share->come = share->away + count;
    if (in) { // else it is asked what it launches alone
        (void)cudaMemset(share->out, 0xff, bytes);
        (void)cudaMemcpy(share->in, in + share->first * side, bytes, cudaMemcpyDefault);
    }
    return true;
}

static int device_count(void)
{
    int count = 0;
    (void)cudaGetDeviceCount(&count);
    return count;
}

enum prepared { BEFORE, NOW, NEVER };

// Shares the rows of the input out, once for this point and at this size. NEVER: there is no memory for it.
static enum prepared prepare(float *out, const float *in, size_t n, const int *settings,
                             int current)
{
    static int held[PARTS + 1];
    static const float *held_in;
    int count = device_count();
    bool good = true;
    if (in == held_in && n == side && memcmp(held, settings, sizeof held) == 0)
        return BEFORE;
    reach_each_other(count);
    side = n;
    gpus = settings[GPUS];
    memset(held, 0, sizeof held);
    for (int i = 0; good && i < gpus; i++) {
        struct share *share = &shares[i];
        share->device = (current + i) % count;
        share->first = n * i / gpus;
        share->rows = n * (i + 1) / gpus - share->first;
        (void)cudaSetDevice(share->device);
        make_streams(share);
        if (gpus > 1)
            good = fill(share, in);
    }
    if (gpus == 1) { // needs no share
        shares[0].in = (float *)in;
        shares[0].out = out;
    }
    if (!good)
        return NEVER;
    if (settings[WAY] == NCCL)
        open_nccl();
    held_in = in;
    memcpy(held, settings, sizeof held);
    return NOW;
}

static void gather(float *out)
{
    for (int i = 0; i < gpus; i++)
        (void)cudaMemcpy(out + shares[i].first * side, shares[i].out,
                         shares[i].rows * side * sizeof *out, cudaMemcpyDefault);
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    int current = 0;
    (void)cudaGetDevice(&current);
    enum prepared prepared = prepare(out, in, n, settings, current);

    if (prepared != NEVER)
        run_errand(settings[WAY], settings[PARTS]);
    if (prepared == NOW && gpus > 1 && out) // what is verified
        gather(out);
    (void)cudaSetDevice(current);
}

// In squares that fit in a cache.
static void compute(float *out, const float *in, size_t n)
{
    for (size_t top = 0; top < n; top += SIDE)
        for (size_t left = 0; left < n; left += SIDE)
            for (size_t r = top; r < n && r < top + SIDE; r++)
                for (size_t c = left; c < n && c < left + SIDE; c++)
                    out[c * n + r] = in[r * n + c];
}

static const char *lacks(const int *settings)
{
    static char why[80];
    int here = device_count(), current = 0, reaches = 1;
    (void)cudaGetDevice(&current);
    snprintf(why, sizeof why, "CUDA sees %d GPU%s here", here, here == 1 ? "" : "s");
    if (settings[GPUS] > here)
        return why;
#ifndef WITH_NCCL
    if (settings[WAY] == NCCL)
        return "built without NCCL: make found no nccl.h";
#endif
    for (int i = 1; i < settings[GPUS] && reaches; i++)
        (void)cudaDeviceCanAccessPeer(&reaches, current, (current + i) % here);
    return reaches || settings[WAY] == NCCL ? NULL : "its GPUs do not reach each other's memory";
}

LAB("what does it cost several GPUs to transpose a matrix that they share?", "", compute,
    bytes_of_copy, lacks, {"gpus", "GPUs that share the rows", "1 2 3 4 5 6 7 8 16"},
    {"way", "how a block gets to another GPU", "stores copies nccl"},
    {"parts", "parts, one behind the other", "1 4"})
