#!/bin/sh
# Measures how near the steps come to the device's own copy, with the program that is given, and records
# it: docs/runs/roof-<device>.csv, from the root of the sources. `make bench-gpu` calls it. It takes the
# GPU that CUDA_VISIBLE_DEVICES names first, else the first one.
set -eu
program=$1

new=$(mktemp)
trap 'rm -f "$new"' EXIT # a run that fails leaves the record as it was
"$program" --csv "$new"
name=$(sed -n '1s/^# \(.*\), driver .*/\1/p' "$new")
record=docs/runs/roof-$("${0%/*}/device_name.sh" "$name").csv
cp "$new" "$record"
echo "
$record written"
