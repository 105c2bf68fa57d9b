// A copy that ends the process when it is asked for its bytes.
#include "copy.h"

#include <stdlib.h>

static double useful_bytes(size_t n)
{
    exit(n > 0 ? 5 : 6);
}

MYSTERY(17, copy_on_cpu, useful_bytes)
