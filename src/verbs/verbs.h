// What ./run can be asked to do. Each verb has a source file of its own; it gets its own
// arguments, argv[0] being the verb and argv[-1] the program, and returns the exit status (options.h).
#ifndef VERBS_H
#define VERBS_H

typedef int verb_main(int argc, char **argv);

verb_main run_main;       // run.c: no verb, the steps themselves
verb_main compare_main;   // compare.c
verb_main explain_main;   // explain.c
verb_main export_main;    // export.c
verb_main history_main;   // history.c
verb_main hotspots_main;  // hotspots.c
verb_main metrics_main;   // metrics.c
verb_main occupancy_main; // occupancy_verb.c
verb_main stalls_main;    // stalls.c
verb_main sweep_main;     // sweep.c
verb_main trace_main;     // trace.c

// The verb of that name, or NULL.
verb_main *verb_find(const char *name);

// The verb that somebody may have meant who typed this, or NULL (suggest.h).
const char *verb_suggest(const char *typed);

#endif
