// From counters of instructions to counts of launches and of source lines.
#include <math.h>
#include <string.h>

#include "base/source_lines.h"
#include "sim/count/l2.h"
#include "sim/cuda/runtime.h"
#include "sim/exec/memory.h"
#include "sim/ptx/cost_estimate.h"
#include "sim/ptx/predicated_branches.h"

static struct {
    struct sim_counts total;
    struct source_lines lines;
} counted;

static void add_memory(struct sim_counts *counts, const struct instruction *in,
                       const struct instruction_counters *c)
{
    // Of an asynchronous copy neither the write is a request nor what it reads are data.
    int is_copy = in->op == OP_COPY_ASYNC;
    counts->shared_requests += is_copy ? 0 : c->shared_requests;
    counts->shared_wavefronts += c->wavefronts;
    counts->shared_bytes += c->shared_bytes;
    counts->local_sectors += c->local_sectors;
    if (in->is_atomic)
        return; // the hardware counts atomics on global memory apart from loads and stores
    counts->tags += c->tags;
    if (in->is_load) {
        counts->load_requests += c->requests;
        counts->load_sectors += c->sectors;
        counts->load_bytes += is_copy ? 0 : c->bytes;
    } else {
        counts->store_requests += c->requests;
        counts->store_sectors += c->sectors;
        counts->store_bytes += c->bytes;
    }
}

// Whether the PTX branch is one of the machine's, too.
static int stays_branch(const struct instruction *in)
{
    return in->op == OP_JUMP_TABLE ||
           (in->op == OP_BRANCH && in->machine_cost && !becomes_predicate(in) && !becomes_exit(in));
}

static void add_instruction(struct sim_counts *counts, const struct instruction *in,
                            const struct instruction_counters *c)
{
    counts->ptx_instructions += c->executed;
    if (stays_branch(in))
        counts->divergent_branches += c->divergent;
    if (in->size)
        add_memory(counts, in, c);
}

static void add_lines(const struct module *module, const struct instruction *in,
                      const struct instruction_counters *c)
{
    const char *file = module_file(module, in->file);
    struct line_access global = {.line = in->line,
                                 .kind = line_access_kind_of(in, GLOBAL),
                                 .executions = c->requests,
                                 .passes = c->sectors,
                                 .ideal = c->ideal_sectors};
    struct line_access shared = {.line = in->line,
                                 .kind = line_access_kind_of(in, SHARED),
                                 .executions = c->shared_requests,
                                 .passes = c->wavefronts,
                                 .ideal = c->ideal_wavefronts};
    if (global.executions)
        source_lines_add(&counted.lines, file, global);
    if (shared.executions)
        source_lines_add(&counted.lines, file, shared);
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

// What the machine executed, in COST_UNITs, and what of it are branches, as they are estimated from the PTX.
static void estimate_machine(struct sim_counts *counts, const struct instruction *in,
                             uint64_t executed)
{
    counts->instructions += executed * in->machine_cost;
    counts->branches += stays_branch(in) ? executed : 0;
}

static void add_machine(struct sim_counts *counts, const struct machine_counts *machine)
{
    counts->instructions += (uint64_t)llround(machine->instructions) * COST_UNIT;
    counts->branches += (uint64_t)llround(machine->branches);
}

void counts_add(const struct launch *launch)
{
    uint64_t sms = launch->multiprocessors, blocks = launch->block_count;
    counted.total.launches++;
    counted.total.blocks_per_sm_max += blocks_on_sm(blocks, sms, 0);
    counted.total.blocks_per_sm_min += blocks_on_sm(blocks, sms, sms - 1);
    counted.total.machine_is_estimated |= !launch->machine.is_exact;
    if (launch->machine.costs)
        add_machine(&counted.total, &launch->machine);
    for (const struct function *f = launch->module->functions; f; f = f->next) {
        for (size_t i = 0; i < f->length; i++) {
            const struct instruction *in = &f->code[i];
            const struct instruction_counters *c = &launch->counters[in->index];
            add_instruction(&counted.total, in, c);
            if (!launch->machine.costs)
                estimate_machine(&counted.total, in, c->executed);
            if (in->size)
                add_lines(launch->module, in, c);
        }
    }
}

void counts_forget(void)
{
    memset(&counted, 0, sizeof counted);
    memset(&runtime.prediction, 0, sizeof runtime.prediction);
}

void sim_counts_reset(void)
{
    pthread_mutex_lock(&runtime.lock);
    counts_forget();
    pthread_mutex_unlock(&runtime.lock);
}

bool sim_launches_follow(bool follow)
{
    pthread_mutex_lock(&runtime.lock);
    bool has_memory = !runtime.l2 || l2_follow(runtime.l2, follow);
    pthread_mutex_unlock(&runtime.lock);
    return has_memory;
}

struct sim_prediction sim_prediction_total(void)
{
    pthread_mutex_lock(&runtime.lock);
    struct sim_prediction total = runtime.prediction;
    pthread_mutex_unlock(&runtime.lock);
    return total;
}

struct sim_counts sim_counts_total(void)
{
    pthread_mutex_lock(&runtime.lock);
    struct sim_counts total = counted.total;
    pthread_mutex_unlock(&runtime.lock);
    total.instructions =
        (total.instructions + COST_UNIT / 2) / COST_UNIT; // costs are in COST_UNITs
    return total;
}

void sim_counts_lines(struct source_lines *lines)
{
    pthread_mutex_lock(&runtime.lock);
    *lines = counted.lines;
    pthread_mutex_unlock(&runtime.lock);
    source_lines_sort(lines);
}
