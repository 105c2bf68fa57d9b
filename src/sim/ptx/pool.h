// Memory that lives and dies together: what a module is made of.
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include <stddef.h>

struct pool_chunk;

struct pool {
    struct pool_chunk *chunks;
    size_t left; // bytes unused at the end of the newest chunk
};

// `size` zeroed bytes, aligned for any type, that live until pool_free(). NULL when there is no
// memory left.
void *pool_take(struct pool *pool, size_t size);

void pool_free(struct pool *pool);

#endif
