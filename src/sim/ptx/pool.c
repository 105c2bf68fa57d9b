#include "sim/ptx/pool.h"

#include <stdlib.h>

#include "sim/ptx/align_up.h"

enum { CHUNK_SIZE = 1 << 16, ALIGNMENT = 16 };

struct pool_chunk {
    struct pool_chunk *next;
    size_t size;
    _Alignas(ALIGNMENT) char bytes[];
};

void *pool_take(struct pool *pool, size_t size)
{
    if (size > (size_t)-1 / 2)
        return NULL;
    size = align_up(size, ALIGNMENT);
    if (!pool->chunks || size > pool->left) {
        size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
        struct pool_chunk *chunk = calloc(1, sizeof *chunk + room);
        if (!chunk)
            return NULL;
        chunk->next = pool->chunks;
        chunk->size = room;
        pool->chunks = chunk;
        pool->left = room;
    }
    void *taken = pool->chunks->bytes + (pool->chunks->size - pool->left);
    pool->left -= size;
    return taken;
}

void pool_free(struct pool *pool)
{
    while (pool->chunks) {
        struct pool_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
    pool->left = 0;
}
