#include "devices.h"

#include <string.h>

static const size_t M = 1 << 20;

static const struct sim_device devices[] = {
    // NVIDIA H200 SXM, as cudaGetDeviceProperties() and cudaDeviceGetAttribute() describe it.
    {.name = "h200",
     .full_name = "NVIDIA H200",
     .major = 9,
     .minor = 0,
     .sms = 132,
     .sm_clock_mhz = 1980,
     .memory_clock_mhz = 3201,
     .memory_bus_bits = 6016,
     .memory_bytes = 150109880320,
     .l2_bytes = 60 * M,
     .timing = {.alu_latency = 4.2,
                .shared_latency = 29,
                .l1_latency = 32,
                .l2_latency = 273,
                .dram_latency = 651,
                .barrier_latency = 12,
                .barrier_warp = 2,
                .tag = 0.75,
                .load_packet = 1,
                .load_sector = 0.42,
                .store_sector = 1,
                .store_partial = 2,
                .l2_load_packet = 1.61,
                .l2_store_packet = 2.94,
                .l2_partial_packet = 3.46,
                .l2_read_sector = 0.91,
                .l2_write_sector = 1.75,
                .dram_read_gbs = 4660,
                .dram_write_gbs = 4670,
                .dram_copy_gbs = 4260,
                .dram_read_page = 0.0,
                .dram_write_page = 0.0091,
                .launch_us = 4.2,
                .block_interval = 1.18,
                .block_turnaround = 270,
                .warp_launch = 2,

                .shared_queue = 15,
                .global_queue = 6,
                .schedulers = 4,
                .l1_bytes = 256 << 10,
                .l1_holds_global = 1}},
    // H100 SXM5 80 GB: NVIDIA's "H100 Tensor Core GPU Architecture" (132 SMs, 50 MB of L2, five
    // stacks of HBM3, 3352 GB/s); clocks and memory as nvidia-smi has them (1980 and 2619 MHz).
    {.name = "h100",
     .full_name = "NVIDIA H100 80GB HBM3",
     .major = 9,
     .minor = 0,
     .sms = 132,
     .sm_clock_mhz = 1980,
     .memory_clock_mhz = 2619,
     .memory_bus_bits = 5120,
     .memory_bytes = 81559 * M,
     .l2_bytes = 50 * M},
    // A100 SXM4, the one of 80 GB: NVIDIA's "A100 80GB" data sheet (2039 GB/s) and "A100 Tensor
    // Core GPU Architecture" (108 SMs, 1410 MHz boost, 40 MB of L2, a bus of 5120 bits).
    {.name = "a100",
     .full_name = "NVIDIA A100-SXM4-80GB",
     .major = 8,
     .minor = 0,
     .sms = 108,
     .sm_clock_mhz = 1410,
     .memory_clock_mhz = 1593,
     .memory_bus_bits = 5120,
     .memory_bytes = 81920 * M,
     .l2_bytes = 40 * M},
    // V100 SXM2 16 GB: NVIDIA's "Tesla V100 GPU Architecture" (80 SMs, 1530 MHz boost, 6 MB of L2,
    // 4096 bits, 900 GB/s); memory and its clock (877 MHz) as deviceQuery prints them.
    {.name = "v100",
     .full_name = "Tesla V100-SXM2-16GB",
     .major = 7,
     .minor = 0,
     .sms = 80,
     .sm_clock_mhz = 1530,
     .memory_clock_mhz = 877,
     .memory_bus_bits = 4096,
     .memory_bytes = 16160 * M,
     .l2_bytes = 6 * M},
    // T4: deviceQuery (40 SMs, 1590 MHz, 5001 MHz x 256 bits, 15110 MiB, 4 MiB of L2). Under load
    // its 70 W seldom let it run at that clock.
    {.name = "t4",
     .full_name = "Tesla T4",
     .major = 7,
     .minor = 5,
     .sms = 40,
     .sm_clock_mhz = 1590,
     .memory_clock_mhz = 5001,
     .memory_bus_bits = 256,
     .memory_bytes = 15110 * M,
     .l2_bytes = 4 * M},
    // GeForce RTX 4090: NVIDIA's "Ada GPU Architecture" (128 SMs, 2520 MHz boost, 72 MB of L2,
    // 384 bits of GDDR6X at 21 Gbit/s, 1008 GB/s); memory as nvidia-smi has it.
    {.name = "rtx4090",
     .full_name = "NVIDIA GeForce RTX 4090",
     .major = 8,
     .minor = 9,
     .sms = 128,
     .sm_clock_mhz = 2520,
     .memory_clock_mhz = 10501,
     .memory_bus_bits = 384,
     .memory_bytes = 24564 * M,
     .l2_bytes = 72 * M},
    // The Kepler board of the GTC 2012 deck, from before the Tesla K20X was for sale. Its 14 SMs are
    // in the deck's per-SM trace and its peak of 183 GB/s in the DRAM figures, which NVIDIA never
    // sold so: a memory clock of 1906 MHz on the 384 bits of the K20X gives it. The rest is the
    // K20X's (NVIDIA's "Tesla K20X" board specification: GK110, 732 MHz, 1.5 MB of L2, 6 GB).
    {.name = "kepler",
     .full_name = "Kepler GK110 (GTC 2012)",
     .major = 3,
     .minor = 5,
     .sms = 14,
     .sm_clock_mhz = 732,
     .memory_clock_mhz = 1906,
     .memory_bus_bits = 384,
     .memory_bytes = 6144 * M,
     .l2_bytes = 1536 << 10},
};

enum { DEVICES = sizeof devices / sizeof *devices };

const struct sim_device *sim_devices(int *count)
{
    *count = DEVICES;
    return devices;
}

const struct sim_device *sim_device_find(const char *name)
{
    for (int i = 0; i < DEVICES; i++)
        if (strcmp(devices[i].name, name) == 0)
            return &devices[i];
    return NULL;
}

double sim_device_peak_gbs(const struct sim_device *device)
{
    return 2e6 * device->memory_clock_mhz * device->memory_bus_bits / 8 * 1e-9;
}
