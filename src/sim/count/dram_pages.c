#include "sim/count/dram_pages.h"

#include <math.h>
#include <string.h>

#include "sim/count/line_hash.h"

// Both lines of a chunk are moved at once if a block's request asks for them, or those that follow it, this many at most. A block
// is still at a chunk, or a page, that it came to within so many sectors of all. Lines that are stored are near each other where
// much of their page was within so many sectors.
enum {
    CHUNK_LINES = DRAM_CHUNK / LINE_SIZE,
    PAGE_CHUNKS = DRAM_PAGE / DRAM_CHUNK,
    CHUNK_REQUESTS = 2,
    CHUNK_WINDOW = 512,
    NEAR_WINDOW = 16384
};

void dram_close_pages(struct dram_pages *dram)
{
    memset(&dram->reads, 0, sizeof dram->reads);
    memset(&dram->writes, 0, sizeof dram->writes);
}

static int is_near(const struct dram_pages *dram, uint64_t when, uint64_t window)
{
    return when && (dram->moved - when) << dram->log2_sample <= window;
}

// How far what comes to a page is from what did lately.
static double far_from_others(const struct dram_pages *dram, const struct dram_moved *page)
{
    enum { HALF_PAGE = DRAM_PAGE / SECTOR_SIZE / 2 };
    double near = is_near(dram, page->when, NEAR_WINDOW) ? page->sectors : 0;
    return near < HALF_PAGE ? 1 - near / HALF_PAGE : 0;
}

// How likely it is that a page was closed since it was moved last: the more chunks others were moved of.
static double page_closed(const struct dram_pages *dram, const struct dram_moves *moves,
                          const struct dram_moved *page)
{
    if (!page->when)
        return 1;
    double since = (double)((moves->count - page->chunks) << dram->log2_sample);
    return since / (since + dram->open_pages);
}

static void forget_chunks(struct dram_moved *page)
{
    page->until_whole = 0;
    memset(page->behind_by_sectors, 0, sizeof page->behind_by_sectors);
}

// A block comes to a page, or is there.
static struct dram_moved *open_page(const struct dram_pages *dram, struct dram_moves *moves,
                                    uint64_t number, uint64_t block)
{
    struct dram_moved *page = &moves->pages[(line_hash(number) >> 20) % DRAM_TABLE];
    if (page->number != number || !page->when)
        *page = (struct dram_moved){.number = number};
    else if (page->block != block)
        page->others = page->when;
    if (page->block != block || !is_near(dram, page->when, CHUNK_WINDOW))
        page->page_closed = page_closed(dram, moves, page);
    if (!is_near(dram, page->when, NEAR_WINDOW)) {
        page->sectors = 0;
        forget_chunks(page);
    }
    page->block = block;
    return page;
}

// Whether the block was at the chunk just before.
static int is_there(const struct dram_pages *dram, const struct dram_moved *chunk, uint64_t number,
                    uint64_t block)
{
    return chunk->number == number && chunk->block == block &&
           is_near(dram, chunk->when, CHUNK_WINDOW);
}

// Whether what its block asks for now is moved at once with what it asked for then: of the same line, or by a request that
// follows soon.
static int is_joined(const struct dram_moved *chunk, uint64_t line,
                     const struct dram_request *request)
{
    return chunk->line == line || (uint16_t)(request->number - chunk->request) <= CHUNK_REQUESTS;
}

// Where DRAM comes to.
struct dram_place {
    struct dram_moved *page, *chunk;
};

// DRAM comes to a line. Returns its page and its chunk, with no sectors yet if it is not the one it was at just before.
static struct dram_place come_to(struct dram_pages *dram, struct dram_moves *moves, uint64_t line,
                                 unsigned sectors, const struct dram_request *request)
{
    uint64_t number = line / CHUNK_LINES;
    struct dram_moved *chunk = &moves->chunks[(line_hash(number) >> 20) % DRAM_TABLE],
                      *page = open_page(dram, moves, line / PAGE_LINES, request->block);
    dram->moved += sectors;
    int was_there = is_there(dram, chunk, number, request->block);
    if (!was_there || !is_joined(chunk, line, request)) {
        double closed_now = page_closed(dram, moves, page),
               closed = was_there ? closed_now : page->page_closed;
        *chunk = (struct dram_moved){.number = number,
                                     .block = request->block,
                                     .far = far_from_others(dram, page),
                                     .is_apart = !is_near(dram, page->others, NEAR_WINDOW),
                                     .page_closed = closed,
                                     .behind = fmax(0, closed - closed_now)};
        moves->count++;
    }
    page->sectors += sectors;
    page->when = dram->moved;
    page->chunks = moves->count;
    chunk->when = dram->moved;
    chunk->request = request->number;
    return (struct dram_place){page, chunk};
}

// A chunk has so many sectors now, and had as many before. Returns whether all of its page was moved, so that the page's sums
// count no more. (What is moved again soon counts twice in them, but they are never less than nothing.)
static int grow_chunk(const struct dram_place *at, unsigned before, unsigned sectors)
{
    struct dram_moved *page = at->page;
    double *smaller = &page->behind_by_sectors[before];
    *smaller = fmax(0, *smaller - at->chunk->behind);
    page->behind_by_sectors[sectors] += at->chunk->behind;
    page->until_whole += sectors - before;
    return page->until_whole >= PAGE_CHUNKS * CHUNK_SECTORS;
}

// A larger chunk is read at once if more of it was just before.
void dram_read(struct dram_pages *dram, uint64_t line, unsigned sectors,
               const struct dram_request *load, double scattered[CHUNK_SECTORS + 1])
{
    struct dram_place at = come_to(dram, &dram->reads, line, sectors, load);
    struct dram_moved *chunk = at.chunk;
    if (chunk->sectors + sectors > CHUNK_SECTORS) // some of it again
        chunk->sectors = 0;
    if (chunk->sectors)
        scattered[chunk->sectors] -= chunk->page_closed;
    scattered[chunk->sectors + sectors] += chunk->page_closed;
    int is_whole = grow_chunk(&at, chunk->sectors, chunk->sectors + sectors);
    chunk->sectors += sectors;
    chunk->line = line;
    if (!is_whole)
        return;
    for (int s = 1; s <= CHUNK_SECTORS; s++)
        scattered[s] -= at.page->behind_by_sectors[s];
    forget_chunks(at.page);
}

// The line will be written at once with the chunk's other one if that was stored just before.
struct dram_write dram_store(struct dram_pages *dram, uint64_t line,
                             const struct dram_request *store)
{
    struct dram_place at = come_to(dram, &dram->writes, line, LINE_SECTORS, store);
    struct dram_moved *chunk = at.chunk;
    struct dram_write write = {.page_closed = chunk->page_closed,
                               .far = chunk->far,
                               .is_apart = chunk->is_apart != 0,
                               .joins = chunk->sectors > 0 && chunk->line != line};
    int is_other = write.joins || !chunk->sectors; // not the same line again
    if (is_other &&
        grow_chunk(&at, write.joins * LINE_SECTORS, (write.joins + 1U) * LINE_SECTORS)) {
        write.halves_behind = at.page->behind_by_sectors[LINE_SECTORS];
        write.wholes_behind = at.page->behind_by_sectors[CHUNK_SECTORS];
        forget_chunks(at.page);
    }
    chunk->sectors = LINE_SECTORS;
    chunk->line = line;
    return write;
}

// The line that joins another makes a chunk of twice as many sectors; and where it is its page's last one, the chunks of the
// others, taken to have as many each, count no more.
void dram_count_write(const struct dram_write *write, unsigned sectors,
                      double scattered[CHUNK_SECTORS + 1])
{
    scattered[sectors] += write->joins ? -write->page_closed : write->page_closed;
    scattered[2 * sectors] += write->joins * write->page_closed;
    scattered[sectors] -= write->halves_behind;
    scattered[2 * sectors] -= write->wholes_behind;
}
