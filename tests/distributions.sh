#!/bin/bash
# The README's two commands, typed as they stand, in bare Debian roots that have git and make and nothing else:
#
#   tests/distributions.sh [SUITE[=LENGTH,...]]...
#
# For each SUITE (bookworm, trixie and sid) debootstrap makes a root, and the commit that is checked out here is cloned
# there into paths of LENGTH characters: the sizes of what compilers embed follow the path, and some mistakes show at
# one size in eight. Mounts are in a namespace of their own, and go with it however this ends.
#
# CACHE    where roots (for a day), packages and logs are kept     build/distributions
# MIRROR   Debian's                                                http://deb.debian.org/debian
set -uo pipefail
cd "$(dirname "$0")/.." || exit
export CACHE MIRROR=${MIRROR:-http://deb.debian.org/debian} WORK
CACHE=$(realpath -m "${CACHE:-build/distributions}")
[ $# -gt 0 ] || set -- bookworm trixie sid
for word; do
    [[ $word =~ ^[a-z]+(=[0-9]+(,[0-9]+)*)?$ ]] || {
        echo "tests/distributions.sh [SUITE[=LENGTH,...]]...: trixie=21, say, and not '$word'" >&2
        exit 2
    }
done

die() {
    echo "tests/distributions.sh: $*" >&2
    exit 1
}

# ---- Outside: what this needs, the namespace, and what must go at the end --------------------------------------------

if [ -z "${WORK-}" ]; then
    [ "$(id -u)" -eq 0 ] || die "only root can make roots: type sudo make check-distributions"
    command -v debootstrap >/dev/null || die "there is no debootstrap: apt install debootstrap"
    unshare --mount --pid --fork true || die "root may not mount here (a container without CAP_SYS_ADMIN?)"
    mkdir -p "$CACHE" || die "cannot write to $CACHE"
    WORK=$(mktemp -d "$CACHE/work.XXXXXX") || die "cannot write to $CACHE"
    unshare --mount --pid --fork --kill-child tests/distributions.sh "$@" &
    inside=$!
    # The mounts are not seen out here. The namespace's last processes may write for a moment after its end.
    trap 'kill -KILL $inside 2>/dev/null; wait $inside; rm -rf "$WORK" || { sleep 2 && rm -rf "$WORK"; }' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    wait $inside
    exit
fi

# ---- Inside ----------------------------------------------------------------------------------------------------------

mapfile -t COMMANDS < <(sed -n 's/^    \(make [a-z]*\)  *#.*/\1/p' README.md)
[ ${#COMMANDS[@]} -eq 2 ] || die "README.md shows ${#COMMANDS[@]} commands at its start, not two"
git bundle create -q "$WORK/kit" HEAD || die "git cannot pack HEAD"
git diff --quiet HEAD || echo "note: what is not committed is not tested"

passed=0 failed=0 skipped=0
say() { printf '%-9s %s\n' "$suite" "$*"; }
since() { awk -v s=$((SECONDS - $1)) 'BEGIN { printf "%.1f min", s / 60 }'; }

# A login of root's; of this machine's settings only the proxies.
enter() {
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        chroot "$root" /bin/sh -c "$1" </dev/null
}

# How the mirror is reached, and whether its dates are believed, is as this machine's apt has it.
make_root() {
    umount -q "$root/var/cache/apt/archives" # of the try before
    rm -rf "$root" && mkdir "$root" &&
        debootstrap --variant=minbase --cache-dir="$packages" "$suite" "$root" "$MIRROR" || return
    rm -f "$root"/var/cache/apt/archives/*.deb
    { apt-config dump | grep -E '^Acquire::(https?|Check-)'; echo 'Acquire::Retries "5";'; } \
        >"$root/etc/apt/apt.conf.d/90here"
    mount --bind "$packages" "$root/var/cache/apt/archives" &&
        enter "apt-get update -q && apt-get install -q -y --no-install-recommends git make" &&
        umount "$root/var/cache/apt/archives" &&
        tar -C "$root" -cf "$WORK/tar" . && mv "$WORK/tar" "$tarball"
}

# The mirror may fail; what it had sent is there at the next try. A root of yesterday's is made anew.
enter_root() {
    local began=$SECONDS tarball=$CACHE/$suite/root.tar kept try
    kept="$(find "$packages" -name '*.deb' | wc -l) packages in the cache"
    if [ -n "$(find "$tarball" -mmin -1440 2>/dev/null)" ]; then
        mkdir "$root" && tar -C "$root" -xf "$tarball" || return
        say "root from the cache, of $(date -r "$tarball" '+%F %R'); $kept"
    else
        for try in 1 2 3; do sleep $((20 * try - 20)); make_root && break; done >"$logs/root.log" 2>&1 || return
        say "root made by debootstrap at try $try: $(since $began); $kept"
    fi
    cp /etc/resolv.conf "$root/etc/" && cp "$WORK/kit" "$root/kit" && mount -t proc proc "$root/proc" &&
        mount --rbind /dev "$root/dev" && mount --bind "$packages" "$root/var/cache/apt/archives"
}

# Passed is a command that ends with 0 and lets no compiler or linker warn.
type_command() {
    local began=$SECONDS log="$logs/${#path}-${1// /-}.log" total
    if ! enter "cd $path && $1" >"$log" 2>&1; then
        grep -q 'Failed to fetch\|Not everything that is needed could be installed' "$log" &&
            say "a package was not to be had, and that is the mirror's fault or Debian's:"
        tail -n 60 "$log"
    elif grep -E '^[^ ]+: warning: ' "$log" | grep -vE '^(dpkg|update-alternatives):'; then
        say "there were warnings:"
    else
        passed=$((passed + 1))
        total=$(grep -xE '[0-9]+ passed, .*' "$log" | tail -n 1)
        say "passed  $1 in $path (${#path} characters): $(since $began)${total:+, $total}"
        return
    fi
    failed=$((failed + 1))
    say "FAILED  $1 in $path (${#path} characters): $(since $began); all of it is in $log"
    false
}

try_suite() { # LENGTH...
    local packages=$CACHE/$suite/packages logs=$CACHE/$suite root=$WORK/$suite length path
    mkdir -p "$packages/partial" || return
    if ! enter_root; then
        tail -n 20 "$logs/root.log"
        failed=$((failed + 1)) skipped=$((skipped + 2 * $# - 1))
        say "FAILED  no root was made, so that nothing was tried; all of it is in $logs/root.log"
        [ "$suite" != sid ] || say "(sid changes daily, and on some days it cannot be installed)"
        return
    fi
    for length; do
        path=/root/$(printf '%*s' $((length - 6)) '' | tr ' ' k)
        enter "git clone -q /kit $path" >"$logs/clone.log" 2>&1 || die "git clone failed: $logs/clone.log"
        for command in "${COMMANDS[@]}"; do type_command "$command"; done
    done
    enter "apt-get autoclean -q" >/dev/null
    umount -R "$root/var/cache/apt/archives" "$root/dev" "$root/proc" && rm -rf "$root"
}

main() {
    local argument lengths suite
    for argument; do
        suite=${argument%%=*} lengths=13,40,115
        [ "$suite" = "$argument" ] || lengths=${argument#*=}
        # shellcheck disable=SC2086 # a list of words
        try_suite ${lengths//,/ }
    done
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}

main "$@"; exit # read whole before it runs, so that an edit meanwhile does no harm
