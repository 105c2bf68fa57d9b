#!/bin/sh
# How often ./run compare calls two runs of one program different: of PAIRS pairs of runs, by step, and in all; exit
# status 1 from 5 % on.
#   tests/same_program.sh [PAIRS [ARGUMENT...]]      from the root of the sources; 200 pairs, with a GPU
# The arguments are ./run's. RUN is another program, or the simulated device: RUN='./run --sim'.
set -eu
pairs=${1:-200}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- -n 2048 3 4 5 6 7 8
run=${RUN:-./run --gpu}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pair=0
while [ "$pair" -lt "$pairs" ]; do
    pair=$((pair + 1))
    for half in a b; do
        $run "$@" --no-profile --no-reference --json "$folder/$half" --summary >/dev/null
    done
    ./run compare "$folder/a" "$folder/b" --csv - >>"$folder/compared"
    [ ! -t 2 ] || printf '\r%d of %d pairs' "$pair" "$pairs" >&2
done
[ ! -t 2 ] || echo >&2

# Titles may hold commas: what is looked for stands behind them.
LC_ALL=C awk -v OFS='\t' '
/,time_ms,/ {
    step = $0
    sub(/,.*/, "", step)
    split(substr($0, index($0, ",time_ms,") + 9), field, ",")
    change = 100 * (field[3] / field[1] - 1)
    if (change < 0) change = -change
    if (!(step in trials)) steps[++count] = step
    trials[step]++
    beyond[step] += change > 3
    different[step] += field[5] != "same"
    if (change > most[step]) most[step] = change
}
function row(name, trials, different, beyond, most) {
    printf "%-6s%8d%12d%8.1f%%%12d%11.1f%%\n", name, trials, different, 100 * different / trials, beyond, most
}
END {
    if (!count) { print "no pair of runs has a time in it"; exit 1 }
    print "step    trials   different    rate   beyond 3%  most apart"
    for (i = 1; i <= count; i++) {
        s = steps[i]
        row(s, trials[s], different[s], beyond[s], most[s])
        all += trials[s]; all_different += different[s]; all_beyond += beyond[s]
        if (most[s] > all_most) all_most = most[s]
    }
    row("all", all, all_different, all_beyond, all_most)
    exit all_different >= 0.05 * all
}' "$folder/compared"
