# SPDX-License-Identifier: BSD-3-Clause
"""What this build is, and what it runs on."""
from __future__ import annotations

import numpy as np

from . import _core

__version__: str = _core.config()["version"]


def _instruction_set() -> str:
    one = (1, 1, np.array([0, 1]), np.array([0]), np.array([1.0]), 0)
    report = _core.multiply(one, one, {"report": True})[2]
    assert report is not None
    return str(report["isa"])


def show_config() -> None:
    """Print version, instruction set and memory.

    Examples
    --------
    >>> import spgemm
    >>> spgemm.show_config()  # doctest: +ELLIPSIS
    spgemm ...
    """
    config = _core.config()
    print(f"spgemm {config['version']}")
    print(f"instruction set: {_instruction_set()}")
    print(f"memory: {config['memory']}")
