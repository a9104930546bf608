# SPDX-License-Identifier: BSD-3-Clause
"""A plug-in of pytest: all tests run under patch_scipy()."""
import spgemm

_patch = spgemm.patch_scipy()


def pytest_configure(config):
    _patch.__enter__()


def pytest_unconfigure(config):
    _patch.__exit__(None, None, None)
