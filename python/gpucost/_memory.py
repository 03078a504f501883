# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Questions on memory: whether a model fits, the largest batch that does, and tables by number format."""
from __future__ import annotations

import dataclasses
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from gpucost import _inputs
from gpucost._analysis import BatchDim, analyze
from gpucost._objects import replace_objects_for
from gpucost._record import Record
from gpucost._render import scaled
from gpucost._report import Report
from gpucost.errors import InfeasibleError, InvalidArgumentError

# A batch that needs no more memory than 1 of this size: the memory does not depend on it.
LARGEST_TRIED = 1 << 24
# Rows of memory(): name, format of the target, settings.
Rows = Tuple[Tuple[str, str, Mapping[str, Any]], ...]
INFERENCE: Rows = (("fp32", "fp32", {}), ("bf16", "bf16", {}), ("int8", "bf16", {"weights": "int8"}),
                   ("int4", "bf16", {"weights": "int4"}))
TRAINING: Rows = (("fp32", "fp32", {"precision_mode": "cast"}), ("amp", "bf16", {"precision_mode": "amp"}),
                  ("bf16", "bf16", {"precision_mode": "cast"}))
VERDICTS = {"fits": "fits in", "may-not-fit": "may not fit in"}


def size(value: float) -> str:
    return scaled(value, "B", 1024)


@dataclasses.dataclass(frozen=True, repr=False)
class Fit:
    """Whether an iteration fits into the memory of a GPU; true if the allocator finds room for every tensor.

    verdict: "fits"; "may-not-fit": the upper bound of the memory is larger; "does-not-fit"
    device_bytes, low, high: memory as the GPU shows it, and its interval, in bytes
    usable_bytes: what the software may use
    report: the iteration"""

    verdict: str
    device_bytes: int
    device_low_bytes: int
    device_high_bytes: int
    usable_bytes: float
    report: Report

    def __bool__(self) -> bool:
        return self.report.fits_in_memory

    def __repr__(self) -> str:
        verdict = VERDICTS.get(self.verdict, "does NOT fit in")
        return (f"<{size(self.device_bytes)} ({size(self.device_low_bytes)} to {size(self.device_high_bytes)}) {verdict} "
                f"{size(self.usable_bytes)}>")


def fit_of(report: Report) -> Fit:
    it = report.iteration
    return Fit(it.memory_verdict, it.device_bytes, it.device_low_bytes, it.device_high_bytes, it.memory_usable_bytes, report)


@dataclasses.dataclass(frozen=True, repr=False)
class LargestBatch:
    """The largest batch that fits into the memory of a GPU.

    batch: samples of an iteration on each GPU (on each group with tensor parallelism)
    certain: the largest batch of which the upper bound of the memory also fits; 0 if there is none
    report: the iteration with `batch`"""

    batch: int
    certain: int
    report: Report

    @property
    def fit(self) -> Fit:
        """The memory with `batch`."""
        return fit_of(self.report)

    def __repr__(self) -> str:
        certain = "" if self.certain == self.batch else f"; for certain {self.certain or 'none'}"
        return f"<largest batch that fits: {self.batch}{certain}; {repr(self.fit)[1:-1]}>"


def fits(model: Any, inputs: Any = None, *, target: Any = None, **arguments: Any) -> Fit:
    """Whether an iteration fits into the memory of a GPU, with the arguments of analyze().

        if gpucost.fits(module, inputs, target="a100-sxm-40gb-bf16", mode="training", recompute="full"): ...

    A Fit is true if it fits; its `verdict` also knows the interval of the prediction."""
    return fit_of(analyze(model, inputs, target=target, **arguments))


def largest_batch(model: Any, inputs: Any = None, *, target: Any = None, export: Optional[Mapping[str, Any]] = None,
                  batch_dim: BatchDim = "auto", **arguments: Any) -> LargestBatch:
    """The largest batch that fits into the memory of a GPU, by bisection: `gpu-cost-opt --max-batch`.

        gpucost.largest_batch("gpt2.onnx", target="a100-bf16", seq=1024, mode="training", trainable="*lora*")
        gpucost.largest_batch(module, inputs, target="h100-bf16", mode="training", parallel="fsdp", gpus=8).batch

    Arguments are those of analyze() without `batch`. A module is exported once with a batch of any size: its example
    inputs need the same batch dimension, or `export` has dynamic_shapes with a dimension called batch.

    Raises InfeasibleError if a batch of 1 does not fit, and InvalidArgumentError if the memory does not depend on
    the batch."""
    for name in ("batch", "micro_batch", "global_batch"):
        if arguments.get(name) is not None:
            raise InvalidArgumentError(f"largest_batch() finds the batch: leave out '{name}'")
    if _inputs.is_module(model):
        arguments, loss = replace_objects_for({**arguments, "model": model})
        del arguments["model"]
        model = with_any_batch(model, inputs, export, batch_dim, loss)
        inputs = export = None
        batch_dim = "auto"
    known: Dict[int, Report] = {}

    def tried(batch: int) -> Report:
        if batch not in known:
            known[batch] = analyze(model, inputs, target=target, export=export, batch_dim=batch_dim, batch=batch, **arguments)
        return known[batch]

    first = tried(1)
    if not first.fits_in_memory:
        raise InfeasibleError(f"does not fit with a batch of 1: {repr(fit_of(first))[1:-1]}")
    batch = bisected(lambda batch: tried(batch).fits_in_memory)
    if batch >= LARGEST_TRIED and tried(batch).device_bytes <= first.device_bytes:
        raise InvalidArgumentError("the memory does not depend on the batch")
    certain = bisected(lambda each: each <= batch and tried(each).iteration.memory_verdict == "fits")
    return LargestBatch(batch, certain, tried(batch))


def bisected(holds: Callable[[int], bool]) -> int:
    """The largest number for which a predicate holds that holds up to it; 0: for none."""
    low, high = 0, 1
    while high <= LARGEST_TRIED and holds(high):
        low, high = high, 2 * high
    while high - low > 1 and low < LARGEST_TRIED:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def with_any_batch(module: Any, inputs: Any, export: Optional[Mapping[str, Any]], batch_dim: BatchDim,
                   loss: Any) -> _inputs.Exported:
    """The module with a symbol for its batch."""
    options = dict(export or {})
    if "dynamic_shapes" not in options:
        from gpucost._torch import with_symbolic_batch

        inputs, options["dynamic_shapes"] = with_symbolic_batch(module, inputs, batch_dim)
    found = _inputs.export(module, inputs, batch_dim=batch_dim, loss=loss, **options)
    if "batch" in found.properties:
        raise InvalidArgumentError("the module fixes its batch to that of the example inputs, "
                                   f"{found.properties['batch']}: call this function with inputs of each batch")
    return found


@dataclasses.dataclass(frozen=True, repr=False)
class MemoryRow(Record):
    """The memory of an iteration in one number format, in bytes, of one GPU.

    format: of weights and matmuls; amp: fp32 weights, bf16 matmuls
    weights_bytes, gradient_bytes, optimizer_bytes, activation_bytes: at the peak
    device_bytes: as the GPU shows it, with workspace, fragmentation and context, with its interval
    verdict: whether it fits, as in Fit"""

    format: str
    weights_bytes: int
    gradient_bytes: int
    optimizer_bytes: int
    activation_bytes: int
    device_bytes: int
    device_low_bytes: int
    device_high_bytes: int
    verdict: str


class MemoryTable(Sequence[MemoryRow]):
    """The rows of memory()."""

    HEADINGS = ("format", "weights", "gradients", "optimizer", "activations", "on the GPU", "interval", "")

    def __init__(self, title: str, rows: Sequence[MemoryRow]) -> None:
        self.title = title
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        """A row by number, or by its format."""
        if isinstance(index, str):
            for row in self._rows:
                if row.format == index:
                    return row
            raise KeyError(index)
        return self._rows[index]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the fields of MemoryRow."""
        from gpucost._frames import pandas

        return pandas.DataFrame([row.to_dict() for row in self._rows])

    def cells(self) -> List[Tuple[str, ...]]:
        return [self.HEADINGS, *((
            row.format, size(row.weights_bytes), size(row.gradient_bytes), size(row.optimizer_bytes),
            size(row.activation_bytes), size(row.device_bytes),
            f"{size(row.device_low_bytes)} to {size(row.device_high_bytes)}", row.verdict.replace("-", " "))
            for row in self._rows)]

    def __repr__(self) -> str:
        cells = self.cells()
        widths = [max(len(row[index]) for row in cells) for index in range(len(self.HEADINGS))]
        lines = ["  ".join(cell.ljust(width) if index in (0, 7) else cell.rjust(width)
                           for index, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in cells]
        return "\n".join([self.title, *("  " + line for line in lines)])

    def _repr_html_(self) -> str:
        import html

        rows = ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in self.cells()]
        return f"<div><b>{html.escape(self.title)}</b><table>{''.join(rows)}</table></div>"


def memory(model: Any, inputs: Any = None, *, target: Optional[Union[str, "os.PathLike[str]"]] = None,
           mode: Any = "training", **arguments: Any) -> MemoryTable:
    """The memory of a model in several number formats: weights, gradients, optimizer states, activations, and whether
    it fits into the GPU.

        gpucost.memory(module, inputs, target="a100-sxm-40gb")
        gpucost.memory("llama.onnx", target="l4", mode="inference", batch=1, seq=4096)

    target: name of a GPU, without a format
    mode: "training": fp32, amp (autocast on fp32 weights, not for modules in 16 bit) and bf16; "inference": fp32,
        bf16, and weights in int8 and int4. GPUs without bf16 use fp16
    arguments: those of analyze() without precision_mode and weights"""
    for name in ("precision_mode", "weights", "activations"):
        if arguments.get(name) is not None:
            raise InvalidArgumentError(f"memory() compares formats: leave out '{name}'")
    if not isinstance(target, str):
        raise InvalidArgumentError("memory() needs the name of a GPU: target='a100-sxm-40gb'")
    from gpucost._targets import find_target

    formats = find_target(target).formats
    if target.lower().rpartition("-")[2] in formats:
        raise InvalidArgumentError(f"memory() compares formats: target={target.rpartition('-')[0]!r} without a format")
    trains = getattr(mode, "value", mode) == "training"
    half = "bf16" if "bf16" in formats else "fp16"
    rows, title = [], ""
    if _inputs.is_module(model):
        arguments, loss = replace_objects_for({**arguments, "mode": mode, "model": model})
        options = {name: arguments.pop(name) for name in ("batch_dim",) if name in arguments}
        model = _inputs.export(model, inputs, loss=loss, **options, **(arguments.pop("export", None) or {}))
        arguments = {name: value for name, value in arguments.items() if name not in ("model", "mode")}
        inputs = None
    is_half = isinstance(model, _inputs.Exported) and "format" in model.properties
    for name, fmt, settings in TRAINING if trains else INFERENCE:
        if name == "amp" and is_half:
            continue
        fmt, name = (half if fmt == "bf16" else fmt), (half if name == "bf16" else name)
        report = analyze(model, inputs, target=f"{target}-{fmt}", mode=mode, **{**arguments, **settings})
        it = report.iteration
        title = f"{report.model} on {report.target}, {report.mode}"
        rows.append(MemoryRow(name, it.parameter_bytes, it.gradient_bytes, it.optimizer_bytes, it.activation_bytes,
                              it.device_bytes, it.device_low_bytes, it.device_high_bytes, it.memory_verdict))
    return MemoryTable(title, rows)
