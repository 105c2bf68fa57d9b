#!/bin/sh
# Compiles a step for as many GPUs as it is written for, and says which those are when it is not all:
#
#   src/compile_step.sh KIND SOURCE "75 80 90" COMMAND...    the command lacks the options that name GPUs
#
# KIND is nvcc (machine code and PTX for each compute capability, for a GPU and for the simulated device) or clang (PTX
# for the lowest). What compiles for none is an error, shown once.
set -euf # code=[...] is no pattern
kind=$1 source=$2 all=$3
shift 3
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# The options for these compute capabilities, the lowest first.
options() {
    case $kind in
    nvcc) for arch; do echo "-gencode arch=compute_$arch,code=[sm_$arch,compute_$arch]"; done ;;
    clang) # each with the first version of PTX that knows it
        echo "--cuda-gpu-arch=sm_$1 -Xclang -target-feature -Xclang +ptx$(
            case $1 in 75) echo 63 ;; 80) echo 70 ;; *) echo 71 ;; esac)"
        ;;
    esac
}

# The compute capabilities as people write them: 7.5, 8.0.
readable() {
    echo "$@" | sed 's/\([0-9]\)\( \|$\)/.\1\2/g; s/ /, /g'
}

# Compiles with the command in "$@" for the compute capabilities in $archs.
compile() {
    # shellcheck disable=SC2046,SC2086 # lists of words
    "$@" $(options $archs) >"$said" 2>&1
}

archs=$all
if ! compile "$@"; then
    archs=${all##* }
    if [ "$archs" = "$all" ] || ! compile "$@"; then # not even for the newest
        cat "$said" >&2
        exit 1
    fi
    good="" bad="" why=""
    for archs in $all; do
        if compile "$@"; then
            good="$good $archs"
        else
            bad="$bad $archs"
            why=${why:-$(sed -n 's/.*error *: *//p' "$said" | head -n 1)}
        fi
    done
    archs=${good# }
    compile "$@" || {
        cat "$said" >&2
        exit 1
    }
    # shellcheck disable=SC2086 # lists of words
    echo "$source: not for compute capability $(readable $bad): $why; built for $(readable $archs)"
fi
cat "$said" >&2
