# SPDX-License-Identifier: BSD-3-Clause
"""Every example of the docstrings and of README.md, and the stubs."""
import contextlib
import doctest
import importlib
import io
import re
import subprocess
import sys
import unittest
from pathlib import Path

import spgemm

MODULES = ["", "._config", "._estimate", "._matmul", "._plan", "._scipy"]
README = Path(__file__).parents[1] / "README.md"


class Docs(unittest.TestCase):
    def test_docstrings(self):
        for name in MODULES:
            module = importlib.import_module("spgemm" + name)
            failed, tried = doctest.testmod(module)
            self.assertEqual(failed, 0)
        for name in spgemm.__all__:
            self.assertTrue(getattr(spgemm, name).__doc__ or name == "__version__",
                            name)

    def test_readmes(self):
        """One example after another, as a reader would type them."""
        for readme, least in ((README, 10), (README.parents[1] / "README.md", 1)):
            blocks = re.findall(r"```python\n(.*?)```", readme.read_text(), re.S)
            self.assertGreaterEqual(len(blocks), least)
            names = {}
            for block in blocks:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(block, str(readme), "exec"), names)

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
