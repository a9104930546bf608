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
_OPTION = re.compile(r"\boptions\.(?:product|predict|filter|resources)\.")
# Names of the library, and SciPy's or those of options here.
_WORDS = {".colidx": ".indices", ".rowptr": ".indptr",
          "memory_limit_bytes": "memory_limit", "SPGEMM_TOP_VALUE": "'value'",
          ": see spgemm_predict_limits()": ""}


class refusals:
    """ValueError of what the library refuses within, TypeError of what it has no
    kernels for; `called` gives the operands by their names in the library, and
    `of_limit` what is raised of a memory limit."""

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
        # Any other TypeError may be one of the progress callback.
        if isinstance(error, TypeError) and _OPTION.match(str(error)):
            raise TypeError(in_words(str(error))) from None


def _renamed(text: str, operands: dict[str, Named]) -> str:
    text = in_words(text)
    first = _FIRST.match(text)
    if first is None or first[0] not in operands:
        return text
    x = operands[first[0]]
    text = x.name + text[first.end():]
    return text.replace("no column", "no row") if x.is_transposed else text


def in_words(text: str) -> str:
    """A sentence of the library, with options and arrays as they are called here."""
    text = _OPTION.sub("", text)
    for theirs, ours in _WORDS.items():
        text = text.replace(theirs, ours)
    return text
