// The generated parts of a document: what stands between <!-- NAME: ARGUMENTS --> and <!-- end -->.
//
//   panel: RUN STEP          the step's panel, as ./run printed it when RUN was recorded
//   summary: RUN ["FROM" "TO"]   the table that ends such a run, or those lines of it
//   device: RUN              what the device has, and the two baselines
//   table: RUN[:STEP]... KEY...   a row a step; keys are those of the JSON, and block
//   bandwidths: RUN...     a row a run: the useful bandwidth of each step, and of the device's own copy
//   roof: DEVICE             how near each kernel comes to the device's own copy, by make bench-gpu
//   csv: NAME [KEY=VALUE...] KEY...   columns of docs/runs/NAME.csv, a row a line that has the values
//   definitions:             the numbers of a step by what people read, and what they mean
//   metrics:                 the panel's metrics by nvprof's name, the kit's and CUPTI's
//   counts:                  the counts that these are made of, by the kit's name and CUPTI's
//   micro: NAME...           values that make micro measured on the H200
//   code: FILE ["FROM" "TO"] the lines from the first that contains FROM to the next that contains TO
//   output: ["FROM" "TO"] COMMAND   what a command prints, or those lines of it
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdbool.h>
#include <stdio.h>

// Writes the part that the marker's line asks for, its lines between the markers. `to_root` leads from the
// document's folder to the kit's ("" or "../"). False, with the reason in `why`, when it cannot be had.
enum { BLOCK_WHY_SIZE = 320 };
bool block_write(const char *marker, const char *to_root, FILE *out, char why[BLOCK_WHY_SIZE]);

// Whether the line is a marker that opens a generated part, or the one that ends it.
bool block_opens(const char *line);
bool block_ends(const char *line);

#endif
