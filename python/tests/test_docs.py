# SPDX-License-Identifier: BSD-3-Clause
"""Every example of the docstrings, and the stubs."""
import doctest
import importlib
import subprocess
import sys
import unittest

import spgemm

MODULES = ["", "._config", "._estimate", "._matmul", "._plan", "._rap",
           "._scipy", "._stream", "._top"]


class Docs(unittest.TestCase):
    def test_docstrings(self):
        for name in MODULES:
            module = importlib.import_module("spgemm" + name)
            failed, tried = doctest.testmod(module)
            self.assertEqual(failed, 0)
        for name in spgemm.__all__:
            self.assertTrue(getattr(spgemm, name).__doc__ or name == "__version__",
                            name)

    def test_stubs(self):
        """Where mypy is there."""
        if subprocess.run([sys.executable, "-c", "import mypy.stubtest"],
                          capture_output=True).returncode:
            self.skipTest("mypy is not installed")
        done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "spgemm",
                               "--ignore-missing-stub"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
