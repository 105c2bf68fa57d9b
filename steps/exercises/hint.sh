#!/bin/sh
# Prints one hint of an exercise's, and how to get the next: HINT=1 steps/exercises/hint.sh STEP
#
# steps/exercises/stepN.hints has them in paragraphs that start with "1. ", "2. " and so on.
set -eu
cd "$(dirname "$0")"
hints="step$1.hints"
count=$(grep -c '^[0-9]*\. ' "$hints")
case "$HINT" in
'' | *[!0-9]* | ?????*) hint=0 ;;
*) hint=$HINT ;;
esac
if [ "$hint" -lt 1 ] || [ "$hint" -gt "$count" ]; then
    echo "There is no hint '$HINT': step $1 has HINT=1 to $count" >&2
    exit 1
fi
awk -v start="$hint." '/^[0-9]+\. / { on = $1 == start } on && NF' "$hints"
if [ "$hint" -lt "$count" ]; then
    echo "More: make hint$1 HINT=$((hint + 1))"
else
    echo "That was the last hint. The kit's own solution is $(cd ../.. && ls steps/step"$1"_*.cu)"
fi
