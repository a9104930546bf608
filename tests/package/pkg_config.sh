#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Build a program with nothing but `pkg-config spgemm`: with the shared library,
# with the archive, and with -static.
# Usage: pkg_config.sh PREFIX LIBDIR CC EXPECTED_MEMORY
set -euo pipefail
prefix=$1 libdir=$2 cc=$3 memory=$4
source=$(dirname "${BASH_SOURCE[0]}")/consumer/multiply.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
read -ra cflags < <(pkg-config --cflags spgemm)
read -ra libs < <(pkg-config --libs spgemm)
read -ra static_libs < <(pkg-config --static --libs spgemm)
echo "pkg-config --libs: ${libs[*]}"
echo "pkg-config --static --libs: ${static_libs[*]}"

"$cc" "$source" "${cflags[@]}" "${libs[@]}" -o "$work/shared"
"$work/shared" "$memory"

# In a folder with a blank in its name.
ln -s "$prefix" "$work/a folder"
sed "s|^prefix=.*|prefix=$work/a folder|" "$PKG_CONFIG_PATH/spgemm.pc" >"$work/spgemm.pc"
flags=()
eval "flags=($(PKG_CONFIG_PATH=$work pkg-config --cflags --libs spgemm))"
"$cc" "$source" "${flags[@]}" -o "$work/in_a_folder"
"$work/in_a_folder" "$memory"

# -Wl,-Bstatic would ask for archives of everything: name this one alone.
"$cc" "$source" "${cflags[@]}" "${static_libs[@]/#-lspgemm/-l:libspgemm.a}" \
    -o "$work/static"
if ldd "$work/static" | grep libspgemm; then
    echo "the static program needs the shared library" >&2
    exit 1
fi
"$work/static" "$memory"

# The whole program static, wherever the OpenMP runtime comes as an archive; where
# it does not, the linker names it.
if [[ " ${static_libs[*]} " != *.so\ * ]]; then
    "$cc" -static "$source" "${cflags[@]}" "${static_libs[@]}" -o "$work/whole"
    ! ldd "$work/whole" || exit 1
    "$work/whole" "$memory"
else
    ! "$cc" -static "$source" "${cflags[@]}" "${static_libs[@]}" -o "$work/whole" \
        2>"$work/said" || exit 1
    grep -F .so "$work/said"
fi
