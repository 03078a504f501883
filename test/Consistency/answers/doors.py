# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways to ask: subcommands as processes, and the Python package, which calls the C libraries."""
import json
import os
import subprocess
import sys
import warnings

from physics.configurations import ROOT

from answers.compared import message


class Refusal(Exception):
    """An error message of a subcommand or of the package."""


class Doors:
    def __init__(self, tool, libraries):
        self.tool, self.processes = str(tool), 0
        # Commands name models as they are pasted in the root of the repository.
        os.chdir(ROOT)
        os.environ["GPUCOST_LIBRARY_DIR"] = str(libraries)
        sys.path.insert(0, str(ROOT / "python"))
        import gpucost
        self.package = gpucost

    def text(self, *words, stdin=""):
        self.processes += 1
        result = subprocess.run([self.tool, *map(str, words)], input=stdin, capture_output=True, text=True, check=False)
        if result.returncode:
            raise Refusal(message(result.stderr) or f"exit code {result.returncode} without a message")
        return result.stdout

    def json(self, *words, stdin=""):
        return json.loads(self.text(*words, "--report=json", stdin=stdin))

    def lines(self, *words):
        return [json.loads(line) for line in self.text(*words).splitlines()]

    def report(self, setting, *words):
        return self.json(setting.path, *setting.flags(), *words)

    def ask(self, function, *arguments, **keywords):
        """A function of the package; its errors as refusals."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", self.package.GpuCostWarning)
            try:
                return function(*arguments, **keywords)
            except self.package.GpuCostError as error:
                raise Refusal(message(f"error: {error}")) from None


def refusal(function, *arguments, **keywords):
    """The message of a call that has to fail; "" if it does not."""
    try:
        function(*arguments, **keywords)
    except Refusal as error:
        return str(error)
    return ""
