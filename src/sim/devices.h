// The GPUs that the simulated device can stand for: a row each, chosen by name.
//
// What all GPUs of one compute capability have (limits of an SM) is in ../compute_capability.h.
#ifndef SIM_DEVICES_H
#define SIM_DEVICES_H

#include <stddef.h>

struct sim_device {
    const char *name;      // for --sim=NAME
    const char *full_name; // as NVIDIA calls the board
    int major, minor;      // compute capability
    int sms;
    int sm_clock_mhz;                      // the highest: cudaDevAttrClockRate says it in kHz
    int memory_clock_mhz, memory_bus_bits; // as cudaDeviceProp has them: two transfers a clock
    size_t memory_bytes, l2_bytes;
};

// The devices, and how many; the first is the default.
const struct sim_device *sim_devices(int *count);

// The device of that name, or NULL.
const struct sim_device *sim_device_find(const char *name);

// The peak of its DRAM in 1e9 bytes a second: 2 x memory clock x bus width.
double sim_device_peak_gbs(const struct sim_device *device);

#endif
