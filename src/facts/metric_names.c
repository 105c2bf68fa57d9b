#include "facts/metric_names.h"

#include "base/suggest.h"
#include "facts/metric_table.h"

#include <string.h>

// Those of the panel, gld_efficiency and others, are in metric_table.c.
const struct nvprof_metric nvprof_metrics[] = {
    {"atomic_transactions",
     "l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum + "
     "l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum",
     ""},
    {"branch_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct", ""},
    {"cf_executed", "smsp__inst_executed_pipe_cbu.sum + smsp__inst_executed_pipe_adu.sum", ""},
    {"dram_read_bytes", "dram__bytes_read.sum|dram__bytes_op_read.sum", ""},
    {"dram_read_throughput", "dram__bytes_read.sum.per_second|dram__bytes_op_read.sum.per_second",
     "bytes per second"},
    {"dram_read_transactions", "dram__sectors_read.sum|dram__sectors_op_read.sum", ""},
    {"dram_write_bytes", "dram__bytes_write.sum|dram__bytes_op_write.sum", ""},
    {"dram_write_throughput",
     "dram__bytes_write.sum.per_second|dram__bytes_op_write.sum.per_second", "bytes per second"},
    {"dram_write_transactions", "dram__sectors_write.sum|dram__sectors_op_write.sum", ""},
    {"eligible_warps_per_cycle", "smsp__warps_eligible.sum.per_cycle_active", ""},
    {"flop_count_sp",
     "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum + "
     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum + "
     "2*smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
     ""},
    {"gld_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second",
     "bytes per second"},
    {"gld_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "in 32-byte sectors"},
    {"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", ""},
    {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", ""},
    {"gst_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second",
     "bytes per second"},
    {"gst_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "in 32-byte sectors"},
    {"inst_executed", "smsp__inst_executed.sum", ""},
    {"inst_executed_global_loads", "smsp__inst_executed_op_global_ld.sum", ""},
    {"inst_executed_global_stores", "smsp__inst_executed_op_global_st.sum", ""},
    {"inst_executed_shared_loads", "smsp__inst_executed_op_shared_ld.sum", ""},
    {"inst_executed_shared_stores", "smsp__inst_executed_op_shared_st.sum", ""},
    {"inst_issued", "smsp__inst_issued.sum", ""},
    {"inst_per_warp", "smsp__average_inst_executed_per_warp.ratio", ""},
    {"ipc", "sm__inst_executed.avg.per_cycle_active", ""},
    {"issue_slot_utilization", "smsp__issue_active.avg.pct_of_peak_sustained_active", ""},
    {"issued_ipc", "sm__inst_issued.avg.per_cycle_active", ""},
    {"l2_read_transactions", "lts__t_sectors_op_read.sum", "in 32-byte sectors"},
    {"l2_tex_hit_rate", "lts__t_sector_hit_rate.pct", ""},
    {"l2_write_transactions", "lts__t_sectors_op_write.sum", "in 32-byte sectors"},
    {"ldst_executed", "smsp__inst_executed_pipe_lsu.sum", "the load/store unit's instructions"},
    {"local_load_transactions", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
     "in 32-byte sectors"},
    {"local_store_transactions", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
     "in 32-byte sectors"},
    {"shared_efficiency", "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", ""},
    {"shared_load_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "in wavefronts"},
    {"shared_store_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     "in wavefronts"},
    {"shared_utilization",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
     "was a level, 0..10; is a percentage"},
    {"sm_efficiency", "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed", ""},
    {"stall_exec_dependency",
     "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio + "
     "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
     "was a share of stalls; is warps per issue"},
    {"stall_memory_dependency",
     "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
     "was a share of stalls; is warps per issue"},
    {"stall_memory_throttle",
     "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio + "
     "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
     "was a share of stalls; is warps per issue"},
    {"stall_not_selected", "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",
     "was a share of stalls; is warps per issue"},
    {"stall_sync", "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
     "was a share of stalls; is warps per issue"},
    {"thread_inst_executed", "smsp__thread_inst_executed.sum", ""},
    {"warp_execution_efficiency", "smsp__thread_inst_executed_per_inst_executed.ratio",
     "was a percentage; is threads per instruction, of 32"},
    {"warp_nonpred_execution_efficiency",
     "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
     "was a percentage; is threads per instruction, of 32"},
};

const int nvprof_metric_count = sizeof nvprof_metrics / sizeof *nvprof_metrics;

// What it is called on the command line: a count by its key, a metric by nvprof's name. NULL where no
// expression gives it.
static const char *name_of(enum metric metric)
{
    const struct metric_row *row = &metric_table[metric];
    return !row->cupti ? NULL : metric >= FIRST_COUNT ? row->key : row->nvprof;
}

const char *metric_expression(const char *name)
{
    if (strstr(name, "__"))
        return name;
    for (int i = 0; i < nvprof_metric_count; i++)
        if (strcmp(name, nvprof_metrics[i].name) == 0)
            return nvprof_metrics[i].cupti;
    for (enum metric i = FIRST_METRIC; i < METRICS; i++)
        if (name_of(i) && strcmp(name, name_of(i)) == 0)
            return metric_table[i].cupti;
    return NULL;
}

const char *metric_suggest(const char *typed)
{
    enum { NVPROF_METRICS = sizeof nvprof_metrics / sizeof *nvprof_metrics };
    const char *names[NVPROF_METRICS + METRICS];
    size_t count = 0;
    for (int i = 0; i < nvprof_metric_count; i++)
        names[count++] = nvprof_metrics[i].name;
    for (enum metric i = FIRST_METRIC; i < METRICS; i++)
        if (name_of(i))
            names[count++] = name_of(i);
    return suggest(typed, names, count, sizeof *names);
}
