#!/bin/bash
# The k-th allocation of a command fails, for every verb and for every k that there is time for:
#
#     tests/hostile/allocations.bash SECONDS
#
# The command must say that memory is lacking, or do what it does without it.
. tests/hostile/common.bash
run=build/sim/run
${CC:-cc} -shared -fPIC -O1 -Wall -Wextra -Werror tests/hostile/fail_allocation.c -o "$scratch/fail.so" || exit
cp docs/runs/h200.json results/first.json
export APODKIT_FAILED=$scratch/hit
commands=("1 3 -n 33 --json $scratch/file" "2 -n 9 --save kept" "3 -n 9 --summary --baseline first" "compare h200 h100"
    "compare h200 first --csv $scratch/file" "compare h200 h100 --json -" "explain 3 --recorded h200" "explain 5 -n 64"
    "export h200 --csv -" "export first --csv $scratch/file" "history" "history --json -" "hotspots 3 -n 33"
    "hotspots 4 -n 9 --json -" "metrics" "metrics --json -" "occupancy 4" "occupancy --json -" "sweep 2 n=8:24:+8"
    "sweep 1 n=8:16:*2 --csv $scratch/file" "trace 2 -n 33" "trace 2 -n 9 --json $scratch/file" "--complete 3")

# Fails the K-th of a command. False when there are fewer, which then is no try.
fail() { # K COMMAND
    rm -f "$scratch/hit" "$scratch/file" results/kept.json
    if try env LD_PRELOAD="$scratch/fail.so" APODKIT_FAIL_ALLOCATION="$1" $run $2 && [ -e "$scratch/hit" ]; then
        if grep -qsE 'no JSON|wrong result|invalid PTX|APODKIT_SIM_MODEL' "$err" "$out" "$scratch/file"; then
            wrong "another cause is named"
        elif [ $status -ne 0 ] && ! grep -qisE 'memory|allocat' "$err" "$out" "$scratch/file"; then
            wrong "memory is not named (status $status)"
        fi
    fi
    [ -e "$scratch/hit" ] || tried=$((tried - 1))
    [ -e "$scratch/hit" ]
}

for at in "${!commands[@]}"; do
    try $run ${commands[at]} && [ $status -eq 0 ] || wrong "it fails by itself"
    most[at]=16384 # until it is known how many there are
done
while time_is_left; do
    for at in "${!commands[@]}"; do
        k=$((RANDOM % most[at] + 1))
        fail $k "${commands[at]}" || most[at]=$k
    done
done
total "failing allocations (at most ${most[*]})"
