// The PTX in which a kernel counts its blocks by SM, which a GPU's driver compiles: as text, to ptxas, and as
// it runs on the simulated device, in the kernel's place and with its arguments.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fatbin.h"
#include "base/loaded.h"
#include "cupti/instrumented_ptx.h"
#include "cupti/registered_kernels.h"
#include "ptx_kernel.h"
#include "sim/cuda/runtime.h"
#include "sim_steps.h"
#include "suites.h"

enum { SMS = 132, MANY_SMS = 512 };

// ---- As text: ^ is where the array must be declared, ~ where "kernel" must count --------------------

#define HEADER ".version 6.3\n.target sm_75\n.address_size 64^\n"

static const char *const marked[] = {
    HEADER ".visible .entry kernel(.param .u64 p)\n{~\n\tret;\n}\n",
    HEADER ".entry kernel {~ret;}",
    HEADER ".entry kernel(){~ret;}",
    // Names that its name begins or ends, or is a part of; functions; other kernels' braces.
    HEADER
    ".visible .entry kernel_2(.param .u64 p)\n{\n\t{ ret; }\n}\n"
    ".visible .entry my_kernel()\n{\n\tst.v2.u32 [%rd1], {%r1, %r2};\n}\n"
    ".visible .entry $kernel$()\n{\n}\n.func kernel.part()\n{ ret; }\n"
    ".func (.param .b32 r) kernel_f(.param .b32 a)\n{ ret; }\n"
    ".visible .entry kernel(.param .u64 p)\n{~\n\tret;\n}\n.visible .entry kernel2() { ret; }\n",
    // Declared before it is defined.
    HEADER
    ".entry kernel(.param .u64 p);\n.entry other() {}\n.entry kernel(.param .u64 p)\n{~ret;\n}\n",
    HEADER ".visible .entry kernel(\n\t.param .u64 p,\n\t.param .align 8 .b8 q[16]\n)\n"
           ".maxntid 256, 1, 1\n.minnctapersm 2\n.pragma \"{\";\n{~\n\tret;\n}\n",
    HEADER ".entry kernel(.param .u64 p) .reqntid 32, 8, 1 {~ret;}",
    // What only looks like it.
    "// .address_size 64\n/* .address_size 64 */\n" HEADER "// .entry kernel() {\n"
    "/* .entry kernel() { */ .file 1 \"{ .entry kernel() { //\"\n"
    ".global .align 4 .u32 values[2] = {1, 2};\n.section .debug_str { .b8 123, 125 }\n"
    ".entry /* here */ kernel // {\n() {~ret; }",
};

// The text up to a mark, or the end, without other marks. The caller frees it.
static char *without_marks(const char *text, char until)
{
    char *plain = calloc(1, strlen(text) + 1);
    ck_assert_ptr_nonnull(plain);
    for (char *to = plain; *text && *text != until; text++)
        if (*text != '^' && *text != '~')
            *to++ = *text;
    return plain;
}

PROGRAM(sim_instrumented, .seconds = 300)

TEST(it_counts_at_the_start_of_the_kernel, .times = sizeof marked / sizeof *marked)
{
    char why[256] = "";
    char *ptx = without_marks(marked[_i], '\0'), *before = without_marks(marked[_i], '^'),
         *between = without_marks(strchr(marked[_i], '^'), '~'),
         *after = without_marks(strchr(marked[_i], '~'), '\0');
    char *text = instrumented_ptx(ptx, strlen(ptx), "kernel", SMS, why, sizeof why);
    ck_assert_msg(text, "%s", why);
    ck_assert_int_eq(strncmp(text, before, strlen(before)), 0);
    const char *declared = text + strlen(before), *middle = strstr(declared, between);
    ck_assert_int_eq(strncmp(declared, "\n.visible .global", 17), 0);
    ck_assert_ptr_nonnull(middle);
    ck_assert(strstr(declared, BLOCKS_OF_SM "[132];") < middle);
    const char *counting = middle + strlen(between), *end = text + strlen(text) - strlen(after);
    ck_assert_int_eq(strncmp(counting, "\n\t{\n", 4), 0);
    ck_assert_ptr_nonnull(strstr(counting, "%smid"));
    ck_assert_str_eq(end, after);
    ck_assert(end > counting && memcmp(end - 3, "\t}\n", 3) == 0);
    free(text);
    free(after);
    free(between);
    free(before);
    free(ptx);
}

TEST(what_cannot_count_is_refused)
{
    static const struct {
        const char *ptx, *reason;
    } refused[] = {
        {"", "no kernel kernel"},
        {".address_size 64\n.entry kernels() { ret; }", "no kernel kernel"},
        {".address_size 64\n.func kernel() { ret; }", "no kernel kernel"},
        {".address_size 64\n.entry kernel();", "no kernel kernel"},
        {".address_size 64\n.entry kernel(", "no kernel kernel"},
        {".address_size 64\n.entry", "no kernel kernel"},
        {".address_size 64\n.entry other() { .entry kernel() { ret; } }", "no kernel kernel"},
        {".entry kernel() { ret; }", "no .address_size 64"},
        {".address_size 32\n.entry kernel() { ret; }", "no .address_size 64"},
        {".address_size", "no kernel kernel"},
        {"/* .address_size 64 .entry kernel() {", "no kernel kernel"},
        {"\".address_size 64 .entry kernel() {", "no kernel kernel"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char why[256] = "";
        const char *ptx = refused[i].ptx;
        ck_assert_ptr_null(instrumented_ptx(ptx, strlen(ptx), "kernel", SMS, why, sizeof why));
        ck_assert_msg(strstr(why, refused[i].reason), "%s: %s", ptx, why);
    }
}

// Cut short anywhere, what is beyond the end is not read: it cannot be.
TEST(nothing_beyond_the_end_is_read, .times = sizeof marked / sizeof *marked)
{
    char *ptx = without_marks(marked[_i], '\0'), why[256];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = strlen(ptx);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(pages != MAP_FAILED && whole < page);
    ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
    for (size_t size = 0; size <= whole; size++) {
        char *copy = pages + page - size;
        memcpy(copy, ptx, size);
        free(instrumented_ptx(copy, size, "kernel", SMS, why, sizeof why));
    }
    ck_assert_int_eq(munmap(pages, 2 * page), 0);
    free(ptx);
}

// ---- As it runs -------------------------------------------------------------------------------------

static const void *original, *substitute; // in whose place; NULL: nothing
static const void *launched;
static uint64_t launched_blocks;

cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t dynamic_shared, cudaStream_t stream);
cudaError_t __real_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t dynamic_shared, cudaStream_t stream);

cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t dynamic_shared, cudaStream_t stream)
{
    launched = kernel;
    launched_blocks = (uint64_t)grid.x * grid.y * grid.z;
    return __real_cudaLaunchKernel(original && kernel == original ? substitute : kernel, grid,
                                   block, arguments, dynamic_shared, stream);
}

static char *instrument(const void *stub, unsigned arch, int sms, const char **name)
{
    struct registered_kernel kernel;
    char why[256] = "";
    size_t size;
    ck_assert(registered_kernels_find(stub, &kernel));
    const char *ptx =
        fatbin_find_ptx(kernel.code, loaded_size(kernel.code), arch, &size, why, sizeof why);
    ck_assert_msg(ptx, "%s: %s", kernel.name, why);
    char *text = instrumented_ptx(ptx, size, kernel.name, sms, why, sizeof why);
    ck_assert_msg(text, "%s: %s", kernel.name, why);
    *name = kernel.name;
    return text;
}

// A binary with a copy of the last kernel that was launched, as a compiler's object has it. Tests' processes
// end with them.
static struct fatbin_wrapper wrapper = {FATBIN_WRAPPER_MAGIC, 1, NULL, NULL};
static char copy, counts; // what stands for its kernel and variable on the host

static void substitute_copy(int sms)
{
    const char *name;
    char *text = instrument(launched, ANY_ARCH, sms, &name);
    wrapper.data = fatbin_of_ptx(text);
    free(text);
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &copy, &copy, name, -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &counts, &counts, BLOCKS_OF_SM, 0, (size_t)sms * sizeof(uint64_t), 0,
                      0);
    __cudaRegisterFatBinaryEnd(handle);
    original = launched;
    substitute = &copy;
}

// Once: a step's blocks, of one thread or many, are those that the device's rule sends to each SM. Where the
// array is too short, only those that have a place are counted.
TEST(every_block_is_counted_on_its_sm, .times = 2 * 8)
{
    static const size_t sizes[] = {1, 33, 101, 1001}; // one kernel of the step
    const struct step *step = steps[1 + _i / 2];
    const int sms = _i % 2 ? MANY_SMS : 100;
    uint64_t counted[MANY_SMS], expected[MANY_SMS] = {0};
    run_step(step, 1);
    substitute_copy(sms);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run_step(step, sizes[i]);
        ck_assert_ptr_eq(launched, original);
        for (int sm = 0; sm < SMS && sm < sms; sm++)
            expected[sm] += sim_blocks_on_sm(launched_blocks, (unsigned)sm);
        ck_assert_int_eq(cudaMemcpyFromSymbol(counted, &counts, (size_t)sms * sizeof *counted, 0,
                                              cudaMemcpyDeviceToHost),
                         cudaSuccess);
        ck_assert_mem_eq(counted, expected, (size_t)sms * sizeof *counted);
    }
    ck_assert_uint_gt(expected[0], 1);
}

// It is the thread that is 0 in all three dimensions that counts.
TEST(a_block_of_three_dimensions_is_counted_once)
{
    struct ptx_kernel *kernel = ptx_kernel("", "");
    const dim3 grid = {3, 2, 4}, block = {2, 5, 3};
    void *out = NULL, *in = NULL, *arguments[] = {&out, &in};
    uint64_t counted[SMS], sum = 0;
    launched = kernel->address;
    substitute_copy(SMS);
    ck_assert_int_eq(cudaLaunchKernel(kernel->address, grid, block, arguments, 0, 0), cudaSuccess);
    ck_assert_int_eq(
        cudaMemcpyFromSymbol(counted, &counts, sizeof counted, 0, cudaMemcpyDeviceToHost),
        cudaSuccess);
    for (int sm = 0; sm < SMS; sm++)
        sum += counted[sm];
    ck_assert_uint_eq(sum, 3 * 2 * 4);
}

// ---- All kernels of this program --------------------------------------------------------------------

TEST(registered_kernels_are_found)
{
    struct registered_kernel found;
    int count = 0, with_variables = 0;
    for (const struct kernel *kernel = runtime.kernels; kernel; kernel = kernel->next) {
        bool has_variable = false;
        for (const struct device_variable *v = runtime.variables; v; v = v->next)
            has_variable = has_variable || v->binary == kernel->binary;
        ck_assert(registered_kernels_find(kernel->host, &found));
        ck_assert_str_eq(found.name, kernel->name);
        ck_assert_ptr_eq(found.code, kernel->binary->data);
        ck_assert_int_eq(found.variable != NULL, has_variable);
        count++;
        with_variables += has_variable;
    }
    ck_assert_int_gt(count, 20);
    ck_assert_int_gt(with_variables, 0);
    ck_assert_int_lt(with_variables, count);
    ck_assert(!registered_kernels_find(&count, &found));
}

static void assemble(const char *text, const char *name)
{
    char path[] = "/tmp/apodkit-ptx-XXXXXX", command[512];
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (long)strlen(text));
    ck_assert_int_eq(close(file), 0);
    snprintf(command, sizeof command, PTXAS " -arch=sm_90 -e '%s' -o /dev/null %s", name, path);
    ck_assert_msg(system(command) == 0, "%s of %s", command, name);
    ck_assert_int_eq(unlink(path), 0);
}

TEST(ptxas_takes_every_kernel, .skipped = *PTXAS ? NULL : "there is no ptxas")
{
    for (const struct kernel *kernel = runtime.kernels; kernel; kernel = kernel->next) {
        const char *name;
        char *text = instrument(kernel->host, ANY_ARCH, MANY_SMS, &name);
        assemble(text, name);
        free(text);
    }
}
