# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many kernels at a time: columns of numpy arrays in, columns out."""
from __future__ import annotations

import ctypes
import dataclasses
import re
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from gpucost import _abi
from gpucost._kernels import FAMILIES, KernelCost
from gpucost._model import CACHED_KERNELS
from gpucost._native import address, enum_name, enum_value, lib
from gpucost.errors import InvalidArgumentError

if TYPE_CHECKING:
    from gpucost._model import Model

COST = np.dtype(_abi.Cost)
# Kernels per call: their structs fit in a core's cache, and Ctrl-C works between calls.
CHUNK = 16384
WORDS = ctypes.sizeof(_abi.Kernel) // 8
FIRST_WORD = _abi.Kernel.problem.offset // 8


class Costs:
    """Costs of many kernels: a numpy array per field of KernelCost, and the cost of a single
    kernel by index. Unknown numbers are NaN; tilings are 0 for kernels without tiles. `bound` is
    an array of names, `failed` a mask of the kernels without a cost."""

    def __init__(self, raw: Any, errors: Dict[int, str]) -> None:
        #: Array of gpucostCost, in SI units.
        self.raw = raw
        #: First kernel index and message for each kind of error.
        self.errors = errors

    # Columns that are a struct field times a factor.
    _SCALED = {"time_us": ("time", 1e6), "compute_us": ("compute", 1e6), "l2_us": ("l2", 1e6),
               "dram_us": ("dram", 1e6), "fixed_us": ("fixed", 1e6), "clock_mhz": ("clock", 1e-6)}
    _PLAIN = {"power_w": "power", "energy_j": "energy"}
    _SAME = ("flops", "bytes", "tensor_flops", "fp32_flops", "instructions", "dram_bytes", "l2_bytes", "tile_m",
             "tile_n", "split_k", "ctas_per_sm", "ctas", "waves", "sm_utilization")
    _FLAGS = {"in_calibrated_domain": "in_calibrated_domain", "throttled": "throttled",
              "power_limit_unreachable": "limit_unreachable"}

    @property
    def columns(self) -> Tuple[str, ...]:
        """Names of the columns."""
        return (tuple(self._SCALED)[:1] + ("time_low_us", "time_high_us") + tuple(self._SCALED)[1:] +
                tuple(self._PLAIN) + self._SAME + tuple(self._FLAGS) + ("bound", "failed"))

    def __getattr__(self, name: str) -> Any:
        if name in self._SCALED:
            field, factor = self._SCALED[name]
            return self.raw[field] * factor
        if name in ("time_low_us", "time_high_us"):
            width = 1 + self.raw["half_width"]
            return self.time_us / width if name == "time_low_us" else self.time_us * width
        if name in self._FLAGS:
            return self.raw[self._FLAGS[name]] != 0
        if name == "bound":
            values = self.raw["bound"]
            names = [enum_name(_abi.ENUM_BOUND, value) for value in range(lib.EnumEnd(_abi.ENUM_BOUND))]
            return np.array(names, dtype=object)[values]
        if name == "failed":
            return self.raw["status"] != _abi.OK
        if name in self._PLAIN or name in self._SAME:
            return self.raw[self._PLAIN.get(name, name)]
        raise AttributeError(f"Costs have no '{name}': the columns are {', '.join(self.columns)}")

    def __dir__(self) -> List[str]:
        return sorted(set(super().__dir__()) | set(self.columns))

    def __getstate__(self) -> Any:
        return self.raw, self.errors

    def __setstate__(self, state: Any) -> None:
        self.raw, self.errors = state

    def __len__(self) -> int:
        return int(self.raw.size)

    def __getitem__(self, index: Any) -> Any:
        """The KernelCost of an index, or the Costs of a slice, mask or array of indices."""
        found = self.raw[index]
        if isinstance(found, np.void):
            if found["status"] != _abi.OK:
                raise InvalidArgumentError(f"kernel {index} has no cost: " + next(iter(self.errors.values()), ""))
            return KernelCost.from_struct(_abi.Cost.from_buffer_copy(found.tobytes()))
        return Costs(found, self.errors)

    def __iter__(self) -> Iterator[KernelCost]:
        return (self[index] for index in range(len(self)))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row per kernel."""
        from gpucost._frames import pandas

        return pandas.DataFrame({name: np.ravel(getattr(self, name)) for name in self.columns})

    def __repr__(self) -> str:
        failed = int(np.count_nonzero(self.failed))
        note = f", {failed} of them without a cost" if failed else ""
        return f"<Costs of {len(self)} kernels{note}: time_us={np.array2string(self.time_us, threshold=6)}>"


def columns_of(family: str, columns: Dict[str, Any]) -> Tuple[Any, Tuple[int, ...], Dict[int, Any]]:
    """The class of the family, the shape of all kernels, and one array per word."""
    kind = FAMILIES.get(family) if isinstance(family, str) else None
    if kind is None:
        raise InvalidArgumentError(f"unknown family {family!r}: expected one of {', '.join(FAMILIES)}")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    unknown = [name for name in columns if name not in fields]
    if unknown:
        raise TypeError(f"{family} has no column '{unknown[0]}': its columns are {', '.join(fields)}")
    missing = [name for name, field in fields.items()
               if name not in columns and field.default is dataclasses.MISSING]
    if missing:
        raise TypeError(f"{family} needs {', '.join(missing)}")
    arrays = {}
    for index, name in enumerate(kind.words()):
        value = columns.get(name, fields[name].default)
        arrays[index] = as_words(kind, name, value)
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        sizes = ", ".join(f"{name}: {arrays[index].shape}" for index, name in enumerate(kind.words())
                          if arrays[index].shape)
        raise InvalidArgumentError(f"the columns have different lengths ({sizes})") from None
    return kind, shape, arrays


def as_words(kind: Any, name: str, value: Any) -> Any:
    """A column as 64-bit integers."""
    if value is None or isinstance(value, (str, int)):
        return np.asarray(kind.word(name, value), dtype=np.int64)
    if np.ma.is_masked(value):
        raise InvalidArgumentError(f"'{name}' has masked elements: expected whole numbers")
    array = np.asarray(value)
    if array.dtype.kind in "OUSb" or name == "linear":
        words = {each: kind.word(name, each) for each in set(array.ravel().tolist())}
        return np.array([words[each] for each in array.ravel().tolist()], dtype=np.int64).reshape(array.shape)
    if array.dtype.kind == "f":
        # Also values that do not fit in 64 bits, and NaN.
        array = array.astype(np.float64, copy=False)
        wrong = array[~((np.trunc(array) == array) & (np.abs(array) < 2.0**63))]
        if wrong.size:
            raise InvalidArgumentError(f"'{name}' has the element {wrong[0]}: expected whole numbers")
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise InvalidArgumentError(f"'{name}' is an array of {array.dtype}: expected whole numbers")
    if array.dtype == np.uint64 and (array >> np.uint64(63)).any():
        raise InvalidArgumentError(f"'{name}' has the element {array.max()}: expected 1 to 2^40")
    return array.astype(np.int64, copy=False)


def mostly_distinct(arrays: Any, count: int) -> bool:
    """Whether there are more distinct kernels than a model's cache keeps, estimated from
    equal pairs in a sample: `s` draws among `d` kinds have about s^2 / 2d pairs."""
    columns = [array for array in arrays if array.ndim]
    if count <= CACHED_KERNELS or not columns:
        return False
    sample = 4096
    rows = np.random.default_rng(0).choice(count, sample, replace=False)
    drawn = np.stack([column[rows] for column in columns], axis=1)
    pairs = sample - len(np.unique(drawn, axis=0))
    return bool(pairs < sample * sample / 2 / CACHED_KERNELS)


def estimate_many(model: "Model", family: str, format: Optional[str], errors: str, columns: Dict[str, Any]) -> Costs:
    """Model.estimate_many."""
    if errors not in ("raise", "keep"):
        raise InvalidArgumentError(f"'errors' is {errors!r}: expected raise or keep")
    kind, shape, arrays = columns_of(family, columns)
    count = int(np.prod(shape, dtype=np.int64))
    flat = {index: array if array.ndim == 0 else np.broadcast_to(array, shape).reshape(-1)
            for index, array in arrays.items()}
    words: Any = np.zeros((min(count, CHUNK), WORDS), dtype=np.int64)
    raw: Any = np.empty(count, dtype=COST)
    format_value = 0 if format is None else enum_value(_abi.ENUM_FORMAT, format, "format")
    words[:, 0] = ctypes.sizeof(_abi.Kernel) | kind.FAMILY << 32
    words[:, 1] = format_value
    found: Dict[int, str] = {}
    is_new = mostly_distinct(flat.values(), count)
    for begin in range(0, count, CHUNK):
        size = min(CHUNK, count - begin)
        for index, array in flat.items():
            words[:size, FIRST_WORD + index] = array if array.ndim == 0 else array[begin:begin + size]
        raw["size"][begin] = COST.itemsize
        kernels = words.ctypes.data, words.strides[0], size
        costs = raw.ctypes.data + begin * COST.itemsize, COST.itemsize
        if is_new:
            status = lib.EstimateMany(model._handle.pointer, *kernels, address(model._query), *costs)
        else:
            status = lib.CacheEstimateMany(model._cache().pointer, *kernels, *costs)
        if status != _abi.OK:
            problem = lib.error(status)
            # The library counts from the start of the chunk.
            message = re.sub("^kernel [0-9]+: ", "", problem.message)
            first = begin + int(np.argmax(raw["status"][begin:begin + size] != _abi.OK))
            if errors == "raise":
                raise type(problem)(f"kernel {first}: {message}")
            found.setdefault(first, message)
    return Costs(raw.reshape(shape), found)
