#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A project that includes the library has all of it by -O3, whatever its own build type
# has, unless that is for debugging.
# Usage: optimized.sh SOURCE_DIR COMPILER VARIANTS
set -euo pipefail
source=$1
compiler=$2
variants=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The last -O of each file of the library, a line each, in a project of build type $1.
levels() {
    cmake -S "$source/tests/package/consumer" -B "$work/$1" -G Ninja \
        -DSPGEMM_SOURCE_DIR="$source" -DSPGEMM_VARIANTS="$variants" \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE="$1" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
    grep -F '"command"' "$work/$1/compile_commands.json" | grep -F "$source/src/" |
        sed -e 's/.* \(-O[0-9sg]*\) .*/\1/' -e '/^-O/!s/.*/none/'
}

for type in "" Release RelWithDebInfo Debug; do
    expected=-O3
    [[ $type == Debug ]] && expected=none
    found=$(levels "$type" | sort | uniq -c)
    if [[ $found != *" $expected" || $(wc -l <<<"$found") -ne 1 ]]; then
        printf "build type '%s', files by each -O:\n%s\n" "$type" "$found" >&2
        exit 1
    fi
done
