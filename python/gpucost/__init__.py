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

TYPE_CHECKING = False  # As in `typing`, which costs more than this module.
if TYPE_CHECKING:
    from gpucost import enums as enums, errors as errors, inductor as inductor, triton as triton
    from gpucost._analysis import (analyze as analyze, page as page, prepare as prepare,
                                   prepare_service as prepare_service)
    from gpucost._calibration import Calibration as Calibration, calibrate as calibrate
    from gpucost._deploy import Deployments as Deployments, deploy as deploy
    from gpucost._generate import Generations as Generations, generate as generate
    from gpucost._inputs import (Configuration as Configuration, Exported as Exported, export as export,
                                 from_config as from_config)
    from gpucost._kernels import (Attention as Attention, Collective as Collective, Conv2d as Conv2d,
                                  Elementwise as Elementwise, KernelCost as KernelCost, Layernorm as Layernorm,
                                  Matmul as Matmul, Problem as Problem, Schedule as Schedule,
                                  ScheduleCost as ScheduleCost, Softmax as Softmax)
    from gpucost._memory import (Fit as Fit, LargestBatch as LargestBatch, MemoryRow as MemoryRow,
                                 MemoryTable as MemoryTable, fits as fits, largest_batch as largest_batch,
                                 memory as memory)
    from gpucost._model import Model as Model, Query as Query
    from gpucost._post_train import Round as Round, post_train as post_train
    from gpucost._prepared import Placed as Placed, Prepared as Prepared, PreparedInfo as PreparedInfo
    from gpucost._questions import (compare as compare, optimize as optimize, record as record,
                                    transfer as transfer)
    from gpucost._ranking import Measured as Measured, Ranked as Ranked, Ranking as Ranking, rank as rank
    from gpucost._report import Report as Report, Times as Times
    from gpucost._schema import (Assumption as Assumption, CoverageReport as CoverageReport, Events as Events,
                                 GroupReport as GroupReport, Iteration as Iteration, KernelReport as KernelReport,
                                 PeakTensor as PeakTensor, PhaseReport as PhaseReport, UncoveredOp as UncoveredOp)
    from gpucost._serve import Services as Services, serve as serve
    from gpucost._service import (PreparedService as PreparedService, Service as Service,
                                  ServiceLimits as ServiceLimits, StepCost as StepCost)
    from gpucost._settings import Setting as Setting, Settings as Settings
    from gpucost._plan import Plans as Plans, plan as plan
    from gpucost._points import Point as Point, Sweep as Sweep
    from gpucost._sweep import iter_sweep as iter_sweep, map as map, sweep as sweep
    from gpucost._targets import (Coefficients as Coefficients, Device as Device, Target as Target,
                                  coefficient_groups as coefficient_groups, device as device,
                                  find_target as find_target, list_coefficients as list_coefficients,
                                  list_targets as list_targets)
    from gpucost._tool import Answer as Answer
    from gpucost._version import data_version as data_version, settings as settings, versions as versions
    from gpucost._views import MemoryUse as MemoryUse, Module as Module
    from gpucost.errors import (BadDataError as BadDataError, FileError as FileError, GpuCostError as GpuCostError,
                                GpuCostWarning as GpuCostWarning, InfeasibleError as InfeasibleError,
                                InternalError as InternalError, InvalidArgumentError as InvalidArgumentError,
                                MissingFileError as MissingFileError, NotFoundError as NotFoundError,
                                OutOfMemoryError as OutOfMemoryError, UnsupportedError as UnsupportedError)

    #: The release.
    __version__: str
else:
    # The same names by module. A module is loaded when one of its names is first used, so the
    # import takes a millisecond and a kernel query does not load reports.
    _HOMES = {
        "_analysis": "analyze page prepare prepare_service",
        "_calibration": "Calibration calibrate",
        "_deploy": "Deployments deploy",
        "_generate": "Generations generate",
        "_inputs": "Configuration Exported export from_config",
        "_kernels": "Attention Collective Conv2d Elementwise KernelCost Layernorm Matmul Problem Schedule "
                    "ScheduleCost Softmax",
        "_memory": "Fit LargestBatch MemoryRow MemoryTable fits largest_batch memory",
        "_model": "Model Query",
        "_plan": "Plans plan",
        "_post_train": "Round post_train",
        "_prepared": "Placed Prepared PreparedInfo",
        "_questions": "compare optimize record transfer",
        "_ranking": "Measured Ranked Ranking rank",
        "_report": "Report Times",
        "_schema": "Assumption CoverageReport Events GroupReport Iteration KernelReport PeakTensor PhaseReport "
                   "UncoveredOp",
        "_serve": "Services serve",
        "_service": "PreparedService Service ServiceLimits StepCost",
        "_settings": "Setting Settings",
        "_points": "Point Sweep",
        "_sweep": "iter_sweep map sweep",
        "_targets": "Coefficients Device Target coefficient_groups device find_target list_coefficients "
                    "list_targets",
        "_tool": "Answer",
        "_version": "data_version settings versions",
        "_views": "MemoryUse Module",
        "errors": "BadDataError FileError GpuCostError GpuCostWarning InfeasibleError InternalError "
                  "InvalidArgumentError MissingFileError NotFoundError OutOfMemoryError UnsupportedError",
    }
    _HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
    _MODULES = ("enums", "errors", "inductor", "triton")
    __all__ = sorted(_HOME_OF)

    def __getattr__(name):
        if name in _MODULES:
            return _module(name)
        if name == "__version__":
            value = _module("_native").lib.Version().decode()
        elif name in _HOME_OF:
            value = getattr(_module(_HOME_OF[name]), name)
        else:
            hint = "" if name.startswith("_") else _module("_inputs").closest(name, __all__)
            raise AttributeError(f"module 'gpucost' has no attribute '{name}'{hint}")
        globals()[name] = value
        return value

    def _module(name):
        import importlib

        return importlib.import_module(f"gpucost.{name}")

    def __dir__():
        return sorted({*__all__, *_MODULES, "__version__", "__doc__", "__all__", "__file__", "__name__", "__path__"})
