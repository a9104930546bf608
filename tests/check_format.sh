#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Whether every C file is as clang-format 14 would write it.
# `tests/check_format.sh --fix` rewrites those that are not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib.sh
source scripts/lib.sh

ensure_packages "${format_packages[@]}"
mode=(--dry-run --Werror)
[[ ${1-} == --fix ]] && mode=(-i)
find . -path ./build -prune -o -name '*.[ch]' -print0 |
    xargs -0 -r clang-format-14 --style=file "${mode[@]}"
