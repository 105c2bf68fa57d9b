#!/bin/sh
# What the number of the host's threads must not change: the suites of the simulated device with 16 and 64
# threads, which are more than there are cores; the same under ThreadSanitizer with 16; and the JSON of a run with
# 1, 2, 16 and 64.
#
#     tests/threads.sh PLAIN SANITIZED RUN EVERY_CASE THREADS_ALONE
#
# PLAIN, SANITIZED   folders of test programs
# RUN                the simulated ./run
# EVERY_CASE         names of suites that run whole
# THREADS_ALONE      of those of which the tests run that try several numbers of threads
#
# build/threads/suites has what each suite says.
set -u
plain=$1 sanitized=$2 run=$3 every_case=$4 threads_alone=$5
folder=build/threads
programs=''
. tests/suites.sh # same, total
export CK_TIMEOUT_MULTIPLIER=20 # more threads than cores, and ThreadSanitizer is slow

# ThreadSanitizer wants its addresses where some kernels' randomisation puts others.
fixed="setarch $(uname -m) -R"
$fixed true 2>/dev/null || fixed=

# A program of its own for a suite and its settings, as tests/run_suites.sh wants.
add() { # NAME COMMAND...
    name=$1
    shift
    printf '#!/bin/sh\nexec %s\n' "$*" >"$folder/$name" && chmod +x "$folder/$name"
    programs="$programs $name=$folder/$name"
}

for name in $every_case; do
    add "tsan_16_threads_$name" env APODKIT_SIM_THREADS=16 $fixed "$sanitized/test_sim_$name"
done
for name in $threads_alone; do
    add "tsan_threads_$name" env CK_RUN_CASE=threads $fixed "$sanitized/test_sim_$name"
done
for threads in 16 64; do
    for name in $every_case l2_log; do
        add "${threads}_threads_$name" env APODKIT_SIM_THREADS=$threads "$plain/test_sim_$name"
    done
done
add 16_threads_steps env APODKIT_SIM_THREADS=16 "$plain/test_sim_steps"

# All but what the host's clock says of the transpose on the CPU.
known() {
    APODKIT_SIM_THREADS=$1 "$run" "$2" --sim -n 257 --json - 2>"$logs/err" |
        sed -e '/"cpu_timing"/,/}/d' -e '/"cpu_ms"/d' >"$logs/json.$1"
    cat "$logs/err" >&2
}
for verb in --summary hotspots; do
    known 1 $verb
    for threads in 2 16 64; do
        known $threads $verb
        same "run $verb, JSON, 1 and $threads threads" "$logs/json.1" "$logs/json.$threads"
    done
done
total "JSON"

# shellcheck disable=SC2086 # a list of words
tests/run_suites.sh $folder/suites $programs || exit
# A test that is meant to end by a signal does not tell of a race by how it ends.
races=$(grep -l 'WARNING: ThreadSanitizer' $folder/suites/*.err)
failed="$failed${races:+${failed:+, }races, in $races}"
[ -z "$failed" ] || { echo "FAILED: $failed" && exit 1; }
