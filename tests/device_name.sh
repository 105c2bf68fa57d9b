#!/bin/sh
# A GPU's name as files are called after it: "NVIDIA H200" is h200, "NVIDIA GeForce RTX 4090" rtx4090. Memory
# at the name's end is left out: "NVIDIA H100 80GB HBM3" is h100, and "NVIDIA H100 PCIe" another GPU, h100-pcie.
echo "$1" | tr 'A-Z ' 'a-z-' |
    sed 's/^nvidia-//; s/^geforce-//; s/^tesla-//; s/^rtx-/rtx/; s/-hbm[0-9][a-z]*$//; s/-[0-9][0-9]*gb*$//'
