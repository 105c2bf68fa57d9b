// Two recorded runs side by side: which steps belong together, what differs between them, and what
// about them is unlike, so that nothing unlike is compared in silence.
#ifndef COMPARISON_H
#define COMPARISON_H

#include "facts/record.h"
#include "show/report.h"

// A step of both runs, or of one: the other is NULL then.
struct pair {
    const struct record_step *a, *b;
};

enum { MAX_REMARKS = 8, REMARK_SIZE = 320 };

struct remarks {
    int count;
    char texts[MAX_REMARKS][REMARK_SIZE];
};

struct comparison {
    const struct record *a, *b; // "a" is the one before, "b" the one after
    struct remarks remarks;     // what is unlike about the runs as a whole
    int count;
    struct pair pairs[2 * MAX_STEPS]; // in the order of their numbers
};

// One number of a pair whose steps both ran.
struct difference {
    const struct value *a, *b;
    double change;      // b - a, when both are known
    double ratio;       // b / a, when both are known and a is not 0; else 0
    bool other_size;    // not compared, because n differs and decides the value
    bool other_sources; // one is measured, the other counted or modelled, and so on
    enum verdict verdict;
};

// Matches the steps by their numbers. The records must outlive the comparison.
void comparison_make(struct comparison *comparison, const struct record *a, const struct record *b);

// Whether both runs have the step and neither has it wrong: then its numbers can be compared.
bool pair_is_comparable(const struct pair *pair);

// What is unlike about the steps of a pair, or why they are not compared.
void pair_remark(const struct pair *pair, struct remarks *remarks);

struct difference pair_difference(const struct pair *pair, enum quantity quantity);

// The comparison for people (comparison_table.c): every number of every step, the counts only when
// `counters`; and in short, a row a step, as it follows the report of a run.
void report_comparison(const struct report *report, const struct comparison *comparison,
                       bool counters);
void report_comparison_in_short(const struct report *report, const struct comparison *comparison);

// The comparison as CSV, a row a number of each step that both runs have right (comparison_csv.c). The
// caller checks the file (csv.h).
void write_comparison_csv(FILE *file, const struct comparison *comparison);

// The comparison as JSON text, for programs (json_comparison.c). The caller frees it; NULL when memory
// ran out or JSON is missing (json.h).
char *json_of_comparison(const struct comparison *comparison);

#endif
