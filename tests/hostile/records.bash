#!/bin/bash
# Recorded runs, damaged at random, given to all that reads them:
#
#     tests/hostile/records.bash SECONDS
. tests/hostile/common.bash
run=build/check/run # with the sanitizers

# A byte another, a piece gone, a piece twice, a number absurd, a key another's, cut short.
damage() { # SEED FILE
    LC_ALL=C awk -v seed="$1" 'BEGIN { srand(seed); RS = "\001"
            split("null true [] {} \"\" \"x\" -1 1e999 -1e308 0.5 99999999999999999999 \"\\u0000\" \"\\ud800\" [[[[[[", word, " ") }
        function at_random(n) { return int(rand() * n) + 1 }
        { text = $0
          for (times = at_random(4); times > 0; times--) {
              place = at_random(length(text)); span = at_random(40); kind = at_random(6)
              before = substr(text, 1, place - 1); behind = substr(text, place + span)
              if (kind == 1) text = before sprintf("%c", at_random(255)) substr(text, place + 1)
              else if (kind == 2) text = before behind
              else if (kind == 3) text = before substr(text, place, span) substr(text, place)
              else if (kind == 4) text = before substr(text, at_random(length(text)), span) behind
              else if (kind == 5) text = rand() < 0.1 ? before : text
              else { tail = substr(text, place); sub(/: *("[^"]*"|[-0-9.e+]+|true|false|null)/, ": " word[at_random(14)], tail)
                     text = before tail }
          }
          printf "%s", text }' "$2"
}

mapfile -t records < <(ls "$PWD"/docs/runs/*.json "$PWD"/tests/recorded/*.json)
while time_is_left; do
    damage $RANDOM "$(any "${records[@]}")" >results/damaged.json
    try $run $(any "compare damaged h200" "compare h200 damaged" "export damaged --csv -" "export damaged --json -" \
        "history" "1 -n 9 --baseline damaged")
    [ $status -ne 0 ] || [ -s "$out" ] || wrong "it ended well without a word"
done
total "damaged records"
