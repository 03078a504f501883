# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prepared models: the kernels of an iteration, to be placed on GPUs and evaluated."""
from __future__ import annotations

import ctypes
import dataclasses
import numbers
import os
from typing import Any, Dict, Mapping, Optional, Union

from gpucost import _abi
from gpucost._files import write_file
from gpucost._model import Model, TargetLike, as_model
from gpucost._native import Handle, address, create, enum_name, enum_value, lib, new, take, text
from gpucost._record import Record
from gpucost._report import Report, parse
from gpucost._settings import RuntimeName
from gpucost._targets import decoded
from gpucost.errors import InvalidArgumentError


@dataclasses.dataclass(frozen=True, repr=False)
class PreparedInfo(Record):
    """Properties of a prepared model.

    format: its number format
    precision: description of the casts
    kernels, launches: distinct kernels; launches of one iteration, per GPU
    samples, tokens: totals over all GPUs; 0: unknown
    parameter_count, parameter_bytes: of the whole model; per GPU"""

    model: str
    format: str
    precision: str
    training: bool
    world_size: int
    kernels: int
    launches: int
    samples: int
    tokens: int
    parameter_count: int
    parameter_bytes: int


class Prepared:
    """The kernels of one iteration: dimensions, mode, format and parallelism are fixed; GPU,
    clock, power limit and host are open.

        prepared = gpucost.prepare("model.onnx", target="a100-bf16", batch=8)
        placed = prepared.place("h100-bf16")
        for clock in (1980, 1500, 1200):
            placed.evaluate(clock=clock).energy_j

    bytes(prepared) is the content of a .gco file; pickle stores the same bytes."""

    def __init__(self, data: bytes) -> None:
        data = bytes(data)
        self._handle = create("PreparedFree", lib.PreparedLoad, data, len(data))

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Prepared":
        """Reads a file written by save() or `gpu-cost-opt prepare`."""
        self = object.__new__(cls)
        self._handle = create("PreparedFree", lib.PreparedLoadFile, os.fsencode(path))
        return self

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a .gco file."""
        write_file(path, bytes(self))

    def __bytes__(self) -> bytes:
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        lib.check(lib.PreparedBytes(self._handle.pointer, ctypes.byref(data), ctypes.byref(size)))
        return ctypes.string_at(data, size.value)

    def __reduce__(self) -> Any:
        return Prepared, (bytes(self),)

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, Prepared) else NotImplemented

    def __hash__(self) -> int:
        return hash(bytes(self))

    @property
    def info(self) -> PreparedInfo:
        """Model, format and sizes."""
        struct = new(_abi.PreparedInfo)
        lib.check(lib.PreparedGetInfo(self._handle.pointer, ctypes.byref(struct)))
        return PreparedInfo(
            model=decoded(struct.model), format=enum_name(_abi.ENUM_FORMAT, struct.format),
            precision=decoded(struct.precision), training=bool(struct.training),
            **{name: getattr(struct, name) for name in (
                "world_size", "kernels", "launches", "samples", "tokens", "parameter_count", "parameter_bytes")})

    def place(self, target: Union[TargetLike, Model], *, coefficients: Optional[str] = None,
              interconnect: Optional[str] = None, network: Optional[str] = None,
              software: Optional[str] = None) -> "Placed":
        """Places the model on a GPU: a target, a Device (with `coefficients`) or a Model. A target without
        a format uses the format of the prepared model."""
        options = {"coefficients": coefficients, "interconnect": interconnect, "network": network,
                   "software": software}
        if not isinstance(target, Model):
            fmt = self.info.format
            named = isinstance(target, str) and target.rsplit("-", 1)[-1] in enum_formats()
            options["format"] = None if named else fmt
        return Placed(self, as_model(target, **options))

    def evaluate(self, target: Union[TargetLike, Model], **run: Any) -> Report:
        """place(target).evaluate(**run)."""
        return self.place(target).evaluate(**run)

    def __repr__(self) -> str:
        info = self.info
        mode = "training step" if info.training else "inference"
        return (f"<gpucost.Prepared {info.model}: {mode}, {info.format}, {info.launches} launches of "
                f"{info.kernels} kernels>")


def enum_formats() -> Mapping[str, int]:
    from gpucost._native import enumeration

    return enumeration(_abi.ENUM_FORMAT)


def is_number(value: Any) -> bool:
    """Python numbers and numpy scalars."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def run_struct(clock: Optional[float], power_limit: Optional[float], runtime: Optional[str],
               host_launch_us: Optional[float], step_gap_us: Optional[float]) -> Any:
    """The gpucostRun for arguments in the units of the settings."""
    for name, value in (("clock", clock), ("power_limit", power_limit)):
        if value is not None and not (is_number(value) and value > 0):
            raise InvalidArgumentError(f"'{name}' is {value!r}: expected a number above 0")
    seconds = []
    for name, value in (("host_launch_us", host_launch_us), ("step_gap_us", step_gap_us)):
        if value is not None and not (is_number(value) and value >= 0):
            raise InvalidArgumentError(f"'{name}' is {value!r}: expected a number of at least 0")
        seconds.append(0.0 if value is None else value * 1e-6 or -1.0)
    return new(_abi.Run, clock=(clock or 0) * 1e6, power_limit=power_limit or 0, host_launch=seconds[0],
               step_gap=seconds[1],
               runtime=0 if runtime is None else enum_value(_abi.ENUM_RUNTIME, runtime, "runtime") + 1)


class Placed:
    """A prepared model on a GPU; see Prepared. It can be pickled, and any number of threads may
    evaluate it."""

    def __init__(self, prepared: Prepared, model: Model) -> None:
        self._prepared_runtime: Optional[str] = None
        #: The prepared model that it was created from.
        self.prepared = prepared
        self.model = model
        self._handle: Handle = create("PlacedFree", lib.Place, prepared._handle.pointer, model._handle.pointer,
                                      keep=(prepared, model))

    def _check_runtime(self, runtime: Optional[str]) -> None:
        """Only `eager` and `cudagraph` share a kernel list; another change needs prepare()."""
        if runtime is None:
            return
        if self._prepared_runtime is None:
            self._prepared_runtime = str(self.evaluate().settings["runtime"])
        own, wanted = self._prepared_runtime, getattr(runtime, "value", runtime)
        if own != wanted and not {own, wanted} <= {"eager", "cudagraph"}:
            raise InvalidArgumentError(f"the model is prepared for the runtime '{own}': prepare it with "
                                       f"runtime='{wanted}'")

    def __reduce__(self) -> Any:
        return Placed, (self.prepared, self.model)

    def evaluate(self, *, clock: Optional[float] = None, power_limit: Optional[float] = None,
                 runtime: Optional[RuntimeName] = None, host_launch_us: Optional[float] = None,
                 step_gap_us: Optional[float] = None, group_by: Optional[str] = None) -> Report:
        """The report of one operating point; None selects the value of the prepared model.

        clock: SM clock, MHz
        power_limit: board power limit, W
        runtime: "eager" or "cudagraph"; others must be passed to prepare()
        host_launch_us: host time per launch; 0: none
        step_gap_us: time between two iterations; 0: none
        group_by: "op", "layer" or "scope": report.groups"""
        self._check_runtime(runtime)
        run = run_struct(clock, power_limit, runtime, host_launch_us, step_gap_us)
        report = create("ReportFree", lib.Evaluate, self._handle.pointer, address(run))
        return parse(take(lib, "Free", lib.ReportJson, report.pointer, text(group_by)),
                     page=lambda: take(lib, "Free", lib.EvaluatePage, self._handle.pointer, address(run)).decode())

    def evaluate_many(self, *, clock: Any = None, power_limit: Any = None, runtime: Optional[RuntimeName] = None,
                      host_launch_us: Optional[float] = None, step_gap_us: Optional[float] = None) -> Any:
        """Totals of many operating points: numpy arrays or sequences that broadcast. The result
        is a numpy array with the fields of gpucostTotals, in SI units: time, energy, power,
        clock, ... ; 6 to 7 us per point."""
        import numpy as np

        self._check_runtime(runtime)
        columns = [np.asarray(0.0 if each is None else each, dtype=float) for each in (clock, power_limit)]
        for name, given, column in zip(("clock", "power_limit"), (clock, power_limit), columns):
            wrong = column[~(column > 0)]
            if given is not None and wrong.size:
                raise InvalidArgumentError(f"'{name}' is {wrong.flat[0]:g}: expected numbers above 0")
        points = np.broadcast(*columns)
        runs: Any = np.zeros(points.size, dtype=np.dtype(_abi.Run))
        runs[:] = np.frombuffer(run_struct(None, None, runtime, host_launch_us, step_gap_us), dtype=runs.dtype)
        runs["clock"] = np.broadcast_to(columns[0], points.shape).ravel() * 1e6
        runs["power_limit"] = np.broadcast_to(columns[1], points.shape).ravel()
        totals: Any = np.zeros(points.size, dtype=np.dtype(_abi.Totals))
        totals["size"] = totals.dtype.itemsize
        lib.check(lib.EvaluateMany(self._handle.pointer, runs.ctypes.data, ctypes.sizeof(_abi.Run), points.size,
                                   totals.ctypes.data, totals.dtype.itemsize))
        return totals.reshape(points.shape)

    def __repr__(self) -> str:
        return f"<gpucost.Placed {self.prepared.info.model} on {self.model.device.name}-{self.model.format}>"


