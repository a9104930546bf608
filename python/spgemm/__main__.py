# SPDX-License-Identifier: BSD-3-Clause
"""python -m spgemm: the command spgemm, of the package or else of PATH."""
import os
import shutil
import sys
from pathlib import Path

from ._config import show_config


def main() -> int:
    own = Path(__file__).parent / "bin" / "spgemm"
    command = str(own) if own.exists() else shutil.which("spgemm")
    if command is not None:
        os.execv(command, [command, *sys.argv[1:]])
    if sys.argv[1:] in ([], ["--version"]):
        show_config()
        return 0
    print("python -m spgemm: there is no command spgemm; the package has it if "
          "libarchive, libbz2 and zlib are there when it is built", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
