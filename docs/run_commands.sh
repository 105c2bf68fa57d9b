#!/bin/sh
# Runs the commands that documents tell the reader to type: docs/run_commands.sh FOLDER DOCUMENT...
#
# They are the blocks fenced with ```sh. One whose fence says more is left out, but for the lines that begin with
# ./run where it says that it needs a GPU: ./run must understand them, and miss the GPU. The others run in FOLDER, in
# a copy of the kit with what is built, as they stand, but for the size: where a command has no -n of its own, ./run
# gets -n 256. Prints each block that fails, with its output, and at the end how many ran.
# Exit status: 0 when all went well, else 1.
set -eu
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder/build"
for path in *; do
    [ "$path" = build ] || [ "$path" = results ] || cp -a "$path" "$folder"
done
for path in build/gpu build/sim; do
    [ ! -d "$path" ] || cp -a "$path" "$folder/build"
done

# One block a file, its commands with the size; the name says where it is from: walkthrough.md:12
blocks=$folder/blocks
mkdir "$blocks"
for document in "$@"; do
    awk -v name="$blocks/$(echo "$document" | tr / _)" '
        on && /^```/ { on = 0; close(file) }
        on && (!gpu || sub(/^\.\/run/, "without_gpu")) { print > file }
        /^```sh( needs a GPU)?$/ { on = 1; gpu = NF > 1; file = name ":" NR; if (!gpu) printf "" > file }' "$document"
done

cat >"$folder/small.sh" <<'END'
run() {
    case " $* " in
    *" -n "* | " compare "* | " export "* | " history "* | " metrics "* | " sweep "*) ./run "$@" ;;
    *) ./run "$@" -n 256 ;;
    esac
}
without_gpu() {
    status=0
    CUDA_VISIBLE_DEVICES='' ./run "$@" --gpu || status=$?
    [ $status -eq 3 ]
}
END

failed=0
count=0
for name in $(ls "$blocks" | sort -V); do # in the documents' order; no name has a blank
    block=$blocks/$name
    count=$((count + 1))
    {
        echo '. ./small.sh'
        sed -E 's#(^|[;&|] *)\./run#\1run#g; s#.*#{\n&\n} || exit 1#' "$block"
    } >"$block.run"
    if ! (cd "$folder" && SETUP=no sh "blocks/$name.run" >output.txt 2>&1 </dev/null); then
        failed=$((failed + 1))
        echo "$name: this fails:"
        cat "$block"
        echo "and prints:"
        tail -n 40 "$folder/output.txt"
    fi
done
echo "$count blocks of commands, $failed of them wrong"
[ "$failed" -eq 0 ]
