#!/bin/bash
# A system call of a command fails, once, by strace's injection: of run, save, compare, export and sweep every kind of
# call, in its first places, its last and some between:
#
#     tests/hostile/system_calls.bash SECONDS
#
# The command says what failed, or does what it does without it; and no file is left that is half written.
. tests/hostile/common.bash
run=build/sim/run
if ! strace -o /dev/null true 2>"$err"; then
    echo "failing system calls: skipped, as strace cannot trace here: $(head -n 1 "$err")"
    exit 0
fi

# What each fails with. Of the others, some cannot fail, and some only where the program is wrong, or the C library ends
# the program: those for signal masks, exits, futexes. (A close() that strace lets fail leaves the file open, as no kernel does.)
declare -A errors=([access]=EACCES [clone]=EAGAIN [clone3]=EAGAIN [dup]=EMFILE [dup2]=EMFILE [dup3]=EMFILE
    [execve]=ENOMEM [fallocate]=ENOSPC [fchmod]=EPERM [fcntl]=EMFILE [flock]=ENOLCK [fstat]=EIO [fsync]=EIO
    [ftruncate]=ENOSPC [getcwd]=ENOENT [getdents64]=EIO [getrandom]=EAGAIN [ioctl]=ENOTTY [link]=EIO [linkat]=EPERM
    [lseek]=ESPIPE [memfd_create]=EMFILE [mkdir]=ENOSPC [mmap]=ENOMEM [mprotect]=ENOMEM [mremap]=ENOMEM
    [newfstatat]=EACCES [openat]=EMFILE [pipe2]=EMFILE [poll]=EINTR [ppoll]=EINTR [prctl]=EINVAL [pread64]=EIO
    [prlimit64]=EPERM [pwrite64]=ENOSPC [read]=EIO [readlink]=ENOENT [rename]=EIO [renameat]=EIO [renameat2]=EIO
    [rt_sigaction]=EINVAL [sched_getaffinity]=EINVAL [setpgid]=EPERM [setsid]=EPERM [statfs]=EIO [symlink]=EIO
    [sysinfo]=EFAULT [timerfd_create]=EMFILE [uname]=EFAULT [unlink]=EIO [utimensat]=EPERM [vfork]=EAGAIN
    [wait4]=EINTR [waitid]=EINTR [write]=ENOSPC [writev]=ENOSPC)

# A command, and the file that it writes.
commands=("1 3 -n 33 --json file.json" "2 -n 9 --save kept" "3 -n 9 --summary --baseline first"
    "compare h200 first --csv file.csv" "export h200 --csv file.csv" "sweep 2 n=8:24:+8 --csv file.csv")
files=(file.json results/kept.json "" file.csv file.csv file.csv)

# What was there before; --save takes no name that is taken.
remake() {
    rm -f results/kept*.json
    echo old | tee file.json >file.csv
}

is_whole() { # FILE
    case $1 in
    *.csv) [ "$(wc -l <"$1")" -eq "${rows[at]}" ] ;;
    *) $run export "./$1" --csv /dev/null 2>>"$err" ;;
    esac
}

# A command that ended well wrote the whole; another left what there was, or the whole.
check_file() { # FILE
    if [ -e "$1" ] && [ "$(cat "$1")" != old ]; then
        is_whole "$1" || wrong "half of $1 (status $status)"
    elif [ $status -eq 0 ]; then
        wrong "it ended well without $1"
    elif [ "$1" != results/kept.json ] && [ ! -e "$1" ]; then
        wrong "it removed $1"
    fi
}

# The calls that can fail of the command in the trace, each with its places: they are counted in each process. Where a
# mapping of the loader's fails, it may crash itself: those before main(), which begins with /dev/null, are not tried.
places() {
    sed -nE 's/^([0-9]+) +([a-z0-9_]+)\((AT_FDCWD, "\/dev\/null")?.*/\1 \2 \3/p' "$scratch/trace" |
        awk -v known=" ${!errors[*]} " '
        $3 { loaded = 1 }
        $2 == "mmap" && !loaded { loader++ }
        index(known, " " $2 " ") { if (++count[$1 " " $2] > most[$2]) most[$2] = count[$1 " " $2] }
        END { for (name in most) for (i = first = name == "mmap" ? loader + 1 : 1; i <= most[name]; i++)
                  if (i < first + 4 || i > most[name] - 5 || i % 64 == 0) print name, i }'
}

cp docs/runs/h200.json results/first.json
for at in "${!commands[@]}"; do
    remake
    try strace -f -qq -e signal=none -o "$scratch/trace" $run ${commands[at]} && [ $status -eq 0 ] || wrong "it fails by itself"
    rows[at]=$(wc -l <file.csv)
    places | sed "s/^/$at /" >>"$scratch/all"
done

while time_is_left && read -r at call place; do
    remake
    try strace -f -qq -o "$scratch/trace" -e trace="$call" -e inject="$call:error=${errors[$call]}:when=$place" \
        $run ${commands[at]} || continue
    [ -z "${files[at]}" ] || check_file "${files[at]}"
done < <(awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' "$scratch/all" | sort -n | cut -d' ' -f2-)
total "failing system calls (of $(wc -l <"$scratch/all"))"
