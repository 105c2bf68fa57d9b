// What ./run can be asked to do. Each verb has a source file of its own; it gets its own
// arguments, argv[0] being the verb and argv[-1] the program, and returns the exit status (options.h).
#ifndef VERBS_H
#define VERBS_H

int run_main(int argc, char **argv);       // run.c: no verb, the steps themselves
int metrics_main(int argc, char **argv);   // metrics.c
int occupancy_main(int argc, char **argv); // occupancy_verb.c

#endif
