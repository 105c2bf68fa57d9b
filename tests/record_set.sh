#!/bin/sh
# Measures a set of transposes on the GPU that is here with all counters, and records it at each of SIZES:
#   record_set.sh SET PROGRAM [FOLDER]      FOLDER/<device>-SET-<n>.json; without FOLDER, in docs/runs of the sources
# `make record-variants` and `make record-blind` call it. The program takes the GPU that CUDA_VISIBLE_DEVICES names
# first, else the first one. A size is not recorded where a result is wrong, a counter is missing or the device is
# simulated; the others are, and the script fails.
set -eu
set=$1 program=$2 folder=${3:-docs/runs} status=0

new=$(mktemp)
trap 'rm -f "$new"' EXIT
refuse() {
    echo "n = $n is not recorded: $1" >&2
    status=1
}
for n in ${SIZES:-1024 4096 8192 10007 16384}; do
    echo "n = $n ($(date +%T))"
    if ! "$program" -n "$n" --json "$new" --summary; then
        refuse "a result is wrong or missing (above)"
    elif ! grep -q '"kind":.*"gpu"' "$new"; then
        refuse "$program ran on no GPU"
    elif grep -q '"unavailable' "$new"; then
        grep '"unavailable' "$new" | sort | uniq -c >&2
        refuse "what is above was not measured"
    else
        device=$(sed -n 's/^\t\t"name":\t"\(.*\)",$/\1/p' "$new" | head -n 1)
        record=$folder/$("${0%/*}/device_name.sh" "$device")-$set-$n.json
        cp "$new" "$record"
        echo "$record written"
    fi
done
exit $status
