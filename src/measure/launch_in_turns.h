// The candidates of a tuning, verified each, and then launched in turns, so that whatever the machine does meanwhile, it
// does to all of them; under supervision, as their code is anybody's.
#ifndef LAUNCH_IN_TURNS_H
#define LAUNCH_IN_TURNS_H

#include "facts/tuning_verdicts.h"

#include <stdbool.h>
#include <stdio.h>

struct turns {
    int device;
    double timeout_s;
    FILE *output; // where what the candidates print goes

    // Called when it has come to another candidate, at its place, or to the turns, at tuning->count.
    void (*show)(const struct tuning *tuning, int place);
};

// Verifies the candidates that are pending, at tuning->n, and finds the fastest of them. The device and everything of
// the candidates but their numbers is filled in. False when nothing came of it: tuning->fatal says why.
bool launch_in_turns(const struct turns *turns, struct tuning *tuning);

#endif
