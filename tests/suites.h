// The test suites, one a file: tests/test_NAME.c.
#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *suite_advice(void);
Suite *suite_build(void);
Suite *suite_cli(void);
Suite *suite_cli_gpu(void);
Suite *suite_commands(void);
Suite *suite_compare(void);
Suite *suite_cupti(void);
Suite *suite_docs(void);
Suite *suite_exercises(void);
Suite *suite_explain(void);
Suite *suite_hotspots(void);
Suite *suite_json(void);
Suite *suite_limiter(void);
Suite *suite_log(void);
Suite *suite_matrix(void);
Suite *suite_micro(void);
Suite *suite_occupancy(void);
Suite *suite_occupancy_verb(void);
Suite *suite_options(void);
Suite *suite_profile(void);
Suite *suite_range(void);
Suite *suite_record(void);
Suite *suite_report(void);
Suite *suite_stalls(void);
Suite *suite_style(void);
Suite *suite_supervise(void);
Suite *suite_sweep(void);
Suite *suite_trace(void);
Suite *suite_typed_exercises(void);
Suite *suite_validate(void);
Suite *suite_verify(void);

// The tests that need a GPU, and how many they are; and those that need gnuplot.
const TTest *const *gpu_tests(int *count);
const TTest *const *plot_tests(int *count);

#endif
