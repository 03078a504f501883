# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixtures of the tests: the checkout that contains them, and the tool of the installed package."""
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def bert():
    return str(ROOT / "models" / "bert-base.onnx")


class Tool:
    """The command-line tool of the package."""

    def run(self, *arguments, **options):
        return subprocess.run([sys.executable, "-m", "gpucost", *map(str, arguments)], capture_output=True, text=True,
                              check=False, **options)

    def json(self, *arguments):
        result = self.run(*arguments, "--report=json")
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)


@pytest.fixture(scope="session")
def tool():
    return Tool()
