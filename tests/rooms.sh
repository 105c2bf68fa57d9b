#!/bin/sh
# Refuses an include that climbs (tests/rooms.txt says who may include whom), one without its room, and cycles
# between modules, a module being a header with its source. The known exceptions are listed there by name, and each
# must still be one, so that the list can only shrink. It runs from the root of the sources.
set -eu
edges=$(mktemp)
trap 'rm -f "$edges"' EXIT
status=0

# Writes the includes that are allowed as pairs of modules; and of the exceptions those that do not climb, marked
# with a third word.
grep -o '^#include "[^"]*' src/*.[ch] src/*/*.[ch] src/sim/*/*.[ch] cupti/*.[ch] | awk -F ':#include "' '
function room(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "main" }
function module(path) { sub(/\.[ch]$/, "", path); return path }
function refuse(what) { print "tests/rooms.sh: " what >"/dev/stderr"; bad = 1 }
FILENAME != "-" {
    count = split($0, word, " ")
    if (word[1] == "room")
        for (rooms[word[2]] = i = 2; i <= count; i++)
            may[word[2], word[i]] = 1
    if (word[1] == "known")
        known[word[2], word[3]] = 1
    next
}
{
    from = to = ""
    from = $1
    sub(/^src\//, "", from)
    to = $2
    a = room(from)
    climbs = !((a, room(to)) in may) && !((a, to) in may)
    if ((from, to) in known)
        seen[from, to] = 1
    else if (!(a in rooms))
        refuse($1 " is in no room of tests/rooms.txt")
    else if (climbs)
        refuse($1 " may not include \"" to "\"" (to ~ "/" ? ": " a " does not see " room(to) : \
               ", which names no room"))
    if (!climbs && module(from) != module(to))
        print module(from), module(to), (from, to) in known ? "known" : ""
}
END {
    for (pair in known)
        if (!(pair in seen)) {
            split(pair, word, SUBSEP)
            refuse("tests/rooms.txt knows " word[1] " " word[2] ", which is no more: delete the line")
        }
    exit bad
}' tests/rooms.txt - >"$edges" || status=1

# tsort names the modules of a cycle.
acyclic() {
    awk 'NF == 2 || $1 " " $2 == added { print $1, $2 }' added="$1" "$edges" | tsort >/dev/null
}
acyclic '' || status=1
while read -r from to known; do
    [ -z "$known" ] || ! acyclic "$from $to" 2>/dev/null || {
        echo "tests/rooms.sh: $from may include $to: tests/rooms.txt need not know it" >&2
        status=1
    }
done <"$edges"
exit $status
