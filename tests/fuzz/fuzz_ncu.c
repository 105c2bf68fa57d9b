// Whatever the text is, the reader of Nsight Compute's CSV neither crashes nor refuses it without a reason, and a run that
// it makes is one that can be written.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "facts/shared_results.h"
#include "files/ncu_run.h"
#include "fuzz.h"

static int number_of(void *context, const char *kernel)
{
    (void)context;
    return strcmp(kernel, "transpose_shared_tile") == 0 ? 4 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run run;
    char why[NCU_WHY_SIZE] = "", *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    memset(&run, 0, sizeof run);
    bool good = ncu_parse(text, 0, number_of, NULL, &run, why);
    if (!good && !*why)
        abort(); // refused without a reason
    if (good && (run.n < 1 || run.n > MAX_N || !device_sound(&run.device)))
        abort();
    for (int i = 0; good && i < run.count; i++)
        if (!timing_sound(&run.steps[i].timing) || !value_sound(&run.steps[i].values[TIME_MS]))
            abort();
    free(text);
    return 0;
}
