# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calibration with the library: coefficients from measurements of your GPU."""
from __future__ import annotations

import dataclasses
import os
import sys
from typing import List, Optional, Union

from gpucost._record import Record
from gpucost.errors import GpuCostError

PathLike = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Calibration(Record):
    """A fit.

    path: the coefficients file, for `coefficients=` of analyze() and prepare()
    text: errors before and after, and the coefficients that moved (docs/Calibration.md)"""

    path: str
    text: str

    def __repr__(self) -> str:
        return f"{self.text.rstrip()}\n\ncoefficients: {self.path}"


def calibrate(measurements: PathLike, output: PathLike, *, target: Optional[str] = None,
              target_file: Optional[PathLike] = None, coefficients: Optional[PathLike] = None,
              models: Optional[PathLike] = None, folds: Optional[int] = None) -> Calibration:
    """Fits coefficients to the CSV files of measure.py and writes them to `output`.

        gpucost.calibrate("m", "my-gpu.mlir", target="a100-bf16")
        gpucost.analyze("model.onnx", target="a100-bf16", coefficients="my-gpu.mlir")

    measurements: folder with kernels.csv, power.csv, host.csv, ... of one GPU
    target, target_file: the GPU; its coefficients are the prior
    coefficients: a file to use as the prior instead
    models: folder with the models named in training.csv and inference.csv
    folds: parts that are held out in turn; 0: none

    It runs for seconds to minutes in a separate process; Ctrl-C ends it."""
    arguments: List[str] = ["--measurements", os.fspath(measurements), "-o", os.fspath(output)]
    for flag, value in (("target", target), ("target-file", target_file), ("coefficients", coefficients),
                        ("models", models), ("folds", folds)):
        if value is not None:
            arguments.append(f"--{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    import subprocess

    # The tool prints to standard output of its process; the child imports the same package.
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    result = subprocess.run([sys.executable, "-m", "gpucost", "calibrate", *arguments], capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": path}, check=False)
    if result.returncode:
        raise GpuCostError(result.stderr.strip() or f"calibration ended with {result.returncode}")
    return Calibration(os.fspath(output), result.stdout)
