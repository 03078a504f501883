# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool for the properties of this folder, and compares numbers."""
import dataclasses
import json
import math
import pathlib
import re
import subprocess

INPUTS = pathlib.Path(__file__).resolve().parent / "Inputs"
COEFFICIENTS = pathlib.Path(__file__).resolve().parents[2] / "targets/coefficients"
MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
# Reports have seven digits.
DIGITS = 1e-6
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "kJ": 1e3, "J": 1, "mJ": 1e-3, "uJ": 1e-6, "nJ": 1e-9,
         "pJ": 1e-12, "kW": 1e3, "W": 1, "mW": 1e-3, "GHz": 1e9, "MHz": 1e6, "kHz": 1e3, "Hz": 1}
QUANTITY = re.compile(r"(-?[\d.]+(?:e[+-]?\d+)?) (\w+)")


@dataclasses.dataclass
class Case:
    """A description of the comparison, and each field that differs with its values."""
    condition: str
    differences: dict = dataclasses.field(default_factory=dict)
    compared: set = dataclasses.field(default_factory=set)
    merged: int = 0

    def require_equal(self, field, a, b, tolerance=DIGITS):
        self.compared.add(field)
        same = math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-15) if isinstance(a, (int, float)) else a == b
        if not same:
            self.differences.setdefault(field, f"{a} and {b}")

    def require(self, field, holds, text):
        self.compared.add(field)
        if not holds:
            self.differences.setdefault(field, text)

    @property
    def checks(self):
        """How many fields were compared; a field of several rows counts once."""
        return len(self.compared) + self.merged

    def merge(self, other):
        """Adds the comparisons of `other`."""
        self.merged += other.checks
        for field, text in other.differences.items():
            self.differences.setdefault(field, f"{text}: {other.condition}")


class Tool:
    def __init__(self, path, mlir_opt, plugin, libraries=None):
        self.path, self.mlir_opt, self.plugin, self.libraries = path, mlir_opt, plugin, libraries
        self._gaps = {}
        self._sizes = {}

    def run(self, *arguments, stdin=""):
        result = subprocess.run([self.path, *map(str, arguments)], input=stdin, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"gpu-cost-opt {' '.join(map(str, arguments))}: exit {result.returncode}\n{result.stderr}")
        return result.stdout

    def report(self, *arguments):
        return json.loads(self.run(*arguments, "--report=json"))

    def analyze_in_mlir_opt(self, module, options):
        """The module after `gpucost-analyze{options}` in a stock mlir-opt."""
        # Plugins have the same default as a compiler.
        if "precision-mode" not in options and "mode=training" not in options:
            options += " precision-mode=cast"
        pipeline = f"builtin.module(gpucost-analyze{{{options}}})"
        result = subprocess.run([self.mlir_opt, f"--load-dialect-plugin={self.plugin}",
                                 f"--pass-pipeline={pipeline}", "--allow-unregistered-dialect"],
                                input=module, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"{pipeline}: exit {result.returncode}\n{result.stderr[:2000]}")
        return result.stdout

    def targets(self):
        """Name -> formats, the default first."""
        found = {}
        for line in self.run("--list-targets").splitlines():
            if match := re.match(r"([\w-]+) +(?:[A-Z]+\d+(?: x \d+)?) +((?:(?:fp|tf|bf|int)\d+\*? ?)+)", line):
                formats = match[2].split()
                found[match[1]] = sorted((f.rstrip("*") for f in formats),
                                         key=lambda f: f + "*" not in formats)
        return found

    def sizes(self, model, batch=2, length=128):
        """Flags that bind the symbols of a shipped model."""
        if model not in self._sizes:
            text = self.run(model, "--emit=imported-ir")
            self._sizes[model] = ('"batch"' in text, '"sequence"' in text)
        has_batch, has_length = self._sizes[model]
        return [f"--batch={batch}"] * has_batch + [f"--seq={length}"] * has_length

    def gap_cycles(self, target):
        """SM cycles between two kernels of a runtime without graphs (H8)."""
        if target not in self._gaps:
            text = self.run(INPUTS / "one-op.mlir", "--entry=add", f"--target={target}", "--emit=ir")
            if name := re.search(r'gpucost.coefficients = "([^"]+)"', text):
                text = (COEFFICIENTS / f"{name[1]}.mlir").read_text()
            self._gaps[target] = quantity(re.search(r"kernel_gap_cycles = ([^,>]+)", text)[1])
        return self._gaps[target]


def layout_flags(target):
    """Flags with which a convolution reads the layout of its kernels: NHWC in 16 bits or fewer, else NCHW."""
    return [] if target.endswith("32") else ["--channels-last"]


def quantity(text):
    """'3.5 us' -> 3.5e-6; a plain number is unchanged."""
    if match := QUANTITY.fullmatch(text):
        return float(match[1]) * UNITS[match[2]]
    return float(text)


def fields(text):
    """'a = 1 us, b = [...]' -> {'a': '1 us', ...}: only the top level."""
    result, depth, start = {}, 0, 0
    for i, c in enumerate(text + ","):
        depth += (c in "<[") - (c in ">]")
        if c == "," and depth == 0:
            name, _, value = text[start:i].strip().partition(" = ")
            result[name] = value
            start = i + 1
    return result


def attribute(text, name):
    """Fields of every `name = #gpucost.KIND<...>` in `text`, in order."""
    result = []
    for match in re.finditer(rf"\b{re.escape(name)} = #gpucost\.\w+<", text):
        depth, end = 1, match.end()
        while depth:
            depth += (text[end] in "<[") - (text[end] in ">]")
            end += 1
        result.append(fields(text[match.end():end - 1]))
    return result


def models(every=1, start=0):
    """A fixed selection of the shipped ONNX files."""
    # Files with a cache have no training; Inputs/decode.mlir represents them. For each file with two lengths there is
    # another file of the same network with one length.
    return [path for path in sorted(MODELS.glob("*.onnx")) if not path.stem.endswith(("-decode", "-lengths"))][start::every]
