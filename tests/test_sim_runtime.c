// The CUDA runtime's host functions on the simulated device.
#include <stdint.h>
#include <unistd.h>

#include "ptx_kernel.h"
#include "sim/cuda/instruments.h"
#include "sim/sim.h"
#include "sim/state/device_memory.h"
#include "suites.h"

PROGRAM(sim_runtime)

TEST(pitched_copies_move_rows)
{
    enum { WIDTH = 100, HEIGHT = 7 };
    unsigned char host[HEIGHT][WIDTH], back[HEIGHT][WIDTH + 3];
    void *device;
    size_t pitch;
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        host[i / WIDTH][i % WIDTH] = (unsigned char)(i * 7);
    memset(back, 0, sizeof back);
    SUCCEEDS(cudaMallocPitch(&device, &pitch, WIDTH, HEIGHT));
    ck_assert_uint_ge(pitch, WIDTH);
    ck_assert_uint_eq(pitch % 512, 0);
    SUCCEEDS(cudaMemset2D(device, pitch, 0xee, WIDTH, HEIGHT));
    SUCCEEDS(cudaMemcpy2D(device, pitch, host, WIDTH, WIDTH - 1, HEIGHT, cudaMemcpyHostToDevice));
    SUCCEEDS(
        cudaMemcpy2DAsync(back, WIDTH + 3, device, pitch, WIDTH, HEIGHT, cudaMemcpyDefault, 0));
    for (int row = 0; row < HEIGHT; row++) {
        ck_assert_mem_eq(back[row], host[row], WIDTH - 1);
        ck_assert_uint_eq(back[row][WIDTH - 1], 0xee);
        ck_assert_uint_eq(back[row][WIDTH], 0);
    }
    ck_assert_int_eq(
        cudaMemcpy2D(device, WIDTH - 1, host, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice),
        cudaErrorInvalidPitchValue);
}

// Predictions depend on where buffers lie: the range they are cut from begins at a multiple of 2 MiB, wherever the
// host's mmap() puts ranges (that of newer kernels puts large ones so).
TEST(addresses_begin_at_a_multiple_of_2_mib)
{
    void *small;
    SUCCEEDS(cudaMalloc(&small, 100));
    ck_assert_uint_eq(device_memory.base % (1 << 21), 0);
    ck_assert(device_reaches((uintptr_t)small));
}

// What is copied on the device is as unwritten as it was: a kernel that reads it is told.
TEST(copies_do_not_write_what_was_not_written)
{
    void *from, *to, *out;
    struct ptx_kernel *kernel =
        ptx_kernel("", ".reg .b64 a; .reg .b32 v; mul.wide.u32 a, %i, 4; add.s64 a, a, %in;\n"
                       "ld.global.u32 v, [a]; st.global.u32 [%out], v;");
    SUCCEEDS(cudaMalloc(&from, 64));
    SUCCEEDS(cudaMalloc(&to, 64));
    SUCCEEDS(cudaMalloc(&out, 64));
    SUCCEEDS(cudaMemset(from, 0, 13)); // one byte of the fourth word
    SUCCEEDS(cudaMemset(to, 0, 64));
    SUCCEEDS(cudaMemcpy(to, from, 32, cudaMemcpyDeviceToDevice));
    SUCCEEDS(ptx_launch(kernel, 1, 3, out, to));
    ck_assert_int_eq(ptx_launch(kernel, 1, 4, out, to), cudaErrorLaunchFailure);
    ck_assert_ptr_nonnull(strstr(sim_last_report(), "Uninitialized __global__ read"));
    ck_assert_ptr_nonnull(strstr(sim_last_report(), "thread (3,0,0)"));
}

TEST(host_memory_is_shared_with_kernels)
{
    uint32_t *host, *managed, *mapped;
    void *same;
    struct ptx_kernel *kernel =
        ptx_kernel("", ".reg .b32 v; ld.global.u32 v, [%in]; st.global.u32 [%out], v;");
    SUCCEEDS(cudaMallocHost((void **)&host, 4));
    SUCCEEDS(cudaHostAlloc((void **)&mapped, 4, 0));
    SUCCEEDS(cudaMallocManaged((void **)&managed, 4, cudaMemAttachGlobal));
    SUCCEEDS(cudaHostGetDevicePointer(&same, host, 0));
    *host = 4711;
    SUCCEEDS(ptx_launch(kernel, 1, 1, managed, same));
    SUCCEEDS(ptx_launch(kernel, 1, 1, mapped, managed));
    ck_assert_uint_eq(*managed, 4711);
    ck_assert_uint_eq(*mapped, 4711);
    SUCCEEDS(cudaFreeHost(host));
    SUCCEEDS(cudaFreeHost(mapped));
    SUCCEEDS(cudaFree(managed));
}

TEST(the_device_says_what_it_is)
{
    struct cudaDeviceProp prop;
    int count, value, device = -1;
    SUCCEEDS(cudaGetDeviceCount(&count));
    ck_assert_int_eq(count, 1);
    SUCCEEDS(cudaGetDevice(&device));
    ck_assert_int_eq(device, 0);
    SUCCEEDS(cudaGetDeviceProperties(&prop, 0));
    ck_assert_ptr_nonnull(strstr(prop.name, "Simulated"));
    SUCCEEDS(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    ck_assert_int_eq(value, prop.multiProcessorCount);
    SUCCEEDS(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    ck_assert_int_eq(value, prop.warpSize);
    static const int none[] = {-1, 0, 44, 107, 148, 9999};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_int_eq(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)none[i], 0),
                         cudaErrorInvalidValue);
    ck_assert_int_eq(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1),
                     cudaErrorInvalidDevice);
    ck_assert_str_eq(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    ck_assert_str_eq(cudaGetErrorString(cudaSuccess), "no error");
}

// Each of CUDA 13's: what is not simulated is 0, not an error. Those that are not named here have other tests.
TEST(every_attribute_has_a_value)
{
    static const struct {
        int attribute, value;
    } expected[] = {
        {11, 0x7fffffff}, // the pitch
        {14, 512},        // the alignment of textures
        {21, 0},          // their width: there are none
        {79, 1},          // an H200's L1 holds global memory,
        {87, 2},          // and its double precision is half as fast
        {88, 0},          // pageable memory
        {95, 0},          // cooperative launches
        {115, 1},         // cudaMallocAsync()
        {120, 0},         // clusters
        {134, -1},        // the host's NUMA node
    };
    int value, count = 0;
    for (int attribute = -10; attribute < 200; attribute++)
        count += cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)attribute, 0) == cudaSuccess;
    ck_assert_int_eq(count, 147 - 10);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        value = -77;
        SUCCEEDS(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)expected[i].attribute, 0));
        ck_assert_msg(value == expected[i].value, "%d: %d", expected[i].attribute, value);
    }
}

TEST(kernels_say_what_they_need)
{
    struct cudaFuncAttributes attributes;
    int blocks;
    const void *kernel =
        ptx_kernel(".shared .align 4 .b8 tile[16384];", "st.shared.u32 [tile], %i;")->address;
    SUCCEEDS(cudaFuncGetAttributes(&attributes, kernel));
    ck_assert_uint_eq(attributes.sharedSizeBytes, 16384);
    ck_assert_int_eq(attributes.maxThreadsPerBlock, 1024);
    ck_assert_int_gt(attributes.numRegs, 0);
    // 16 KB and the reserved 1 KB a block: 13 times in 228 KB. Then threads bind: 2048 a
    // multiprocessor.
    SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 0));
    ck_assert_int_eq(blocks, 13);
    SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024, 0));
    ck_assert_int_eq(blocks, 2);
    SUCCEEDS(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 100000));
    ck_assert_int_eq(blocks, 1);
    ck_assert_int_eq(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 230000),
        cudaErrorInvalidValue);
}

// Blocks of 17 KB with the reserve. What is asked for is rounded up to what an SM can set aside, of 228 KB: 23 to 32, 114
// to 132. A block has room in any case.
TEST(a_carve_out_limits_the_blocks)
{
    static const int cases[][2] = {{0, 1}, {10, 1}, {25, 3}, {50, 7}, {100, 13}, {-1, 13}};
    struct cudaFuncAttributes attributes;
    int blocks;
    const void *kernel =
        ptx_kernel(".shared .align 4 .b8 tile[16384];", "st.shared.u32 [tile], %i;")->address;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SUCCEEDS(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                      cases[i][0]));
        SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 0));
        ck_assert_int_eq(blocks, cases[i][1]);
        SUCCEEDS(cudaFuncGetAttributes(&attributes, kernel));
        ck_assert_int_eq(attributes.preferredShmemCarveout, cases[i][0]);
    }
    ck_assert_int_eq(
        cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101),
        cudaErrorInvalidValue);
}

// "%d %5.2f %s" with a thread's number, a double and a string, for two threads.
TEST(kernels_print)
{
    static const char declarations[] =
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
        ".global .align 1 .b8 format[16] = {37, 100, 32, 37, 53, 46, 50, 102, 32, 37, 115, 10};\n"
        ".global .align 1 .b8 word[4] = {103, 112, 117};";
    static const char body[] =
        ".local .align 8 .b8 values[24]; .reg .b64 v, w, f; .reg .b32 t;\n"
        "mov.u64 v, values; st.local.u32 [v], %i; st.local.f64 [v+8], 0d3FF8000000000000;\n"
        "mov.u64 w, word; cvta.global.u64 w, w; st.local.u64 [v+16], w; cvta.local.u64 v, v;\n"
        "mov.u64 f, format; cvta.global.u64 f, f;\n"
        "{ .param .b64 x; st.param.b64 [x+0], f; .param .b64 y; st.param.b64 [y+0], v;\n"
        ".param .b32 z; call.uni (z), vprintf, (x, y); }";
    char printed[256];
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    ck_assert_int_ge(dup2(fileno(file), STDOUT_FILENO), 0);
    cudaError_t error = ptx_launch(ptx_kernel(declarations, body), 1, 2, NULL, NULL);
    fflush(stdout);
    ck_assert_int_ge(dup2(saved, STDOUT_FILENO), 0);
    SUCCEEDS(error);
    rewind(file);
    printed[fread(printed, 1, sizeof printed - 1, file)] = 0;
    ck_assert_str_eq(printed, "0  1.50 gpu\n1  1.50 gpu\n");
    close(saved);
    fclose(file);
}

// A __managed__ variable has its first value, is seen by both sides, and comes back after a reset.
TEST(managed_variables_are_shared)
{
    static const char ptx[] =
        ".version 6.3\n.target sm_75\n.address_size 64\n"
        ".global .attribute(.managed) .align 4 .u32 total = 40;\n"
        ".visible .entry raise()\n{\n.reg .b32 r;\nld.global.u32 r, [total];\n"
        "add.u32 r, r, 2;\nst.global.u32 [total], r;\nret;\n}\n";
    static struct fatbin_wrapper wrapper = {FATBIN_WRAPPER_MAGIC, 1, NULL, NULL};
    static int stub;
    uint32_t *total = NULL;
    wrapper.data = fatbin_of_ptx(ptx);
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)&stub, NULL, "raise", -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterManagedVar(handle, (void **)(void *)&total, NULL, "total", 0, sizeof *total, 0,
                             0);
    for (int life = 0; life < 2; life++) {
        ck_assert_int_eq(__cudaInitModule(handle), 1);
        ck_assert_ptr_nonnull(total);
        ck_assert_uint_eq(*total, 40);
        *total += 100;
        dim3 one = {1, 1, 1};
        SUCCEEDS(cudaLaunchKernel(&stub, one, one, NULL, 0, 0));
        SUCCEEDS(cudaDeviceSynchronize());
        ck_assert_uint_eq(*total, 142);
        SUCCEEDS(cudaDeviceReset());
    }
}

// What the device did, with the times of its clock; each stream has a number.
enum { TRACED_BYTES = 1 << 20 };

// Copies in every direction, in range 7.
static void copy_about(char *memory, cudaStream_t stream)
{
    static char host[TRACED_BYTES];
    sim_tracer.enter(7);
    SUCCEEDS(cudaMemcpyAsync(host, memory, TRACED_BYTES, cudaMemcpyDefault, stream));
    SUCCEEDS(cudaMemcpy2D(memory, 512, host, 100, 100, 10, cudaMemcpyHostToDevice));
    SUCCEEDS(cudaMemcpy(memory, memory + 4096, 4096, cudaMemcpyDefault));
    SUCCEEDS(cudaMemcpy(memory, memory, 0, cudaMemcpyDefault)); // not noted
}

// A fill, three copies and a kernel, on two streams.
static void do_what_is_traced(struct activities *seen)
{
    struct ptx_kernel *kernel = ptx_kernel("", "st.global.u32 [%out], %i;");
    cudaStream_t first, second;
    void *memory;
    SUCCEEDS(cudaMalloc(&memory, TRACED_BYTES));
    SUCCEEDS(cudaMemset(memory, 0, TRACED_BYTES)); // not noted
    ck_assert(sim_tracer.start(seen, NULL, 0));
    SUCCEEDS(cudaStreamCreate(&first));
    SUCCEEDS(cudaStreamCreate(&second));
    SUCCEEDS(cudaMemsetAsync(memory, 0, TRACED_BYTES, second));
    copy_about(memory, first);
    void *arguments[] = {&memory, &memory};
    dim3 grid = {1, 2, 3}, block = {1, 1, 1};
    SUCCEEDS(cudaLaunchKernel(kernel->address, grid, block, arguments, 128, second));
    ck_assert(sim_tracer.stop(NULL, 0));
    SUCCEEDS(cudaMemset(memory, 0, TRACED_BYTES)); // not noted any more
    SUCCEEDS(cudaStreamDestroy(first));
    SUCCEEDS(cudaStreamDestroy(second));
}

TEST(the_tracer_notes_what_is_done)
{
    static const struct {
        enum activity_kind kind;
        unsigned stream;
        int range;
        enum copy_direction direction;
        enum provenance timed;
        size_t bytes;
    } expected[] = {{ACTIVITY_FILL, 2, -1, COPY_TO_DEVICE, MODELLED, TRACED_BYTES},
                    {ACTIVITY_COPY, 1, 7, COPY_TO_HOST, MEASURED, TRACED_BYTES},
                    {ACTIVITY_COPY, 0, 7, COPY_TO_DEVICE, MEASURED, 1000},
                    {ACTIVITY_COPY, 0, 7, COPY_IN_DEVICE, MODELLED, 4096},
                    {ACTIVITY_KERNEL, 2, 7, 0, MODELLED, 0}};
    static struct activities traced;
    do_what_is_traced(&traced);
    const struct activity *seen = traced.list;
    ck_assert_int_eq(traced.count, sizeof expected / sizeof *expected);
    ck_assert_uint_eq(traced.lost, 0);
    ck_assert_str_eq(traced.untimed, "");
    for (int i = 0; i < traced.count; i++) {
        ck_assert_int_eq(seen[i].kind, expected[i].kind);
        ck_assert_uint_eq(seen[i].stream, expected[i].stream);
        ck_assert_int_eq(seen[i].range, expected[i].range);
        ck_assert_int_eq(seen[i].direction, expected[i].direction);
        ck_assert_int_eq(seen[i].timed, expected[i].timed);
        ck_assert_uint_eq(seen[i].bytes, expected[i].bytes);
        ck_assert_double_gt(seen[i].duration_ns, 0);
        if (i > 0) // one after the other
            ck_assert_double_eq_tol(seen[i].start_ns,
                                    seen[i - 1].start_ns + seen[i - 1].duration_ns, 1e-3);
    }
    ck_assert_double_ge(seen[0].start_ns, 0);
    ck_assert_str_eq(traced.names[seen[4].name], "kernel");
    ck_assert_mem_eq(seen[4].grid, ((unsigned[]){1, 2, 3}), sizeof seen[4].grid);
    ck_assert_mem_eq(seen[4].block, ((unsigned[]){1, 1, 1}), sizeof seen[4].block);
    ck_assert_uint_eq(seen[4].dynamic_shared, 128);
    ck_assert_int_gt(seen[4].registers, 0);
}

// Of several reasons, the first is told.
static void is_untimed(int model, struct ptx_kernel *kernel, const char *why)
{
    static struct activities traced;
    void *memory;
    traced.count = 0;
    *traced.untimed = '\0';
    SUCCEEDS(cudaMalloc(&memory, 64));
    ck_assert(sim_tracer.start(&traced, NULL, 0));
    sim_set(SIM_MODEL, model);
    if (kernel)
        ck_assert_int_eq(ptx_launch(kernel, 1, 1, NULL, NULL), cudaErrorIllegalAddress);
    else
        SUCCEEDS(cudaMemset(memory, 0, 64));
    sim_set(SIM_MODEL, 1);
    ck_assert(sim_tracer.stop(NULL, 0));
    ck_assert_int_eq(traced.count, 1);
    ck_assert_int_eq(traced.list[0].timed, UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(traced.untimed, why));
}

TEST(what_has_no_time_says_why)
{
    is_untimed(0, NULL, "APODKIT_SIM_MODEL is 0");
    is_untimed(1, ptx_kernel("", "st.global.u32 [%out], %i;"), "the kernel failed");
}

TEST(blocks_go_to_the_multiprocessors_in_turn)
{
    struct cudaDeviceProp prop;
    SUCCEEDS(cudaGetDeviceProperties(&prop, 0));
    unsigned sms = (unsigned)prop.multiProcessorCount;
    static const uint64_t launches[] = {0, 1, 131, 132, 133, 1000000007};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        uint64_t sum = 0;
        for (unsigned sm = 0; sm < sms; sm++) {
            uint64_t blocks = sim_blocks_on_sm(launches[i], sm);
            ck_assert_uint_le(blocks, sim_blocks_on_sm(launches[i], 0));
            ck_assert_uint_le(sim_blocks_on_sm(launches[i], 0), blocks + 1);
            sum += blocks;
        }
        ck_assert_uint_eq(sum, launches[i]);
    }
}
