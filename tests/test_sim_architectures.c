// The steps' PTX for every architecture that the compiler knows is read, and turns matrices.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fatbin.h"
#include "ptx_fatbin.h"
#include "sim/cuda/runtime.h"
#include "sim_steps.h"
#include "suites.h"

static const unsigned archs[] = {75, 80, 86, 89, 90, 100, 120};
enum { ARCHS = sizeof archs / sizeof *archs, MAX_FATBIN = 1 << 20 };

// A step and its text for one architecture.
static struct {
    const struct step *step;
    const char *ptx;
} compiled[MAX_STEPS * ARCHS];
static int compiled_count;

__attribute__((noreturn)) static void give_up(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    exit(EXIT_FAILURE);
}

// Adds the step's text for the architecture; 0 when there is none for just that one.
static int add_compiled(const struct step *step, unsigned arch)
{
    static unsigned char bytes[MAX_FATBIN];
    char path[256], target[32], why[256] = "";
    size_t ptx_size = 0;
    snprintf(path, sizeof path, ARCHITECTURES "/%.*s.fatbin", (int)strlen(step->file) - 3,
             step->file);
    snprintf(target, sizeof target, ".target sm_%u", arch);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!file || ferror(file) || size == sizeof bytes)
        give_up(path, "it cannot be read");
    fclose(file);
    const char *ptx = fatbin_find_ptx(bytes, size, arch, &ptx_size, why, sizeof why);
    if (!ptx)
        give_up(path, why);
    if (!memmem(ptx, ptx_size, target, strlen(target)))
        return 0;
    compiled[compiled_count].step = step;
    compiled[compiled_count].ptx = strndup(ptx, ptx_size);
    if (!compiled[compiled_count++].ptx)
        give_up(path, "no memory left for it");
    return 1;
}

// Puts it in the place of what the program holds of the same kernels.
static void replace_code(const char *ptx)
{
    int replaced = 0;
    const void *fatbin = fatbin_of_ptx(ptx);
    for (struct kernel *kernel = runtime.kernels; kernel; kernel = kernel->next)
        if (strstr(ptx, kernel->name)) {
            kernel->binary->data = fatbin;
            replaced++;
        }
    ck_assert_int_gt(replaced, 0);
}

SUITE_OF_ITS_OWN(sim_architectures)

TEST(a_step_runs)
{
    replace_code(compiled[_i].ptx);
    run_step(compiled[_i].step, 1);
    run_step(compiled[_i].step, 101);
    run_step(compiled[_i].step, 128);
}

int main(void)
{
    for (int i = 0; i < ARCHS; i++) {
        int known = 0;
        for (int k = 0; k < step_count; k++)
            known += add_compiled(steps[k], archs[i]);
        if (!known)
            printf("Skipped, because the compiler does not know it: sm_%u\n", archs[i]);
    }
    if (compiled_count == 0)
        give_up(ARCHITECTURES, "no step was compiled");
    test_entries[test_entry_count - 1].times = compiled_count; // of the only test
    return run_suite("sim_architectures");
}
