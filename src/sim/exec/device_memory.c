#include "sim/exec/device_memory.h"
#include "sim/ptx/align_up.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MIN_GAP = 1 << 16, HUGE_PAGE = 1 << 21 };

struct device_memory device_memory;

static struct allocation *allocations; // newest first

static void *reserve(uint64_t size)
{
    void *range = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
        return NULL;
    madvise(range, size, MADV_DONTDUMP); // a core dump would take the whole range
    return range;
}

static void release(void *range, uint64_t size)
{
    if (range)
        munmap(range, size);
}

static int reserve_all(uint64_t size, int checks)
{
    struct device_memory *m = &device_memory;
    void *base = reserve(size);
    m->base = (uint64_t)(uintptr_t)base;
    m->size = size;
    if (checks) {
        m->shadow.state = reserve(size / 4);
        m->shadow.owner = reserve(size);
        m->shadow.interval = reserve(size / 2);
        m->shadow.byte_owner = reserve(4 * size);
        m->shadow.byte_interval = reserve(2 * size);
        m->dirty = reserve((size >> DIRTY_SHIFT) + 1);
    }
    const struct shadow *s = &m->shadow;
    if (base && (!checks || (s->state && s->owner && s->interval && s->byte_owner &&
                             s->byte_interval && m->dirty)))
        return 1;
    device_memory_close();
    return 0;
}

int device_memory_open(int checks)
{
    struct device_memory *m = &device_memory;
    long pages = sysconf(_SC_PHYS_PAGES);
    uint64_t memory = pages > 0 ? (uint64_t)pages * PAGE : (uint64_t)1 << 32;
    // A limit on the host's addresses (ulimit -v, valgrind) leaves a smaller range.
    for (uint64_t size = (uint64_t)1 << 38; size >= (uint64_t)1 << 26; size /= 2) {
        if (!reserve_all(size, checks))
            continue;
        m->checks = checks;
        m->top = m->base + PAGE;
        m->capacity = memory * 3 / 4 < size / 4 ? memory * 3 / 4 : size / 4;
        m->used = 0;
        return 1;
    }
    return 0;
}

void device_memory_close(void)
{
    struct device_memory *m = &device_memory;
    release((void *)(uintptr_t)m->base, m->size);
    release(m->shadow.state, m->size / 4);
    release(m->shadow.owner, m->size);
    release(m->shadow.interval, m->size / 2);
    release(m->shadow.byte_owner, 4 * m->size);
    release(m->shadow.byte_interval, 2 * m->size);
    release(m->dirty, (m->size >> DIRTY_SHIFT) + 1);
    *m = (struct device_memory){.base = 0};
    while (allocations) {
        struct allocation *next = allocations->next;
        free(allocations);
        allocations = next;
    }
}

static uint64_t gap_behind(uint64_t size)
{
    return align_up(size > MIN_GAP ? size : MIN_GAP, PAGE);
}

// The lowest address from `start` at which `size` bytes with their gap meet no live allocation; 0
// when there is none. Freed allocations in that place are forgotten.
static uint64_t find_hole(uint64_t size, uint64_t alignment)
{
    const struct device_memory *m = &device_memory;
    uint64_t start = align_up(m->base + PAGE, alignment), need = size + gap_behind(size);
    for (struct allocation *a = allocations; a;) {
        uint64_t end = a->address + a->size + gap_behind(a->size);
        if (a->is_live && a->address < start + need && end > start) {
            start = align_up(end, alignment);
            a = allocations; // from the first again: they are in no order
        } else {
            a = a->next;
        }
    }
    return start + need <= m->base + m->size ? start : 0;
}

static void forget_freed(uint64_t start, uint64_t end)
{
    for (struct allocation **link = &allocations; *link;) {
        struct allocation *a = *link;
        if (!a->is_live && a->address < end && a->address + a->size > start) {
            *link = a->next;
            free(a);
        } else {
            link = &a->next;
        }
    }
}

static void mark_allocated(uint64_t address, uint64_t size)
{
    uint8_t *state = device_memory.shadow.state + device_word(address);
    memset(state, WORD_LIVE, size / 4);
    if (size % 4)
        state[size / 4] = (uint8_t)(WORD_LIVE | size % 4 << WORD_TAIL_SHIFT);
}

void *device_allocate(size_t size, size_t alignment)
{
    struct device_memory *m = &device_memory;
    size = size ? size : 1;
    if (size > m->capacity - m->used)
        return NULL;
    if (alignment < PAGE)
        alignment = PAGE;
    if (size >= HUGE_PAGE)
        alignment = HUGE_PAGE;
    uint64_t address = align_up(m->top, alignment), need = size + gap_behind(size);
    if (address + need > m->base + m->size)
        address = find_hole(size, alignment);
    struct allocation *allocation = address ? malloc(sizeof *allocation) : NULL;
    if (!allocation)
        return NULL;
    forget_freed(address, address + size);
    *allocation = (struct allocation){address, size, 1, allocations};
    allocations = allocation;
    if (address + need > m->top)
        m->top = address + need;
    m->used += size;
    void *pointer = (void *)(uintptr_t)address;
    if (size >= HUGE_PAGE) // a matrix walked by columns meets every page: fewer pages help
        madvise(pointer, size, MADV_HUGEPAGE);
    if (m->checks) {
        mark_allocated(address, size);
        if (size >= HUGE_PAGE) {
            madvise(m->shadow.owner + device_word(address), size, MADV_HUGEPAGE);
            madvise(m->shadow.state + device_word(address), size / 4, MADV_HUGEPAGE);
        }
    }
    return pointer;
}

static struct allocation *find_allocation(uint64_t address)
{
    for (struct allocation *a = allocations; a; a = a->next)
        if (a->is_live && address - a->address < a->size)
            return a;
    return NULL;
}

int device_free(const void *address)
{
    struct device_memory *m = &device_memory;
    struct allocation *a = find_allocation((uint64_t)(uintptr_t)address);
    if (!a || a->address != (uint64_t)(uintptr_t)address)
        return 0;
    a->is_live = 0;
    m->used -= a->size;
    uint64_t whole = align_up(a->size, PAGE);
    madvise((void *)(uintptr_t)a->address, whole, MADV_DONTNEED); // the host gets its pages back
    if (m->checks) {
        memset(m->shadow.state + device_word(a->address), WORD_FREED, (a->size + 3) / 4);
        madvise(m->shadow.owner + device_word(a->address), whole, MADV_DONTNEED);
    }
    return 1;
}

int device_contains(const void *address, size_t size)
{
    const struct allocation *a = find_allocation((uint64_t)(uintptr_t)address);
    return a && size <= a->size - ((uint64_t)(uintptr_t)address - a->address);
}

// The bytes of a word, as bits, that lie in [from, to).
static unsigned bytes_within(uint64_t word, uint64_t from, uint64_t to)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < 4; i++)
        if (word + i >= from && word + i < to)
            bits |= 1u << i;
    return bits;
}

void device_mark_written(const void *address, size_t size)
{
    if (!device_memory.checks || size == 0)
        return;
    uint64_t from = (uint64_t)(uintptr_t)address, to = from + size;
    uint8_t *state = device_memory.shadow.state;
    state[device_word(from)] |= bytes_within(from & ~(uint64_t)3, from, to);
    state[device_word(to - 1)] |= bytes_within((to - 1) & ~(uint64_t)3, from, to);
    size_t first = device_word(from + 3), last = device_word(to); // words that are wholly inside
    if (first < last)
        memset(state + first, WORD_READY, last - first);
}

static void copy_mark(uint64_t to, uint64_t from)
{
    uint8_t *state = device_memory.shadow.state, *mark = &state[device_word(to)];
    unsigned bit = 1u << (to & 3), written = state[device_word(from)] >> (from & 3) & 1;
    *mark = (uint8_t)(written ? *mark | bit : *mark & ~bit);
}

void device_copy_marks(const void *to, const void *from, size_t size)
{
    if (!device_memory.checks)
        return;
    uint64_t source = (uint64_t)(uintptr_t)from, target = (uint64_t)(uintptr_t)to;
    size_t done = 0;
    if (source % 4 == 0 && target % 4 == 0) { // word by word
        uint8_t *at = device_memory.shadow.state + device_word(target);
        const uint8_t *known = device_memory.shadow.state + device_word(source);
        for (size_t i = 0; i < size / 4; i++)
            at[i] = (uint8_t)((at[i] & ~WORD_WRITTEN) | (known[i] & WORD_WRITTEN));
        done = size / 4 * 4;
    }
    for (; done < size; done++)
        copy_mark(target + done, source + done);
}

void device_forget_owners(void)
{
    struct device_memory *m = &device_memory;
    if (!m->checks)
        return;
    enum { WORDS = 1 << (DIRTY_SHIFT - 2) };
    size_t chunks = (size_t)((m->top - m->base) >> DIRTY_SHIFT) + 1;
    for (size_t i = 0; i < chunks; i++) {
        if (m->dirty[i] & DIRTY_OWNER)
            memset(m->shadow.owner + i * WORDS, 0, WORDS * sizeof *m->shadow.owner);
        if (m->dirty[i] & DIRTY_INTERVAL)
            memset(m->shadow.interval + i * WORDS, 0, WORDS * sizeof *m->shadow.interval);
        if (m->dirty[i])
            m->dirty[i] = 0;
    }
}

// Bytes between the address and the allocation; 0 inside.
static uint64_t distance(const struct allocation *a, uint64_t address)
{
    if (address < a->address)
        return a->address - address;
    return address - a->address < a->size ? 0 : address - (a->address + a->size) + 1;
}

const struct allocation *device_nearest(uint64_t address)
{
    const struct allocation *nearest = allocations;
    for (const struct allocation *a = allocations; a; a = a->next)
        if (distance(a, address) < distance(nearest, address))
            nearest = a;
    return nearest;
}
