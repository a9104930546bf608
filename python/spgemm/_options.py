# SPDX-License-Identifier: BSD-3-Clause
"""Options that several functions have, checked."""
from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

SEMIRINGS = ("plus_times", "plus_pair", "plus_first", "plus_second", "plus_min",
             "min_plus", "max_plus", "min_max", "max_min", "or_and", "any_pair")


def number(value: Any, name: str) -> Any:
    """A real number that a double can be near to; TypeError or ValueError where it
    is none."""
    if isinstance(value, (np.ndarray, np.generic)) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, Real):
        raise TypeError(f"{name} is not a number")
    if value != value:
        raise ValueError(f"{name} is NaN")
    try:
        float(value)
    except OverflowError:
        raise ValueError(f"{name} is out of range") from None
    return value


def count(value: Any, name: str, most: int = np.iinfo(np.int64).max) -> int:
    """A count of at most so many; ValueError where it is none."""
    value = number(value, name)
    if not 0 <= value <= most or int(value) != value:
        raise ValueError(f"{name} is {value}, and must be a count")
    return int(value)


def as_double(value: Any, name: str) -> float:
    """A number that is a double: an integer that is none would be compared as
    another."""
    value = number(value, name)
    if float(value) != value:
        raise ValueError(f"{name} is {value}, which no float64 is")
    return float(value)


def check_semiring(semiring: Any) -> None:
    if not isinstance(semiring, str) or semiring not in SEMIRINGS:
        raise ValueError(f"semiring is {semiring!r}, and must be one of "
                         + ", ".join(SEMIRINGS))


def set_resources(settings: dict[str, Any], threads: int | None,
                  memory_limit: int | None) -> None:
    """What is given of them. No bytes at all are as few as one: 0 would be as
    many as there are."""
    if threads is not None:
        settings["threads"] = count(threads, "threads", np.iinfo(np.int32).max)
    if memory_limit is not None:
        settings["memory_limit"] = max(1, count(memory_limit, "memory_limit"))
