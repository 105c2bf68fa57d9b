// The kit's values from Nsight Compute's metrics.
#ifndef NCU_VALUE_H
#define NCU_VALUE_H

#include "facts/value.h"
#include "files/ncu_table.h"

// Beside the counts, by their names in ncu.
#define NCU_TIME "gpu__time_duration.sum"
#define NCU_REGISTERS "launch__registers_per_thread"
#define NCU_SHARED "launch__shared_mem_per_block_static + launch__shared_mem_per_block_dynamic"
#define NCU_DEVICE "device__attribute_display_name"
#define NCU_SMS "device__attribute_multiprocessor_count"
#define NCU_L2 "device__attribute_l2_cache_size"
#define NCU_CLOCK "device__attribute_memory_clock_rate"     // kHz
#define NCU_BUS "device__attribute_global_memory_bus_width" // bits

// What an expression of metrics comes to in a row, in base units: nanoseconds, bytes, events, percent. Unavailable where
// ncu was not asked for it or has no number; and where one is no number, which the table's `why` says then.
struct value ncu_value(struct ncu_table *table, int row, const char *expression);

// The names of the metrics that a run can take from there, with commas between them, as ncu's --metrics takes them. False
// when `size` bytes are too few.
bool ncu_metric_names(char *text, size_t size);

#endif
