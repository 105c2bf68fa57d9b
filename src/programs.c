#define _POSIX_C_SOURCE 200809L // readlink, setenv
#include "programs.h"

#include "profiler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool kit_path(const char *inside, char path[KIT_PATH_SIZE])
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return false;
    self[length] = '\0';
    for (int i = 0; i < 3; i++) { // from build/gpu/run up
        char *slash = strrchr(self, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    return snprintf(path, KIT_PATH_SIZE, "%s/%s", self, inside) < KIT_PATH_SIZE;
}

bool program_become(bool simulated, char **argv)
{
    char other[KIT_PATH_SIZE];
    if (kit_path(simulated ? "build/sim/run" : "build/gpu/run", other))
        execv(other, argv);
    return false; // there is none
}

bool program_choose(enum device_choice choice, const char *sim_device, char **argv)
{
    // src/sim/sim.h says what the runtime reads there.
    if (sim_device && setenv("APODKIT_SIM_DEVICE", sim_device, 1) != 0) {
        fprintf(stderr, "apodkit: the environment cannot hold APODKIT_SIM_DEVICE: %s\n",
                strerror(errno));
        return false;
    }
    bool simulated = profiler_simulates();
    if (choice == GPU_IF_ANY || simulated == (choice == SIMULATED_ONLY))
        return true;
    (void)program_become(!simulated, argv);
    fprintf(stderr, "apodkit: the program %s is not built: `make` builds it where it can.\n",
            simulated ? "for GPUs (--gpu)" : "with the simulated device (--sim)");
    return false;
}
