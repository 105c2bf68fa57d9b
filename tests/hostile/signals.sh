#!/bin/bash
# A signal to ./run alone, at a random moment of a run, a sweep (one that builds, too) or an explanation: nothing that
# it started may be left.
#
#   tests/hostile/signals.sh [SECONDS]       for 20 seconds or SECONDS; RUN=PROGRAM, SEED=N
#
# GNUMAKEFLAGS tells the makes of sweeps how this program was built: "CC=gcc NVCC= SETUP=no".
# The last line is the total; the exit status is 1 when something was left, or nothing was tried.
set -um # jobs in process groups of their own, as a terminal's are, which get SIGINT and SIGQUIT
cd "$(dirname "$0")/../.." || exit
ulimit -c 0
run=${RUN:-build/sim/run}
seed=${SEED:-$$}
RANDOM=$seed
end=$((SECONDS + ${1:-20}))
built=build/sim-4x2 # what the sweep builds
commands=("2 4 -n 512" "sweep 3 4 n=64,128,256" "explain --sim 4 -n 256" "hotspots 4 5 -n 256"
    "sweep 5 n=64 TILE=4 ROWS=2")
signals=(INT TERM HUP QUIT KILL)
tried=0 left=0
trap 'rm -rf "$built"' EXIT

while [ $SECONDS -lt $end ]; do
    words=${commands[RANDOM % ${#commands[@]}]}
    signal=${signals[RANDOM % ${#signals[@]}]}
    moment=0.$(printf '%03d' $((RANDOM % 500)))
    mark=signals-$$-$tried
    rm -rf "$built"
    # shellcheck disable=SC2086 # a list of words
    APODKIT_MARK=$mark $run $words >/dev/null 2>&1 </dev/null &
    pid=$!
    sleep "$moment"
    kill -s "$signal" "$pid" 2>/dev/null && tried=$((tried + 1))
    wait "$pid" 2>/dev/null
    tests/hostile/left.bash "$mark" && continue
    left=$((left + 1))
    echo "left behind by: SIG$signal after $moment s to $run $words (SEED=$seed)"
    # shellcheck disable=SC2046 # a list of numbers
    kill -s KILL $(grep -lsxz "APODKIT_MARK=$mark" /proc/[0-9]*/environ | tr -dc '0-9\n') 2>/dev/null
done 2>/dev/null
echo "signals: tried $tried, left behind $left"
[ "$left" -eq 0 ] && [ "$tried" -gt 0 ]
