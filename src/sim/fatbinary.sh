#!/bin/sh
# Writes a fat binary of PTX, as nvcc does with NVIDIA's fatbinary, for clang to embed: text alone does not
# say where it ends. The layout is that of src/base/fatbin.c. The source, then each architecture and its PTX:
#
#     fatbinary.sh step.cu 75 sm_75.ptx 90 sm_90.ptx > step.fatbin
set -eu
source=$1
shift
header=$(((64 + ${#source} + 8) / 8 * 8))

# A number in that many bytes, the lowest first.
little()
{
    left=$2 number=$1
    while [ "$left" -gt 0 ]; do
        # shellcheck disable=SC2059 # the format is the byte
        printf "\\$(printf %03o $((number % 256)))"
        number=$((number / 256)) left=$((left - 1))
    done
}

entry() # architecture, PTX
{
    size=$(wc -c < "$2")
    payload=$(((size + 8) / 8 * 8)) # with a NUL at least
    # kind (PTX), version, size of this header, size of the payload
    little 1 2; little 0x101 2; little $header 4; little $payload 8
    # compression (none), its options' place, version of what made it, architecture
    little 0 4; little 0 4; little 0 4; little "$1" 4
    # the source's name: its place and size; flags (64-bit, Linux); no more
    little 64 4; little ${#source} 4; little 0x11 8; little 0 8; little 0 8
    printf %s "$source"; little 0 $((header - 64 - ${#source}))
    cat "$2"; little 0 $((payload - size))
}

entries()
{
    while [ $# -gt 0 ]; do
        entry "$1" "$2"
        shift 2
    done
}

body=$(entries "$@" | wc -c)
# magic, version, size of this header, size of what follows
little $((0xBA55ED50)) 4; little 1 2; little 16 2; little "$body" 8
entries "$@"
