#!/bin/sh
# Writes a fat binary of PTX, as nvcc does with NVIDIA's fatbinary, for clang to embed: text alone does not
# say where it ends. The layout is that of src/base/fatbin.c.
#
#     fatbinary.sh 75 kernel.ptx step.cu > kernel.fatbin
set -eu
arch=$1 ptx=$2 source=$3

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

ptx_size=$(wc -c < "$ptx")
name_size=$(printf %s "$source" | wc -c)
payload=$(((ptx_size + 8) / 8 * 8)) # with a NUL at least
header=$(((64 + name_size + 8) / 8 * 8))

# magic, version, size of this header, size of what follows
little $((0xBA55ED50)) 4; little 1 2; little 16 2; little $((header + payload)) 8
# kind (PTX), version, size of this header, size of the payload
little 1 2; little 0x101 2; little $header 4; little $payload 8
# compression (none), its options' place, version of what made it, architecture
little 0 4; little 0 4; little 0 4; little "$arch" 4
# the source's name: its place and size; flags (64-bit, Linux); no more
little 64 4; little "$name_size" 4; little 0x11 8; little 0 8; little 0 8
printf %s "$source"; little 0 $((header - 64 - name_size))
cat "$ptx"; little 0 $((payload - ptx_size))
