#!/bin/sh
# Compiles the host's sources against the headers of each toolkit that is named, or is in the usual places, without
# building anything: what the kit needs of a toolkit is there, or the compiler says what is not.
#
#     toolkits.sh cc -flags... -- [toolkit...]
set -eu

compiler=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    compiler="$compiler $1"
    shift
done
shift
# shellcheck disable=SC2046 # a list
[ $# -gt 0 ] || set -- $(ls -d /usr/local/cuda-[0-9]* /opt/cuda-[0-9]* 2> /dev/null)
[ $# -gt 0 ] || { echo "There is no toolkit in /usr/local/cuda-* or /opt/cuda-*: name one, TOOLKITS=/where/it/is" >&2; exit 1; }

# The folder that has a header: where NVIDIA and distributions put them.
folder_of() # toolkit, header
{
    for folder in "$1/include" "$1"/targets/*/include "$1/extras/CUPTI/include"; do
        if [ -e "$folder/$2" ]; then
            echo "$folder"
            return
        fi
    done
}

failed=0
for toolkit; do
    cuda=$(folder_of "$toolkit" cuda_runtime_api.h)
    [ -n "$cuda" ] || { echo "$toolkit has no cuda_runtime_api.h" >&2; exit 1; }
    cupti=$(folder_of "$toolkit" cupti_range_profiler.h)
    version=$(sed -n 's/^#define CUDART_VERSION *\([0-9]*\).*/\1/p' "$cuda/cuda_runtime_api.h")
    count=0 bad=0
    for source in src/*.c src/[!s]*/*.c src/show/*.c cupti/*.c; do
        case $source in
            *_missing.c) [ -n "$cupti" ] && continue ;;
            cupti/*) [ -n "$cupti" ] || continue ;;
        esac
        # shellcheck disable=SC2086 # a list
        $compiler -isystem "$cuda" ${cupti:+-isystem "$cupti"} -fsyntax-only "$source" || bad=$((bad + 1))
        count=$((count + 1))
    done
    echo "CUDA $((version / 1000)).$((version % 1000 / 10)) in $toolkit, $([ -n "$cupti" ] || echo "no ")range" \
        "profiler: $((count - bad)) of $count sources compile"
    [ $bad = 0 ] || failed=1
done
exit $failed
