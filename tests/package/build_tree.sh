#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installing, as another user does by sudo, leaves the build tree as it was, but for
# CMake's own list of what it installed.
# Usage: build_tree.sh BUILD_DIR
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/before"
sleep 0.1
cmake --install "$build" --prefix "$work/prefix" >/dev/null
changed=$(find "$build" -maxdepth 1 -type f -newer "$work/before" ! -name 'install_manifest*')
if [[ -n $changed ]]; then
    echo "written by cmake --install: $changed" >&2
    exit 1
fi
