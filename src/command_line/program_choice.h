// Which of the kit's two programs it is to be: ./run is one of them, and hands over to the other.
#ifndef PROGRAM_CHOICE_H
#define PROGRAM_CHOICE_H

#include <stdbool.h>

// Which of the two programs: the one on a GPU, or the one on the simulated device.
enum device_choice { GPU_IF_ANY, GPU_ONLY, SIMULATED_ONLY };

// Makes sure that this is the program that was chosen, or continues as it with the same arguments, argv[0] to NULL;
// the simulated device will be the one named, or the default when the name is NULL. Says when it is older than its
// sources; a setting in the environment that makes no sense ends it. False after a message on standard error when
// the program is not built.
bool program_choose(enum device_choice choice, const char *sim_device, char **argv);

// Where no GPU can be used, continues as the simulated program, if that will do. Returns where it will not, or is
// not built: then the reason why there is no GPU is what is left to say.
void program_without_gpu(enum device_choice choice, char **argv);

#endif
