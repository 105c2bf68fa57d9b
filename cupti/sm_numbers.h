// From counts by SM number to a list of the device's SMs.
#ifndef SM_NUMBERS_H
#define SM_NUMBERS_H

#include "measure/block_counter.h"

// Lists in `blocks` the counts of a device's `sms` SMs. Their numbers may have gaps (%smid in the PTX ISA): where
// there are more numbers than SMs, of those without a block the first are left out, as many as need be. False
// with the reason in blocks->why when the counts are not those of `launched` blocks on so many SMs.
bool list_sms(const uint64_t counts[MAX_SMS], uint64_t launched, int sms, struct sm_blocks *blocks);

#endif
