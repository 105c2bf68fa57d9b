#!/bin/sh
# How far the simulated device's times are off for microbenchmarks that time whole launches, none of which is a transpose:
#
#   tests/micro/validate.sh FOLDER GPU PROGRAM...    FOLDER/micro-PROGRAM beside docs/runs/micro-GPU.csv
#
# from the root of the sources. `make validate-micro` calls it. What the record does not have is not judged, and counted.
set -eu
folder=$1 gpu=$2
shift 2
record=docs/runs/micro-$gpu.csv
[ -r "$record" ] || {
    echo "there is no $record: make micro records it on such a GPU" >&2
    exit 1
}
results=$(mktemp)
trap 'rm -f "$results"' EXIT

for program; do
    [ ! -t 2 ] || printf '%s ... ' "$program" >&2
    echo "program,$program" >>"$results"
    APODKIT_SIM_DEVICE=$gpu APODKIT_SIM_CHECKS=0 "$folder/micro-$program" >>"$results" || {
        echo "$folder/micro-$program failed on the simulated $gpu: make validate-micro builds it anew" >&2
        exit 1
    }
done
[ ! -t 2 ] || echo >&2

echo "Times on the simulated $gpu beside those of $record"
awk -F, '
function show(of, worst) {
    printf "%-12s %6d %9.1f %10s  %s\n", of, times[of], sums[of] / times[of], sprintf("%+.1f", worst), names[of]
}
function judge(of, error) {
    times[of]++
    sums[of] += error < 0 ? -error : error
    if (error * error > worsts[of] * worsts[of]) {
        worsts[of] = error
        names[of] = $1
    }
}
NR == FNR { recorded[$1] = $2; next }
FNR == 1 { printf "%-12s %6s %9s %10s\n", "", "times", "mean, %", "worst, %" }
$1 == "program" { program = $2; order[++programs] = program; next }
!($1 in recorded) || recorded[$1] <= 0 || $2 <= 0 { unknown++; next }
{
    # Rates are the lower the longer it takes.
    error = 100 * ($3 == "GB/s" ? recorded[$1] / $2 : $2 / recorded[$1]) - 100
    judge(program, error)
    judge("all", error)
}
END {
    for (i = 1; i <= programs; i++)
        if (times[order[i]])
            show(order[i], worsts[order[i]])
        else
            printf "%-12s %6d\n", order[i], 0
    if (!times["all"])
        exit 1
    show("all", worsts["all"])
    if (unknown)
        printf "%d more were not recorded\n", unknown
}' "$record" "$results" || {
    echo "$record has none of them: make micro records it on such a GPU" >&2
    exit 1
}
