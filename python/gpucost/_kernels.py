# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of queries, their schedules and their costs.

Problems and schedules have the fields of the structs in gpucost.h, in the same order.
Sizes are 1 to 2^40; 0 or None selects the default that the field documents."""
from __future__ import annotations

import dataclasses
import math
import operator
from typing import Any, ClassVar, Dict, Optional, Tuple, Union

from gpucost import _abi
from gpucost._native import enum_name, enum_value, new
from gpucost._record import Record
from gpucost.errors import InvalidArgumentError


def integer(value: Any, name: str) -> int:
    """`value` as a whole number that fits 64 bits; floats like 4096.0 count."""
    if isinstance(value, bool):
        return int(value)
    try:
        number = operator.index(value)
    except TypeError:
        if not (isinstance(value, float) and value.is_integer()):
            raise InvalidArgumentError(f"'{name}' is {value!r}: expected a whole number") from None
        number = int(value)
    if not -2**63 <= number < 2**63:
        raise InvalidArgumentError(f"'{name}' is {number}: expected 1 to 2^40")
    return number


_MEMBERS: Any = _abi.KernelProblem._fields_[:-1]
_WORDS: Dict[str, Tuple[str, ...]] = {member: tuple(field[0] for field in kind._fields_) for member, kind in _MEMBERS}


@dataclasses.dataclass(frozen=True)
class Problem(Record):
    """Base of the kernels in queries."""

    #: Value of gpucostFamily, and the union member in gpucostKernel.
    FAMILY: ClassVar[int]
    MEMBER: ClassVar[str]

    @classmethod
    def words(cls) -> Tuple[str, ...]:
        """Names of the 64-bit fields, in the order of the struct."""
        return _WORDS[cls.MEMBER]

    @classmethod
    def word(cls, name: str, value: Any) -> int:
        """The number that encodes the value of a field."""
        return 0 if value is None else integer(value, name)

    def kernel(self, fmt: int = 0) -> Any:
        """The struct of the C library."""
        kernel = new(_abi.Kernel, family=self.FAMILY, format=fmt)
        for index, name in enumerate(self.words()):
            kernel.problem.words[index] = self.word(name, getattr(self, name))
        return kernel


@dataclasses.dataclass(frozen=True)
class Matmul(Problem):
    """C[m, n] = A[m, k] B[k, n], `batch` times.

    linear: B is a weight matrix; None: if `batch` is 1.
    block_scaled: blocks of A and B have scales."""

    FAMILY: ClassVar[int] = _abi.MATMUL
    MEMBER: ClassVar[str] = "matmul"
    m: int
    n: int
    k: int
    batch: int = 1
    linear: Optional[bool] = None
    block_scaled: bool = False

    @classmethod
    def word(cls, name: str, value: Any) -> int:
        if name == "linear":
            return 0 if value is None else 1 if value else 2
        return super().word(name, value)


@dataclasses.dataclass(frozen=True)
class Conv2d(Problem):
    """NCHW convolution with `oc` filters of kh x kw; square stride and padding."""

    FAMILY: ClassVar[int] = _abi.CONV2D
    MEMBER: ClassVar[str] = "conv2d"
    n: int
    c: int
    h: int
    w: int
    oc: int
    kh: int
    kw: int
    stride: int = 1
    pad: int = 0
    groups: int = 1


@dataclasses.dataclass(frozen=True)
class Attention(Problem):
    """Fused attention; decoding if `q_len` is 1.

    kv_heads: None for `heads`
    window: keys that a query sees; 0: all
    kv_format: format of keys and values; None: that of the kernel
    document: tokens of each of the documents that share a sequence; None: one document"""

    FAMILY: ClassVar[int] = _abi.ATTENTION
    MEMBER: ClassVar[str] = "attention"
    heads: int
    q_len: int
    kv_len: int
    head_dim: int
    batch: int = 1
    kv_heads: Optional[int] = None
    causal: bool = False
    window: int = 0
    kv_format: Optional[str] = None
    document: Optional[int] = None

    @classmethod
    def word(cls, name: str, value: Any) -> int:
        if name == "kv_format":
            return 0 if value is None else enum_value(_abi.ENUM_FORMAT, value, "format")
        return super().word(name, value)


@dataclasses.dataclass(frozen=True)
class Softmax(Problem):
    """Softmax over each row of a `rows` x `cols` matrix."""

    FAMILY: ClassVar[int] = _abi.SOFTMAX
    MEMBER: ClassVar[str] = "rows"
    rows: int
    cols: int


@dataclasses.dataclass(frozen=True)
class Layernorm(Problem):
    """Layer normalization over each row of a `rows` x `cols` matrix, with scale and bias."""

    FAMILY: ClassVar[int] = _abi.LAYERNORM
    MEMBER: ClassVar[str] = "rows"
    rows: int
    cols: int


@dataclasses.dataclass(frozen=True)
class Elementwise(Problem):
    """`op` ("add", "gelu", ...) with `elements` results.

    inputs: number of tensors read; None: the op's default.
    strided: a broadcast or permuted operand."""

    FAMILY: ClassVar[int] = _abi.ELEMENTWISE
    MEMBER: ClassVar[str] = "elementwise"
    op: str
    elements: int
    inputs: Optional[int] = None
    strided: bool = False

    @classmethod
    def word(cls, name: str, value: Any) -> int:
        if name == "op":
            return enum_value(_abi.ENUM_ELEMENTWISE_OP, value, "elementwise op")
        return super().word(name, value)


@dataclasses.dataclass(frozen=True)
class Collective(Problem):
    """`op` ("all_reduce", ...) on `gpus` GPUs, evenly distributed over `nodes` (None: those of a named network, else 1).

    message_bytes: the whole buffer, as in nccl-tests.
    groups: collectives that share the network of a node.
    choices, node_limit: an all-to-all of experts sends a token, which has `choices` rows, once to each of at most
    `node_limit` nodes."""

    FAMILY: ClassVar[int] = _abi.COLLECTIVE
    MEMBER: ClassVar[str] = "collective"
    op: str
    gpus: int
    message_bytes: int
    nodes: Optional[int] = None
    groups: int = 1
    choices: Optional[int] = None
    node_limit: Optional[int] = None

    @classmethod
    def word(cls, name: str, value: Any) -> int:
        if name == "op":
            return enum_value(_abi.ENUM_COLLECTIVE_OP, value, "collective")
        return super().word(name, value)


#: Problems by the name of their family.
FAMILIES = {kind.__name__.lower(): kind
            for kind in (Matmul, Conv2d, Attention, Softmax, Layernorm, Elementwise, Collective)}

AnyProblem = Union[Matmul, Conv2d, Attention, Softmax, Layernorm, Elementwise, Collective]


@dataclasses.dataclass(frozen=True, init=False)
class Schedule(Record):
    """Decisions of a compiler about a kernel; None: the model chooses.

    docs/KernelQueries.md lists the fields of each kind of kernel.

    tile_m, tile_n, tile_k: tile of a workgroup (CTA) and K step
    split_k: workgroups that share a tile's K range
    stages: K steps in shared memory
    warps, or subgroups: subgroups (warps) per workgroup
    ctas_per_sm, or workgroups_per_unit: largest number of workgroups (CTAs) on a compute unit (SM)
    cluster: workgroups per cluster
    thread_tile_m, thread_tile_n: results per thread
    vector_m, vector_n: elements per load
    stage_a, stage_b: "auto", "shared" or "cache"
    copy_m, copy_n: threads along the tile that stage it"""

    tile_m: Optional[int] = None
    tile_n: Optional[int] = None
    tile_k: Optional[int] = None
    split_k: Optional[int] = None
    stages: Optional[int] = None
    warps: Optional[int] = None
    ctas_per_sm: Optional[int] = None
    cluster: Optional[int] = None
    thread_tile_m: Optional[int] = None
    thread_tile_n: Optional[int] = None
    vector_m: Optional[int] = None
    vector_n: Optional[int] = None
    stage_a: Optional[str] = None
    stage_b: Optional[str] = None
    copy_m: Optional[int] = None
    copy_n: Optional[int] = None

    def __init__(self, tile_m: Optional[int] = None, tile_n: Optional[int] = None, tile_k: Optional[int] = None,
                 split_k: Optional[int] = None, stages: Optional[int] = None, warps: Optional[int] = None,
                 ctas_per_sm: Optional[int] = None, cluster: Optional[int] = None,
                 thread_tile_m: Optional[int] = None, thread_tile_n: Optional[int] = None,
                 vector_m: Optional[int] = None, vector_n: Optional[int] = None,
                 stage_a: Optional[str] = None, stage_b: Optional[str] = None,
                 copy_m: Optional[int] = None, copy_n: Optional[int] = None, *,
                 subgroups: Optional[int] = None, workgroups_per_unit: Optional[int] = None) -> None:
        given = dict(locals())
        for neutral, name in _abi.NEUTRAL_FIELDS.items():
            if given[neutral] is None:
                continue
            if given[name] is not None:
                raise InvalidArgumentError(f"'{neutral}' and '{name}' are the same field: expected one of them")
            given[name] = given[neutral]
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, given[field.name])

    def __repr__(self) -> str:
        known = [f"{name}={value!r}" for name, value in self.__dict__.items() if value is not None]
        return f"Schedule({', '.join(known)})"

    @classmethod
    def of(cls, tile: Optional[Tuple[int, ...]] = None, **fields: Any) -> "Schedule":
        """A schedule; `tile` is (tile_m, tile_n) or (tile_m, tile_n, tile_k)."""
        if tile is not None:
            if not isinstance(tile, (tuple, list)) or len(tile) not in (2, 3):
                raise InvalidArgumentError(f"'tile' is {tile!r}: expected (m, n) or (m, n, k)")
            fields.update(zip(("tile_m", "tile_n", "tile_k"), tile))
        return cls(**fields)

    @property
    def subgroups(self) -> Optional[int]:
        """Subgroups (warps) per workgroup."""
        return self.warps

    @property
    def workgroups_per_unit(self) -> Optional[int]:
        """Largest number of workgroups (CTAs) on a compute unit (SM)."""
        return self.ctas_per_sm

    def struct(self) -> Any:
        values = {}
        for name, value in self.__dict__.items():
            if value is None:
                continue
            if name in ("stage_a", "stage_b"):
                values[name] = enum_value(_abi.ENUM_OPERAND_PATH, value, "operand path")
                continue
            values[name] = integer(value, name)
            if not 0 <= values[name] < 2**31:
                raise InvalidArgumentError(f"'{name}' is {value}: expected a small whole number")
        return new(_abi.Schedule, **values)

    @classmethod
    def from_struct(cls, struct: Any) -> "Schedule":
        values: Dict[str, Any] = {}
        for field in dataclasses.fields(cls):
            value = getattr(struct, field.name)
            if value:
                values[field.name] = (enum_name(_abi.ENUM_OPERAND_PATH, value)
                                      if field.name in ("stage_a", "stage_b") else value)
        return cls(**values)


def known(value: float) -> Optional[float]:
    """None instead of NaN, which means "unknown"."""
    return None if math.isnan(value) else value


@dataclasses.dataclass(frozen=True)
class KernelCost(Record):
    """One launch of a kernel; names and units as in docs/KernelQueries.md. None: unknown.

    time_us, time_low_us, time_high_us: the time and the ends of its 80 % prediction interval
    compute_us, l2_us, dram_us, fixed_us: overlapping parts of the time
    power_w, energy_j: average board power while it runs; energy of one launch
    clock_mhz: SM clock
    bound: the largest part of the time
    flops, bytes: 2 per multiply-add; each operand and result once
    tensor_flops (in bf16 equivalents), fp32_flops, instructions, dram_bytes, l2_bytes:
        events that use energy
    tile, split_k, ctas_per_sm, ctas, waves: the tiling; None without tiles
    sm_utilization: busy fraction of the SMs
    in_calibrated_domain: False outside the calibrated domain
    throttled: the power limit lowered the clock
    power_limit_unreachable: even the lowest clock exceeds the limit; a lower bound"""

    time_us: float
    time_low_us: Optional[float]
    time_high_us: Optional[float]
    compute_us: Optional[float]
    l2_us: Optional[float]
    dram_us: Optional[float]
    fixed_us: Optional[float]
    power_w: float
    energy_j: float
    clock_mhz: float
    bound: str
    flops: int
    bytes: int
    tensor_flops: Optional[float]
    fp32_flops: Optional[float]
    instructions: Optional[float]
    dram_bytes: Optional[float]
    l2_bytes: Optional[float]
    tile: Optional[Tuple[int, int]]
    split_k: Optional[int]
    ctas_per_sm: Optional[int]
    ctas: Optional[int]
    waves: Optional[int]
    sm_utilization: Optional[float]
    in_calibrated_domain: bool
    throttled: bool
    power_limit_unreachable: bool

    @classmethod
    def from_struct(cls, cost: Any) -> "KernelCost":
        tiled = cost.tile_m > 0
        return cls(
            time_us=cost.time * 1e6,
            time_low_us=known(cost.time * 1e6 / (1 + cost.half_width)),
            time_high_us=known(cost.time * 1e6 * (1 + cost.half_width)),
            compute_us=known(cost.compute * 1e6), l2_us=known(cost.l2 * 1e6),
            dram_us=known(cost.dram * 1e6), fixed_us=known(cost.fixed * 1e6),
            power_w=cost.power, energy_j=cost.energy, clock_mhz=cost.clock * 1e-6,
            bound=enum_name(_abi.ENUM_BOUND, cost.bound), flops=cost.flops, bytes=cost.bytes,
            tensor_flops=known(cost.tensor_flops), fp32_flops=known(cost.fp32_flops),
            instructions=known(cost.instructions), dram_bytes=known(cost.dram_bytes),
            l2_bytes=known(cost.l2_bytes), tile=(cost.tile_m, cost.tile_n) if tiled else None,
            split_k=cost.split_k if tiled else None, ctas_per_sm=cost.ctas_per_sm if tiled else None,
            ctas=cost.ctas if tiled else None, waves=cost.waves if tiled else None,
            sm_utilization=known(cost.sm_utilization) if tiled else None,
            in_calibrated_domain=bool(cost.in_calibrated_domain), throttled=bool(cost.throttled),
            power_limit_unreachable=bool(cost.limit_unreachable))

    def __repr__(self) -> str:
        interval = ("" if self.time_low_us is None or self.time_high_us is None else
                    f" ({self.time_low_us:.4g} to {self.time_high_us:.4g})")
        tile = "" if self.tile is None else f", tile {self.tile[0]}x{self.tile[1]}"
        notes = "" if self.in_calibrated_domain else ", outside the calibrated domain"
        return (f"<{self.time_us:.4g} us{interval}, {self.power_w:.4g} W, {self.energy_j:.4g} J, "
                f"{self.bound} bound{tile}{notes}>")


@dataclasses.dataclass(frozen=True)
class ScheduleCost(Record):
    """The cost of a schedule, or the reason why it cannot run.

    schedule: the complete schedule; no field is open
    feasible: whether it can run
    reason: why it cannot run; if it can, the choice of the library that makes it over 5 % faster
        than the library's kernel, or another remark; "" if there is none
    cost: None if it cannot run
    threads: threads per CTA
    registers, spilled_registers: registers per thread: allocated, and spilled to memory
    shared_bytes: shared memory per CTA
    ctas_per_sm: resident CTAs
    order_validated: measured schedules for this kind of kernel and architecture validate
        the order"""

    schedule: Schedule
    feasible: bool
    reason: str
    cost: Optional[KernelCost]
    threads: Optional[float]
    registers: Optional[float]
    spilled_registers: Optional[float]
    shared_bytes: Optional[float]
    ctas_per_sm: Optional[float]
    order_validated: bool

    @property
    def time_us(self) -> float:
        """Time of one launch; infinity if it cannot run."""
        return math.inf if self.cost is None else self.cost.time_us

    @property
    def energy_j(self) -> float:
        """Energy of one launch; infinity if it cannot run."""
        return math.inf if self.cost is None else self.cost.energy_j

    @classmethod
    def from_struct(cls, answer: Any, reason: str) -> "ScheduleCost":
        feasible = answer.fault == _abi.FEASIBLE
        return cls(
            schedule=Schedule.from_struct(answer.schedule), feasible=feasible, reason=reason,
            cost=KernelCost.from_struct(answer.cost) if feasible else None,
            threads=known(answer.threads), registers=known(answer.registers),
            spilled_registers=known(answer.spilled), shared_bytes=known(answer.shared_bytes),
            ctas_per_sm=known(answer.ctas_per_sm), order_validated=bool(answer.order_validated))

    def __repr__(self) -> str:
        return f"<{self.cost!r} {self.schedule!r}>" if self.feasible else f"<cannot run: {self.reason}; {self.schedule!r}>"

