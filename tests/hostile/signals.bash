#!/bin/bash
# A signal to ./run alone, at a random moment of a run, a sweep (one that builds, too), an explanation or a look at
# lines: nothing that it has started may be left:
#
#     tests/hostile/signals.bash SECONDS
. tests/hostile/common.bash
set -m # jobs get process groups of their own, as from a terminal, and with them SIGINT and SIGQUIT
ulimit -c 0
runs=("2 4 -n 512" "sweep 3 4 n=64,128,256" "explain --sim 4 -n 256" "hotspots 4 5 -n 256"
    "sweep 5 n=64 TILE=4 ROWS=2")
signals=(INT TERM HUP QUIT KILL)
export GNUMAKEFLAGS=SETUP=no

while time_is_left; do
    words=${runs[RANDOM % ${#runs[@]}]}
    signal=${signals[RANDOM % ${#signals[@]}]}
    printf -v moment 0.%03d $((RANDOM % 500))
    mark=signals-$$-$tried
    # shellcheck disable=SC2086 # a list of words
    APODKIT_MARK=$mark build/sim/run $words >"$out" 2>"$err" </dev/null &
    pid=$!
    sleep "$moment"
    kill -s "$signal" $pid 2>/dev/null && tried=$((tried + 1))
    wait $pid 2>/dev/null
    tests/hostile/left_behind.sh "$mark" >"$err" && continue
    command=(SIG"$signal" after "$moment" s of build/sim/run "$words")
    wrong "it leaves processes behind"
    grep -o '^ *[0-9]*' "$err" | xargs kill -s KILL 2>/dev/null
done

total signals
