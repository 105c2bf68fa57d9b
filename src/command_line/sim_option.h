// --sim[=NAME]: which GPU the simulated device stands for.
#ifndef SIM_OPTION_H
#define SIM_OPTION_H

#include "base/sim_devices.h"
#include "command_line/verb.h"

// Takes the option's argument, NULL when it has none, for the name of a device in `name` (NULL: the
// default one). PARSED_DONE for "list", which prints the table of them; PARSED_WRONG after a message
// on standard error for what is none of the names.
enum parsed parse_sim(const char *text, const char **name);

#endif
