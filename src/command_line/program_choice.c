#define _POSIX_C_SOURCE 200809L // setenv
#include "command_line/program_choice.h"

#include "base/platform.h"
#include "base/programs.h"
#include "command_line/stale_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Continues as the other program. Returns only when there is none beside this one.
static void become(bool simulated, char **argv)
{
    char other[KIT_PATH_SIZE];
    if (program_path(simulated, other))
        execv(other, argv);
}

void program_without_gpu(enum device_choice choice, char **argv)
{
    if (choice == GPU_IF_ANY && !platform.simulated)
        become(true, argv);
}

bool program_choose(enum device_choice choice, const char *sim_device, char **argv)
{
    // src/sim/sim.h says what the runtime reads there.
    if (sim_device && setenv("APODKIT_SIM_DEVICE", sim_device, 1) != 0) {
        fprintf(stderr, "apodkit: the environment cannot hold APODKIT_SIM_DEVICE: %s\n",
                strerror(errno));
        return false;
    }
    bool simulated = platform.simulated;
    if (choice == GPU_IF_ANY || simulated == (choice == SIMULATED_ONLY)) {
        stale_note(argv);
        if (platform.checks_accesses)
            (void)platform.checks_accesses(); // reads the environment
        return true;
    }
    become(!simulated, argv);
    fprintf(stderr, "apodkit: the program %s is not built: `make` builds it where it can.\n",
            simulated ? "for GPUs (--gpu)" : "with the simulated device (--sim)");
    return false;
}
