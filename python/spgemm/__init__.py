# SPDX-License-Identifier: BSD-3-Clause
"""Products of sparse matrices, allocated from a prediction of their size.

>>> import scipy.sparse as sp, spgemm
>>> A = sp.random(1000, 1000, 0.01, format="csr", random_state=1)
>>> (abs(spgemm.matmul(A, A) - A @ A) > 0).nnz
0
"""
from ._core import Cancelled, MemoryLimitError
from ._config import show_config
from ._estimate import estimate
from ._matmul import gram, matmul
from ._plan import Plan, plan
from ._rap import rap
from ._report import Report
from ._scipy import patch_scipy
from ._size import Estimate
from ._stream import stream
from ._top import top_n
from ._config import __version__

__all__ = ["Cancelled", "Estimate", "MemoryLimitError", "Plan", "Report",
           "estimate", "gram", "matmul", "patch_scipy", "plan", "rap",
           "show_config", "stream", "top_n", "__version__"]
