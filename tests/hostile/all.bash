#!/bin/bash
# All hostile tests, one after the other, with an equal share of SECONDS each:
#
#     tests/hostile/all.bash SECONDS
#
# The last line is the total of what was tried; the exit status 0 when nothing failed.
mapfile -t scripts < <(ls tests/hostile/*.bash | grep -v -e /all.bash -e /common.bash)
share=$((${1:?how many seconds?} / ${#scripts[@]})) passed=0 failed=0
for script in "${scripts[@]}"; do
    said=$(bash "$script" $share) || broken="$broken $script"
    echo "$said"
    read -r tries wrongs < <(sed -nE 's/.*: tried ([0-9]+), failed ([0-9]+)$/\1 \2/p' <<<"$said")
    passed=$((passed + ${tries:-0} - ${wrongs:-0})) failed=$((failed + ${wrongs:-0}))
done
[ -z "$broken" ] || [ $failed -gt 0 ] || failed=1
echo "$passed passed, $failed failed"
[ -z "$broken" ] || { echo "failed:$broken" >&2 && exit 1; }
