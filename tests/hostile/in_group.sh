#!/bin/bash
# Runs a command in a control group of its own that may have so much memory and no swap:
#
#   tests/hostile/in_group.sh MIB COMMAND...
#
# The exit status is the command's; 77 with a reason when there can be no such group here.
set -u
bytes=$(($1 << 20))
shift
own=$(sed -n 's/^[0-9]*:\([^:]*,\)\{0,1\}memory\(,[^:]*\)\{0,1\}://p' /proc/self/cgroup)
if [ -n "$own" ]; then
    parent=/sys/fs/cgroup/memory$own limit=memory.limit_in_bytes swap=memory.memsw.limit_in_bytes
    with_swap=$bytes # version 1 counts both together
else
    parent=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup) limit=memory.max swap=memory.swap.max
    with_swap=0
fi
group=$parent/apodkit-$$
refuse() {
    echo "no control group with a limit of memory can be made here: $1"
    exit 77
}
mkdir "$group" 2>/dev/null || refuse "$group"
trap 'rmdir "$group"' EXIT
{ echo "$bytes" >"$group/$limit"; } 2>/dev/null || refuse "$group/$limit"
[ ! -e "$group/$swap" ] || echo "$with_swap" >"$group/$swap"
(echo $BASHPID >"$group/cgroup.procs" && exec "$@")
