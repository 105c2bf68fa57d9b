// From counters of instructions to counts of launches and of source lines.
#include <stdlib.h>
#include <string.h>

#include "sim/cuda/runtime.h"
#include "sim/exec/memory.h"
#include "sim/ptx/cost.h"

struct line_key {
    const struct function *function;
    const struct module *module;
    uint32_t file, line;
};

static struct {
    struct sim_counts total;
    struct sim_line *lines;
    struct line_key *keys;
    size_t line_count, capacity;
} counted;

static void add_memory(struct sim_counts *counts, const struct instruction *in,
                       const struct counters *c)
{
    counts->shared_requests += c->shared_requests;
    counts->shared_wavefronts += c->wavefronts;
    counts->shared_bytes += c->shared_bytes;
    counts->local_sectors += c->local_sectors;
    if (in->is_atomic)
        return; // the hardware counts atomics on global memory apart from loads and stores
    counts->tags += c->tags;
    if (in->is_load) {
        counts->load_requests += c->requests;
        counts->load_sectors += c->sectors;
        counts->load_bytes += c->bytes;
    } else {
        counts->store_requests += c->requests;
        counts->store_sectors += c->sectors;
        counts->store_bytes += c->bytes;
    }
}

static void add_instruction(struct sim_counts *counts, const struct instruction *in,
                            const struct counters *c)
{
    counts->instructions += c->executed * in->machine_cost;
    counts->ptx_instructions += c->executed;
    int is_branch = in->op == OP_BRANCH && in->machine_cost && !becomes_predicate(in);
    if (is_branch || in->op == OP_JUMP_TABLE) {
        counts->branches += c->executed;
        counts->divergent_branches += c->divergent;
    }
    if (in->size)
        add_memory(counts, in, c);
}

static void add_access(struct sim_line *line, const struct instruction *in,
                       const struct counters *c)
{
    enum sim_access kind = access_kind_of(in, GLOBAL);
    line->accesses[kind].requests += c->requests;
    line->accesses[kind].passes += c->sectors;
    line->accesses[kind].ideal += c->ideal_sectors;
    kind = access_kind_of(in, SHARED);
    line->accesses[kind].requests += c->shared_requests;
    line->accesses[kind].passes += c->wavefronts;
    line->accesses[kind].ideal += c->ideal_wavefronts;
}

// The line that the instruction is on; NULL when no memory is left for a new one.
static struct sim_line *line_of(const struct module *module, const struct function *function,
                                const struct instruction *in)
{
    for (size_t i = counted.line_count; i-- > 0;) // the newest first: it is likely the same line
        if (counted.keys[i].function == function && counted.keys[i].line == in->line &&
            counted.keys[i].file == in->file)
            return &counted.lines[i];
    if (counted.line_count == counted.capacity) {
        size_t capacity = 2 * counted.capacity + 64;
        struct sim_line *lines = realloc(counted.lines, capacity * sizeof *lines);
        if (!lines)
            return NULL;
        counted.lines = lines;
        struct line_key *keys = realloc(counted.keys, capacity * sizeof *keys);
        if (!keys)
            return NULL;
        counted.keys = keys;
        counted.capacity = capacity;
    }
    size_t i = counted.line_count++;
    counted.keys[i] = (struct line_key){function, module, in->file, in->line};
    counted.lines[i] = (struct sim_line){
        .function = function->name, .file = module_file(module, in->file), .line = in->line};
    return &counted.lines[i];
}

// Block b goes to SM b mod the number of SMs, as %smid says too (constants.c).
static uint64_t blocks_on_sm(uint64_t blocks, uint64_t sms, uint64_t sm)
{
    return blocks / sms + (sm < blocks % sms);
}

uint64_t sim_blocks_on_sm(uint64_t blocks, unsigned sm)
{
    pthread_mutex_lock(&runtime.lock);
    uint64_t sms = runtime.device ? (uint64_t)runtime.device->sms : 1;
    pthread_mutex_unlock(&runtime.lock);
    return blocks_on_sm(blocks, sms, sm);
}

void counts_add(const struct launch *launch)
{
    uint64_t sms = launch->multiprocessors, blocks = launch->block_count;
    counted.total.launches++;
    counted.total.blocks_per_sm_max += blocks_on_sm(blocks, sms, 0);
    counted.total.blocks_per_sm_min += blocks_on_sm(blocks, sms, sms - 1);
    for (const struct function *f = launch->module->functions; f; f = f->next) {
        for (size_t i = 0; i < f->length; i++) {
            const struct instruction *in = &f->code[i];
            const struct counters *c = &launch->counters[in->index];
            if (c->executed == 0)
                continue;
            add_instruction(&counted.total, in, c);
            struct sim_line *line = line_of(launch->module, f, in);
            if (!line)
                continue;
            add_instruction(&line->counts, in, c);
            if (in->size)
                add_access(line, in, c);
        }
    }
}

void counts_forget(void)
{
    memset(&counted.total, 0, sizeof counted.total);
    memset(&runtime.prediction, 0, sizeof runtime.prediction);
    counted.line_count = 0;
}

void sim_counts_reset(void)
{
    pthread_mutex_lock(&runtime.lock);
    counts_forget();
    pthread_mutex_unlock(&runtime.lock);
}

struct sim_prediction sim_prediction_total(void)
{
    pthread_mutex_lock(&runtime.lock);
    struct sim_prediction total = runtime.prediction;
    pthread_mutex_unlock(&runtime.lock);
    return total;
}

// Costs were added up in COST_UNITs.
static struct sim_counts in_instructions(struct sim_counts counts)
{
    counts.instructions = (counts.instructions + COST_UNIT / 2) / COST_UNIT;
    return counts;
}

struct sim_counts sim_counts_total(void)
{
    pthread_mutex_lock(&runtime.lock);
    struct sim_counts total = in_instructions(counted.total);
    pthread_mutex_unlock(&runtime.lock);
    return total;
}

struct sim_line *sim_counts_lines(size_t *count)
{
    pthread_mutex_lock(&runtime.lock);
    *count = counted.line_count;
    struct sim_line *copy = *count ? malloc(*count * sizeof *copy) : NULL;
    if (!copy)
        *count = 0;
    for (size_t i = 0; i < *count; i++) {
        copy[i] = counted.lines[i];
        copy[i].counts = in_instructions(copy[i].counts);
    }
    pthread_mutex_unlock(&runtime.lock);
    return copy;
}
