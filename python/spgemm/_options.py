# SPDX-License-Identifier: BSD-3-Clause
"""Options that several functions have, checked."""
from __future__ import annotations

from typing import Any

import numpy as np


def count(value: Any, name: str, most: int = np.iinfo(np.int64).max) -> int:
    """A count of at most so many; ValueError where it is none."""
    if not 0 <= value <= most or int(value) != value:
        raise ValueError(f"{name} is {value}, and must be a count")
    return int(value)


def set_resources(settings: dict[str, Any], threads: int | None,
                  memory_limit: int | None) -> None:
    """What is given of them. No bytes at all are as few as one: 0 would be as
    many as there are."""
    if threads is not None:
        settings["threads"] = count(threads, "threads", np.iinfo(np.int32).max)
    if memory_limit is not None:
        settings["memory_limit"] = max(1, count(memory_limit, "memory_limit"))
