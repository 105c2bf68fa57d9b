#define _GNU_SOURCE // RLIM_NLIMITS
#include "measure/resource_limits.h"

#include <sys/resource.h>

static struct rlimit kept[RLIM_NLIMITS];

void resource_limits_keep(void)
{
    for (int i = 0; i < RLIM_NLIMITS; i++)
        getrlimit(i, &kept[i]);
}

bool resource_limits_restore(void)
{
    bool restored = true;
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit now;
        if (getrlimit(i, &now) == 0 &&
            (now.rlim_cur != kept[i].rlim_cur || now.rlim_max != kept[i].rlim_max))
            restored = setrlimit(i, &kept[i]) == 0 && restored;
    }
    return restored;
}
