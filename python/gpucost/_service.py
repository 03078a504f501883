# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Services: steps of a language model, for schedulers and simulators."""
from __future__ import annotations

import ctypes
import dataclasses
import os
import threading
from typing import Any, Iterable, Optional, Tuple, Union

from gpucost import _abi
from gpucost._files import write_file
from gpucost._model import Model, TargetLike, as_model
from gpucost._native import Handle, create, lib, new
from gpucost._record import Record
from gpucost.errors import BadDataError, InvalidArgumentError


@dataclasses.dataclass(frozen=True, repr=False)
class StepCost(Record):
    """One step, on each of the service's GPUs.

    throttled: the power limit lowered the clock
    power_limit_unreachable: no clock keeps the power limit; the time is a lower bound
    time_is_lower_bound: some op is not modelled"""

    time_ms: float
    energy_j: float
    power_w: float
    clock_mhz: float
    throttled: bool
    power_limit_unreachable: bool
    time_is_lower_bound: bool


@dataclasses.dataclass(frozen=True, repr=False)
class ServiceLimits(Record):
    """The largest steps of a service: sequences, new tokens per sequence, and tokens in the cache per
    sequence. `world_size`: GPUs that run a step."""

    world_size: int
    sequences: int
    new_tokens: int
    cache_tokens: int


class PreparedService:
    """A language model for every step shape: batch, new tokens and context are open.

        prepared = gpucost.prepare_service("llama.onnx", target="h100-bf16", software="vllm")
        service = prepared.service("h100-bf16")
        service.step([(1, 1500), (1, 900), (512, 0)]).time_ms

    bytes(prepared) is the content of a .gcs file, as `gpu-cost-opt serve --oracle=FILE` writes."""

    def __init__(self, data: bytes) -> None:
        self._data = bytes(data)
        if self._data[:4] != b"GCS\n":
            raise BadDataError("expected the content of a .gcs file")

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "PreparedService":
        """Reads a file written by save() or `gpu-cost-opt serve --oracle`."""
        with open(path, "rb") as file:
            return cls(file.read())

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a .gcs file."""
        write_file(path, self._data)

    def __bytes__(self) -> bytes:
        return self._data

    def __reduce__(self) -> Any:
        return PreparedService, (self._data,)

    def service(self, target: Union[TargetLike, Model], *, coefficients: Optional[str] = None,
                interconnect: Optional[str] = None, network: Optional[str] = None) -> "Service":
        """The service on a GPU with the same number format."""
        if not isinstance(target, Model):
            target = as_model(target, coefficients=coefficients, interconnect=interconnect, network=network)
        return Service(self, target)

    def __repr__(self) -> str:
        return f"<gpucost.PreparedService of {len(self._data)} bytes>"


class Service:
    """A prepared service on a GPU. One thread at a time may use it; a step of another thread meanwhile is an
    error. Create one service for each thread."""

    def __init__(self, prepared: PreparedService, model: Model) -> None:
        #: The prepared service that it was created from.
        self.prepared = prepared
        self.model = model
        data = bytes(prepared)
        self._handle: Handle = create("ServiceFree", lib.ServiceCreate, data, len(data), model._handle.pointer)
        self._cost = new(_abi.StepCost)
        self._where = ctypes.byref(self._cost)
        # Of the buffers, which a step reuses.
        self._lock = threading.Lock()
        self._reserve(64)

    def _reserve(self, count: int) -> None:
        """Buffer for the sequences of a step, reused because this is faster than allocating one per step."""
        kind = ctypes.c_int64 * count
        self._new_tokens, self._cache_tokens = kind(), kind()

    @property
    def limits(self) -> ServiceLimits:
        """The largest steps."""
        struct = new(_abi.ServiceLimits)
        lib.check(lib.ServiceGetLimits(self._handle.pointer, ctypes.byref(struct)))
        return ServiceLimits(struct.world_size, struct.sequences, struct.new_tokens, struct.cache_tokens)

    def step(self, sequences: Iterable[Tuple[int, int]]) -> StepCost:
        """Predicts the step with (new tokens, tokens in the cache) for each sequence: (1, context) in
        decoding, (chunk, tokens before it) in prefill."""
        pairs = list(sequences)
        count = len(pairs)
        new_tokens, cache = zip(*pairs) if pairs else ((), ())
        if not self._lock.acquire(blocking=False):
            raise InvalidArgumentError("another thread uses the service; create one for each thread")
        try:
            if count > len(self._new_tokens):
                self._reserve(2 * count)
            self._new_tokens[:count], self._cache_tokens[:count] = list(new_tokens), list(cache)
            lib.check(lib.ServiceStep(self._handle.pointer, self._new_tokens, self._cache_tokens, count, self._where))
            cost = self._cost
            return StepCost(cost.time * 1e3, cost.energy, cost.power, cost.clock * 1e-6, bool(cost.throttled),
                            bool(cost.limit_unreachable), bool(cost.lower_bound))
        finally:
            self._lock.release()

    def __reduce__(self) -> Any:
        return Service, (self.prepared, self.model)

    def __repr__(self) -> str:
        return f"<gpucost.Service on {self.model.device.name}-{self.model.format}>"
