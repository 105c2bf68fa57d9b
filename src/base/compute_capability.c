// Sources. From 5.0 on, the table "Technical Specifications per Compute Capability" of the CUDA C++
// Programming Guide (12.9 for 5.0 to 7.2, 13.0 for the rest); before, the same table of the CUDA C
// Programming Guide 8.0 (2.0 to 3.7). The units and granularities: the CUDA Occupancy Calculator
// (spreadsheet, 11.1) for 2.x; from 3.0 on cuda_occupancy.h of CUDA 13.0, which also has the blocks
// of 10.3, 11.0 and 12.1, and lets no block run on 6.0 that would not run on 6.1 too. The reserve:
// cudaDevAttrReservedSharedMemoryPerBlock, 1 KiB since 8.0 (Ampere Tuning Guide, "Unified Shared
// Memory/L1/Texture Cache"). 255 registers a thread: the last register number reads as zero.
#include "base/compute_capability.h"

enum { K = 1 << 10 };

const struct compute_capability compute_capabilities[] = {
    // cc, family, { warps, blocks, registers: SM, block, thread, unit, granularity, that of a launch,
    //               shared memory: SM, block (opted in), unit, reserve }
    {2, 0, "Fermi", {48, 8, 32 * K, 32 * K, 63, 64, 2, 2, 48 * K, 48 * K, 128, 0}},
    {2, 1, "Fermi", {48, 8, 32 * K, 32 * K, 63, 64, 2, 2, 48 * K, 48 * K, 128, 0}},
    {3, 0, "Kepler", {64, 16, 64 * K, 64 * K, 63, 256, 4, 4, 48 * K, 48 * K, 256, 0}},
    {3, 2, "Kepler", {64, 16, 64 * K, 32 * K, 255, 256, 4, 4, 48 * K, 48 * K, 256, 0}},
    {3, 5, "Kepler", {64, 16, 64 * K, 64 * K, 255, 256, 4, 4, 48 * K, 48 * K, 256, 0}},
    {3, 7, "Kepler", {64, 16, 128 * K, 64 * K, 255, 256, 4, 4, 112 * K, 48 * K, 256, 0}},
    {5, 0, "Maxwell", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 64 * K, 48 * K, 256, 0}},
    {5, 2, "Maxwell", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 96 * K, 48 * K, 256, 0}},
    {5, 3, "Maxwell", {64, 32, 64 * K, 32 * K, 255, 256, 4, 4, 64 * K, 48 * K, 256, 0}},
    {6, 0, "Pascal", {64, 32, 64 * K, 64 * K, 255, 256, 2, 4, 64 * K, 48 * K, 256, 0}},
    {6, 1, "Pascal", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 96 * K, 48 * K, 256, 0}},
    {6, 2, "Pascal", {64, 32, 64 * K, 32 * K, 255, 256, 4, 4, 64 * K, 48 * K, 256, 0}},
    {7, 0, "Volta", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 96 * K, 96 * K, 256, 0}},
    {7, 2, "Volta", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 96 * K, 96 * K, 256, 0}},
    {7, 5, "Turing", {32, 16, 64 * K, 64 * K, 255, 256, 4, 4, 64 * K, 64 * K, 256, 0}},
    {8, 0, "Ampere", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 164 * K, 163 * K, 128, K}},
    {8, 6, "Ampere", {48, 16, 64 * K, 64 * K, 255, 256, 4, 4, 100 * K, 99 * K, 128, K}},
    {8, 7, "Ampere", {48, 16, 64 * K, 64 * K, 255, 256, 4, 4, 164 * K, 163 * K, 128, K}},
    {8, 9, "Ada", {48, 24, 64 * K, 64 * K, 255, 256, 4, 4, 100 * K, 99 * K, 128, K}},
    {9, 0, "Hopper", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 228 * K, 227 * K, 128, K}},
    {10, 0, "Blackwell", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 228 * K, 227 * K, 128, K}},
    {10, 3, "Blackwell", {64, 32, 64 * K, 64 * K, 255, 256, 4, 4, 228 * K, 227 * K, 128, K}},
    {11, 0, "Blackwell", {48, 24, 64 * K, 64 * K, 255, 256, 4, 4, 228 * K, 227 * K, 128, K}},
    {12, 0, "Blackwell", {48, 24, 64 * K, 64 * K, 255, 256, 4, 4, 100 * K, 99 * K, 128, K}},
    {12, 1, "Blackwell", {48, 24, 64 * K, 64 * K, 255, 256, 4, 4, 100 * K, 99 * K, 128, K}},
};

const int compute_capability_count = sizeof compute_capabilities / sizeof *compute_capabilities;

const struct compute_capability *compute_capability_nearest(int major, int minor)
{
    const struct compute_capability *cc = compute_capabilities + compute_capability_count - 1;
    while (cc > compute_capabilities &&
           (cc->major > major || (cc->major == major && cc->minor > minor)))
        cc--;
    return cc;
}

const struct compute_capability *compute_capability_find(int major, int minor)
{
    const struct compute_capability *nearest = compute_capability_nearest(major, minor);
    return nearest->major == major && nearest->minor == minor ? nearest : NULL;
}
