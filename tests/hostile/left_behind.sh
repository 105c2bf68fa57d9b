#!/bin/bash
# Which processes are left of a program that was started with APODKIT_MARK=MARK in its environment, which all that it
# starts inherit:
#
#   tests/hostile/left_behind.sh MARK [SECONDS]
#
# Waits until there is none, for 5 seconds or SECONDS at most. Then those that there are are listed, a line each, and
# the exit status is 1.
set -u
seconds=${2:-5}
end=$((SECONDS + seconds))
while marked=$(grep -lsxz "APODKIT_MARK=$1" /proc/[0-9]*/environ)
    [ -n "$marked" ]; do
    if [ $SECONDS -ge $end ]; then
        for file in $marked; do
            process=${file#/proc/}
            ps -o pid=,stat=,args= -p "${process%/environ}"
        done
        exit 1
    fi
    sleep 0.02
done
exit 0
