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
trap 'exit 130' INT
trap 'exit 143' TERM
status=0

for program; do
    [ ! -t 2 ] || printf '%s ... ' "$program" >&2
    echo "program,$program" >>"$results"
    [ -x "$folder/micro-$program" ] || {
        echo "there is no $folder/micro-$program: make validate-micro builds it" >&2
        exit 1
    }
    APODKIT_SIM_DEVICE=$gpu APODKIT_SIM_CHECKS=0 "$folder/micro-$program" >>"$results" || {
        echo "$folder/micro-$program failed on the simulated $gpu: what it printed until then is judged" >&2
        status=1
    }
done
[ ! -t 2 ] || echo >&2

echo "Times on the simulated $gpu beside those of $record"
awk -F, '
function show(of) {
    if (times[of])
        printf "%-12s %6d %9.1f %10s  %s\n", of, times[of], sums[of] / times[of], sprintf("%+.1f", worsts[of]), names[of]
    else
        printf "%-12s %6d\n", of, 0
}
function judge(of, error) {
    times[of]++
    sums[of] += error < 0 ? -error : error
    if (!(of in names) || error * error > worsts[of] * worsts[of]) {
        worsts[of] = error
        names[of] = $1
    }
}
NR == FNR { recorded[$1] = $2; next }
FNR == 1 { printf "%-12s %6s %9s %10s\n", "", "times", "mean, %", "worst, %" }
$1 == "program" { program = $2; order[++programs] = program; next }
!($1 in recorded) { unknown++; next }
$2 !~ /^[0-9]/ || $2 + 0 <= 0 || recorded[$1] + 0 <= 0 {
    printf "%s is %s, and %s in the record: one is no time\n", $1, $2, recorded[$1] >"/dev/stderr"
    wrong = 1
    next
}
{
    # Above 0 where the model is slower. Rates are the lower the longer it takes.
    error = 100 * ($3 == "GB/s" ? recorded[$1] / $2 : $2 / recorded[$1]) - 100
    judge(program, error)
    judge("all", error)
}
END {
    for (i = 1; i <= programs; i++)
        show(order[i])
    show("all")
    if (!times["all"] && !wrong)
        print "the record has nothing of what they print: make micro records it on such a GPU" >"/dev/stderr"
    if (unknown)
        printf "not in the record: %d\n", unknown
    exit wrong || !times["all"]
}' "$record" "$results" || status=1
exit $status
