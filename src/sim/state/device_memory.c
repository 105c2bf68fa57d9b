#include "sim/state/device_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/count/access.h"
#include "sim/ptx/align_up.h"

// Allocations begin at multiples of a page, large ones and the range itself at those of a huge one: the same on every
// host, whose own pages may be larger, as predictions depend on addresses.
enum { PAGE = 4096, MIN_GAP = 1 << 16, HUGE_PAGE = 1 << 21 };
enum { PIECE = 1 << DIRTY_SHIFT, PIECE_LINES = PIECE / LINE_SIZE };

struct device_memory device_memory;

static struct allocation *allocations; // newest first

// What is not given back, as the host may refuse to cut a mapping, stays reserved: that takes addresses alone.
static void release(void *range, uint64_t size)
{
    if (range && size)
        munmap(range, size);
}

// At a multiple of a huge page, where not every host's mmap() puts large ranges: what is mapped around it is
// given back.
static void *reserve(uint64_t size)
{
    char *mapped = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    uint64_t address = (uint64_t)(uintptr_t)mapped;
    uint64_t before = align_up(address, HUGE_PAGE) - address;
    char *range = mapped + before;
    release(mapped, before);
    release(range + size, HUGE_PAGE - before);
    madvise(range, size, MADV_DONTDUMP); // a core dump would take the whole range
    return range;
}

// What is reserved: where its address is noted, and how many bytes there are for each piece of the memory.
static const struct {
    size_t at;
    uint64_t bytes;
} ranges[] = {
#define RANGE(member, bytes)                                                                       \
    {                                                                                              \
        offsetof(struct device_memory, member), bytes                                              \
    }
    RANGE(base, PIECE), // alone where nothing is checked
    RANGE(shadow.state, PIECE / 4),
    RANGE(shadow.owner, PIECE),
    RANGE(shadow.interval, PIECE / 2),
    RANGE(shadow.byte_owner, 4 * PIECE),
    RANGE(shadow.byte_interval, 2 * PIECE),
    RANGE(others.owner, PIECE),
    RANGE(others.interval, PIECE / 2),
    RANGE(others.byte_owner, 4 * PIECE),
    RANGE(others.byte_interval, 2 * PIECE),
    RANGE(claims, PIECE_LINES * sizeof *device_memory.claims),
    RANGE(saved, PIECE),
    RANGE(saved_state, PIECE / 4),
    RANGE(dirty, sizeof *device_memory.dirty),
#undef RANGE
};
enum { RANGES = sizeof ranges / sizeof *ranges };
#define LEAST ((uint64_t)1 << 26)

static void *range_at(int i)
{
    void *range;
    memcpy(&range, (char *)&device_memory + ranges[i].at, sizeof range);
    return range;
}

static uint64_t range_size(int i, uint64_t size)
{
    return align_up(size / PIECE * ranges[i].bytes, HUGE_PAGE);
}

static int reserve_all(uint64_t size, int checks)
{
    device_memory.size = size;
    for (int i = 0; i < (checks ? RANGES : 1); i++) {
        void *range = reserve(range_size(i, size));
        if (!range) {
            device_memory_close();
            return 0;
        }
        memcpy((char *)&device_memory + ranges[i].at, &range, sizeof range);
    }
    device_memory.others.state = device_memory.shadow.state;
    return 1;
}

uint64_t device_memory_least(int checks)
{
    uint64_t sum = HUGE_PAGE; // what reserve() gives back of the last
    for (int i = 0; i < (checks ? RANGES : 1); i++)
        sum += range_size(i, LEAST);
    return sum;
}

int device_memory_open(int checks)
{
    struct device_memory *m = &device_memory;
    long pages = sysconf(_SC_PHYS_PAGES);
    uint64_t memory =
        pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : (uint64_t)1 << 32;
    // A limit on the host's addresses (ulimit -v, valgrind) leaves a smaller range.
    for (uint64_t size = (uint64_t)1 << 38; size >= LEAST; size /= 2) {
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
    for (int i = 0; i < RANGES; i++)
        release(range_at(i), range_size(i, m->size));
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

void *device_allocate(size_t size, size_t alignment, enum owner owner)
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
    *allocation = (struct allocation){address, size, owner, 1, allocations};
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
            madvise(m->saved + (address - m->base), size, MADV_HUGEPAGE);
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

// The host gets an allocation's pages back, of a range as large as memory. Around it is a gap, which is
// larger than any host's pages.
static void give_back(void *range, const struct allocation *a)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t from = (a->address - device_memory.base) / page * page;
    uint64_t to = align_up(a->address - device_memory.base + a->size, page);
    madvise((char *)range + from, to - from, MADV_DONTNEED);
}

const struct allocation *device_allocation(const void *address)
{
    return find_allocation((uint64_t)(uintptr_t)address);
}

int device_free(const void *address, enum owner owner)
{
    struct device_memory *m = &device_memory;
    struct allocation *a = find_allocation((uint64_t)(uintptr_t)address);
    if (!a || a->address != (uint64_t)(uintptr_t)address || a->owner != owner)
        return 0;
    a->is_live = 0;
    m->used -= a->size;
    give_back((void *)(uintptr_t)m->base, a);
    if (m->checks) {
        memset(m->shadow.state + device_word(a->address), WORD_FREED, (a->size + 3) / 4);
        give_back(m->shadow.owner, a);
        give_back(m->saved, a);
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

static size_t pieces(void)
{
    return (size_t)((device_memory.top - device_memory.base) >> DIRTY_SHIFT) + 1;
}

static void forget_piece(size_t piece)
{
    const struct device_memory *m = &device_memory;
    size_t word = piece * PIECE_WORDS;
    if (m->dirty[piece] & DIRTY_OWNER) {
        memset(m->shadow.owner + word, 0, PIECE_WORDS * sizeof *m->shadow.owner);
        memset(m->claims + piece * PIECE_LINES, 0, PIECE_LINES * sizeof *m->claims);
    }
    if (m->dirty[piece] & DIRTY_INTERVAL)
        memset(m->shadow.interval + word, 0, PIECE_WORDS * sizeof *m->shadow.interval);
    if (m->dirty[piece] & DIRTY_OTHERS) {
        memset(m->others.owner + word, 0, PIECE_WORDS * sizeof *m->others.owner);
        memset(m->others.interval + word, 0, PIECE_WORDS * sizeof *m->others.interval);
    }
    m->dirty[piece] = 0;
}

void device_forget_owners(void)
{
    for (size_t i = 0; device_memory.checks && i < pieces(); i++)
        if (device_memory.dirty[i])
            forget_piece(i);
}

void device_note_dirty(size_t piece, uint8_t what)
{
    static pthread_mutex_t saving = PTHREAD_MUTEX_INITIALIZER;
    const struct device_memory *m = &device_memory;
    uint8_t *dirty = &m->dirty[piece];
    if (what & DIRTY_SAVED) {
        pthread_mutex_lock(&saving);
        if (!(__atomic_load_n(dirty, __ATOMIC_RELAXED) & DIRTY_SAVED)) {
            const unsigned char *memory = (const unsigned char *)(uintptr_t)m->base;
            memcpy(m->saved + piece * PIECE, memory + piece * PIECE, PIECE);
            memcpy(m->saved_state + piece * PIECE_WORDS, m->shadow.state + piece * PIECE_WORDS,
                   PIECE_WORDS);
        }
        __atomic_fetch_or(dirty, what, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&saving);
    } else {
        __atomic_fetch_or(dirty, what, __ATOMIC_RELAXED);
    }
}

void device_restore(void)
{
    const struct device_memory *m = &device_memory;
    unsigned char *memory = (unsigned char *)(uintptr_t)m->base;
    for (size_t i = 0; i < pieces(); i++) {
        if (!(m->dirty[i] & DIRTY_SAVED))
            continue;
        memcpy(memory + i * PIECE, m->saved + i * PIECE, PIECE);
        memcpy(m->shadow.state + i * PIECE_WORDS, m->saved_state + i * PIECE_WORDS, PIECE_WORDS);
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
