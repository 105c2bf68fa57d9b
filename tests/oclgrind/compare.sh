#!/bin/sh
# Runs step 3 under Oclgrind, an OpenCL device simulator, and compares its speed with that of the
# simulated device, whose table (bench_sim's) is in the file named by the first argument.
set -eu
if ! command -v oclgrind-kernel >/dev/null; then
    echo "Oclgrind is not installed: no comparison (Debian, Ubuntu: apt install oclgrind)"
    exit 0
fi
ours=$(awk '/^one thread per element/ { print $(NF - 2) }' "$1") # checks on, all threads
cd "$(dirname "$0")"
start=$(date +%s%N)
oclgrind-kernel per_element.sim >/dev/null
end=$(date +%s%N)
awk -v ns=$((end - start)) -v ours="$ours" 'BEGIN {
    theirs = 1024 * 1024 / (ns / 1e3)
    printf "Oclgrind, one thread per element, n = 1024, its start included: %.2f million elements/s\n", theirs
    printf "the simulated device, checks on, all threads, is %.0f times as fast\n", ours / theirs
}'
