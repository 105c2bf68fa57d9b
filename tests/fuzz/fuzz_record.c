// Whatever the text is, the reader of recorded runs neither crashes nor takes it for more than it is.
#include <stdlib.h>
#include <string.h>

#include "files/run_read.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run run;
    char why[RUN_WHY_SIZE] = "", *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (!run_parse(text, &run, why) && !*why)
        abort(); // refused without a reason
    free(text);
    return 0;
}
