# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views of a report: modules as a tree, tables of kernels, charts."""
from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from gpucost._render import scaled
from gpucost.errors import InvalidArgumentError

if TYPE_CHECKING:
    from gpucost._report import Report

NO_SCOPE = "(no scope)"


def rows_of(heading: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table as text; the first `left` columns are aligned to the left."""
    widths = [max(len(row[at]) for row in (heading, *rows)) for at in range(len(heading))]
    return "\n".join("  ".join(cell.ljust(width) if at < left else cell.rjust(width)
                               for at, (cell, width) in enumerate(zip(row, widths))).rstrip()
                     for row in (heading, *rows))


@dataclasses.dataclass(eq=False)
class Module:
    """A module of a network with everything in it: a node of report.modules().

    name, path: its own name, and with those of the modules around it
    parameters: elements of its parameters; None: unknown
    launches, time_us, energy_j, flops, bytes: sums over its kernels, as in report.groups
    live_bytes: largest sum of temporary tensors in use while one of its kernels runs
    children: the modules in it, in the order of their first kernel"""

    name: str
    path: str
    parameters: Optional[int] = None
    launches: int = 0
    time_us: float = 0.0
    energy_j: float = 0.0
    flops: int = 0
    bytes: int = 0
    live_bytes: Optional[int] = None
    children: List["Module"] = dataclasses.field(default_factory=list)
    depth: Optional[int] = dataclasses.field(default=None, repr=False)

    def find(self, path: str) -> "Module":
        """The module with a path such as "encoder.layer.0"; KeyError if there is none."""
        module = self
        for part in parts_of(path):
            module = next((child for child in module.children if child.name == part), None)  # type: ignore[assignment]
            if module is None:
                raise KeyError(path)
        return module

    def walk(self, depth: Optional[int] = None, level: int = 0) -> Iterator[Tuple[int, "Module"]]:
        """This module and those in it, each with its level; at most `depth` levels below this one."""
        yield level, self
        if depth is None or level < depth:
            for child in self.children:
                yield from child.walk(depth, level + 1)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row for each module."""
        from gpucost._frames import pandas

        names = [field.name for field in dataclasses.fields(self) if field.name not in ("children", "depth")]
        return pandas.DataFrame([{"level": level, **{name: getattr(module, name) for name in names}}
                                 for level, module in self.walk()])

    def __repr__(self) -> str:
        total = self.time_us or 1.0
        rows = []
        for level, module in self.walk(self.depth):
            name = "  " * level + module.name
            rows.append((name, "-" if module.parameters is None else f"{module.parameters:,}",
                         scaled(module.flops, "FLOP"), scaled(module.time_us * 1e-6, "s"),
                         f"{100 * module.time_us / total:.1f}", scaled(module.energy_j, "J"), str(module.launches),
                         "-" if module.live_bytes is None else scaled(module.live_bytes, "B", 1024)))
        return rows_of(("module", "parameters", "FLOP", "time", "%", "energy", "launches", "temporary memory"), rows)


def parts_of(path: str) -> List[str]:
    return [part for part in re.split(r"[/.]", path) if part]


def modules(report: "Report", depth: Optional[int] = None) -> Module:
    """The tree of a report."""
    full = report._again_as_report(group_by=b"scope", details=1)
    root = Module(report.model, "", depth=depth)
    known: Dict[Tuple[str, ...], Module] = {(): root}

    def at(path: str) -> List[Module]:
        """The modules on the path, from the root."""
        parts = [NO_SCOPE] if path in ("", NO_SCOPE) else parts_of(path)
        chain = [root]
        for count in range(1, len(parts) + 1):
            key = tuple(parts[:count])
            if key not in known:
                known[key] = Module(parts[count - 1], ".".join(key))
                chain[-1].children.append(known[key])
            chain.append(known[key])
        return chain

    details = full.details
    assert details is not None
    for node, live in zip(details.launches.node, details.launches.live_bytes):
        for module in at(details.scopes[node]):
            if live >= 0:
                module.live_bytes = max(module.live_bytes or 0, live)
    for group in full.groups or ():
        for module in at(group.name):
            module.launches += group.launches
            module.time_us += group.time_us
            module.energy_j += group.energy_j
            module.flops += group.flops
            module.bytes += group.bytes
    counts = report._parameters()
    if counts is not None:
        for module in known.values():
            module.parameters = 0
        for name, count in counts:
            chain = [root]
            for part in parts_of(name)[:-1]:
                child = next((each for each in chain[-1].children if each.name == part), None)
                if child is None:
                    break
                chain.append(child)
            for module in chain:
                module.parameters = (module.parameters or 0) + count
    return root


def initializers(data: bytes) -> Optional[List[Tuple[str, int]]]:
    """The parameters of an ONNX file with their numbers of elements; None without the package onnx, or for other
    files. Names of buffers end with ".buffer"."""
    try:
        import onnx
    except ImportError:
        return None
    try:
        graph = onnx.ModelProto.FromString(data).graph
    except Exception:  # The class is that of one of several protobuf packages.
        return None
    from gpucost._onnx import size

    floats = {getattr(onnx.TensorProto, name) for name in ("FLOAT", "FLOAT16", "BFLOAT16", "DOUBLE")}
    return [(tensor.name, size(tensor)) for tensor in graph.initializer
            if tensor.data_type in floats and tensor.dims and not tensor.name.endswith(".buffer")]


# Columns of table(), and whether a small value comes first.
COLUMNS = {"time": "total_us", "time_avg": "time_us", "count": "count", "energy": "energy_j", "power": "power_w",
           "flops": "flops", "bytes": "bytes"}


def table(report: "Report", sort_by: str = "time", row_limit: int = 100) -> str:
    """The kernels, as torch.profiler's key_averages().table() shows them."""
    if sort_by not in COLUMNS:
        raise InvalidArgumentError(f"'sort_by' is {sort_by!r}: expected {', '.join(COLUMNS)}")
    if row_limit < 1:
        raise InvalidArgumentError(f"'row_limit' is {row_limit!r}: expected at least 1")
    totals = ("energy_j", "flops", "bytes")

    def value(row: Any) -> float:
        field = COLUMNS[sort_by]
        found: float = getattr(row, field) * (row.count if field in totals else 1)
        return found

    rows = []
    for row in sorted(report.kernels, key=value, reverse=True)[:row_limit]:
        rows.append((row.label, row.shape, row.phase, f"{100 * row.time_fraction:.2f} %", scaled(row.total_us * 1e-6, "s"),
                     scaled(row.time_us * 1e-6, "s"), str(row.count), scaled(row.energy_j * row.count, "J"),
                     scaled(row.flops * row.count, "FLOP"), scaled(row.bytes * row.count, "B"), row.bound))
    text = rows_of(("name", "shape", "phase", "GPU time %", "GPU total", "GPU avg", "calls", "energy", "FLOP", "bytes",
                    "bound"), rows, left=3)
    lines = text.splitlines()
    rule = "-" * max(map(len, lines))
    hidden = len(report.kernels) - len(rows)
    end = [f"{hidden} other kernels"] if hidden > 0 else []
    it = report.iteration
    busy = None if it.gpu_busy_ms is None else it.gpu_busy_ms * 1e-3
    time = None if it.time_ms is None else it.time_ms * 1e-3
    return "\n".join([rule, lines[0], rule, *lines[1:], rule, *end,
                      f"GPU time total: {scaled(busy, 's')}", f"iteration: {scaled(time, 's')}"])


class MemoryUse(NamedTuple):
    """The memory of tensors from a time on.

    time_us: since the start of the iteration on the GPU
    bytes: in use"""

    time_us: float
    bytes: int


def memory_timeline(report: "Report") -> List[MemoryUse]:
    """The memory counter of the trace."""
    events = json.loads(report.trace())["traceEvents"]
    uses = [(event["ts"], event["args"]["bytes"]) for event in events
            if event.get("ph") == "C" and event["name"] == "memory"]
    begin = min((time for time, _ in uses), default=0.0)
    return [MemoryUse(time - begin, count) for time, count in uses]


def plot(report: "Report", kind: str = "kernels", ax: Any = None, top: int = 10) -> Any:
    """A chart with Matplotlib."""
    kinds = {"kernels": _plot_kernels, "families": _plot_families, "phases": _plot_phases, "memory": _plot_memory}
    if kind not in kinds:
        raise InvalidArgumentError(f"'kind' is {kind!r}: expected {', '.join(kinds)}")
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot() needs Matplotlib: pip install matplotlib; to_html() makes charts without it") from None
    if ax is None:
        ax = pyplot.subplots(layout="constrained")[1]
    kinds[kind](report, ax, top)
    ax.set_title(f"{report.model} on {report.target}")
    return ax


def _bars(ax: Any, names: Sequence[str], values: Sequence[float], label: str) -> None:
    positions = range(len(names))
    ax.barh(positions, values)
    ax.set_yticks(positions, names)
    ax.invert_yaxis()
    ax.set_xlabel(label)


def _plot_kernels(report: "Report", ax: Any, top: int) -> None:
    rows = report.kernels[:top]
    _bars(ax, [f"{row.label} {row.shape}" for row in rows], [row.total_us * 1e-3 for row in rows], "time of all launches (ms)")


def _plot_families(report: "Report", ax: Any, _: int) -> None:
    parts = report.iteration.family_fractions
    _bars(ax, list(parts), [100 * part for part in parts.values()], "kernel time (%)")


def _plot_phases(report: "Report", ax: Any, _: int) -> None:
    _bars(ax, [phase.phase for phase in report.phases], [phase.time_ms or 0.0 for phase in report.phases], "time (ms)")


def _plot_memory(report: "Report", ax: Any, _: int) -> None:
    uses = memory_timeline(report)
    ax.step([use.time_us * 1e-3 for use in uses], [use.bytes / 2**20 for use in uses], where="post")
    ax.set_xlabel("time (ms)")
    ax.set_ylabel("memory of tensors (MiB)")
    ax.set_ylim(bottom=0)
