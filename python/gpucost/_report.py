# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Report: one iteration of a model, as data, text, HTML and a table of pandas."""
from __future__ import annotations

import dataclasses
import json
import os
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Union

from gpucost._files import write_file
from gpucost._schema import NESTED, Iteration, ReportFields
from gpucost.errors import BadDataError, InvalidArgumentError, NotFoundError

if TYPE_CHECKING:
    from gpucost._targets import Coefficients
    from gpucost._tool import Answer
    from gpucost._views import MemoryUse, Module


class Report(ReportFields):
    """Time, power, energy and memory of one iteration, the same fields as the JSON report of
    the tool (docs/JsonSchema.md): names end with the unit, None is an unknown number.

        report.iteration.time_ms, report.iteration.energy_j, report.iteration.device_bytes
        report.kernels[0].shape, report.phases[0].time_ms, report.coverage["unmodelled"].list
        report.to_pandas(), report.to_dict(), report.to_json(), report.save("report.json")
        report.to_html("report.html"), report.modules(depth=3), report.table(sort_by="energy")
        report.trace("trace.json"), report.plot("memory"), report.compare(other)

    The most common totals are also attributes: report.time_ms, energy_j, avg_power_w,
    fits_in_memory, device_bytes, samples_per_s."""

    @property
    def time_ms(self) -> Optional[float]:
        """Wall-clock time of one iteration."""
        return self.iteration.time_ms

    @property
    def energy_j(self) -> Optional[float]:
        """Energy of one GPU board in one iteration."""
        return self.iteration.energy_j

    @property
    def avg_power_w(self) -> Optional[float]:
        """Average power of the board."""
        return self.iteration.avg_power_w

    @property
    def samples_per_s(self) -> Optional[float]:
        """Throughput of all GPUs."""
        return self.iteration.samples_per_s

    @property
    def device_bytes(self) -> int:
        """Memory that the GPU reports as used."""
        return self.iteration.device_bytes

    @property
    def fits_in_memory(self) -> bool:
        """Whether the allocator finds room for every tensor."""
        return self.iteration.fits_in_memory

    def provenance(self) -> List[Coefficients]:
        """GPU, framework, CUDA and library versions of the measurements behind each coefficient
        group of the target. Empty for custom GPUs and coefficients, whose files contain it."""
        from gpucost._targets import coefficient_groups

        if self.settings.get("coefficients") or self.settings.get("target_file"):
            return []
        try:
            return coefficient_groups(self.target)
        except NotFoundError:
            return []

    def to_json(self, indent: Optional[int] = 2) -> str:
        """JSON text with the fields of the tool's report."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes to_json() to a file; Report.load reads it, and the tool takes its settings
        by `--settings=`."""
        write_file(path, (self.to_json() + "\n").encode())

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Report":
        """Loads a report written by save() or `gpu-cost-opt --report=json -o`."""
        with open(path, encoding="utf-8") as file:
            try:
                return cls.from_dict(json.load(file))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise BadDataError(f"{os.fspath(path)}: no report of gpu-cost-opt in JSON: {error}") from None

    def to_html(self, path: Optional[Union[str, "os.PathLike[str]"]] = None) -> str:
        """The report as an HTML page that a browser opens from disk, identical to the output of
        `gpu-cost-opt --report=html` (docs/Reports.md); with `path`, the page is also written there.

        A report from a file or another process contains only its JSON: without `--details`, the
        page has no plots of roofs, power and memory."""
        make: Optional[Callable[[], str]] = self.__dict__.get("_page")
        page = make() if make else make_page("report", f"{self.model} on {self.target}", self.to_dict())
        return written(page, path)

    def to_pandas(self, table: str = "kernels") -> Any:
        """A pandas.DataFrame of "kernels", "phases", "groups" (with group_by=), one row each,
        or "iteration", one row."""
        from gpucost._frames import pandas

        if table == "iteration":
            rows: Iterable[Any] = (self.iteration,)
        elif table in ("kernels", "phases", "groups"):
            rows = getattr(self, table) or ()
        else:
            raise ValueError(f"unknown table {table!r}: expected kernels, phases, groups or iteration")
        kinds = {"iteration": Iteration, **{name: kind[0] for name, kind in NESTED[ReportFields].items()
                                            if isinstance(kind, tuple)}}
        names = [field.name for field in dataclasses.fields(kinds[table])]
        return pandas.DataFrame([row.to_dict() for row in rows], columns=names)

    @property
    def times(self) -> Optional["Times"]:
        """Wall-clock time that analyze() needed for each step; None for a report from a file or another process."""
        found: Optional[Times] = self.__dict__.get("_times")
        return found

    def _again(self, what: str, **options: Any) -> bytes:
        """The output of the library for the same question with other ReportOptions."""
        again: Optional[Callable[..., bytes]] = self.__dict__.get("_call")
        if again is None:
            raise InvalidArgumentError(f"{what} needs the model, which a report of a file, a worker or a Model does not "
                                       "have: call analyze() with a target by name")
        return again(**options)

    def _again_as_report(self, **options: Any) -> "Report":
        return Report.from_dict(json.loads(self._again("this view", **options)))

    def _parameters(self) -> Any:
        """The parameters of the model by name, with their numbers of elements; None: unknown."""
        from gpucost._views import initializers

        model: Optional[Callable[[], bytes]] = self.__dict__.get("_model_bytes")
        return None if model is None else initializers(model())

    def modules(self, depth: Optional[int] = None) -> Module:
        """The modules of the network as a tree, with parameters, FLOPs, time, energy and memory of each.

            print(report.modules(depth=3))
            report.modules().find("encoder.layer.0").time_us

        Printed to `depth` levels. Parameters need the package onnx; None is unknown."""
        from gpucost._views import modules

        return modules(self, depth)

    def table(self, sort_by: str = "time", row_limit: int = 100) -> str:
        """The kernels as a table like that of torch.profiler's key_averages().table().

        sort_by: "time", "time_avg", "count", "energy", "power", "flops" or "bytes", largest first
        row_limit: kernels to show"""
        from gpucost._views import table

        return table(self, sort_by, row_limit)

    def trace(self, path: Optional[Union[str, "os.PathLike[str]"]] = None, collapse_loops: bool = False) -> str:
        """The iteration as a timeline, which Perfetto, chrome://tracing and tools for traces of PyTorch open:
        `gpu-cost-opt --trace` (docs/Trace.md). With `path`, it is also written there."""
        return written(self._again("a timeline", format=b"trace", collapse_loops=int(collapse_loops)).decode(), path)

    def memory_timeline(self) -> List[MemoryUse]:
        """The memory of tensors over the iteration: (time_us, bytes) of each change. The largest value is
        iteration.peak_memory_bytes."""
        from gpucost._views import memory_timeline

        return memory_timeline(self)

    def compare(self, other: "Report") -> Answer:
        """What changes from this report to another one, and why: gpucost.compare()."""
        from gpucost._questions import compare

        return compare(self, other)

    def plot(self, kind: str = "kernels", ax: Any = None, top: int = 10) -> Any:
        """A chart with Matplotlib, which must be installed; returns its axes.

        kind: "kernels", the `top` ones by time; "families"; "phases"; "memory", over the iteration
        ax: axes to draw on; None: new ones"""
        from gpucost._views import plot

        return plot(self, kind, ax, top)

    def show(self, height: int = 800) -> Any:
        """The page of to_html() in a notebook, `height` pixels high."""
        import html

        from IPython.display import HTML

        # IFrame takes no source text.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return HTML(f'<iframe title="report" srcdoc="{html.escape(self.to_html())}" width="100%" height="{int(height)}" '
                        'style="border:0"></iframe>')

    def __getstate__(self) -> Dict[str, Any]:
        # The functions for other views refer to the model.
        return {name: value for name, value in self.__dict__.items() if name not in SOURCES}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __hash__(self) -> int:
        # Not of all fields, which equality compares: some are mappings.
        it = self.iteration
        return hash((self.model, self.target, self.mode, it.time_ms, it.energy_j, it.device_bytes))

    def __repr__(self) -> str:
        from gpucost._render import text

        return text(self)

    def _repr_html_(self) -> str:
        from gpucost._render import html

        return html(self)


@dataclasses.dataclass(frozen=True)
class Times:
    """Wall-clock time of the steps of an analysis, seconds.

    export_s: conversion of a module; 0 for other models
    import_s: reading the model
    prepare_s: finding the kernels
    place_s: selecting tilings
    evaluate_s: solving for clock and power
    total_s: the whole call"""

    export_s: float
    import_s: float
    prepare_s: float
    place_s: float
    evaluate_s: float
    total_s: float


# Attributes of a report that refer to its model.
SOURCES = ("_page", "_call", "_model_bytes", "_times")


def parse(data: Union[str, bytes], **sources: Any) -> Report:
    """The report for JSON text, with its SOURCES: `page` creates its page, `call` asks the library the same question
    with other ReportOptions, `model_bytes` returns the content of the model, `times` are those of the analysis."""
    fields: Dict[str, Any] = json.loads(data)
    report = Report.from_dict(fields)
    report.__dict__.update((f"_{name}", value) for name, value in sources.items())
    return report


def make_page(kind: str, title: str, data: Any) -> str:
    """The library's page of one kind for plain values."""
    from gpucost._native import lib, take

    text = json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    found: bytes = take(lib, "Free", lib.MakePage, kind.encode(), title.encode("utf-8", "replace"), text, len(text))
    return found.decode()


def written(page: str, path: Optional[Union[str, "os.PathLike[str]"]]) -> str:
    """Returns `page` and writes it to `path`."""
    if path is not None:
        write_file(path, page.encode())
    return page
