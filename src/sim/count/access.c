#include "sim/count/access.h"

void access_classify(struct access *access)
{
    access->pattern = SCATTERED;
    if (access->mask != ALL_LANES)
        return;
    uint64_t first = access->address[0], stride = access->address[1] - first, difference = 0;
    for (int l = 0; l < LANES; l++)
        difference |= access->address[l] ^ (first + (uint64_t)l * stride);
    if (difference)
        return;
    access->pattern = STRIDED;
    access->stride = stride;
}

// Distinct values of address / 2^shift among the lanes of the mask.
static unsigned count_distinct(const struct access *access, unsigned shift, uint32_t mask)
{
    uint64_t seen[LANES];
    unsigned count = 0;
    FOR_LANES(l, mask) {
        uint64_t unit = access->address[l] >> shift;
        unsigned i = count; // the newest first: neighbours are likely to share a unit
        while (i > 0 && seen[i - 1] != unit)
            i--;
        if (i == 0)
            seen[count++] = unit;
    }
    return count;
}

// The words of a lane. A warp's access to shared memory goes in as many parts: whole, in halves or in quarters.
unsigned access_words(const struct access *access)
{
    return access->size > BANK_WIDTH ? access->size / BANK_WIDTH : 1;
}

struct footprint access_footprint(const struct access *access)
{
    const uint64_t first = access->address[0], last = access->address[LANES - 1];
    if (access->pattern == STRIDED) {
        // Addresses are aligned to their size, so a lane lies in one sector.
        int64_t stride = (int64_t)access->stride;
        uint64_t low = stride < 0 ? last : first, high = stride < 0 ? first : last;
        uint64_t step = stride < 0 ? 0 - access->stride : access->stride;
        if (step == 0)
            return (struct footprint){1, 1, access->size};
        unsigned sectors = LANES, lines = LANES;
        if (step <= SECTOR_SIZE)
            sectors = (unsigned)(high / SECTOR_SIZE - low / SECTOR_SIZE) + 1;
        if (step <= LINE_SIZE)
            lines = (unsigned)(high / LINE_SIZE - low / LINE_SIZE) + 1;
        return (struct footprint){sectors, lines, LANES * access->size};
    }
    return (struct footprint){count_distinct(access, 5, access->mask),
                              count_distinct(access, 7, access->mask), access_bytes(access)};
}

// The passes of `size` bytes that hold what the lanes ask for, each for itself; `passes` at most.
static unsigned fewest(const struct access *access, unsigned size, unsigned passes)
{
    unsigned bytes = (unsigned)__builtin_popcount(access->mask) * access->size;
    unsigned least = (bytes + size - 1) / size;
    return least < passes ? least : passes;
}

unsigned access_ideal_sectors(const struct access *access, unsigned sectors)
{
    return fewest(access, SECTOR_SIZE, sectors);
}

unsigned access_lines(const struct access *access, uint64_t origin, struct line_use uses[LANES])
{
    unsigned count = 0;
    FOR_LANES(l, access->mask) {
        uint64_t number = (access->address[l] - origin) / LINE_SIZE;
        // The newest first: neighbours are likely to share a line. With a stride it is that one or a new one.
        unsigned i = count, end = access->pattern == STRIDED && count > 0 ? count - 1 : 0;
        while (i > end && uses[i - 1].number != number)
            i--;
        if (i == end) {
            uses[count++] = (struct line_use){.number = number};
            i = count;
        }
        unsigned offset = access->address[l] % LINE_SIZE;
        uses[i - 1].bytes[offset / 64] |= (((uint64_t)1 << access->size) - 1) << offset % 64;
    }
    return count;
}

unsigned access_bytes(const struct access *access)
{
    if (access->pattern == STRIDED)
        return access->stride ? LANES * access->size : access->size;
    return count_distinct(access, (unsigned)__builtin_ctz(access->size), access->mask) *
           access->size;
}

// The most distinct rows in one bank, for the words of the lanes in the mask. A pass reads one row of
// every bank: one word, or on Kepler two that are BANKS words apart.
static unsigned fullest_bank(const struct access *access, uint32_t mask, unsigned words_a_row)
{
    unsigned words = access_words(access), most = 0;
    uint64_t seen[BANKS][LANES];
    unsigned count[BANKS] = {0};
    for (int l = 0; l < LANES; l++) {
        for (unsigned i = 0; i < words && mask & lane_bit[l]; i++) {
            uint64_t word = access->address[l] / BANK_WIDTH + i;
            uint64_t row = word / words_a_row;
            unsigned bank = word % BANKS, at = 0;
            while (at < count[bank] && seen[bank][at] != row)
                at++;
            if (at == count[bank])
                seen[bank][count[bank]++] = row;
            most = count[bank] > most ? count[bank] : most;
        }
    }
    return most;
}

static uint32_t lanes_of_part(unsigned part, unsigned parts)
{
    unsigned lanes = LANES / parts;
    return parts == 1 ? ALL_LANES : (((uint32_t)1 << lanes) - 1) << part * lanes;
}

unsigned access_wavefronts(const struct access *access)
{
    if (access->pattern == STRIDED && access->size == BANK_WIDTH) {
        // Lanes l and m share a bank when 32 divides (l - m) * stride in words.
        unsigned stride = (unsigned)(access->stride / BANK_WIDTH) % BANKS;
        if (access->stride == 0)
            return 1;
        return stride == 0 ? LANES : 1u << __builtin_ctz(stride);
    }
    unsigned parts = access_words(access), sum = 0;
    for (unsigned part = 0; part < parts; part++)
        sum += fullest_bank(access, access->mask & lanes_of_part(part, parts), BANKS);
    return sum;
}

// Whether each lane of the mask reads what the lane that is so far from it does, if that takes part.
static int agree(const struct access *access, uint32_t mask, int distance)
{
    FOR_LANES(l, mask)
        if (mask & lane_bit[l ^ distance] && access->address[l] != access->address[l ^ distance])
            return 0;
    return 1;
}

unsigned access_load_wavefronts(const struct access *access)
{
    unsigned parts = access_words(access), sum = 0;
    if (parts == 1)
        return access_wavefronts(access);
    for (unsigned part = 0; part < parts; part += 2) {
        uint32_t first = access->mask & lanes_of_part(part, parts),
                 second = access->mask & lanes_of_part(part + 1, parts), both = first | second;
        int go_together = (agree(access, both, 1) || agree(access, both, 2)) &&
                          fullest_bank(access, both, BANKS) <= 1;
        sum += go_together
                   ? both != 0
                   : fullest_bank(access, first, BANKS) + fullest_bank(access, second, BANKS);
    }
    return sum;
}

// The most lanes of the mask that have a word in one bank, be it the same word.
static unsigned most_lanes(const struct access *access, uint32_t mask)
{
    unsigned words = access_words(access), most = 0, count[BANKS] = {0};
    FOR_LANES(l, mask) {
        for (unsigned i = 0; i < words; i++) {
            unsigned lanes = ++count[(access->address[l] / BANK_WIDTH + i) % BANKS];
            most = lanes > most ? lanes : most;
        }
    }
    return most;
}

// Whether an earlier lane of the mask has the same key.
static int is_repeated(const uint64_t key[LANES][2], uint32_t mask, int lane)
{
    for (int l = 0; l < lane; l++)
        if (mask & lane_bit[l] && key[l][0] == key[lane][0] && key[l][1] == key[lane][1])
            return 1;
    return 0;
}

static unsigned count_keys(const uint64_t key[LANES][2], uint32_t mask)
{
    unsigned count = 0;
    FOR_LANES(l, mask)
        count += !is_repeated(key, mask, l);
    return count;
}

static int is_overwritten(const struct access *to, int lane)
{
    for (int l = lane + 1; l < LANES; l++)
        if (to->mask & lane_bit[l] && to->address[l] == to->address[lane])
            return 1;
    return 0;
}

// What the lanes of the mask ask for past L1 comes in as many pieces: of a line, what moves by the same distance and by as
// many sectors. Distances are multiples of 16 bytes; half a sector's make two kinds of lanes.
static unsigned count_pieces(const struct access *to, const struct access *from, uint32_t mask)
{
    uint64_t key[LANES][2];
    uint32_t left = 0;
    FOR_LANES(l, mask) {
        uint64_t distance = to->address[l] - from->address[l];
        key[l][0] = from->address[l] / LINE_SIZE;
        key[l][1] = distance + (distance % SECTOR_SIZE ? from->address[l] % SECTOR_SIZE / 2 : 0);
        left |= is_overwritten(to, l) ? 0 : lane_bit[l];
    }
    return count_keys(key, left);
}

unsigned access_copy_wavefronts(const struct access *to, const struct access *from, int passes_l1)
{
    unsigned parts = access_words(to), sum = 0;
    for (unsigned part = 0; part < parts; part++) {
        uint32_t lanes = lanes_of_part(part, parts);
        unsigned written = most_lanes(to, to->mask & lanes),
                 read = most_lanes(from, from->mask & lanes);
        if (passes_l1)
            sum += written + count_pieces(to, from, to->mask & lanes);
        else
            sum += read > written ? read : written;
    }
    return sum;
}

unsigned access_copy_sectors(const struct access *to, const struct access *from)
{
    uint64_t key[LANES][2];
    FOR_LANES(l, from->mask) {
        key[l][0] = to->address[l] / SECTOR_SIZE;
        key[l][1] = from->address[l] / LINE_SIZE;
    }
    return count_keys(key, from->mask);
}

unsigned access_ideal_wavefronts(const struct access *access, unsigned wavefronts)
{
    return fewest(access, BANKS * BANK_WIDTH, wavefronts);
}

unsigned access_wavefronts_kepler(const struct access *access)
{
    return fullest_bank(access, access->mask, 2 * BANKS);
}

struct access access_local_word(const struct access *access, unsigned word, uint64_t base)
{
    struct access of_words = {.mask = access->mask, .size = BANK_WIDTH};
    FOR_LANES(l, access->mask) {
        of_words.address[l] =
            base + (access->address[l] / BANK_WIDTH + word) * LINE_SIZE + (unsigned)l * BANK_WIDTH;
    }
    return of_words;
}

unsigned access_local_sectors(const struct access *access)
{
    // Word w of lane l is at (32 w + l) * 4 bytes: 8 lanes' words make a sector.
    enum { LANES_A_SECTOR = SECTOR_SIZE / BANK_WIDTH };
    unsigned words = access_words(access), count = 0;
    for (int first = 0; first < LANES; first += LANES_A_SECTOR)
        count += count_distinct(access, 2, access->mask & (uint32_t)0xff << first) * words;
    return count;
}
