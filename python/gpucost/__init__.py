# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-cost-opt in Python: time, power, energy and memory of models on GPUs, without a GPU.

    import gpucost
    gpucost.analyze("bert.onnx", target="a100-bf16", batch=16, seq=128)   # a Report
    gpucost.prepare("bert.onnx", target="a100-bf16", batch=16, seq=128).place("h100").evaluate(clock=1200)
    gpucost.Model("h100-bf16").matmul(4096, 4096, 4096)                   # a KernelCost

docs/Python.md is the guide. Settings have the units of the tool's flags (clock in MHz, power_limit
in W); names of results end with their unit; None or NaN is an unknown number.

gpucost.inductor and gpucost.triton are adapters for torch.compile and Triton.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

from gpucost._analysis import analyze, page, prepare, prepare_service
from gpucost._calibration import Calibration, calibrate
from gpucost._kernels import (Attention, Collective, Conv2d, Elementwise, KernelCost, Layernorm, Matmul, Problem,
                              Schedule, ScheduleCost, Softmax)
from gpucost._model import Model, Query
from gpucost._prepared import Placed, Prepared, PreparedInfo
from gpucost._report import Report
from gpucost._schema import (Assumption, CoverageReport, Events, GroupReport, Iteration, KernelReport, PeakTensor,
                             PhaseReport, UncoveredOp)
from gpucost._service import PreparedService, Service, ServiceLimits, StepCost
from gpucost._settings import Setting, Settings
from gpucost._sweep import Point, Sweep, map, sweep
from gpucost._targets import (Coefficients, Device, Target, coefficient_groups, device, find_target, list_coefficients,
                              list_targets)
from gpucost._version import data_version, settings, versions
from gpucost.errors import (BadDataError, FileError, GpuCostError, GpuCostWarning, InfeasibleError, InternalError,
                            InvalidArgumentError, MissingFileError, NotFoundError, OutOfMemoryError, UnsupportedError)

if TYPE_CHECKING:
    from gpucost import enums as enums, inductor as inductor, triton as triton

    #: The release.
    __version__: str

_MODULES = ("enums", "errors", "inductor", "triton")
__all__ = [
    "Assumption", "Attention", "BadDataError", "Calibration", "Coefficients", "Collective",
    "Conv2d", "CoverageReport", "Device", "Elementwise", "Events", "FileError", "GpuCostError",
    "GpuCostWarning", "GroupReport", "InfeasibleError", "InternalError", "InvalidArgumentError",
    "Iteration", "KernelCost", "KernelReport", "Layernorm", "Matmul", "MissingFileError", "Model",
    "NotFoundError", "OutOfMemoryError", "PeakTensor", "PhaseReport", "Placed", "Point", "Prepared",
    "PreparedInfo", "PreparedService", "Problem", "Query", "Report", "Schedule", "ScheduleCost",
    "Service", "ServiceLimits", "Setting", "Settings", "Softmax", "StepCost", "Sweep", "Target",
    "UncoveredOp", "UnsupportedError", "analyze", "calibrate", "coefficient_groups",
    "data_version", "device", "find_target", "list_coefficients", "list_targets", "map", "page",
    "prepare", "prepare_service", "settings", "sweep", "versions",
]


if not TYPE_CHECKING:  # A type checker would take any name for a member.
    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from gpucost._native import lib

            return lib.Version().decode()
        if name in _MODULES:
            return importlib.import_module(f"gpucost.{name}")
        raise AttributeError(f"module 'gpucost' has no attribute '{name}'")


def __dir__() -> List[str]:
    return sorted({*__all__, *_MODULES, "__version__", "__doc__", "__all__"})
