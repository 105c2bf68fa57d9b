#!/bin/sh
# Check and cJSON for 64-bit Arm from Debian's packages, in the folder that is named: nothing of the system changes.
set -eu
root=$1
command -v apt-get >/dev/null || {
    echo "make check-aarch64 needs Check and cJSON for aarch64, which pkg-config finds in" \
        "/usr/lib/aarch64-linux-gnu, or Debian's apt-get to fetch them" >&2
    exit 1
}
rm -rf "$root"
mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
cd "$root/apt"
set -- -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$PWD/lists" -o Dir::Cache="$PWD" \
    -o Dir::State::status=/dev/null -o Acquire::Languages=none -o APT::Sandbox::User= -o Debug::NoLocking=1
if ! apt-get "$@" update || ! apt-get "$@" download libcjson1 libcjson-dev check libsubunit-dev libsubunit0; then
    echo "apt's sources have no such packages for arm64 (Ubuntu keeps them at ports.ubuntu.com): install" \
        "libcjson-dev:arm64 and check:arm64, or run make check on an Arm machine" >&2
    exit 1
fi
for package in *.deb; do
    dpkg -x "$package" "$root"
done
rm -rf "$root/apt"
touch "$root/complete"
