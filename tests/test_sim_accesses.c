// What an access moves beside the least that it could: single accesses as an NVIDIA H200 counted them,
// and what must hold of any.
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "sim/count/access.h"

#include "suites.h"

// Lane l of those in the mask is at l / share * stride + offset, in elements.
struct case_of_access {
    const char *name;
    unsigned size, share, stride, offset;
    uint32_t mask;
    unsigned sectors, ideal_sectors, wavefronts, ideal_wavefronts;
};

static struct access make_access(const struct case_of_access *c)
{
    struct access access = {.mask = c->mask, .size = c->size};
    for (unsigned l = 0; l < LANES; l++)
        access.address[l] = 4096 + (l / c->share * c->stride + c->offset) * c->size;
    access_classify(&access);
    return access;
}

// smsp__sass_sectors_mem_global, smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared and the ideal of each,
// counted on an NVIDIA H200 (driver 580, CUPTI 13.0); 0 where an access was tried in one space alone.
static const struct case_of_access h200[] = {
    {"side by side", 4, 1, 1, 0, ALL_LANES, 4, 4, 1, 1},
    {"one element for all", 4, 32, 1, 0, ALL_LANES, 1, 1, 1, 1},
    {"every second element", 4, 1, 2, 0, ALL_LANES, 8, 4, 2, 1},
    {"every eighth element", 4, 1, 8, 0, ALL_LANES, 32, 4, 0, 0},
    {"a column", 4, 1, 32, 0, ALL_LANES, 0, 0, 32, 1},
    {"two lanes an element", 4, 2, 1, 0, ALL_LANES, 2, 2, 1, 1},
    {"four lanes an element", 4, 4, 1, 0, ALL_LANES, 1, 1, 1, 1},
    {"not aligned to a sector", 4, 1, 1, 1, ALL_LANES, 5, 4, 0, 0},
    {"8 bytes a lane", 8, 1, 1, 0, ALL_LANES, 8, 8, 2, 2},
    {"16 bytes a lane", 16, 1, 1, 0, ALL_LANES, 16, 16, 4, 4},
    {"16 bytes, every third", 16, 1, 3, 0, ALL_LANES, 32, 16, 0, 0},
    {"a byte a lane", 1, 1, 1, 0, ALL_LANES, 1, 1, 0, 0},
    {"five lanes", 4, 1, 1, 0, 0x1F, 1, 1, 1, 1},
    {"five lanes, 16 bytes each", 16, 1, 1, 0, 0x1F, 0, 0, 1, 1},
    {"ten lanes of each half, 16 bytes", 16, 1, 1, 0, 0x03FF03FF, 0, 0, 4, 3},
    {"odd lanes", 4, 1, 1, 0, 0xAAAAAAAA, 4, 2, 0, 0},
};

PROGRAM(sim_accesses, .seconds = 60)

TEST(single_accesses_are_as_on_the_hardware, .times = sizeof h200 / sizeof *h200)
{
    const struct case_of_access *c = &h200[_i];
    struct access access = make_access(c);
    struct footprint footprint = access_footprint(&access);
    if (c->sectors) {
        ck_assert_msg(footprint.sectors == c->sectors, "%s: %u", c->name, footprint.sectors);
        ck_assert_msg(access_ideal_sectors(&access, footprint.sectors) == c->ideal_sectors, "%s",
                      c->name);
    }
    if (c->wavefronts) {
        ck_assert_msg(access_wavefronts(&access) == c->wavefronts, "%s", c->name);
        ck_assert_msg(access_ideal_wavefronts(&access, c->wavefronts) == c->ideal_wavefronts, "%s",
                      c->name);
    }
}

// Any lanes at any aligned addresses: nothing beats the ideal, which is at least one pass.
TEST(nothing_beats_the_ideal)
{
    srand(1);
    for (int i = 0; i < 200000; i++) {
        struct access access = {.mask = (uint32_t)rand() << 16 ^ (uint32_t)rand(),
                                .size = 1u << rand() % 5};
        unsigned range = 1u << rand() % 12;
        for (int l = 0; l < LANES; l++)
            access.address[l] = (uint64_t)(unsigned)rand() % range * access.size;
        if (rand() % 4 == 0)
            access.mask = ALL_LANES;
        if (access.mask == 0)
            continue;
        access_classify(&access);
        struct footprint footprint = access_footprint(&access);
        unsigned sectors = access_ideal_sectors(&access, footprint.sectors);
        unsigned wavefronts = access_ideal_wavefronts(&access, access_wavefronts(&access));
        unsigned kepler = access_ideal_wavefronts_kepler(access_bytes(&access));
        if (sectors < 1 || sectors > footprint.sectors || wavefronts < 1 ||
            wavefronts > access_wavefronts(&access) || kepler < 1 ||
            kepler > access_wavefronts_kepler(&access))
            ck_abort_msg("%d: size %u, mask %x, range %u: %u of %u sectors, %u of %u wavefronts, "
                         "%u of %u on Kepler",
                         i, access.size, access.mask, range, sectors, footprint.sectors, wavefronts,
                         access_wavefronts(&access), kepler, access_wavefronts_kepler(&access));
    }
}
