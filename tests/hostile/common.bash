# What the hostile tests share: to be sourced, from the kit's top, by a script that is given SECONDS.
#
# They try what a user does not, as often as there is time for, on a copy of the programs: no try may crash, hang, fail
# without a word, or end well with less than it should. SEED repeats what was tried; a failure prints its command.

seed=${SEED:-$$}
RANDOM=$seed
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
kit=$scratch/kit out=$scratch/out err=$scratch/err
tried=0 failed=0 status=0
export APODKIT_SIM_THREADS=2 NO_COLOR=1 TMPDIR=$scratch

# A kit of its own, as what is tried writes to any of its files. The programs find it from where they lie.
mkdir -p "$kit/results"
for program in build/sim/run build/check/run; do
    if [ -x "$program" ]; then
        mkdir -p "$kit/${program%/*}"
        cp -p "$program" "$program".sources "$kit/${program%/*}" 2>/dev/null
    fi
done
cp -pr Makefile README.md steps src docs tests "$kit"
cd "$kit" || exit
ends=$((SECONDS + ${1:?how many seconds?}))

time_is_left() {
    [ $SECONDS -lt $ends ]
}

wrong() { # WHY: of the last try, whose words are in ${command[@]}
    failed=$((failed + 1))
    {
        printf 'SEED=%s: %s:' "$seed" "$1"
        printf ' %q' "${command[@]}"
        printf '\n'
        head -c 2000 "$err"
    } >&2
}

# Runs the command for a minute at most. Where a write to standard error itself is made to fail, nobody hears. False, and counted, when it crashed, hung or failed without a word.
try() {
    command=("$@")
    tried=$((tried + 1)) status=0
    rm -f "$scratch/trace"
    timeout -k 1 60 "$@" >"$out" 2>"$err" </dev/null || status=$?
    if [ $status -eq 124 ] || [ $status -eq 137 ]; then
        wrong "it hung"
    elif [ $status -ge 128 ] || grep -qaE 'Sanitizer|runtime error:' "$err"; then
        wrong "it crashed (status $status)"
    elif [ $status -ne 0 ] && [ ! -s "$err" ] && ! grep -qs 'write(2, .*INJECTED' "$scratch/trace"; then
        wrong "status $status without a word"
    else
        return 0
    fi
    return 1
}

any() { # WORD...: one of them
    shift $((RANDOM % $#))
    printf '%s' "$1"
}

total() { # WHAT
    printf '%s: tried %d, failed %d\n' "$1" $tried $failed
    [ $failed -eq 0 ] && [ $tried -gt 0 ]
}
