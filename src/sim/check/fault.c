#include "sim/check/fault.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/function_name.h"
#include "sim/ptx/short_path.h"

static const char *const fault_names[] = {[FAULT_OUT_OF_BOUNDS] = "Out of bounds",
                                          [FAULT_FREED] = "Use after free",
                                          [FAULT_MISALIGNED] = "Misaligned",
                                          [FAULT_UNWRITTEN] = "Uninitialized",
                                          [FAULT_RACE] = "Race",
                                          [FAULT_BARRIER] = "Divergent barrier",
                                          [FAULT_ENDLESS] = "Endless loop",
                                          [FAULT_ASSERT] = "Assertion failed",
                                          [FAULT_TRAP] = "Trap",
                                          [FAULT_DEADLOCK] = "Deadlock",
                                          [FAULT_LANES] = "Wrong lanes",
                                          [FAULT_STACK] = "Stack overflow"};

void thread_text(const struct launch *launch, uint64_t thread, char *text, size_t size)
{
    uint64_t block = thread / launch->threads_per_block;
    uint32_t t = (uint32_t)(thread % launch->threads_per_block);
    const uint32_t *g = launch->grid, *b = launch->threads;
    snprintf(text, size, "block (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ") thread (%u,%u,%u)",
             block % g[0], block / g[0] % g[1], block / g[0] / g[1], t % b[0], t / b[0] % b[1],
             t / b[0] / b[1]);
}

// Keeps the fault of the lowest block, so that the report does not depend on the host's threads.
static void keep(struct block *block, enum fault_kind kind, const char *text)
{
    struct launch *launch = block->launch;
    block->failed = 1;
    if (block->waiting.happened && kind != FAULT_RACE) { // that was first
        kind = block->waiting.kind;
        text = block->waiting.text;
    }
    pthread_mutex_lock(&launch->lock);
    if (!launch->fault.happened || block->number < launch->fault.block) {
        launch->fault.happened = 1;
        launch->fault.block = block->number;
        launch->fault.kind = kind;
        snprintf(launch->fault.text, sizeof launch->fault.text, "%s", text);
        atomic_store(&launch->failed_block, block->number);
    }
    pthread_mutex_unlock(&launch->lock);
}

void fault_settle(struct block *block)
{
    if (block->waiting.happened && !block->failed)
        keep(block, block->waiting.kind, block->waiting.text);
}

static void place_text(struct warp *warp, const struct instruction *in, int lane, char *text,
                       size_t size)
{
    const struct launch *launch = warp->block->launch;
    char thread[128], kernel[FUNCTION_NAME_SIZE];
    thread_text(launch,
                warp->block->number * launch->threads_per_block + warp->number * LANES +
                    (unsigned)lane,
                thread, sizeof thread);
    function_name(launch->kernel->name, kernel);
    int used = snprintf(text, size, "at %s in %s:%u", kernel,
                        short_path(module_file(launch->module, in->file)), in->line);
    if (in->outer_line && used < (int)size)
        used += snprintf(text + used, size - (size_t)used, ", inlined at %s:%u",
                         short_path(module_file(launch->module, in->outer_file)), in->outer_line);
    if (used < (int)size)
        snprintf(text + used, size - (size_t)used, " (%s) by %s", in->opcode, thread);
}

void fault_raise(struct warp *warp, const struct instruction *in, int lane, enum fault_kind kind,
                 const char *what, ...)
{
    char detail[512], place[480], text[FAULT_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(detail, sizeof detail, what, arguments);
    va_end(arguments);
    place_text(warp, in, lane, place, sizeof place);
    snprintf(text, sizeof text, "========= %s: %s\n=========     %s\n", fault_names[kind], detail,
             place);
    keep(warp->block, kind, text);
}

// Of an access behind a buffer that could be a square matrix: its row and column there, and from the thread's
// place in x which of the two went too far. `tx` threads stand before it in a row of `columns`.
static void guard_text(uint64_t beyond, uint64_t matrix, unsigned tx, unsigned columns, char *text,
                       size_t size)
{
    uint64_t n = (uint64_t)sqrt((double)(matrix / sizeof(float)) + .5), at = beyond / sizeof(float);
    *text = '\0';
    if (n < 2 || n * n * sizeof(float) != matrix || at >= n * n)
        return;
    uint64_t row = n + at / n, column = at % n;
    int rows = column % columns == tx, columns_too_far = (column + n) % columns == tx;
    snprintf(text, size,
             ". In a matrix of %" PRIu64 " x %" PRIu64 " floats that is row %" PRIu64
             ", column %" PRIu64 ": is %s guarded, as in `if (x < n && y < n)`?",
             n, n, row, column,
             rows == columns_too_far ? "it"
             : rows                  ? "the row (y < n)"
                                     : "the column (x < n)");
}

static void nearest_text(uint64_t address, char *text, size_t size)
{
    enum { NEAR_NULL = 1 << 16 };
    const struct allocation *a = device_nearest(address);
    if (address < NEAR_NULL)
        snprintf(text, size, "a null pointer%s", address ? ", and an index" : "");
    else if (!device_reaches(address))
        snprintf(
            text, size,
            "not a device address: is it the host's memory? (cudaMalloc, and cudaMemcpy to it)");
    else if (!a)
        snprintf(text, size, "nothing is allocated");
    else if (address < a->address)
        snprintf(text, size,
                 "%" PRIu64 " bytes before the nearest allocation, 0x%" PRIx64 " of %" PRIu64
                 " bytes%s",
                 a->address - address, a->address, a->size, a->is_live ? "" : " (freed)");
    else if (address - a->address >= a->size)
        snprintf(
            text, size,
            "%" PRIu64 " bytes after the nearest allocation, 0x%" PRIx64 " of %" PRIu64 " bytes%s",
            address - a->address - a->size + 1, a->address, a->size, a->is_live ? "" : " (freed)");
    else
        snprintf(text, size,
                 "%" PRIu64 " bytes into the allocation 0x%" PRIx64 " of %" PRIu64 " bytes%s",
                 address - a->address, a->address, a->size, a->is_live ? "" : " (freed)");
}

// What an access of so many bytes needs; of a matrix, whose rows are n floats, which n gives it that.
static void alignment_text(unsigned size, enum space space, char *text, size_t text_size)
{
    int used = snprintf(text, text_size, "%u bytes must start at a multiple of %u", size, size);
    if (space == GLOBAL && size > sizeof(float))
        snprintf(text + used, text_size - (size_t)used,
                 ": elements of a row whose column %zu divides do, where %zu divides n",
                 size / sizeof(float), size / sizeof(float));
}

// Where the address is, or what there is of that memory.
static void where_text(const struct warp *warp, uint64_t address, enum space space, char *text,
                       size_t size)
{
    const struct launch *launch = warp->block->launch;
    if (space == SHARED)
        snprintf(text, size, "the block has %" PRIu64 " bytes of shared memory",
                 launch->shared_size);
    else if (space == LOCAL)
        snprintf(text, size, "the thread has %" PRIu64 " bytes of local memory",
                 launch->local_bytes);
    else
        nearest_text(address, text, size);
}

void fault_access(struct warp *warp, const struct instruction *in, int lane, enum fault_kind kind,
                  uint64_t address, unsigned size, enum space space, const char *detail)
{
    const char *space_name = space == SHARED     ? "shared"
                             : space == LOCAL    ? "local"
                             : space == CONSTANT ? "constant"
                                                 : "global";
    char place[512], near[200], needs[160], guard[200] = "", text[FAULT_TEXT_SIZE];
    const char *action = in->is_atomic ? "atomic on" : in->is_load ? "read of" : "write of";
    place_text(warp, in, lane, place, sizeof place);
    where_text(warp, address, space, near, sizeof near);
    if (kind == FAULT_MISALIGNED) {
        alignment_text(size, space, needs, sizeof needs);
        detail = needs;
    }
    const struct allocation *a =
        kind == FAULT_OUT_OF_BOUNDS && space == GLOBAL && address ? device_nearest(address) : NULL;
    if (a && device_reaches(address) && address >= a->address + a->size) {
        const uint32_t *threads = warp->block->launch->threads;
        guard_text(address - a->address - a->size, a->size,
                   (warp->number * LANES + (unsigned)lane) % threads[0], threads[0], guard,
                   sizeof guard);
    }
    snprintf(
        text, sizeof text,
        "========= %s __%s__ %s %u bytes\n=========     %s\n%s%s%s=========     Address 0x%" PRIx64
        ": %s%s\n",
        fault_names[kind], space_name, action, size, place, detail ? "=========     " : "",
        detail ? detail : "", detail ? "\n" : "", address, near, guard);
    struct fault *waiting = &warp->block->waiting;
    if (kind != FAULT_UNWRITTEN || space != SHARED) {
        keep(warp->block, kind, text);
    } else if (!waiting->happened) {
        waiting->happened = 1;
        waiting->kind = kind;
        memcpy(waiting->text, text, sizeof waiting->text);
    }
}
