#!/bin/sh
# A GPU's name as files are called after it: "NVIDIA H200" is h200, "NVIDIA GeForce RTX 4090" rtx4090.
echo "$1" | tr 'A-Z ' 'a-z-' | sed 's/^nvidia-//; s/^geforce-//; s/^tesla-//; s/^rtx-/rtx/'
