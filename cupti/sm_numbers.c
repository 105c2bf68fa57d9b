#include "cupti/sm_numbers.h"

#include <inttypes.h>
#include <stdio.h>

bool list_sms(const uint64_t counts[MAX_SMS], uint64_t launched, int sms, struct sm_blocks *blocks)
{
    uint64_t sum = 0;
    int numbers = sms, used = 0;
    for (int i = 0; i < MAX_SMS; i++) {
        sum += counts[i];
        used += counts[i] > 0;
        if (counts[i] > 0 && i >= numbers)
            numbers = i + 1;
    }
    if (sum != launched || used > sms || numbers > MAX_SMS) {
        snprintf(blocks->why, sizeof blocks->why,
                 "%" PRIu64 " blocks were counted on %d SMs, and %" PRIu64
                 " were launched on a device that has %d",
                 sum, used, launched, sms);
        return false;
    }
    int spare = numbers - sms;
    blocks->sms = 0;
    for (int i = 0; i < numbers; i++) {
        if (counts[i] == 0 && spare > 0)
            spare--;
        else
            blocks->blocks[blocks->sms++] = counts[i];
    }
    return true;
}
