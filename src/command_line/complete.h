// ./run --complete WORD...: what may stand in the place of the last word, for docs/completion.bash.
#ifndef COMPLETE_H
#define COMPLETE_H

// Prints the candidates, one a line. The words are those behind ./run, with "=" as one of its own, as bash hands
// them over; the last is the start of what is wanted, perhaps "".
void complete(int count, char *const *words);

#endif
