// Whatever the text is, the reader of recorded runs neither crashes nor takes it for more than it is.
#include <stdlib.h>
#include <string.h>

#include "facts/record.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct record record;
    char why[RECORD_WHY_SIZE] = "", *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (!record_parse(text, &record, why) && !*why)
        abort(); // refused without a reason
    free(text);
    return 0;
}
