#!/bin/sh
# Runs the microbenchmarks in a folder and records what they print: docs/runs/micro-<device>.csv,
# from the root of the sources. `make micro` calls it. It takes the GPU that CUDA_VISIBLE_DEVICES
# names first, else the first one.
set -eu
programs="latency shared global local evict places crowded store tiles shifts sharers warps_apart own_sectors open order split_lines late lives joins rows columns strips combs halves shared_halves part_waits held_parts behind port unit_time parts patches mixes capacity partitions walk hits dram flight tile_flight meets pages pieces both spread queue begin branches units atomics launch start neighbours pace panels rounds_apart"
folder=$1

gpu=${CUDA_VISIBLE_DEVICES:-0}
gpu=${gpu%%,*}
export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES="$gpu"
query() {
    nvidia-smi -i "$gpu" --query-gpu="$1" --format=csv,noheader 2>/dev/null
}
if ! name=$(query name); then
    echo "make micro measures a GPU, and nvidia-smi finds none here: run it where there is one" >&2
    exit 3
fi
record=docs/runs/micro-$("${0%/*}/../device_name.sh" "$name").csv

for program in $programs; do
    [ -x "$folder/$program" ] || {
        echo "make micro needs nvcc: there is no $folder/$program" >&2
        exit 1
    }
done

# Whole or not at all: a program that fails leaves the record as it was.
trap 'rm -f "$record.new"' EXIT
echo "# $name, driver $(query driver_version), $(date +%F): make micro" >"$record.new"
echo "name,value,unit" >>"$record.new"
for program in $programs; do
    [ ! -t 2 ] || printf '%s ... ' "$program" >&2
    "$folder/$program" >>"$record.new"
done
[ ! -t 2 ] || echo >&2
mv "$record.new" "$record"
echo "$record: $(($(wc -l <"$record") - 2)) values of $name"
