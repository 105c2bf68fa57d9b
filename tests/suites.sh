# Runs suites of tests, each a program, says of each how it went, and ends with one total. To be sourced.

suites=0 checks=0 failed=''
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# suite NAME COMMAND...: what it prints on stderr follows only when it fails.
suite() {
    name=$1
    shift
    start=$(date +%s)
    status=0
    "$@" >"$logs/out" 2>"$logs/err" || status=$?
    count=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\),.*/\1/p' "$logs/out")
    suites=$((suites + 1)) checks=$((checks + ${count:-0}))
    if [ $status = 0 ] && [ -n "$count" ]; then
        printf '%-44s %5d tests passed  %4d s\n' "$name" "$count" $(($(date +%s) - start))
        return
    fi
    failed="$failed${failed:+, }$name"
    printf '%-44s FAILED with status %d\n' "$name" $status
    cat "$logs/out" "$logs/err" >&2
}

# same NAME FILE FILE: one more test, that two files are equal, and hold something.
same() {
    suites=$((suites + 1)) checks=$((checks + 1))
    if difference=$(diff "$2" "$3") && [ -s "$2" ]; then
        printf '%-44s         equal\n' "$1"
        return
    fi
    failed="$failed${failed:+, }$1"
    printf '%-44s FAILED: they differ, or are empty\n%s\n' "$1" "$difference"
}

# The total; fails where something did.
total() {
    printf '%s: %d suites, %d tests%s\n' "$1" $suites $checks "${failed:+; failed: $failed}"
    test -z "$failed"
}
