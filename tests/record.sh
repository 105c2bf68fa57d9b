#!/bin/sh
# Measures the GPU that is here with a program, and records it from the root of the sources:
#   record.sh NAME PROGRAM...   docs/runs/NAME-<device>.csv
# `make bench-gpu` and `make camping` call it. The program takes the GPU that CUDA_VISIBLE_DEVICES names
# first, else the first one.
set -eu
name=$1
shift

new=$(mktemp)
trap 'rm -f "$new"' EXIT # a run that fails leaves the record as it was
"$@" --csv "$new"
device=$(sed -n '1s/^# \(.*\), driver .*/\1/p' "$new")
record=docs/runs/$name-$("${0%/*}/device_name.sh" "$device").csv
cp "$new" "$record"
echo "
$record written"
