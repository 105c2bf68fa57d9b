#include "sim/ptx/symbols.h"

#include <string.h>

static unsigned bucket_of(const char *name, size_t length)
{
    unsigned hash = 2166136261u; // FNV-1a
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash % SYMBOL_BUCKETS;
}

struct symbol *symbols_find(const struct symbols *symbols, const char *name, size_t length)
{
    struct symbol *symbol = symbols->buckets[bucket_of(name, length)];
    while (symbol && (strlen(symbol->name) != length || memcmp(symbol->name, name, length) != 0))
        symbol = symbol->next_in_bucket;
    return symbol;
}

void symbols_add(struct symbols *symbols, struct symbol *symbol)
{
    struct symbol **bucket = &symbols->buckets[bucket_of(symbol->name, strlen(symbol->name))];
    symbol->next_in_bucket = *bucket;
    *bucket = symbol;
    symbol->next_newest = symbols->newest;
    symbols->newest = symbol;
}

void symbols_leave(struct symbols *symbols, const struct symbol *mark)
{
    while (symbols->newest != mark) {
        struct symbol *symbol = symbols->newest;
        symbols->buckets[bucket_of(symbol->name, strlen(symbol->name))] = symbol->next_in_bucket;
        symbols->newest = symbol->next_newest;
    }
}
