#define _GNU_SOURCE // flock
#include "verbs/build_lock.h"

#include "base/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

int build_lock(void)
{
    char path[KIT_PATH_SIZE];
    int lock = kit_path("build/inner_make.lock", path)
                   ? open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666)
                   : -1;
    while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
        ;
    return lock;
}
