// --sim[=NAME]: which GPU the simulated device stands for.
#ifndef SIM_OPTION_H
#define SIM_OPTION_H

#include "base/sim_devices.h"
#include "verbs/verb.h"

// Takes the option's argument, NULL when it has none, for the name of a device in `name` (NULL: the
// default one). PARSED_DONE for "list", which prints the table of them; PARSED_WRONG after a message
// on standard error for what is none of the names.
enum parsed parse_sim(const char *text, const char **name);

// The simulated device that comes nearest to a GPU of this name and compute capability: the one whose
// name is a word of the GPU's, else the one of the nearest capability. Never NULL.
const struct sim_device *sim_device_nearest(const char *gpu, int major, int minor);

// Whether it is that GPU: the device's name is a word of the GPU's.
bool sim_device_is(const struct sim_device *device, const char *gpu);

#endif
