#!/bin/sh
# Runs suites of tests side by side, a process each, as many as there are cores, and adds up what they say:
#
#   tests/run_suites.sh FOLDER PROGRAM...    with FOLDER/NAME.out and .err of each suite
#   tests/run_suites.sh --estimate FOLDER    says how long that takes
#
# A PROGRAM is one suite, called test_NAME or given as NAME=PROGRAM; or has several, which `PROGRAM --list` names
# and CK_RUN_SUITE chooses: then it is called *.run. The longest begin first. Those that
# measure on a GPU run at the end, alone. A suite that crashes, does not end within LIMIT seconds, runs no test
# or was not built has failed. Those in LEAVE_OUT do not run, and are named. The last line is the total; the exit
# status 0 when nothing failed.
set -eu
cores=${JOBS:-$(nproc)}
limit=${LIMIT:-900}

# CPU seconds of each suite, and of compiling: the last run's here, or those that the kit comes with.
recorded() {
    cat "$1/times" tests/times 2>/dev/null | awk '!seen[$1]++'
}

estimate() {
    recorded "$1" | awk -v cores="$cores" -v built="$(ls "$1/times" 2>/dev/null)" '
        $1 == "compiling" { if (built == "") build = $2; next }
        { sum += $2; if ($2 > longest) longest = $2 }
        END {
            wall = sum / cores
            wall = (wall > longest ? wall : longest) + build / cores
            printf "The tests take about %s on %d core%s%s\n",
                wall < 90 ? int(wall / 10 + 1) * 10 " seconds" : int(wall / 60 + 0.9) " minutes", cores,
                cores == 1 ? "" : "s", build ? ", the build included" : " once they are built" }'
}

# One suite, its output into files, and into NAME.end how it ended.
one() {
    folder=$1
    name=$(name_of "$2")
    program=${2#*=}
    case $program in *.run) [ "$program" = "$2" ] || export CK_RUN_SUITE="$name" ;; esac
    status=0
    timeout -k 10 "$limit" "$program" >"$folder/$name.out" 2>"$folder/$name.err" </dev/null &
    child=$!
    trap 'kill $child 2>/dev/null; exit 130' INT TERM HUP
    wait $child || status=$?
    echo "$name $status" >"$folder/$name.end"
    times >"$folder/$name.cpu" # no pipe: a shell of its own would have no children
    awk -v name="$name" 'NR == 2 {
        split($1 $2, part, /[ms]/)
        printf "%s %.1f\n", name, part[1] * 60 + part[2] + part[3] * 60 + part[4] }' \
        "$folder/$name.cpu" >"$folder/$name.time"
    if [ -t 2 ]; then
        printf '\r\033[K%d of %s suites, the last %s' "$(cat "$folder"/*.end | wc -l)" "$SUITES" "$name" >&2
    fi
}

name_of() {
    case $1 in
    *=*) echo "${1%%=*}" ;;
    *) basename "$1" | sed 's/^test_//' ;;
    esac
}

# The suites of all programs, a line each: its CPU seconds, [NAME=]PROGRAM, and "alone" where it measures.
suites() {
    for program in "$@"; do
        case $program in
        *.run) "$program" --list 2>/dev/null | sed "s|^\([^ ]*\)|\1=$program|" | grep . || echo "$program" ;;
        *) echo "$program" ;;
        esac
    done | while read -r suite alone; do
        case " ${LEAVE_OUT-} " in *" $(name_of "$suite") "*) continue ;; esac
        seconds=$(recorded "$folder" | awk -v name="$(name_of "$suite")" '$1 == name { print $2 }')
        echo "${seconds:-0} $suite $alone"
    done | sort -rn
}

# "3 of 17 tests failed", "killed by signal 11", ...: nothing when all is well. Adds to the total.
judge() {
    name=$1
    status=$(awk '{ print $2 }' "$folder/$name.end" 2>/dev/null || echo 127)
    counts=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' \
        "$folder/$name.out" 2>/dev/null | tail -n 1)
    # shellcheck disable=SC2046,SC2086 # numbers
    set -- ${counts:-0 0 0} $(sed -n 's/^Skipped \([0-9]*\) .*/\1/p' "$folder/$name.out" 2>/dev/null)
    run=$1
    bad=$(($2 + $3))
    shift 3
    none=$((run == 0 && $# == 0))
    for count in "$@"; do
        skipped=$((skipped + count))
    done
    passed=$((passed + run - bad))
    why=""
    case $status in
    0) [ $bad -eq 0 ] || why="$bad of $run tests failed, and it ended well" ;;
    124) why="did not end within $limit seconds" ;;
    12[67]) why="was not built" ;;
    *) [ "$status" -lt 128 ] && why="$bad of $run tests failed" || why="killed by signal $((status - 128))" ;;
    esac
    [ $none -eq 0 ] || why="${why:-ran no tests}"
    [ -z "$why" ] || failed=$((failed + (bad > 0 ? bad : 1)))
}

case $1 in
--estimate)
    estimate "$2"
    exit
    ;;
--one)
    one "$2" "$3"
    exit
    ;;
esac

folder=$1
shift
mkdir -p "$folder"
rm -f "$folder"/*.*
list=$folder/list
suites "$@" >"$list"
SUITES=$(wc -l <"$list")
export SUITES
export CK_DEFAULT_TIMEOUT="${CK_DEFAULT_TIMEOUT:-60}" # seconds a test: Check's 4 are for one that has a core to itself
began=$(date +%s)
awk '$3 != "alone" { print $2 }' "$list" | xargs -r -P "$cores" -n 1 "$0" --one "$folder" || true
awk '$3 == "alone" { print $2 }' "$list" | xargs -r -n 1 "$0" --one "$folder" || true
[ ! -t 2 ] || printf '\r\033[K' >&2

passed=0 failed=0 skipped=0 names=""
while read -r _ suite _; do
    judge "$(name_of "$suite")"
    grep -h '^Skipped ' "$folder/$name.out" 2>/dev/null || true
    [ -n "$why" ] || continue
    tests=$(sed -n 's/^[^:]*:[0-9]*:[FE]:[^:]*:\([^:]*\):.*/ \1/p' "$folder/$name.out" 2>/dev/null | uniq | tr -d '\n')
    names="$names$name: $why${tests:+:$tests} ($folder/$name.out and .err)
"
    echo "---- $name $why; the end of what it said:"
    tail -n 60 "$folder/$name.err" 2>/dev/null || true
    tail -n 60 "$folder/$name.out" 2>/dev/null || true
done <"$list"
cat "$folder"/*.time >"$folder/times"
[ -z "${LEAVE_OUT-}" ] || echo "Left out: $LEAVE_OUT"
echo "$SUITES suites, in $(($(date +%s) - began)) seconds on $cores cores"
if [ "${BUILT:-yes}" = no ]; then
    names="${names}the build: see above
"
    failed=$((failed + 1))
fi
[ -z "$names" ] || printf 'FAILED:\n%s' "$names"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
