#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The shared library shows every function of the headers and nothing else, has
# the promised SONAME, and does not link jemalloc.
# Usage: exported_symbols.sh LIBRARY SONAME HEADER...
set -euo pipefail
library=$1 soname=$2
shift 2

shown=$(nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u)
if grep -v '^spgemm_' <<<"$shown"; then
    echo "$library shows names without the prefix" >&2
    exit 1
fi
# A declaration marked SPGEMM_API: the name before its first parenthesis.
declared=$(cat "$@" | tr '\n' ' ' | grep -oP 'SPGEMM_API\b[^;{]*?\Kspgemm_\w+(?=\()' | sort -u)
if ! diff <(echo "$declared") <(grep -v '^spgemm_0$' <<<"$shown"); then
    echo "$library does not show what the headers declare" >&2
    exit 1
fi
readelf -d "$library" | grep -F "[$soname]" >/dev/null || {
    echo "$library has not the SONAME $soname" >&2
    exit 1
}
if readelf -d "$library" | grep jemalloc; then
    echo "$library links jemalloc: Python could not load it" >&2
    exit 1
fi
