// What cannot be loaded or launched is refused with a reason, and nothing is skipped.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/loaded_segment.h"
#include "ptx_kernel.h"
#include "sim/ptx/module.h"
#include "sim/sim.h"
#include "suites.h"

static void *place(size_t size, size_t alignment)
{
    (void)alignment;
    return calloc(1, size + 1);
}

static const struct {
    const char *body;
    const char *reason; // part of the message
} refused[] = {
    {"tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [x, {%f1, %f1}];", "tex"},
    {"add.bf16x2 %r1, %r1, %r1;", "add.bf16x2"},
    {"add.ftz.f16 %h1, %h1, %h1;", "add.ftz.f16"},
    {"setp.lt.f16x2 %p1|%p2, %r1, %r1;", "setp.lt.f16x2"},
    {"add.cc.f32 %f1, %f1, %f1;", "add.cc.f32"},
    {"ld.global.L3::sideways.u32 %r1, [%d1];", "L3::sideways"},
    {"mov.u32 %r1, %pm0;", "%pm0"},
    {"add.u32 %r1, %d1, %r1;", "add.u32"},
    {"add.u32 %r1, %r1;", "add.u32"},
    {"bra nowhere;", "nowhere"},
    {"call printf, (%r1);", "printf"},
    {"mov.u32 %r1, $;", "'$'"},
    {"ld.global.u32 %r1, %d1;", "address"},
    {"here: here: ret;", "twice"},
    {"ld.global.v8.f32 {%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1}, [%d1];", "v8"},
};

PROGRAM(sim_loader)

TEST(unsupported_ptx_is_refused, .times = sizeof refused / sizeof *refused)
{
    int no_memory = 0;
    char text[1024], why[512] = "";
    snprintf(text, sizeof text,
             ".version 6.3\n.target sm_75\n.address_size 64\n.file 1 \"some/kernel.cu\"\n"
             ".visible .entry my_kernel()\n{\n.reg .b32 %%r<4>;\n.reg .b64 %%d<4>;\n"
             ".reg .pred %%p<4>;\n.reg .b16 %%h<4>;\n.reg .f32 %%f<4>;\n.loc 1 77 3\n%s\nret;\n}\n",
             refused[_i].body);
    struct module *module = module_load(text, strlen(text), place, why, sizeof why, &no_memory);
    ck_assert_msg(!module, "%s was loaded", refused[_i].body);
    ck_assert_msg(strstr(why, refused[_i].reason), "%s: %s", refused[_i].body, why);
    ck_assert_msg(strstr(why, "my_kernel"), "the kernel: %s", why);
    ck_assert_msg(strstr(why, "some/kernel.cu:77"), "the line: %s", why);
    ck_assert_int_eq(no_memory, 0);
}

// A file whose kernels do not all run: `good` has its own, and calls what the others may call too.
static const char many[] =
    ".version 6.3\n.target sm_70\n.address_size 64\n.file 1 \"many.cu\"\n"
    ".global .align 4 .u32 seen = 3;\n"
    ".func helps() { .reg .b32 r; ld.global.u32 r, [seen]; add.u32 r, r, 1; st.global.u32 [seen], "
    "r;"
    " ret; }\n"
    ".func fails()\n{\n.loc 1 7 1\n{ wgmma.fence.sync.aligned; }\nret;\n}\n"
    ".visible .entry bad()\n{\n.reg .f32 %f<2>;\n.loc 1 17 1\n{ tex.2d.v4.f32.f32 "
    "{%f1, %f1, %f1, %f1}, [x, {%f1, %f1}]; }\nret;\n}\n"
    ".visible .entry calls_bad()\n{\n.loc 1 27 1\ncall fails, ();\nret;\n}\n"
    ".visible .entry calls_none()\n{\n.loc 1 37 1\ncall nowhere, ();\nret;\n}\n"
    ".func again();\n.func once()\n{\n.loc 1 47 1\ncall helps, ();\n.loc 1 48 1\ncall again, ();\n"
    "ret;\n}\n"
    ".func again()\n{\n.loc 1 57 1\ncall once, ();\nret;\n}\n"
    ".visible .entry recurses()\n{\n.loc 1 67 1\ncall helps, ();\ncall once, ();\nret;\n}\n"
    ".visible .entry good()\n{\ncall helps, ();\nret;\n}\n";

static const struct {
    const char *kernel, *reason;
} not_run[] = {
    {"bad", "bad, many.cu:17: tex.2d.v4.f32.f32"},
    {"calls_bad", "fails, many.cu:7: wgmma"},
    {"calls_none", "calls_none, many.cu:37: call"},
    {"recurses", "once, many.cu:48: call: again is called again before it returns: recursion"}};

TEST(a_kernel_that_cannot_run_fails_alone, .times = sizeof not_run / sizeof *not_run)
{
    static struct fatbin_wrapper wrapper = {FATBIN_WRAPPER_MAGIC, 1, NULL, NULL};
    static char stubs[2];
    struct cudaFuncAttributes attributes;
    dim3 one = {1, 1, 1};
    wrapper.data = fatbin_of_ptx(many);
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &stubs[0], NULL, not_run[_i].kernel, -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterFunction(handle, &stubs[1], NULL, "good", -1, NULL, NULL, NULL, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(cudaLaunchKernel(&stubs[0], one, one, NULL, 0, 0), cudaErrorInvalidPtx);
        ck_assert_msg(strstr(sim_last_report(), not_run[_i].reason), "%s", sim_last_report());
        ck_assert_int_eq(cudaFuncGetAttributes(&attributes, &stubs[0]), cudaErrorInvalidPtx);
        SUCCEEDS(cudaLaunchKernel(&stubs[1], one, one, NULL, 0, 0));
        SUCCEEDS(cudaDeviceSynchronize());
    }
    SUCCEEDS(cudaFuncGetAttributes(&attributes, &stubs[1]));
    ck_assert_int_eq(attributes.ptxVersion, 70);    // that of the text,
    ck_assert_int_eq(attributes.binaryVersion, 90); // not of the device
}

static void *place_nothing(size_t size, size_t alignment)
{
    (void)size, (void)alignment;
    return NULL;
}

TEST(no_memory_is_not_wrong_ptx)
{
    int no_memory = 0;
    char why[512] = "";
    ck_assert_ptr_null(module_load(many, strlen(many), place_nothing, why, sizeof why, &no_memory));
    ck_assert_int_eq(no_memory, 1);
    ck_assert_msg(strstr(why, "no memory is left for 4 bytes of seen: end other programs"), "%s",
                  why);
}

TEST(fat_binaries_are_read)
{
    static const char ptx[] = ".version 6.3\n.target sm_75\n";
    unsigned char bytes[512];
    char why[256];
    size_t found_size, size = fatbin_add_ptx(bytes, 0, 75, FATBIN_FLAGS, ptx);
    const char *found = fatbin_find_ptx(bytes, size, ANY_ARCH, &found_size, why, sizeof why);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(found_size, strlen(ptx));
    ck_assert_mem_eq(found, ptx, found_size);
    // Text alone does not say where it ends.
    ck_assert_ptr_null(fatbin_find_ptx(ptx, sizeof ptx, ANY_ARCH, &found_size, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "no fat binary"));
    // Compressed: the message says how to build.
    for (uint64_t flag = 0x2000; flag <= 0x8000; flag *= 4) {
        size = fatbin_add_ptx(bytes, 0, 75, FATBIN_FLAGS | flag, ptx);
        ck_assert_ptr_null(fatbin_find_ptx(bytes, size, ANY_ARCH, &found_size, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "-no-compress"));
    }
    // Cut short anywhere, it is refused.
    size = fatbin_add_ptx(bytes, 0, 75, FATBIN_FLAGS, ptx);
    for (size_t cut = 0; cut < size; cut++) {
        ck_assert_ptr_null(fatbin_find_ptx(bytes, cut, ANY_ARCH, &found_size, why, sizeof why));
        ck_assert_str_ne(why, "");
    }
}

// What lies right behind an entry, another's text or a fat binary, is not taken for a part of it.
TEST(text_ends_with_its_entry)
{
    static const char ptx[] = ".version 6.3\n.target sm_75\n// of 40 byte";
    unsigned char bytes[512];
    char why[256];
    size_t found_size, size = fatbin_add_ptx(bytes, 0, 75, FATBIN_FLAGS, ptx) - 8;
    ck_assert_uint_eq(strlen(ptx) % 8, 0);
    fatbin_put(bytes + 8, size - 16, 8); // without the NULs
    fatbin_put(bytes + 24, strlen(ptx), 8);
    (void)fatbin_add_ptx(bytes + size, 0, 75, FATBIN_FLAGS, ptx);
    const char *found =
        fatbin_find_ptx(bytes, sizeof bytes, ANY_ARCH, &found_size, why, sizeof why);
    ck_assert_ptr_eq(found, bytes + 80);
    ck_assert_uint_eq(found_size, strlen(ptx));
}

static const unsigned char in_the_program[100] = {1};

TEST(what_was_loaded_can_be_read_to_its_end)
{
    unsigned char on_the_stack = 0, *on_the_heap = malloc(1);
    size_t size = loaded_size(in_the_program);
    ck_assert_uint_ge(size, sizeof in_the_program);
    ck_assert_uint_eq(loaded_size(in_the_program + 99), size - 99);
    ck_assert_uint_gt(loaded_size(printf), 0); // a shared library's
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += ((const volatile unsigned char *)in_the_program)[i];
    ck_assert_uint_ge(sum, 1);
    ck_assert_uint_eq(loaded_size(&on_the_stack), 0);
    ck_assert_uint_eq(loaded_size(on_the_heap), 0);
    ck_assert_uint_eq(loaded_size(NULL), 0);
    free(on_the_heap);
}

// A device gets the newest PTX that is not newer than it is.
TEST(ptx_is_for_the_device)
{
    static const struct {
        unsigned arch;
        const char *ptx;
    } cases[] = {{75, "for 75"}, {79, "for 75"},       {80, "for 80"}, {86, "for 80"},
                 {90, "for 90"}, {ANY_ARCH, "for 90"}, {70, NULL}};
    unsigned char bytes[512];
    char why[256];
    size_t found_size, size = fatbin_add_ptx(bytes, 0, 80, FATBIN_FLAGS, "for 80");
    size = fatbin_add_ptx(bytes, size, 90, FATBIN_FLAGS, "for 90");
    size = fatbin_add_ptx(bytes, size, 75, FATBIN_FLAGS, "for 75");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *found =
            fatbin_find_ptx(bytes, size, cases[i].arch, &found_size, why, sizeof why);
        ck_assert_int_eq(!found, !cases[i].ptx);
        if (found)
            ck_assert_str_eq(found, cases[i].ptx);
    }
    ck_assert_ptr_nonnull(strstr(why, "this device is older"));
}

// Three values at a time, and what ptxas keeps; but no more than it was told: here the SM's 64 Ki, for 8192 threads.
TEST(registers_are_no_more_than_was_asked_for)
{
    static const char *const asked[] = {"", ".maxnreg 5", ".maxntid 1024 .minnctapersm 8"};
    int no_memory = 0, registers[3];
    for (int i = 0; i < 3; i++) {
        char text[512], why[512] = "";
        snprintf(text, sizeof text,
                 ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() %s {\n"
                 ".reg .b32 %%r<12>;\n%s%s%s ret; }",
                 asked[i], "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;\n",
                 "mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ctaid.x;\n",
                 "add.u32 %r7, %r1, %r2; add.u32 %r8, %r3, %r4; add.u32 %r9, %r5, %r6;\n");
        struct module *module = module_load(text, strlen(text), place, why, sizeof why, &no_memory);
        ck_assert_msg(module, "%s", why);
        registers[i] = module_function(module, "k")->registers;
        module_free(module);
    }
    ck_assert_int_gt(registers[0], 8);
    ck_assert_int_eq(registers[1], 5);
    ck_assert_int_eq(registers[2], 8);
}

// What compilers write around kernels, up to version 9.0 of PTX.
static const char *const accepted[] = {
    ".target sm_120a, debug\n.visible .entry k() { ret; }",
    ".target sm_90\n.visible .func f() { ret; }\n.visible .func g();\n.alias g, f;\n"
    ".visible .entry k() { call g; ret; }",
    ".target sm_90\n.extern .func fails() .noreturn;\n.visible .entry k() { ret; }",
    ".target sm_90\n.visible .entry k() .reqntid 32, 1, 1 .explicitcluster .reqnctapercluster 2, "
    "1, 1 { ret; }",
    ".target sm_90\n.visible .entry k() .maxntid 32 .minnctapersm 1 .maxclusterrank 8 { ret; }",
    ".target sm_100\n.visible .entry k() .pragma \"a\", \"b\"; { .pragma \"nounroll\"; ret; }",
    ".target sm_100\n.pragma \"a\", \"b\";\n.visible .entry k() { ret; }",
    ".target sm_90\n.visible .func .attribute(.unified(0xAB, 0xCD)) f() { ret; }",
    ".target sm_90\n.global .attribute(.managed, .unified(19, 95)) .align 4 .b32 x;",
    ".target sm_120\n.visible .entry k(.param .u64 .ptr .global .align 16 p, .param .u64 .ptr "
    ".align 1 q) { ret; }",
    ".target sm_90\n.visible .func f() .abi_preserve 3 .abi_preserve_control 1 { ret; }",
    ".target sm_90\n.common .global .align 4 .b32 x;",
};

TEST(what_compilers_write_is_read, .times = sizeof accepted / sizeof *accepted)
{
    int no_memory = 0;
    char text[512], why[512] = "";
    snprintf(text, sizeof text, ".version 9.0\n.address_size 64\n%s\n", accepted[_i]);
    struct module *module = module_load(text, strlen(text), place, why, sizeof why, &no_memory);
    ck_assert_msg(module, "%s: %s", accepted[_i], why);
    module_free(module);
}

// What a launch of the wrapper's kernel says.
static cudaError_t launch_of(struct fatbin_wrapper *wrapper)
{
    static char stub;
    void **handle = __cudaRegisterFatBinary(wrapper);
    __cudaRegisterFunction(handle, &stub, &stub, "_Z6kernelPf", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    void *out = NULL, *arguments[] = {&out};
    dim3 one = {1, 1, 1};
    cudaError_t first = cudaLaunchKernel(&stub, one, one, arguments, 0, 0);
    if (first == cudaSuccess)
        return cudaDeviceSynchronize();
    ck_assert_int_eq(cudaLaunchKernel(&stub, one, one, arguments, 0, 0), first); // and its report
    return first;
}

// As a damaged object file registers it, the wrapper of a compiler's object before main().
static const struct {
    const char *name, *data;
    cudaError_t error;
    const char *reason;
} damaged[] = {
    {"no code", NULL, cudaErrorNoKernelImageForDevice, "no fat binary of CUDA 9 or later"},
    {"an empty section", "", cudaErrorNoKernelImageForDevice, "make clean && make"},
    {"text", ".version 6.3\n.target sm_75\n", cudaErrorNoKernelImageForDevice, "no fat binary"},
    {"more than the program", "\x50\xed\x55\xba\1\0\x10\0\0\0\0\x7f\0\0\0\0",
     cudaErrorNoKernelImageForDevice, "or a damaged one: type `make clean && make`"},
    {"no entries", "\x50\xed\x55\xba\1\0\x10\0\0\0\0\0\0\0\0\0", cudaErrorNoKernelImageForDevice,
     "it holds no PTX: build it with"},
};

TEST(damaged_code_is_told, .times = sizeof damaged / sizeof *damaged)
{
    static struct fatbin_wrapper wrapper = {FATBIN_WRAPPER_MAGIC, 1, NULL, NULL};
    wrapper.data = damaged[_i].data;
    ck_assert_int_eq(launch_of(&wrapper), damaged[_i].error);
    ck_assert_msg(strstr(sim_last_report(), damaged[_i].reason), "%s: %s", damaged[_i].name,
                  sim_last_report());
    ck_assert_msg(strstr(sim_last_report(), "The code of kernel(float*) cannot be loaded"), "%s",
                  sim_last_report());
}

// The file's name as clang writes it, "\303\274" for a ü.
TEST(damaged_text_is_told)
{
    static struct fatbin_wrapper wrapper = {FATBIN_WRAPPER_MAGIC, 1, NULL, NULL};
    wrapper.data =
        fatbin_of_ptx(".version 6.3\n.target sm_75\n.address_size 64\n.file 1 \"f\\303\\274r.cu\"\n"
                      ".visible .entry _Z6kernelPf()\n{\n.loc 1 7 1\nbrb.uni;\n}\n");
    ck_assert_int_eq(launch_of(&wrapper), cudaErrorInvalidPtx);
    ck_assert_ptr_nonnull(strstr(sim_last_report(), "kernel(float*), für.cu:7: brb.uni"));
}

// A GPU loads no PTX that is for a newer one; here it is executed where there is no other, and that is said.
static const struct {
    const char *device;
    unsigned archs[2];
    const char *executed, *note; // which says so by trapping, and what stderr says
} targets[] = {
    {"h200", {75, 0}, "75", ""},
    {"v100", {75, 0}, "75", ""},
    {"h200", {120, 75}, "75", ""},
    {"h200", {90, 75}, "90", ""},
    {"t4", {75, 90}, "75", ""},
    {"t4", {80, 0}, "80", "compute capability 8.0. It is executed, but a real Tesla T4 (7.5)"},
    {"h200",
     {100, 0},
     "100",
     "compute capability 10.0. It is executed, but a real NVIDIA H200 (9.0)"},
    {"h200",
     {120, 0},
     "120",
     "compute capability 12.0. It is executed, but a real NVIDIA H200 (9.0)"},
};

TEST(ptx_of_newer_gpus_is_noted, .times = sizeof targets / sizeof *targets)
{
    static unsigned char bytes[1024];
    static struct fatbin_wrapper wrapper = {FATBIN_WRAPPER_MAGIC, 1, bytes, NULL};
    char text[256], said[512] = "";
    size_t size = 0;
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", targets[_i].device, 1), 0);
    for (int i = 0; i < 2 && targets[_i].archs[i]; i++) {
        unsigned arch = targets[_i].archs[i];
        snprintf(text, sizeof text,
                 ".version 9.0\n.target sm_%u\n.address_size 64\n.file 1 \"of_%u\"\n"
                 ".visible .entry _Z6kernelPf(.param .u64 p)\n{\n.loc 1 7 1\ntrap;\n}\n",
                 arch, arch);
        size = fatbin_add_ptx(bytes, size, arch, FATBIN_FLAGS, text);
    }
    FILE *kept = tmpfile();
    ck_assert_ptr_nonnull(kept);
    int saved = dup(STDERR_FILENO);
    ck_assert_int_ge(dup2(fileno(kept), STDERR_FILENO), 0);
    cudaError_t error = launch_of(&wrapper);
    ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
    rewind(kept);
    said[fread(said, 1, sizeof said - 1, kept)] = '\0';
    fclose(kept);
    ck_assert_int_eq(error, cudaErrorLaunchFailure);
    snprintf(text, sizeof text, "in of_%s:7", targets[_i].executed);
    ck_assert_msg(strstr(said, text), "%s", said);
    ck_assert_msg(strstr(said, targets[_i].note), "%s", said);
    ck_assert_int_eq(!strstr(said, "note:"), !*targets[_i].note);
}

TEST(impossible_launches_are_errors)
{
    struct ptx_kernel *kernel = ptx_kernel("", "st.global.u32 [%out], %i;");
    void *out, *nothing = NULL, *arguments[] = {&out, &nothing};
    SUCCEEDS(cudaMalloc(&out, 64));
    const struct {
        dim3 grid, block;
        size_t shared;
        cudaError_t error;
    } launches[] = {
        {{1, 1, 1}, {1, 1, 1}, 0, cudaSuccess},
        {{0, 1, 1}, {1, 1, 1}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {0, 1, 1}, 0, cudaErrorInvalidConfiguration},
        {{1, 65536, 1}, {1, 1, 1}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {1025, 1, 1}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {64, 32, 1}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {1, 1, 65}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {1, 1, 1}, 48 * 1024, cudaSuccess},
        {{1, 1, 1}, {1, 1, 1}, 48 * 1024 + 1, cudaErrorInvalidConfiguration},
    };
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        ck_assert_int_eq(cudaLaunchKernel(kernel->address, launches[i].grid, launches[i].block,
                                          arguments, launches[i].shared, 0),
                         launches[i].error);
        ck_assert_int_eq(cudaPeekAtLastError(), launches[i].error);
        ck_assert_int_eq(cudaGetLastError(), launches[i].error);
        SUCCEEDS(cudaGetLastError());
    }
    ck_assert_int_eq(cudaLaunchKernel(&out, launches[0].grid, launches[0].block, arguments, 0, 0),
                     cudaErrorInvalidDeviceFunction);
}

// After a fault nothing works but a reset, as on a GPU.
TEST(faults_are_sticky)
{
    void *out, *more;
    struct ptx_kernel *bad = ptx_kernel("", "st.global.u32 [%out+64], %i;");
    SUCCEEDS(cudaMalloc(&out, 64));
    ck_assert_int_eq(ptx_launch(bad, 1, 1, out, NULL), cudaErrorIllegalAddress);
    ck_assert_ptr_nonnull(strstr(sim_last_report(), "1 bytes after the nearest allocation"));
    ck_assert_int_eq(cudaGetLastError(), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaMalloc(&more, 64), cudaErrorIllegalAddress);
    SUCCEEDS(cudaDeviceReset());
    SUCCEEDS(cudaGetLastError());
    SUCCEEDS(cudaMalloc(&more, 64));
}

// Addresses that no allocation is near to are called what they are.
TEST(wrong_pointers_are_named)
{
    static uint32_t of_host[4];
    static const char *const names[] = {"a null pointer\n", "a null pointer, and an index\n",
                                        "not a device address"};
    void *pointers[] = {NULL, NULL, of_host};
    const char *bodies[] = {"st.global.u32 [%out], %i;", "st.global.u32 [%out+400], %i;",
                            "st.global.u32 [%out], %i;"};
    for (int i = 0; i < 3; i++) {
        void *kept;
        SUCCEEDS(cudaMalloc(&kept, 64));
        ck_assert_int_eq(ptx_launch(ptx_kernel("", bodies[i]), 1, 1, pointers[i], NULL),
                         cudaErrorIllegalAddress);
        ck_assert_msg(strstr(sim_last_report(), names[i]), "%s", sim_last_report());
        SUCCEEDS(cudaDeviceReset());
    }
}

// As on a GPU, the launch itself went well; the kernel's fault shows when it is waited for.
TEST(faults_show_at_the_next_wait)
{
    void *out;
    struct ptx_kernel *bad = ptx_kernel("", "st.global.u32 [%out+64], %i;");
    SUCCEEDS(cudaMalloc(&out, 64));
    void *arguments[] = {&out, &out};
    dim3 one = {1, 1, 1};
    SUCCEEDS(cudaLaunchKernel(bad->address, one, one, arguments, 0, 0));
    SUCCEEDS(cudaPeekAtLastError());
    SUCCEEDS(cudaGetLastError());
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorIllegalAddress);
}

static const struct {
    const char *name, *value;
    int is_good;
} settings[] = {
    {"APODKIT_SIM_THREADS", "abc", 0},    {"APODKIT_SIM_THREADS", "-3", 0},
    {"APODKIT_SIM_THREADS", "0", 0},      {"APODKIT_SIM_THREADS", "1025", 0},
    {"APODKIT_SIM_THREADS", "", 0},       {"APODKIT_SIM_BUDGET", "1e9", 0},
    {"APODKIT_SIM_BUDGET", "0", 0},       {"APODKIT_SIM_BUDGET", "99999999999999999999", 0},
    {"APODKIT_SIM_CHECKS", "2", 0},       {"APODKIT_SIM_CHECKS", " 1", 0},
    {"APODKIT_SIM_CHECKS", "0", 1},       {"APODKIT_SIM_THREADS", "1024", 1},
    {"APODKIT_SIM_BUDGET", "1000000", 1},
};

TEST(settings_make_sense, .times = sizeof settings / sizeof *settings, .exits = 2)
{
    void *out;
    ck_assert_int_eq(setenv(settings[_i].name, settings[_i].value, 1), 0);
    SUCCEEDS(cudaMalloc(&out, 64)); // or ends the program
    ck_assert_msg(settings[_i].is_good, "%s=%s", settings[_i].name, settings[_i].value);
    exit(2);
}

TEST(memory_calls_check_their_arguments)
{
    char host[64] = {0}, back[64];
    void *device;
    size_t before, after, total;
    SUCCEEDS(cudaMemGetInfo(&before, &total));
    SUCCEEDS(cudaMalloc(&device, 100));
    SUCCEEDS(cudaMemGetInfo(&after, &total));
    ck_assert_uint_eq(before - after, 100);
    ck_assert_uint_eq((uintptr_t)device % 512, 0);
    ck_assert_int_eq(cudaMalloc(&device, total + 1), cudaErrorMemoryAllocation);
    SUCCEEDS(cudaMalloc(&device, 60));
    ck_assert_int_eq(cudaMemcpy(device, host, 61, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy(device, host, 60, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
    SUCCEEDS(cudaMemset(device, 7, 60));
    SUCCEEDS(cudaMemcpy(back, device, 60, cudaMemcpyDefault));
    ck_assert(back[0] == 7 && back[59] == 7);
    ck_assert_int_eq(cudaFree(host), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFree((char *)device + 4), cudaErrorInvalidValue);
    SUCCEEDS(cudaFree(device));
    ck_assert_int_eq(cudaFree(device), cudaErrorInvalidValue);
    SUCCEEDS(cudaFree(NULL));
    ck_assert_int_eq(cudaSetDevice(1), cudaErrorInvalidDevice);
}
