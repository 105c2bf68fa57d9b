#!/bin/sh
# The simulated device for 64-bit Arm, from another machine: cross-built with gcc and clang, its suites run by
# qemu-user, and what it predicts compared with what this machine's does, to the last digit. On an Arm machine `make
# check` does that and more.
#
#     tests/aarch64.sh RUN           this machine's simulated ./run
#
# build/aarch64 is a tree of its own, with the sources by links, so that no object has two makers.
set -u
run=$1
top=$PWD/build/aarch64
. tests/suites.sh
if [ "$(uname -m)" = aarch64 ]; then
    echo "This is a 64-bit Arm machine: make check" >&2
    exit 1
fi

# What is left out, as it takes qemu long: all of `architectures`; of `steps` and `predictions` all but the tests that
# try several numbers of threads, and `timing`; of `bugs` those tests. The steps are compared by their JSON below.
every_case="accesses cubin devices flow halves instructions l2 lanes loader microkernels programs races reorder runtime"
threads_alone="steps predictions"

need() { # COMMAND PACKAGE
    command -v "$1" && return
    echo "make check-aarch64 needs $1 (Debian, Ubuntu: apt install $2)" >&2
    exit 1
}
need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu >/dev/null || exit 1
need clang clang >/dev/null || exit 1
qemu=$(command -v qemu-aarch64 || need qemu-aarch64-static qemu-user-static) || exit 1

# Check and cJSON for Arm: those of the system (multiarch), or Debian's packages in a folder here.
libraries=/usr
if ! [ -e $libraries/lib/aarch64-linux-gnu/pkgconfig/check.pc ] ||
    ! [ -e $libraries/lib/aarch64-linux-gnu/pkgconfig/libcjson.pc ]; then
    libraries=$top/root/usr
    [ -e "$top/root/complete" ] || tests/aarch64_libraries.sh "$top/root" || exit 1
fi
lib=$libraries/lib/aarch64-linux-gnu
export PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=${libraries%/usr}

mkdir -p "$top"
for file in $(git ls-files | cut -d/ -f1 | sort -u); do
    ln -sfn "../../$file" "$top/$file"
done
suites_of() { # NAME...: their programs
    for name in "$@"; do echo "build/sim/clang-32x8/tests/test_sim_$name"; done
}
# shellcheck disable=SC2046 # a list of words
make -C "$top" --no-print-directory SETUP=no NVCC= CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar \
    OBJCOPY=aarch64-linux-gnu-objcopy CLANG="clang --target=aarch64-linux-gnu" \
    run $(suites_of $every_case bugs $threads_alone) || exit 1

# qemu keeps a table of all addresses that a program reserves: 64 GiB of them leave it small.
export QEMU_RESERVED_VA=0x1000000000 QEMU_LD_PREFIX=/usr/aarch64-linux-gnu QEMU_SET_ENV="LD_LIBRARY_PATH=$lib"
export CK_TIMEOUT_MULTIPLIER=20 TEST_EMULATOR="$qemu"
cd "$top" || exit 1
for name in $every_case; do
    suite "$name, aarch64" "$qemu" "$(suites_of "$name")"
done
suite "bugs (each once), aarch64" env CK_RUN_CASE=sim_bugs "$qemu" "$(suites_of bugs)"
for name in $threads_alone; do
    suite "$name (threads), aarch64" env CK_RUN_CASE=threads "$qemu" "$(suites_of "$name")"
done

# All but what the host's clock says of the transpose on the CPU, and whether sources are newer than the program: under
# qemu that is qemu.
known() { # FILE VERB PROGRAM...
    file=$logs/$1 verb=$2
    shift 2
    "$@" "$verb" --sim -n 257 --json - 2>"$logs/err" | sed -e '/"cpu_timing"/,/}/d' -e '/"cpu_ms"/d' \
        -e '/"source":/d' >"$file"
    cat "$logs/err" >&2
}
for verb in --summary hotspots; do
    known here "$verb" "../../$run"
    known there "$verb" "$qemu" build/sim/run
    same "run $verb, JSON, $(uname -m) and aarch64" "$logs/here" "$logs/there"
done
total "aarch64"
