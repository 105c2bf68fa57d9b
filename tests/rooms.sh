#!/bin/sh
# Refuses an include that climbs (tests/rooms.txt says who may include whom), one without its room, and cycles
# between modules, a module being a header with its source. It runs from the root of the sources.
set -eu
edges=$(mktemp)
trap 'rm -f "$edges"' EXIT
status=0

# Writes the includes that are allowed as pairs of modules.
grep -o '^#include "[^"]*' src/*.[ch] src/*/*.[ch] src/sim/*/*.[ch] cupti/*.[ch] | awk -F ':#include "' '
function room(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "main" }
function module(path) { sub(/\.[ch]$/, "", path); return path }
function refuse(what) { print "tests/rooms.sh: " what >"/dev/stderr"; bad = 1 }
FILENAME != "-" {
    count = split($0, word, " ")
    if (word[1] == "room")
        for (rooms[word[2]] = i = 2; i <= count; i++)
            may[word[2], word[i]] = 1
    next
}
{
    from = $1
    sub(/^src\//, "", from)
    to = $2
    a = room(from)
    if (!(a in rooms))
        refuse($1 " is in no room of tests/rooms.txt")
    else if (!((a, room(to)) in may) && !((a, to) in may))
        refuse($1 " may not include \"" to "\"" (to ~ "/" ? ": " a " does not see " room(to) : \
               ", which names no room"))
    else if (module(from) != module(to))
        print module(from), module(to)
}
END { exit bad }' tests/rooms.txt - >"$edges" || status=1

# It names the modules of a cycle.
tsort "$edges" >/dev/null || status=1
exit $status
