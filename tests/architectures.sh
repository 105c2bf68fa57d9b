#!/bin/sh
# Writes a fat binary with a step's PTX for each architecture of a list that clang knows; what it does not know is
# left out.
#
#     architectures.sh step.cu step.fatbin "75 80 86" clang -flags...
set -eu
source=$1 fatbin=$2 archs=$3
shift 3

# The oldest version of PTX that has the architecture: clang takes an older one by default at times.
oldest()
{
    case $1 in
        75) echo 63 ;;
        80) echo 70 ;;
        86) echo 71 ;;
        89 | 90) echo 78 ;;
        100) echo 86 ;;
        *) echo 87 ;;
    esac
}

known=
for arch in $archs; do
    ptx=${fatbin%.fatbin}.sm_$arch.ptx
    if "$@" "--cuda-gpu-arch=sm_$arch" -Xclang -target-feature -Xclang "+ptx$(oldest "$arch")" \
        --cuda-device-only -S "$source" -o "$ptx" 2> "$ptx.err"; then
        known="$known $arch $ptx"
    elif ! grep -q 'unsupported CUDA gpu architecture' "$ptx.err"; then
        cat "$ptx.err" >&2
        exit 1
    fi
done
# shellcheck disable=SC2086 # a list
src/sim/fatbinary.sh "$source" $known > "$fatbin"
