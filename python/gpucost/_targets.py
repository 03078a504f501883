# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Built-in targets and custom GPUs."""
from __future__ import annotations

import ctypes
import dataclasses
import numbers
from typing import Any, Dict, List, Mapping, Optional, Tuple

from gpucost import _abi
from gpucost._kernels import integer
from gpucost._native import enum_name, enum_value, enumeration, lib, new
from gpucost._record import Record
from gpucost.errors import InvalidArgumentError


@dataclasses.dataclass(frozen=True)
class Coefficients(Record):
    """A group of fitted coefficients and the measurements behind it.

    provenance: measurements, GPU, framework, CUDA and library versions of the fit
    transferred_from: the die that the group was transferred from, or "" """

    name: str
    provenance: str
    transferred_from: str


@dataclasses.dataclass(frozen=True, repr=False)
class Target(Record):
    """A built-in GPU.

    name, aliases: values of `target=`, case-insensitive, with or without a format ("a100-bf16",
        "NVIDIA A100-SXM4-80GB-bf16")
    formats, default_format: number formats
    sources: documents with its facts
    coefficients: its set, for coefficient_groups()
    transferred: coefficients transferred from another die; "" if there are none"""

    name: str
    die: str
    aliases: Tuple[str, ...]
    formats: Tuple[str, ...]
    default_format: str
    sources: Tuple[str, ...]
    coefficients: str
    transferred: str


def decoded(value: Optional[bytes]) -> str:
    return (value or b"").decode()


def texts(pointer: Optional[int], count: int) -> Tuple[str, ...]:
    if not count or not pointer:
        return ()
    return tuple(decoded(each) for each in (ctypes.c_char_p * count).from_address(pointer))


def target_of(index: int) -> Target:
    info = new(_abi.TargetInfo)
    lib.check(lib.TargetGet(index, ctypes.byref(info)))
    formats = (ctypes.c_uint32 * info.format_count).from_address(info.formats) if info.format_count else ()
    return Target(
        name=decoded(info.name), die=decoded(info.die), aliases=texts(info.aliases, info.alias_count),
        formats=tuple(enum_name(_abi.ENUM_FORMAT, each) for each in formats),
        default_format=enum_name(_abi.ENUM_FORMAT, info.default_format),
        sources=texts(info.sources, info.source_count), coefficients=decoded(info.coefficients),
        transferred=decoded(info.transferred))


def list_targets() -> List[Target]:
    """The built-in GPUs, sorted by name."""
    return [target_of(index) for index in range(lib.TargetCount())]


def find_target(name: str) -> Target:
    """The target with this name or alias, with or without a format ("h100", "a100-bf16",
    torch.cuda.get_device_name(): "NVIDIA H100 80GB HBM3")."""
    index = ctypes.c_size_t()
    lib.check(lib.TargetFind(name.encode(), ctypes.byref(index)))
    return target_of(index.value)


def list_coefficients() -> List[str]:
    """Names of the built-in coefficient sets."""
    return [decoded(lib.CoefficientSetName(index)) for index in range(lib.CoefficientSetCount())]


def coefficient_groups(target: str) -> List[Coefficients]:
    """The coefficient groups of a target or a set, with the measurements behind them."""
    name = target if target in list_coefficients() else find_target(target).coefficients
    found: List[Coefficients] = []
    while True:
        info = new(_abi.GroupInfo)
        status = lib.CoefficientGroup(name.encode(), len(found), ctypes.byref(info))
        if status == _abi.NOT_FOUND:
            return found
        lib.check(status)
        found.append(Coefficients(decoded(info.name), decoded(info.provenance), decoded(info.transferred_from)))


# Fields of Device that name an enumerator.
ENUM_FIELDS = {"architecture": _abi.ENUM_ARCHITECTURE, "matrix_path": _abi.ENUM_MATRIX_PATH,
               "interconnect": _abi.ENUM_INTERCONNECT}


# Types of the facts in the C library.
KINDS: Dict[str, Any] = {name: kind for name, kind, *_ in _abi.Device._fields_}


def fact(name: str, value: Any) -> Any:
    """The struct's value of a fact."""
    kind = KINDS[name]
    wanted, words = ((str, "text") if kind is ctypes.c_char_p else (numbers.Real, "a number"))
    if not isinstance(value, wanted):
        raise InvalidArgumentError(f"'{name}' is {value!r}: expected {words}")
    if isinstance(value, str):
        return value.encode() or None
    if kind is ctypes.c_double:
        return value
    number = integer(value, name)
    if kind is ctypes.c_uint32 and not 0 <= number < 2**32:
        raise InvalidArgumentError(f"'{name}' is {number}: expected 0 to 2^32 - 1")
    return number


@dataclasses.dataclass(frozen=True, repr=False)
class Device(Record):
    """Facts of a GPU from its datasheet or a device query, in SI units: hertz,
    bytes, bytes per second, watts. For fields with a default, 0 or "" means unknown.

    Start from the facts of a similar GPU and change them:

        mine = gpucost.device("h100").replace(name="h100-half", sm_count=66)
        model = gpucost.Model(mine, format="bf16", coefficients="h100")

    architecture: enumerator of gpucostDevice ("hopper")
    memory: kind of DRAM ("hbm3", "gddr6")
    special_per_clock: special-function results per clock and SM
    max_clock, boost_clock, min_clock, clock_step: SM clock, Hz; boost_clock is the
        clock of the peaks (0: max_clock)
    flops_per_clock: dense FLOP per clock and SM by format; fp32 means CUDA cores
    warp_matrix_share: rate of warp-level matrix instructions relative to the peaks; 0: 1
    dram_bandwidth, dram_capacity, l2_capacity: bytes per second, bytes
    reported_memory: total that CUDA reports, bytes; 0: dram_capacity
    l2_partitioned: two partitions, about half of the capacity is usable
    library_workspace: bytes that a framework reserves for matrix libraries
    power_limit: default board power limit, W
    sm_registers ... cluster_ctas: resources of one SM, for schedules; sm_registers 0: none
    interconnect, interconnect_generation, interconnect_bandwidth: link between the GPUs of a
        node; bandwidth in bytes per second, both directions, 0: unknown"""

    architecture: str
    name: str
    memory: str
    sm_count: int
    special_per_clock: int
    max_clock: float
    flops_per_clock: Mapping[str, float]
    dram_bandwidth: float
    dram_capacity: float
    l2_capacity: float
    power_limit: float
    die: str = ""
    compute_capability: float = 0
    boost_clock: float = 0
    min_clock: float = 0
    clock_step: float = 0
    warp_matrix_share: float = 0
    l2_partitioned: bool = False
    gpus_per_node: int = 0
    library_workspace: float = 0
    sm_registers: int = 0
    sm_shared_memory: float = 0
    cta_shared_memory: float = 0
    reserved_shared_memory: float = 0
    sm_threads: int = 0
    sm_ctas: int = 0
    sm_partitions: int = 0
    cache_bytes_per_clock: int = 0
    shared_bytes_per_clock: int = 0
    texture_loads: bool = False
    matrix_path: str = ""
    cluster_ctas: int = 0
    interconnect: str = ""
    interconnect_generation: int = 0
    interconnect_bandwidth: float = 0
    reported_memory: float = 0

    def __hash__(self) -> int:
        return Record.__hash__(self)

    def replace(self, **facts: Any) -> "Device":
        """A copy of this GPU with changed facts. With another `dram_capacity`, the
        same share of it is reported."""
        unknown = [name for name in facts if name not in self.__dict__]
        if unknown:
            raise TypeError(f"a device has no '{unknown[0]}': its facts are {', '.join(self.__dict__)}")
        if "dram_capacity" in facts and self.dram_capacity and self.reported_memory:
            facts.setdefault("reported_memory", self.reported_memory * facts["dram_capacity"] / self.dram_capacity)
        return dataclasses.replace(self, **facts)

    def struct(self) -> Any:
        """The struct of the C library."""
        if isinstance(self.max_clock, numbers.Real) and 0 < self.max_clock < 1e6:
            raise InvalidArgumentError(f"'max_clock' is {self.max_clock:g}: expected hertz (1.98e9, not 1980)")
        values: Dict[str, Any] = {}
        empty = _abi.Device()
        first, later = len(empty.flops_per_clock), len(empty.more_flops_per_clock)
        for name, value in self.__dict__.items():
            if name in ENUM_FIELDS:
                values[name] = enum_value(ENUM_FIELDS[name], value, name) if value else 0
            elif name == "flops_per_clock":
                if not isinstance(value, Mapping):
                    raise InvalidArgumentError(f"'{name}' is {value!r}: expected a mapping of formats to rates")
                rates = [0.0] * (first + later)
                for key, rate in value.items():
                    if not isinstance(rate, numbers.Real):
                        raise InvalidArgumentError(f"'{name}' of {key} is {rate!r}: expected a number")
                    rates[enum_value(_abi.ENUM_FORMAT, key, "format")] = float(rate)
                values[name] = (ctypes.c_double * first)(*rates[:first])
                values["more_flops_per_clock"] = (ctypes.c_double * later)(*rates[first:])
            else:
                values[name] = fact(name, value)
        return new(_abi.Device, **values)

    @classmethod
    def from_struct(cls, struct: Any) -> "Device":
        values: Dict[str, Any] = {}
        for field in dataclasses.fields(cls):
            value = getattr(struct, field.name)
            if field.name in ENUM_FIELDS:
                value = enum_name(ENUM_FIELDS[field.name], value)
            elif field.name == "flops_per_clock":
                rates = [*value, *struct.more_flops_per_clock]
                value = {name: rates[index] for name, index in enumeration(_abi.ENUM_FORMAT).items()
                         if index and rates[index]}
            elif isinstance(field.default, bool):
                value = bool(value)
            elif value is None or isinstance(value, bytes):
                value = decoded(value)
            values[field.name] = value
        return cls(**values)


def device(target: str) -> Device:
    """The facts of a target, to be modified and passed to Model."""
    struct = new(_abi.Device)
    lib.check(lib.TargetDevice(target.encode(), ctypes.byref(struct)))
    return Device.from_struct(struct)
