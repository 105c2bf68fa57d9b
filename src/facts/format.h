// Numbers as text, for the report. Every function writes at most FORMAT_SIZE bytes.
#ifndef FORMAT_H
#define FORMAT_H

#include "base/style.h"
#include "facts/metric_table.h"

#include <stdbool.h>
#include <stddef.h>

enum { FORMAT_SIZE = 64 };

// "16.590 ms", "198.3 us" (a micro sign in UTF-8), "2.5 s".
void format_duration(char text[FORMAT_SIZE], double ms, const struct style *style);

// "87.9%", "100%", "0%"; "<0.1%" for what would round to 0.
void format_percent(char text[FORMAT_SIZE], double percent);

// "0 bytes", "4.125 KiB", "60 MiB".
void format_bytes(char text[FORMAT_SIZE], size_t bytes);

// Four significant digits or all digits of the whole part: "3974", "99.73", "0.5".
void format_number(char text[FORMAT_SIZE], double number);

// "7.7x" with three significant digits; the sign is a multiplication sign in UTF-8.
void format_ratio(char text[FORMAT_SIZE], double ratio, const struct style *style);

// The number in the metric's unit: "87.9%", "3974 GB/s".
void format_metric(char text[FORMAT_SIZE], enum metric metric, double number,
                   const struct style *style);

// The same of a value, a dash when that is not known; and with the mark of its provenance in front.
void format_unmarked(char text[FORMAT_SIZE], enum metric metric, const struct value *value,
                     const struct style *style);
void format_value(char text[FORMAT_SIZE], enum metric metric, const struct value *value,
                  const struct style *style);

// How well the launches tell their median: "±0.3%", or "too few (3)"; "" where it is not known.
#define INTERVAL_LABEL "  true median within (95%)" // MEDIAN_CONFIDENCE
struct timing;
void format_interval(char text[FORMAT_SIZE], const struct timing *timing,
                     const struct style *style);

// A difference of two with its sign, of percentages in points ("" for less than they show).
void format_change(char text[FORMAT_SIZE], enum metric metric, double change,
                   const struct style *style);

// Whether a change would print as 0.0 points.
bool is_unseen(enum unit unit, double change);

// "[8,8192,1]".
void format_dimensions(char text[FORMAT_SIZE], const unsigned size[3]);

#endif
