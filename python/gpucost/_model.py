# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Model: a GPU with its coefficients, which predicts costs of kernels and schedules."""
from __future__ import annotations

import ctypes
import dataclasses
import os
import threading
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from gpucost import _abi, _kernels
from gpucost._kernels import AnyProblem, KernelCost, Schedule, ScheduleCost, integer
from gpucost._inputs import closest
from gpucost._native import address, create, enum_name, enum_value, enumeration, lib, mlir, new, take, text
from gpucost._targets import Device
from gpucost.errors import InfeasibleError, InvalidArgumentError

# Results that a model keeps for each thread: about 100 MB.
CACHED_KERNELS = 1 << 18

TargetLike = Union[str, "os.PathLike[str]", Device]


@dataclasses.dataclass(frozen=True)
class Query:
    """How kernels run; the columns of docs/KernelQueries.md.

    clock: SM clock, MHz; None: the GPU's maximum
    power_limit: board power limit, W; None: the GPU's
    protocol: "iteration": as part of a model; "benchmark": repeated back to back
    reuse_bytes: bytes that other kernels touch between two uses of the operands; None: cold
    toggle_rate, burst_ms, warm_up_ms, cache_share, cache_write: for benchmarks only"""

    clock: Optional[float] = None
    power_limit: Optional[float] = None
    protocol: str = "iteration"
    reuse_bytes: Optional[float] = None
    toggle_rate: Optional[float] = None
    burst_ms: Optional[float] = None
    warm_up_ms: Optional[float] = None
    cache_share: Optional[float] = None
    cache_write: bool = False

    def struct(self) -> Any:
        protocols = {"iteration": _abi.ITERATION, "benchmark": _abi.BENCHMARK}
        if self.protocol not in protocols:
            raise InvalidArgumentError(f"'protocol' is {self.protocol!r}: expected iteration or benchmark")
        for name in ("clock", "power_limit"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InvalidArgumentError(f"'{name}' is {value}: expected a number above 0")
        return new(_abi.Query, protocol=protocols[self.protocol], clock=(self.clock or 0) * 1e6,
                   power_limit=self.power_limit or 0, reuse_bytes=self.reuse_bytes or 0,
                   toggle_rate=self.toggle_rate or 0, burst=(self.burst_ms or 0) * 1e-3,
                   warm_up=(self.warm_up_ms or 0) * 1e-3, cache_share=self.cache_share or 0,
                   cache_write=int(self.cache_write))


def compile_target(path: Union[str, "os.PathLike[str]"]) -> bytes:
    """A target or coefficients file (.mlir) as bytes."""
    name = os.fspath(path)
    with open(name, "rb") as file:
        content = file.read()
    return bytes(take(mlir, "MlirFree", mlir.CompileTarget, content, len(content), name.encode()))


class Model:
    """The cost model of one GPU and number format.

        model = gpucost.Model("h100-bf16")
        model.matmul(4096, 4096, 4096)                      # the library's choice of tiles
        model.matmul(4096, 4096, 4096, tile=(128, 128, 64)) # a given schedule
        model.at(clock=1200).matmul(4096, 4096, 4096)       # another operating point

    target: a name ("h100-bf16", "a100-sxm-80gb"; list_targets()), the path of a target file
        (.mlir), or a Device, which requires `coefficients`
    format: overrides the format of `target`
    coefficients: a set (list_coefficients()) that replaces the target's
    interconnect, network, software: like the settings of these names
    query: a Query, or its fields as keyword arguments

    Models can be pickled, and any number of threads may use one."""

    def __init__(self, target: TargetLike, *, format: Optional[str] = None,
                 coefficients: Optional[str] = None, interconnect: Optional[str] = None,
                 network: Optional[str] = None, software: Optional[str] = None,
                 query: Optional[Query] = None, **fields: Any) -> None:
        self._arguments: Dict[str, Any] = {
            "target": target, "format": format, "coefficients": coefficients,
            "interconnect": interconnect, "network": network, "software": software}
        self._open(target)
        self._set_query(query, fields)

    def _open(self, target: Any) -> None:
        """Makes the model of the library; `target` may be the bytes of a compiled file."""
        arguments = self._arguments
        name = arguments["format"]
        format_value = 0 if name is None else enum_value(_abi.ENUM_FORMAT, name, "format")
        software = arguments["software"]
        coefficients = arguments["coefficients"]
        if coefficients is not None:
            from gpucost._targets import find_target, list_coefficients

            if coefficients not in list_coefficients():
                coefficients = find_target(coefficients).coefficients
        options = new(
            _abi.ModelOptions,
            software=0 if software is None else enum_value(_abi.ENUM_SOFTWARE, software, "software"),
            coefficients=text(coefficients), interconnect=text(arguments["interconnect"]),
            network=text(arguments["network"]))
        if isinstance(target, Device):
            if coefficients is None:
                raise InvalidArgumentError("a Device needs coefficients='h100': the set of the nearest GPU "
                                           "(gpucost.list_coefficients())")
            self._handle = create("ModelFree", lib.ModelCreateForDevice, address(target.struct()),
                                  format_value, address(options))
        elif isinstance(target, bytes) or isinstance(target, os.PathLike) or str(target).endswith(".mlir"):
            data = target if isinstance(target, bytes) else compile_target(target)
            arguments["target"] = data
            self._handle = create("ModelFree", lib.ModelCreateFromBytes, data, len(data), format_value,
                                  address(options))
        else:
            if not isinstance(target, str):
                raise TypeError("a target is the name of a GPU, the path of a target file or a Device, "
                                f"not {type(target).__name__}")
            whole = target
            if name is not None:
                endings = [f"-{each}" for each in enumeration(_abi.ENUM_FORMAT) if whole.endswith(f"-{each}")]
                board = whole[:-len(max(endings, key=len))] if endings else whole
                whole = f"{board}-{getattr(name, 'value', name)}"
            self._handle = create("ModelFree", lib.ModelCreate, whole.encode(), address(options))

    def _set_query(self, query: Optional[Query], fields: Dict[str, Any]) -> None:
        unknown = [name for name in fields if name not in Query.__dataclass_fields__]
        if unknown:
            raise TypeError(f"Model() got an unexpected keyword argument '{unknown[0]}': "
                            f"expected fields of Query: {', '.join(Query.__dataclass_fields__)}")
        self.query: Query = dataclasses.replace(query or Query(), **fields)
        self._query = self.query.struct()
        self._local = threading.local()

    def at(self, query: Optional[Query] = None, **fields: Any) -> "Model":
        """The same model with a changed query: the given fields replace the current ones."""
        other = object.__new__(type(self))
        other._arguments, other._handle = self._arguments, self._handle
        other._set_query(query or self.query, fields)
        return other

    def __reduce__(self) -> Any:
        return _restore, (self._arguments, self.query)

    def __repr__(self) -> str:
        changed = [f", {field.name}={getattr(self.query, field.name)!r}" for field in dataclasses.fields(Query)
                   if getattr(self.query, field.name) != field.default]
        return f"gpucost.Model('{self.device.name}-{self.format}'{''.join(changed)})"

    @property
    def device(self) -> Device:
        """The facts of the GPU."""
        struct = new(_abi.Device)
        lib.check(lib.ModelDevice(self._handle.pointer, ctypes.byref(struct)))
        return Device.from_struct(struct)

    @property
    def format(self) -> str:
        """Number format of the matrix kernels."""
        return enum_name(_abi.ENUM_FORMAT, lib.ModelFormat(self._handle.pointer))

    # Kernels.

    def estimate(self, problem: AnyProblem, *, format: Optional[str] = None) -> KernelCost:
        """The cost of one kernel as the libraries run it. `format`: format of its tensors."""
        cost = new(_abi.Cost)
        lib.check(lib.Estimate(self._handle.pointer, address(self._kernel(problem, format)),
                               address(self._query), ctypes.byref(cost)))
        return KernelCost.from_struct(cost)

    def _kernel(self, problem: Any, format: Optional[str]) -> Any:
        if not isinstance(problem, _kernels.Problem):
            raise TypeError(f"expected a problem such as gpucost.Matmul(m, n, k), not {type(problem).__name__}")
        return problem.kernel(0 if format is None else enum_value(_abi.ENUM_FORMAT, format, "format"))

    def _one(self, problem: AnyProblem, format: Optional[str], schedule: Dict[str, Any]) -> KernelCost:
        """The cost with the schedule of keyword arguments, if any."""
        if not schedule:
            return self.estimate(problem, format=format)
        fields = {**Schedule.__dataclass_fields__, **_abi.NEUTRAL_FIELDS}
        unknown = [name for name in schedule if name != "tile" and name not in fields]
        if unknown:
            further = f"; model.at({unknown[0]}=...) is for operating points" \
                if unknown[0] in Query.__dataclass_fields__ else closest(unknown[0], fields)
            raise TypeError(f"unexpected keyword argument '{unknown[0]}': expected tile or fields of Schedule{further}")
        answer = self.schedules(problem, [Schedule.of(**schedule)], format=format)[0]
        if answer.cost is None:
            raise InfeasibleError(answer.reason)
        return answer.cost

    def matmul(self, m: int, n: int, k: int, *, batch: int = 1, linear: Optional[bool] = None,
               block_scaled: bool = False, format: Optional[str] = None, **schedule: Any) -> KernelCost:
        """C[m, n] = A[m, k] B[k, n], `batch` times; see Matmul.

        With `tile=(m, n, k)` or fields of Schedule, the result is the cost of this schedule; a schedule
        that cannot run raises InfeasibleError."""
        return self._one(_kernels.Matmul(m, n, k, batch, linear, block_scaled), format, schedule)

    def attention(self, *, heads: int, q_len: int, kv_len: int, head_dim: int, batch: int = 1,
                  kv_heads: Optional[int] = None, causal: bool = False, window: int = 0,
                  kv_format: Optional[str] = None, document: Optional[int] = None,
                  format: Optional[str] = None, **schedule: Any) -> KernelCost:
        """Fused attention; decoding if `q_len` is 1. `document`: tokens of each of the documents that share a sequence, which
        read only themselves. Fields of Schedule as in matmul()."""
        problem = _kernels.Attention(heads, q_len, kv_len, head_dim, batch, kv_heads, causal, window, kv_format, document)
        return self._one(problem, format, schedule)

    def conv2d(self, *, n: int, c: int, h: int, w: int, oc: int, kh: int, kw: int, stride: int = 1,
               pad: int = 0, groups: int = 1, format: Optional[str] = None, **schedule: Any) -> KernelCost:
        """A convolution, NCHW; see Conv2d. Fields of Schedule as in matmul(), of its implicit GEMM."""
        problem = _kernels.Conv2d(n, c, h, w, oc, kh, kw, stride, pad, groups)
        return self._one(problem, format, schedule)

    def softmax(self, rows: int, cols: int, *, format: Optional[str] = None, **schedule: Any) -> KernelCost:
        """Softmax of each row."""
        return self._one(_kernels.Softmax(rows, cols), format, schedule)

    def layernorm(self, rows: int, cols: int, *, format: Optional[str] = None, **schedule: Any) -> KernelCost:
        """Layer normalization of each row."""
        return self._one(_kernels.Layernorm(rows, cols), format, schedule)

    def elementwise(self, op: str, elements: int, *, inputs: Optional[int] = None, strided: bool = False,
                    format: Optional[str] = None, **schedule: Any) -> KernelCost:
        """An elementwise kernel: "add", "gelu", ...; see Elementwise."""
        return self._one(_kernels.Elementwise(op, elements, inputs, strided), format, schedule)

    def collective(self, op: str, *, gpus: int, message_bytes: int, nodes: Optional[int] = None, groups: int = 1,
                   choices: Optional[int] = None, node_limit: Optional[int] = None,
                   format: Optional[str] = None) -> KernelCost:
        """A collective: "all_reduce", ...; see Collective. Several nodes need `network=`."""
        problem = _kernels.Collective(op, gpus, message_bytes, nodes, groups, choices, node_limit)
        return self.estimate(problem, format=format)

    # Schedules.

    def schedules(self, problem: AnyProblem, schedules: Iterable[Schedule], *,
                  format: Optional[str] = None) -> List[ScheduleCost]:
        """Costs of several schedules for one kernel, in order. Results include schedules that cannot run."""
        space = _schedule_array(schedules)
        answers = _answers(len(space))
        lib.check(lib.EstimateSchedules(
            self._handle.pointer, address(self._kernel(problem, format)), address(self._query), space,
            ctypes.sizeof(_abi.Schedule), len(space), answers, ctypes.sizeof(_abi.ScheduleCost)))
        return self._schedule_costs(problem, format, answers)

    def top(self, problem: AnyProblem, k: int = 8, *, space: Optional[Iterable[Schedule]] = None,
            fixed: Optional[Schedule] = None, objective: str = "time",
            time_limit_us: Optional[float] = None, format: Optional[str] = None) -> List[ScheduleCost]:
        """The best `k` schedules, best first.

        space: schedules to choose from; None: the candidates of the model
        fixed: fields that all candidates share
        objective: "time", "energy" or "energy_delay"
        time_limit_us: schedules that take longer are excluded"""
        goal = new(_abi.Goal, objective=enum_value(_abi.ENUM_OBJECTIVE, objective, "objective"),
                   time_limit=(time_limit_us or 0) * 1e-6)
        if integer(k, "k") < 1:
            raise InvalidArgumentError(f"'k' is {k}: expected at least 1")
        among = None if space is None else _schedule_array(space)
        if among is not None and not len(among):
            return []
        answers = _answers(k if among is None else min(k, len(among)))
        count = ctypes.c_size_t(len(answers))
        lib.check(lib.TopSchedules(
            self._handle.pointer, address(self._kernel(problem, format)), address(self._query),
            None if fixed is None else address(fixed.struct()), among, ctypes.sizeof(_abi.Schedule),
            0 if among is None else len(among), address(goal), answers, ctypes.sizeof(_abi.ScheduleCost),
            ctypes.byref(count)))
        return self._schedule_costs(problem, format, answers[:count.value])

    def _schedule_costs(self, problem: AnyProblem, format: Optional[str], answers: Iterable[Any]) -> List[ScheduleCost]:
        """The records of `answers`, with the complete reasons."""
        costs = []
        for answer in answers:
            reason = answer.reason
            # A character of UTF-8 that does not fit is left out.
            if len(reason) > _abi.ScheduleCost.reason.size - 5:
                reason = take(lib, "Free", lib.ScheduleReason, self._handle.pointer,
                              address(self._kernel(problem, format)), address(self._query), address(answer.schedule))
            costs.append(ScheduleCost.from_struct(answer, reason.decode("utf-8", "replace")))
        return costs

    def candidates(self, problem: AnyProblem, *, fixed: Optional[Schedule] = None,
                   format: Optional[str] = None) -> List[Schedule]:
        """The candidates that the model compares by default."""
        kernel, count = self._kernel(problem, format), ctypes.c_size_t()
        first = None if fixed is None else address(fixed.struct())
        arguments = (self._handle.pointer, address(kernel), first)
        size = ctypes.sizeof(_abi.Schedule)
        lib.check(lib.ScheduleCandidates(*arguments, None, size, ctypes.byref(count)))
        found = _sized(_abi.Schedule, count.value)
        lib.check(lib.ScheduleCandidates(*arguments, found, size, ctypes.byref(count)))
        return [Schedule.from_struct(each) for each in found[:count.value]]

    # Arrays of kernels.

    def estimate_many(self, family: str, *, format: Optional[str] = None, errors: str = "raise",
                      **columns: Any) -> "Any":
        """Costs of many kernels of one family at the speed of C: `columns` are the fields of
        its problem (Matmul: m, n, k, ...) as numpy arrays, sequences or scalars, which
        broadcast. The result is a Costs with one column per field of KernelCost.

            model.estimate_many("matmul", m=frame.m, n=4096, k=frame.k).time_us

        errors: "raise", or "keep": kernels without a cost are NaN and marked in `failed`.
        The model caches the results of each thread for later calls."""
        from gpucost._arrays import estimate_many

        return estimate_many(self, family, format, errors, columns)

    def _cache(self) -> Any:
        """The results cached for this thread; cleared when they use much memory."""
        cache = getattr(self._local, "cache", None)
        if cache is None or lib.CacheSize(cache.pointer) > CACHED_KERNELS or self._local.process != os.getpid():
            cache = create("CacheFree", lib.CacheCreate, self._handle.pointer, address(self._query),
                           keep=self._handle)
            self._local.cache, self._local.process = cache, os.getpid()
        return cache


def _sized(kind: Any, count: int) -> Any:
    array = (kind * count)()
    for each in array:
        each.size = ctypes.sizeof(kind)
    return array


def _answers(count: int) -> Any:
    return _sized(_abi.ScheduleCost, count)


def _schedule_array(schedules: Iterable[Schedule]) -> Any:
    structs = [schedule.struct() for schedule in schedules]
    return (_abi.Schedule * len(structs))(*structs)


def _restore(arguments: Dict[str, Any], query: Query) -> Model:
    """A model from its pickled state."""
    return Model(query=query, **arguments)


def as_model(target: Union[TargetLike, Model], **options: Any) -> Model:
    """`target`, or its model."""
    if isinstance(target, Model):
        given: Tuple[str, ...] = tuple(name for name, value in options.items() if value is not None)
        if given:
            raise InvalidArgumentError(f"'{given[0]}' is part of the Model: give it to Model()")
        return target
    return Model(target, **options)
