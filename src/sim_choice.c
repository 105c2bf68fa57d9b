#include "sim_choice.h"

#include "format.h"
#include "sim/devices.h"

#include <string.h>

static void print_devices(void)
{
    int count;
    const struct sim_device *devices = sim_devices(&count);
    printf("%-9s %-24s %4s %4s %6s %10s %9s %8s\n", "--sim=", "stands for", "cc", "SMs", "MHz",
           "DRAM GB/s", "memory", "L2");
    for (int i = 0; i < count; i++) {
        const struct sim_device *device = &devices[i];
        char memory[FORMAT_SIZE], l2[FORMAT_SIZE];
        snprintf(memory, sizeof memory, "%.1f GiB", (double)device->memory_bytes / (1 << 30));
        format_bytes(l2, device->l2_bytes);
        printf("%-9s %-24s %2d.%d %4d %6d %10.0f %9s %8s%s\n", device->name, device->full_name,
               device->major, device->minor, device->sms, device->sm_clock_mhz,
               sim_device_peak_gbs(device), memory, l2, i == 0 ? "  the default" : "");
    }
}

enum parsed parse_sim(const char *text, const char **name)
{
    *name = text;
    if (!text || sim_device_find(text))
        return PARSED_RUN;
    if (strcmp(text, "list") == 0) {
        print_devices();
        return PARSED_DONE;
    }
    int count;
    const struct sim_device *devices = sim_devices(&count);
    fprintf(stderr, "apodkit: --sim takes the name of a device, not '%s':", text);
    for (int i = 0; i < count; i++)
        fprintf(stderr, " %s", devices[i].name);
    fprintf(stderr, " (or list)\n");
    return PARSED_WRONG;
}
