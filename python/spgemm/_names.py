# SPDX-License-Identifier: BSD-3-Clause
"""What the library refuses, in the caller's names.

Of a C by columns the library multiplies C^T = B^T A^T: its A is the caller's B. The
arrays of a CSC matrix are those of its transpose: a column there is a row here.
"""
from __future__ import annotations

import re
from typing import Callable, Protocol

from . import _core


class Named(Protocol):
    """An operand, as far as errors speak of it."""

    @property
    def name(self) -> str: ...

    @property
    def is_transposed(self) -> bool: ...


_FIRST = re.compile(r"(\w+)(?=\.| is )")


class refusals:
    """ValueError of what the library refuses within; `called` gives the operands by
    their names in the library, and `of_limit` what is raised of a memory limit."""

    def __init__(self, called: Callable[[], dict[str, Named]],
                 of_limit: Callable[[Exception], Exception] | None = None) -> None:
        self._called = called
        self._of_limit = of_limit

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, _core.Refusal):
            raise ValueError(_renamed(str(error), self._called())) from None
        if isinstance(error, _core.MemoryLimitError) and self._of_limit:
            raise self._of_limit(error) from None


def _renamed(text: str, operands: dict[str, Named]) -> str:
    first = _FIRST.match(text)
    if first is None or first[0] not in operands:
        return text
    x = operands[first[0]]
    text = x.name + text[first.end():]
    return text.replace("no column", "no row") if x.is_transposed else text


def of_limit(error: Exception) -> str:
    """The library's sentence of a memory limit."""
    return str(error).replace("options.resources.memory_limit_bytes",
                              "memory_limit")
