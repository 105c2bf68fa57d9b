#include "command_line/sim_option.h"

#include "base/suggest.h"
#include "facts/format.h"

#include <stdio.h>
#include <string.h>

static void print_devices(void)
{
    printf("%-9s %-23s %3s %4s %5s %9s %9s %6s\n", "--sim=", "stands for", "cc", "SMs", "MHz",
           "DRAM GB/s", "memory", "L2");
    for (int i = 0; i < sim_device_count; i++) {
        const struct sim_device *device = &sim_devices[i];
        char memory[FORMAT_SIZE], l2[FORMAT_SIZE];
        snprintf(memory, sizeof memory, "%.1f GiB", (double)device->memory_bytes / (1 << 30));
        format_bytes(l2, device->l2_bytes);
        printf("%-9s %-23s %d.%d %4d %5d %9.0f %9s %6s\n", device->name, device->full_name,
               device->major, device->minor, device->sms, device->sm_clock_mhz,
               sim_device_peak_gbs(device), memory, l2);
    }
    printf("%s is the default.\n", sim_devices->name);
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
    fprintf(stderr, "apodkit: --sim takes the name of a device, not '%s':", text);
    for (int i = 0; i < sim_device_count; i++)
        fprintf(stderr, " %s", sim_devices[i].name);
    fprintf(stderr, " (or list)\n");
    const char *meant =
        suggest(text, &sim_devices->name, (size_t)sim_device_count, sizeof *sim_devices);
    if (meant)
        fprintf(stderr, "Did you mean --sim=%s?\n", meant);
    return PARSED_WRONG;
}
