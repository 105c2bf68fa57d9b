#!/bin/bash
# Eight processes at once keep a run under one name and write one file of JSON and one of CSV:
#
#     tests/hostile/eight.bash SECONDS
#
# Each run is kept, by some name, or refused before it is made; and every file is whole, at any time.
. tests/hostile/common.bash
run=build/sim/run
export APODKIT_SIM_CHECKS=0 APODKIT_SIM_THREADS=1

work() {
    $run --sim 3 -n 32 --summary --save same --json run.json
    local ended=$?
    $run export h200 --csv runs.csv
    return $ended
}

while time_is_left; do
    rm -f results/*
    command=(eight at once) workers=()
    for i in 1 2 3 4 5 6 7 8; do
        work >"$out" 2>"$scratch/err$i" &
        workers+=($!)
        $run history >"$out" 2>"$err" || wrong "half a run"
        [ ! -e run.json ] || $run compare run.json h200 >"$out" 2>"$err" || wrong "half a file"
    done
    wait "${workers[@]}"
    tried=$((tried + 8))
    cat "$scratch"/err? >"$err"
    kept=$($run history 2>>"$err" | grep -c ' same')
    renamed=$(grep -c 'is kept as' "$err") refused=$(grep -c 'there is a run of that name' "$err")
    [ $((kept + refused)) = 8 ] && [ $((renamed + refused)) = 7 ] ||
        wrong "$kept were kept, $renamed by other names, and $refused refused"
    [ "$(wc -l <runs.csv)" = 9 ] || wrong "half a CSV"
    [ -z "$(find . -name '.apodkit*')" ] || wrong "files were left behind"
done
total "eight at once"
