# SPDX-License-Identifier: BSD-3-Clause
"""PYTHON draws the figures: an interpreter with matplotlib, or None."""
import shutil
import subprocess
import sys


def python_with_matplotlib():
    """This Python, or the system's, for which Debian packages matplotlib."""
    for python in (sys.executable, "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run(
                [python, "-c", "import matplotlib"], capture_output=True,
                timeout=60).returncode == 0:
            return python
    return None


PYTHON = python_with_matplotlib()
