#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Configure on a machine that has no more than a compiler and CMake: what cannot
# be built is left out with one message, or refused if it was asked for.
# Usage: bare_machine.sh SOURCE_DIR CC
set -euo pipefail
source=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
all='libjemalloc-dev libarchive-dev libbz2-dev zlib1g-dev pkg-config libcriterion-dev'

configure() {
    cmake -S "$source" -B "$work/build" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_DISABLE_FIND_PACKAGE_LibArchive=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_BZip2=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON \
        -DSPGEMM_JEMALLOC_LIBRARY=OFF "$@" >"$work/said" 2>&1
}

fail() {
    echo "$*; CMake said:" >&2
    cat "$work/said" >&2
    exit 1
}

says() { grep -qF -- "$1" "$work/said" || fail "no '$1'"; }

configure || fail "a bare machine cannot configure"
says 'without libjemalloc-dev: the library uses system memory'
says 'without libarchive-dev, libbz2-dev, zlib1g-dev: the command is not built'
says 'without pkg-config, libcriterion-dev: the tests are not built'
says "sudo apt-get install $all"
cmake --build "$work/build" --target help >"$work/said"
says spgemm_static
! grep -qw spgemm_tool "$work/said" || fail "the command is a target"

for option in SPGEMM_BUILD_TOOLS SPGEMM_BUILD_TESTS SPGEMM_JEMALLOC; do
    ! configure -DSPGEMM_BUILD_TOOLS=AUTO -DSPGEMM_BUILD_TESTS=AUTO \
        -DSPGEMM_JEMALLOC=AUTO "-D$option=ON" || fail "$option=ON is ignored"
    says "$option is ON"
    says "sudo apt-get install $all"
done
