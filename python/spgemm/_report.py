# SPDX-License-Identifier: BSD-3-Clause
"""What a product cost."""
from __future__ import annotations

from typing import Any


class Report:
    """What a product predicted, chose and cost: the fields of the C library's
    report, as attributes.

    Sizes are in bytes, times in seconds.
    """

    predictor: str
    threads: int
    isa: str
    memory: str
    is_sorted: bool
    products: int
    nnz_predicted: int
    nnz_standard_error: float
    nnz: int
    rows_sampled: int
    products_sampled: int
    overflow_rows: int
    overflow_entries: int
    rows_by_accumulator: dict[str, int]
    c_bytes: int
    allocated_bytes: int
    peak_bytes: int
    upper_bound_bytes: int
    predict_seconds: float
    multiply_seconds: float
    total_seconds: float

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v!r}" for k, v in vars(self).items())
        return f"Report({inside})"
