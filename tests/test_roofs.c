// The roofs that a run measures on a GPU: who is launched for which, over what; on the simulated device they are absent by
// name. That the kernels do what they are said to is for sim_roofs.
#include "measure/roof_kernels.h"
#include "measure/roofs.h"
#include "schema.h"
#include "suites.h"
#include "support.h"

static char called;
static size_t over;

static void copy(void *out, const void *in, size_t quads)
{
    (void)out, (void)in;
    called = 'c', over = quads;
}

static void read_in(void *out, const void *in, size_t quads)
{
    (void)out, (void)in;
    called = 'r', over = quads;
}

static void write_out(void *out, const void *in, size_t quads)
{
    (void)out, (void)in;
    called = 'w', over = quads;
}

SUITE(roofs)

TEST(each_has_its_kernel)
{
    static const struct roof_kernels fakes = {copy, read_in, write_out};
    static const char calls[ROOFS] = {[COPY_KERNEL] = 'c', [PURE_READ] = 'r', [PURE_WRITE] = 'w'};
    static uint32_t nowhere[1];         // the fakes touch nothing
    struct problem problem = {.n = 101, // a word is left over
                              .in = {.memory = nowhere},
                              .out = {.memory = nowhere}};
    roof_kernels_register(&fakes);
    ck_assert(roofs_known());
    for (enum roof i = 0; i < ROOFS; i++) {
        (void)roof_launch_once(i, &problem); // whether there is a device is no matter
        ck_assert_int_eq(called, calls[i]);
        ck_assert_uint_eq(over, 101 * 101 / 4);
        ck_assert(roof_bytes(i, 101) == (i == COPY_KERNEL ? 2 : 1) * 2550.0 * 16);
    }
}

TEST(the_simulated_device_says_that_it_has_none)
{
    cJSON *run = type_json("build/sim/run --sim 3 -n 64 --json -");
    assert_run_schema(run);
    const cJSON *roofs = json_member(run, "roofs");
    ck_assert(json_number(roofs, "device_copy/gbs") > 0);
    const cJSON *read = json_member(roofs, "read");
    ck_assert(cJSON_IsNull(json_member(read, "gbs")));
    ck_assert_str_eq(json_string(read, "provenance/gbs"),
                     "unavailable: the device's own copy alone is modelled");
}
