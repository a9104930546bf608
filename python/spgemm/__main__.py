# SPDX-License-Identifier: BSD-3-Clause
"""python -m spgemm: the command spgemm, where the package has it."""
import os
import sys
from pathlib import Path

from ._config import show_config


def main() -> int:
    command = Path(__file__).parent / "bin" / "spgemm"
    if command.exists():
        os.execv(command, [str(command), *sys.argv[1:]])
    if sys.argv[1:] in ([], ["--version"]):
        show_config()
        return 0
    print("python -m spgemm: this build of the package has no command; it needs "
          "libarchive, libbz2 and zlib when it is built", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
