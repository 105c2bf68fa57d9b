#!/bin/sh
# Measures labs, and records each from the root of the sources:
#   record_labs.sh PROGRAM...      PROGRAM is build/gpu/lab-NAME; docs/runs/lab-NAME-<device>.csv
# `make record-labs` calls it. The programs for a GPU take the one that CUDA_VISIBLE_DEVICES names first, else the first
# one; the simulated ones stand for an H200: lab-NAME-sim-h200.csv. A point that is wrong is recorded as that: it is
# what the lab parting is about.
set -eu
new=$(mktemp)
trap 'rm -f "$new"' EXIT # a lab that fails leaves the record as it was
for program; do
    name=${program##*/lab-}
    : >"$new"
    "$program" lab "$name" --csv "$new" || test -s "$new" || exit 1
    device=$(awk -F, 'NR == 1 { for (i = 1; $i != "device" && i < NF;) i++ } NR == 2 { print $i }' "$new")
    sim=
    case $device in 'Simulated device '*) sim=sim- device=${device#Simulated device } ;; esac
    record=docs/runs/lab-$name-$sim$("${0%/*}/device_name.sh" "$device").csv
    cp "$new" "$record"
    echo "
$record written"
done
