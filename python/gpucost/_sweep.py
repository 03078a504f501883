# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many cases, in this process or on an executor."""
from __future__ import annotations

import collections
import dataclasses
import itertools
import os
from typing import Any, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from gpucost import _inputs
from gpucost._analysis import analyze, prepare
from gpucost._model import Model
from gpucost._report import Report, make_page, written
from gpucost._targets import Device
from gpucost._version import versions
from gpucost.errors import GpuCostError, InvalidArgumentError

# Settings in which points of one prepared model may differ.
SHARED = ("clock", "power_limit", "host_launch_us", "step_gap_us")
# Largest number of points that a browser plots without delay, and their fields of an iteration.
MOST_OF_PAGE = 20_000
PAGE_FIELDS = ("time_ms", "energy_j", "samples_per_s", "tokens_per_s", "energy_per_sample_j", "avg_power_w",
               "device_bytes", "mfu", "clock_mhz")
# Cases pending on an executor at a time: results arrive in order, and memory stays small.
WINDOW = 256


@dataclasses.dataclass(frozen=True)
class Point:
    """One case of a sweep.

    settings: the varied settings
    report: None if the case failed
    error: the exception, or None"""

    settings: Mapping[str, Any]
    report: Optional[Report]
    error: Optional[GpuCostError] = None

    def __repr__(self) -> str:
        words = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        if self.report is None:
            return f"<{words}: {self.error}>"
        it = self.report.iteration
        return f"<{words}: {it.time_ms} ms, {it.energy_j} J>"


class Sweep(Sequence[Point]):
    """The points of a sweep, in the order of its space."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._points = tuple(points)

    def __len__(self) -> int:
        return len(self._points)

    def __getitem__(self, index: Any) -> Any:
        return Sweep(self._points[index]) if isinstance(index, slice) else self._points[index]

    def best(self, field: str = "time_ms", largest: bool = False) -> Point:
        """The point with the smallest (or largest) `report.iteration.<field>` among those that
        fit in memory."""
        def value(point: Point) -> Optional[float]:
            if point.report is None or not point.report.iteration.fits_in_memory:
                return None
            found: Optional[float] = getattr(point.report.iteration, field)
            return found

        known = [(value(point), index) for index, point in enumerate(self._points) if value(point) is not None]
        if not known:
            raise InvalidArgumentError(f"no point of the sweep fits in memory and has '{field}'")
        return self._points[(max if largest else min)(known)[1]]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the varied settings, the scalar fields of report.iteration, and
        `error`."""
        import pandas

        rows = []
        for point in self._points:
            row = {name: str(value) if isinstance(value, (Model, Device)) else value
                   for name, value in point.settings.items()}
            if point.report is not None:
                row.update((name, value) for name, value in vars(point.report.iteration).items()
                           if not isinstance(value, (tuple, Mapping)) and not hasattr(value, "to_dict"))
            row["error"] = None if point.error is None else str(point.error)
            rows.append(row)
        return pandas.DataFrame(rows)

    def to_html(self, path: Optional[Union[str, "os.PathLike[str]"]] = None) -> str:
        """The page of `gpu-cost-opt sweep --report=html` (docs/Reports.md): a plot of any two metrics,
        coloured by any setting that varies, and a table of all points. With `path`, the page is also
        written there. At most 20,000 points."""
        if len(self) > MOST_OF_PAGE:
            raise InvalidArgumentError(f"a page shows at most {MOST_OF_PAGE} points, but these are {len(self)}")
        names = list(dict.fromkeys(name for point in self._points for name in point.settings))
        points = [page_point(index, point, names) for index, point in enumerate(self._points)]
        data = {"schema": 1, "sweep": "", "version": versions()["gpucost"],
                "settings": [name for name in names if name != "model"], "points": points}
        models = list(dict.fromkeys(str(point["model"]) for point in points))
        return written(make_page("sweep", "sweep of " + (models[0] if models else "nothing"), data), path)

    def __repr__(self) -> str:
        shown = [f"  {point!r}" for point in self._points[:20]]
        more = [f"  ... {len(self) - 20} more"] if len(self) > 20 else []
        return "\n".join([f"<Sweep of {len(self)} points:", *shown, *more]) + ">"


def plain_setting(value: Any) -> Any:
    """The form for JSON and legends."""
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def page_point(index: int, point: Point, names: Iterable[str]) -> Dict[str, Any]:
    """A point with the sweep fields that the page shows."""
    row: Dict[str, Any] = {name: plain_setting(point.settings.get(name)) for name in names}
    report = point.report
    row.update(point=index, model=str(row.get("model") or (report.model if report else "")),
               gpu=report.target if report else row.get("target"),
               status="error" if report is None else "ok" if report.fits_in_memory else "does-not-fit",
               reason="" if point.error is None else str(point.error))
    for name in PAGE_FIELDS:
        row[name] = None if report is None else getattr(report.iteration, name)
    return row


def run_case(case: Mapping[str, Any]) -> Report:
    """Runs analyze() in a worker, with the arguments of a mapping."""
    return analyze(**case)


def run_group(case: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> List[Any]:
    """One placed model at several operating points; failed points give a GpuCostError instead of a report."""
    answers: List[Any] = []
    group_by = case.get("group_by")
    try:
        arguments = {name: value for name, value in case.items() if name != "group_by"}
        placed = prepare(**arguments).place(arguments["target"])
    except GpuCostError as error:
        return [error for _ in runs]
    for run in runs:
        try:
            answers.append(placed.evaluate(group_by=group_by, **run))
        except GpuCostError as error:
            answers.append(error)
    return answers


def submitted(executor: Any, tasks: Iterable[Tuple[Any, ...]]) -> Iterator[Any]:
    """Results of a function for each argument, in order; on an executor, a window of them at a time."""
    if executor is None:
        for function, *arguments in tasks:
            yield function(*arguments)
        return
    if not hasattr(executor, "submit"):
        raise TypeError(f"an executor has submit() as in concurrent.futures; {type(executor).__name__} has none "
                        "(Dask: client.get_executor(); joblib: joblib.externals.loky.get_reusable_executor())")
    waiting: Deque[Any] = collections.deque()
    try:
        for function, *arguments in tasks:
            waiting.append(executor.submit(function, *arguments))
            if len(waiting) >= WINDOW:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def kept(case: Mapping[str, Any]) -> Any:
    """run_case, but returns the error."""
    try:
        return run_case(case)
    except GpuCostError as error:
        return error


def map(cases: Iterable[Mapping[str, Any]], *, executor: Any = None, errors: str = "raise") -> Iterator[Any]:
    """The reports of analyze() for many cases, in their order: mappings of its arguments.

        cases = [{"model": path, "target": "a100-bf16", "batch": 8} for path in paths]
        with concurrent.futures.ProcessPoolExecutor() as pool:
            for report in gpucost.map(cases, executor=pool): ...

    executor: any object with the interface of concurrent.futures: Python's threads and processes,
        `joblib.externals.loky.get_reusable_executor()`, `dask_client.get_executor()`;
        None: this thread. Threads also run in parallel, because the library releases the GIL.
    errors: "raise", or "keep": a GpuCostError replaces the report"""
    if errors not in ("raise", "keep"):
        raise InvalidArgumentError(f"'errors' is {errors!r}: expected raise or keep")
    function = run_case if errors == "raise" else kept
    return submitted(executor, ((function, dict(case)) for case in cases))


def points_of(space: Any) -> List[Dict[str, Any]]:
    """The settings of each point: all combinations of a mapping, or the elements of a list."""
    if not isinstance(space, Mapping):
        return [dict(point) for point in space]
    values = []
    for name, each in space.items():
        if isinstance(each, (str, bytes, Mapping)) or not isinstance(each, Iterable):
            each = [each]
        values.append([(name, value) for value in each])
    return [dict(point) for point in itertools.product(*values)]


def frozen(value: Any) -> Any:
    """A dictionary key for a setting's value."""
    if isinstance(value, Mapping):
        return tuple(sorted((name, frozen(each)) for name, each in value.items()))
    return id(value) if isinstance(value, (Model, Device)) else str(value)


def sweep(model: Any, space: Any, *, executor: Any = None, errors: str = "raise", **settings: Any) -> Sweep:
    """Analyzes a model at many points: all combinations of `space`, a mapping from settings to
    their values, or a list of mappings; `settings` apply to all of them.

        gpucost.sweep("bert.onnx", {"target": ["a100-bf16", "h100-bf16"], "batch": [1, 8, 64],
                                    "power_limit": [200, 300, 400]}, seq=128).to_pandas()

    Points that differ only in `clock`, `power_limit`, `host_launch_us` and `step_gap_us` share one
    prepared model: 10 to 100 times faster than analyze(), with the same numbers. `executor` and
    `errors` are those of map(); with `model=None` and "model" in the space, models also vary."""
    if errors not in ("raise", "keep"):
        raise InvalidArgumentError(f"'errors' is {errors!r}: expected raise or keep")
    points = points_of(space)
    conversions: Dict[Any, _inputs.Exported] = {}
    groups: Dict[Any, Tuple[Dict[str, Any], List[int], List[Dict[str, Any]]]] = {}
    for index, point in enumerate(points):
        case = {**settings, **point}
        if model is not None:
            case.setdefault("model", model)
        if "model" not in case:
            raise TypeError("sweep() needs a model")
        _check_names(case)
        case = _exported_once(case, conversions)
        run = {name: case.pop(name) for name in SHARED if name in case}
        key = tuple(sorted((name, frozen(value)) for name, value in case.items() if name != "model"))
        group = groups.setdefault((id(case["model"]) if not isinstance(case["model"], str) else case["model"], key),
                                  (case, [], []))
        group[1].append(index)
        group[2].append(run)
    found: List[Optional[Point]] = [None] * len(points)
    tasks = ((run_group, case, runs) if len(runs) > 1 and _can_place(case) else (_each, case, runs)
             for case, _, runs in groups.values())
    for (_, indices, _), answers in zip(groups.values(), submitted(executor, tasks)):
        for index, answer in zip(indices, answers):
            failed = isinstance(answer, GpuCostError)
            if failed and errors == "raise":
                raise answer
            found[index] = Point(points[index], None if failed else answer, answer if failed else None)
    return Sweep(point for point in found if point is not None)


def _exported_once(case: Dict[str, Any], conversions: Dict[Any, _inputs.Exported]) -> Dict[str, Any]:
    """The case with an Exported instead of a module: a conversion takes longer than many points."""
    if not _inputs.is_module(case["model"]):
        return case
    any_length = bool(case.get("decode"))
    key = (any_length, *(id(case.get(name)) for name in ("model", "inputs", "export")))
    if key not in conversions:
        conversions[key] = _inputs.export(case["model"], case.get("inputs"), any_length=any_length,
                                          **(case.get("export") or {}))
    return {**{name: value for name, value in case.items() if name not in ("inputs", "export")},
            "model": conversions[key]}


def _can_place(case: Mapping[str, Any]) -> bool:
    """Whether only the target determines where a prepared model is placed."""
    own = ("target_file", "coefficients", "interconnect", "network", "software")
    return isinstance(case.get("target"), str) and not any(case.get(name) is not None for name in own)


def _each(case: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> List[Any]:
    return [kept({**case, **run}) for run in runs]


def _check_names(case: Mapping[str, Any]) -> None:
    """TypeError in this process, before any work."""
    own = ("model", "inputs", "target", "group_by", "name", "export")
    _inputs.settings_of("sweep", {name: value for name, value in case.items() if name not in own})
