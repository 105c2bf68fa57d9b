#!/bin/bash
# Command lines at random, of the words and options that ./run itself offers and of values that nobody should type:
#
#     tests/hostile/command_lines.bash SECONDS
. tests/hostile/common.bash
run=build/check/run # with the sanitizers

values=("" 0 1 2 7 33 -1 -0 1e3 0x10 +4 nan 08 "1 2" 4294967297 99999999999999999999 % %s%n%d - -- = , : "*" '$(id)' "a b"
    $'\e[31m' $'\x9b' $'\xff\xfe' é ../../../etc/passwd/none /dev/null /dev/full / . no/such/folder/x docs/runs/h200.json
    Makefile h200 H200 h100 h2000 gtc2012 step3 n=1:9 n=16:64:16 n=9:1 n=1:99999999999:1 n= TILE=0 TILE=x ROWS=-1
    q=3 list kepler a100 volta always registers,shared_bytes ,,, dram__bytes.sum "$(printf '%5000s' x)")
verbs=("" "" $(build/sim/run --complete "" | grep -v -e '^[0-9]' -e '^watch$') nonsense)

while time_is_left; do
    verb=$(any "${verbs[@]}")
    mapfile -t options < <(build/sim/run --complete $verb -)
    line=($verb)
    case " ${options[*]} " in *" -n "*) line+=(-n 9) ;; esac # what follows may say otherwise
    for ((words = RANDOM % 6; words > 0; words--)); do
        option=$(any "${options[@]}") value=$(any "${values[@]}")
        case $((RANDOM % 6)) in
        0) line+=("$value") ;;
        1) line+=("$option") ;;
        2) line+=("$option=$value") ;;
        3) line+=("$(any 1 2 3 4 5 6 7 8)") ;;
        4) # what it offers there
            mapfile -t offered < <(build/sim/run --complete $verb "$option" "")
            line+=("$option" "$(any "${offered[@]}" "$value")")
            ;;
        *) line+=("$option" "$value") ;;
        esac
    done
    try $run "${line[@]}"
done
total "command lines"
