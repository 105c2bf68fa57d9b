#!/bin/sh
# Installs what the kit needs beside the CUDA toolkit, on Debian and Ubuntu:
#   gcc, make, pkg-config, cJSON    to build
#   Check                           for make check
#   clang                           where there is no CUDA toolkit: to compile the kernels
# with `./setup.sh plots` also gnuplot and a font, for make plots, and with `./setup.sh developer` these, clang's
# sanitizer runtime, clang-format, debootstrap, strace and zsh, as CI uses them. What a mirror fails to send is asked for
# again.
set -eu

has_nvcc() { # where the Makefile looks
    for nvcc in ${CUDA_HOME:+"$CUDA_HOME/bin/nvcc"} /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc /usr/lib/cuda/bin/nvcc \
        /usr/local/cuda-*/bin/nvcc; do
        [ ! -x "$nvcc" ] || return 0
    done
    command -v nvcc >/dev/null
}

packages="gcc g++ make pkg-config libcjson-dev check"
case "${1-}" in plots | developer) packages="$packages gnuplot-nox fonts-dejavu-core" ;; esac
if [ "${1-}" = developer ]; then
    packages="$packages clang libclang-rt-dev clang-format debootstrap strace zsh"
elif ! has_nvcc; then
    packages="$packages clang"
fi

missing=""
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "setup.sh knows apt only. Install with your system's packages:$missing" >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || {
        echo "Run as root, or have installed:$missing" >&2
        exit 1
    }
fi
$as_root apt-get -o Acquire::Retries=5 update -q
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=5 install -q -y --no-install-recommends $missing
