#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Each function of the headers has a manual page, which man shows without a warning
# and finds by its name and what it is.
# Usage: check_man.sh SOURCE_DIR
set -euo pipefail
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/api-reference --man "$work"
declared=$(cat include/spgemm/*.h include/spgemm/*.in | tr '\n' ' ' |
    grep -oP 'SPGEMM_API\b[^;{]*?\Kspgemm_\w+(?=\()' | sort -u)
diff <(echo "$declared") <(cd "$work" && printf '%s\n' *.3 | sed 's/\.3$//' | sort)

said=$(for page in "$work"/*.3; do man --warnings -l -Tutf8 "$page" 2>&1 >/dev/null; done)
[[ -z $said ]] || { echo "$said" >&2; exit 1; }
lexgrog "$work"/*.3 >/dev/null
