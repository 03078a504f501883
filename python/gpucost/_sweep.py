# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many cases, in this process or on an executor."""
from __future__ import annotations

import collections
import itertools
import json
import os
from typing import TYPE_CHECKING, Any, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

from gpucost import _engine, _inputs
from gpucost._engine import Options, Space
from gpucost._objects import check_optimized, is_object, replace_objects, target_name
from gpucost._points import FAILED, Cases, Point, Product, Sweep, Table, numbered, split
from gpucost._progress import Progress
from gpucost.errors import GpuCostError, InvalidArgumentError

if TYPE_CHECKING:
    from gpucost._report import Report

# Settings in which the points of a list may differ and share a prepared model.
SHARED = ("clock", "power_limit", "host_launch_us", "step_gap_us")
# Arguments of analyze() that are not settings.
OWN = ("model", "inputs", "group_by", "name", "export", "batch_dim")
# Parts of a sweep for each worker of an executor.
PARTS = 4
# Cases pending on an executor at a time: results arrive in order, and memory stays small.
WINDOW = 256


def run_case(case: Mapping[str, Any]) -> "Report":
    """Runs analyze() in a worker, with the arguments of a mapping."""
    from gpucost._analysis import analyze

    return analyze(**case)


def check_executor(executor: Any) -> None:
    if not hasattr(executor, "submit"):
        raise TypeError(f"an executor has submit() as in concurrent.futures; {type(executor).__name__} has none "
                        "(Dask: client.get_executor(); joblib: joblib.externals.loky.get_reusable_executor())")


def submitted(executor: Any, tasks: Iterable[Tuple[Any, ...]]) -> Iterator[Any]:
    """Results of a function for each argument, in order; on an executor, a window of them at a time."""
    if executor is None:
        for function, *arguments in tasks:
            yield function(*arguments)
        return
    check_executor(executor)
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


def finished(executor: Any, tasks: Sequence[Tuple[Any, ...]]) -> Iterator[Tuple[int, Any]]:
    """The number of each task with its result, as they finish. When one fails, or its worker dies, the results of
    those that still finish come before the error."""
    if executor is None:
        for number, (function, *arguments) in enumerate(tasks):
            yield number, function(*arguments)
        return
    import concurrent.futures

    check_executor(executor)
    waiting = {executor.submit(function, *arguments): number for number, (function, *arguments) in enumerate(tasks)}
    failure: Optional[BaseException] = None
    try:
        while waiting:
            for future in concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED).done:
                number = waiting.pop(future)
                error = None if future.cancelled() else future.exception()
                if error is not None:
                    failure = failure or error
                    for other in waiting:
                        other.cancel()
                elif not future.cancelled():
                    yield number, future.result()
    finally:
        for future in waiting:
            future.cancel()
    if failure is not None:
        raise failure


def axes_of(space: Mapping[str, Any]) -> Dict[str, List[Any]]:
    """The values of each setting."""
    axes = {}
    for name, each in space.items():
        if isinstance(each, (str, bytes, Mapping)) or not isinstance(each, Iterable) or _inputs.is_module(each):
            each = [each]
        axes[name] = list(each)
    return axes


def expressible(axes: Mapping[str, Sequence[Any]], common: Mapping[str, Any]) -> bool:
    """Whether the library's sweep takes all values."""
    if any(name in OWN and name != "model" for name in axes):
        return False
    for name, other in (("optimizer", "optimizer_variant"), ("loss", "mode")):
        if any(is_object(value) for value in axes.get(name, ())) or (other in axes and is_object(common.get(name))):
            return False  # The object decides both settings.
    targets = axes.get("target", [common.get("target")])
    return not any(not isinstance(value, (str, type(None))) or (len(targets) > 1 and value and value.endswith(".mlir"))
                   for value in targets)


class Plan:
    """A sweep of the library for cases that are all combinations of `axes`."""

    def __init__(self, axes: Mapping[str, Sequence[Any]], common: Mapping[str, Any], cases: Sequence[int]) -> None:
        self.axes = {name: list(values) for name, values in axes.items()}
        self.common, self.cases = common, cases
        #: Points of the library, when they are known.
        self.points = 0

    def space(self, sources: "Sources") -> Space:
        """Models and settings for the library."""
        axes = {name: values for name, values in self.axes.items() if name != "model"}
        models = self.axes["model"] if "model" in self.axes else [self.common["model"]]
        found = [sources.find({**self.common, "model": model}, axes) for model in models]
        stated = [{**{name: [value] for name, value in settings.items()}, **varied} for _, settings, varied in found]
        if any(each != stated[0] for each in stated):
            raise InvalidArgumentError("the models have different defaults or fixed sizes: state these settings, or sweep "
                                       "the models separately")
        settings = {name: [_engine.value_of(name, value) for value in values]
                    for each in stated[:1] for name, values in each.items()}
        if str(settings.get("target", [""])[0]).endswith(".mlir"):
            settings["target_file"] = settings.pop("target")
        return Space([source for source, _, _ in found], settings)

    def adopt(self, head: Mapping[str, Any]) -> Sequence[int]:
        """Takes the values of ranges and lists from the library; the number of the line of each combination."""
        strides, stride = {}, 1
        for axis in reversed(head["axes"]):
            strides[axis["setting"]] = stride
            stride *= len(axis["values"])
        texts = {axis["setting"]: axis["values"] for axis in head["axes"]}
        for name, values in texts.items():
            if name == "target_file" and name not in self.axes:
                name = "target"
            own = self.axes.get(name)
            if own is None or len({str(_engine.value_of(name, value)) for value in own}) != len(values):
                self.axes[name] = [_read(name, text) for text in values]
        offsets = []
        for name, values in self.axes.items():
            step = stride if name == "model" else strides.get(name, 0)
            seen: Dict[str, int] = {}
            offsets.append([seen.setdefault(_key(name, value), len(seen)) * step for value in values])
        count = 1
        for values in reversed(offsets):
            if list(values) != list(range(0, len(values) * count, count)):
                return [sum(each) for each in itertools.product(*offsets)]
            count *= len(values)
        return range(count)  # The order of the library.


def _key(name: str, value: Any) -> str:
    return str(id(value)) if name == "model" and not isinstance(value, str) else str(_engine.value_of(name, value))


def _read(name: str, text: str) -> Any:
    """The value of a setting for the text of its flag."""
    if text == "default":
        return None
    return json.loads(text) if _inputs.KINDS.get(name) in ("integer", "number", "boolean") else text


class Sources:
    """The models of a sweep as input of the library; a module is exported once, with a symbol for its batch if this
    varies."""

    def __init__(self, any_batch: bool) -> None:
        self._any_batch = any_batch
        self._exported: Dict[Any, Any] = {}
        self._found: Dict[Any, Any] = {}

    def converted(self, case: Dict[str, Any], any_length: bool = False) -> Dict[str, Any]:
        """The case with an Exported instead of a module."""
        if not _inputs.is_module(case.get("model")):
            return case
        any_length = any_length or bool(case.get("decode"))
        batch_dim = case.get("batch_dim", "auto")
        named, optimizer, loss = replace_objects(case, case.get("model"))
        any_batch = self._any_batch and not any_length and "dynamic_shapes" not in (case.get("export") or {})
        key = (any_length, any_batch, batch_dim, id(optimizer), id(loss), *(id(case.get(name)) for name in ("model", "inputs", "export")))
        if key not in self._exported:
            if optimizer is not None and not isinstance(optimizer, type):
                check_optimized(case["model"], optimizer)
            if any_batch:
                from gpucost._memory import with_any_batch

                self._exported[key] = with_any_batch(case["model"], case.get("inputs"), case.get("export"), batch_dim, loss)
            else:
                self._exported[key] = _inputs.export(case["model"], case.get("inputs"), any_length=any_length, loss=loss,
                                                     batch_dim=batch_dim, **(case.get("export") or {}))
        return {**{name: value for name, value in named.items() if name not in ("inputs", "export", "batch_dim")},
                "model": self._exported[key]}

    def find(self, case: Dict[str, Any],
             axes: Mapping[str, Sequence[Any]]) -> Tuple[_inputs.Source, Dict[str, Any], Mapping[str, Sequence[Any]]]:
        """The source of a case, the settings that it states or takes from its model, and the `axes` that vary."""
        from gpucost._analysis import _space

        case = self.converted(case, any(axes.get("decode", ())))
        return _space("sweep", case["model"], case.get("inputs"), case.get("name"), case.get("export"),
                      case.get("batch_dim", "auto"), {name: value for name, value in case.items() if name not in OWN}, axes)


def varies(name: str, cases: Cases) -> bool:
    """Whether a setting has several values."""
    if isinstance(cases, Product):
        return name in cases.axes
    return len({_frozen(cases.case(index).get(name)) for index in range(len(cases))}) > 1


def plans_of(cases: Cases) -> Tuple[List[Plan], List[int]]:
    """Plans for as many cases as possible, and the cases that only analyze() takes."""
    if isinstance(cases, Product):
        if expressible(cases.axes, cases.common):
            return [Plan(cases.axes, cases.common, range(len(cases)))], []
        return [], list(range(len(cases)))
    groups: Dict[Any, List[int]] = {}
    single = []
    for index in range(len(cases)):
        case = cases.case(index)
        if expressible({}, case):
            groups.setdefault(frozenset((name, _frozen(value) if name not in SHARED else "")
                                        for name, value in case.items()), []).append(index)
        else:
            single.append(index)
    plans: List[Plan] = []
    for indices in groups.values():
        plans += _plans_of_group(cases, indices)
    return plans, single


def _plans_of_group(cases: Cases, indices: List[int]) -> List[Plan]:
    """Plans for cases that differ only in SHARED settings: one if they are all combinations of their values, else
    one for each of their values of all but one setting."""
    first = cases.case(indices[0])
    names = [name for name in SHARED if name in first]
    common = {name: value for name, value in first.items() if name not in names}
    if not names:
        return [Plan({}, common, [index]) for index in indices]
    rows = {tuple(cases.case(index)[name] for name in names): index for index in indices}
    axes = {name: list(dict.fromkeys(row[at] for row in rows)) for at, name in enumerate(names)}
    combinations = list(itertools.product(*axes.values()))
    if len(rows) == len(indices) and all(row in rows for row in combinations):
        return [Plan(axes, common, [rows[row] for row in combinations])]
    lists: Dict[Any, List[int]] = {}
    for index in indices:
        lists.setdefault(tuple(cases.case(index)[name] for name in names[1:]), []).append(index)
    return [Plan({names[0]: [cases.case(index)[names[0]] for index in each]},
                 {**common, **dict(zip(names[1:], values))}, each) for values, each in lists.items()]


def _frozen(value: Any) -> Any:
    """A dictionary key for a setting's value."""
    if isinstance(value, Mapping):
        return tuple(sorted((name, _frozen(each)) for name, each in value.items()))
    return value if isinstance(value, (str, int, float, bool, type(None))) else id(value)


def failed(error: GpuCostError) -> Tuple[Dict[str, Any], GpuCostError]:
    """The fields of a point without numbers, and its error."""
    return {"gpu": None, "status": "error", "reason": str(error)}, error


def numbers_of(case: Mapping[str, Any]) -> Tuple[Dict[str, Any], Optional[GpuCostError]]:
    """The fields of a point, or its error, by analyze()."""
    try:
        report = run_case(case)
    except GpuCostError as error:
        return failed(error)
    iteration = report.iteration
    fields = {"gpu": report.target, "status": "ok" if iteration.fits_in_memory else "does-not-fit", "reason": "",
              **{name: value for name, value in vars(iteration).items()
                 if not isinstance(value, (tuple, Mapping)) and not hasattr(value, "to_dict")},
              "format": report.format, "model": report.model}
    return fields, None


class Run:
    """A sweep while it runs: fills a table."""

    def __init__(self, cases: Cases, executor: Any, errors: str, jobs: Optional[int], options: Options) -> None:
        if executor is not None:
            check_executor(executor)
        self.executor, self.errors, self.options = executor, errors, options
        self.jobs = 1 if executor is not None else jobs or len(os.sched_getaffinity(0))
        self.sources = Sources(varies("batch", cases))
        self.table = Table(cases)
        self.table.converted = self.sources.converted
        self.plans, self.single = plans_of(cases)
        self.numbers: Any = [None] * len(cases)
        if (options.file or options.shards > 1) and (len(self.plans) != 1 or self.single
                                                     or not isinstance(cases, Product)):
            raise InvalidArgumentError("'file' and 'shard' need a space that is a mapping, and targets by their name")

    def results(self) -> Iterator[int]:
        """Evaluates all cases; the number of new results, as they come."""
        base = 0
        for plan in self.plans:
            try:
                yield from self._evaluate(plan, base)
            except GpuCostError as error:
                if self.errors == "raise" or self.options.file:
                    raise
                yield from self._alone(plan, error, base)
            base += max(plan.points, len(plan.cases))
        tasks = [self._task(index) for index in self.single]
        for at, (fields, failure) in finished(self.executor, tasks):
            if failure is not None and self.errors == "raise":
                raise failure
            yield self._put(self.single[at], base + at, (fields, failure))

    def _task(self, index: int) -> Tuple[Any, ...]:
        """The call that evaluates a case by analyze()."""
        try:
            return numbers_of, self.table.converted(self.table.cases.case(index))
        except GpuCostError as error:
            return failed, error

    def _put(self, index: int, number: int, result: Any) -> int:
        self.numbers[index] = number
        self.table.lines[number] = result
        return 1

    def _alone(self, plan: Plan, error: GpuCostError, base: int) -> Iterator[int]:
        """The cases of a plan that the library does not take as a whole, such as one with an unknown target."""
        if len(plan.cases) == 1 or not plan.axes:
            for at, index in enumerate(plan.cases):
                yield self._put(index, base + at, failed(error))
            return
        tasks = [self._task(index) for index in plan.cases]
        for at, result in finished(self.executor, tasks):
            yield self._put(plan.cases[at], base + at, result)

    def _evaluate(self, plan: Plan, base: int) -> Iterator[int]:
        space = plan.space(self.sources)
        options = self.options._replace(jobs=self.jobs)
        texts = self._on_workers(space, options) if self.executor is not None else _engine.lines_of(space, options)
        head = json.loads(next(texts))
        numbers = plan.adopt(head)
        if isinstance(self.table.cases, Product):
            self.table.cases.axes = plan.axes
            self.numbers = numbers
            self.table.sweep = head["sweep"]
        else:
            if len(numbers) != len(plan.cases):
                raise InvalidArgumentError("the points of a list have single values, not lists or ranges")
            for index, number in zip(plan.cases, numbers):
                self.numbers[index] = base + number
        plan.points = head["points"]
        if self.options.file:
            done = [line for number, line in numbered(_engine.read_lines(self.options.file))
                    if head["first"] <= number < head["end"]]
            yield self._keep(b"\n".join(done), base)
        for chunk in texts:
            yield self._keep(chunk, base)

    def _keep(self, text: bytes, base: int) -> int:
        if self.errors == "raise" and any(b'"status":"%s"' % status.encode() in text for status in FAILED):
            for _, line in numbered(text):
                fields = split(line)[1]
                if fields["status"] in FAILED:
                    raise InvalidArgumentError(fields["reason"])
        self.table.add(base, text)
        return text.count(b'{"point":')

    def _on_workers(self, space: Space, options: Options) -> Iterator[bytes]:
        """The texts of the library, evaluated by the workers; a file is written by this process."""
        head = _engine.head_of(space, options)
        yield json.dumps(head).encode()
        count = min(PARTS * (getattr(self.executor, "_max_workers", None) or 16), head["end"] - head["first"])
        appender = _engine.Appender(options.file) if options.file else None
        shards = options.shards * count
        tasks = []
        for shard in range((options.shard - 1) * count + 1, options.shard * count + 1):
            first, end = (head["points"] * part // shards for part in (shard - 1, shard))
            if first < end and not (appender and appender.has(first, end)):
                tasks.append((_engine.run_part, space, shard, shards))
        try:
            for _, lines in finished(self.executor, tasks):
                yield appender.append(lines) if appender else lines
        finally:
            if appender:
                appender.close()

    def sweep(self) -> Sweep:
        """The points so far."""
        self.table.numbers = self.numbers
        return Sweep._of(self.table)


def _named(settings: Mapping[str, Any]) -> Dict[str, Any]:
    """The name of a target that is a torch.device."""
    return {"target": target_name(settings["target"])} if "target" in settings else {}


def _cases_of(model: Any, space: Any, settings: Dict[str, Any]) -> Cases:
    common = {**settings, **_named(settings)}
    if model is not None:
        common["model"] = model
    cases: Cases
    if isinstance(space, Mapping):
        axes = axes_of(space)
        if "target" in axes:
            axes["target"] = [target_name(target) for target in axes["target"]]
        common = {name: value for name, value in common.items() if name not in axes}
        cases = Product(axes, common)
    else:
        cases = Cases([{**point, **_named(point)} for point in space], common)
    names: Set[str] = set()
    for point in [common, *([cases.axes] if isinstance(cases, Product) else cases._settings)]:
        names.update(point)
        _inputs.settings_of("sweep", {name: None for name in point if name not in (*OWN, "target")})
    if len(cases) and "model" not in names:
        raise TypeError("sweep() needs a model")
    return cases


def _options(shard: Optional[str], file: Any, resume: bool) -> Options:
    """Checked: 'shard' is "2/8"."""
    part, parts = 1, 1
    if shard is not None:
        text, slash, of = str(shard).partition("/")
        if not (slash and text.isdigit() and of.isdigit() and 1 <= int(text) <= int(of)):
            raise InvalidArgumentError(f"'shard' is {shard!r}: expected 'i/n' with i from 1 to n")
        part, parts = int(text), int(of)
    if file is not None:
        file = os.fspath(file)
        if file.endswith((".csv", ".html")):
            raise InvalidArgumentError(f"'file' is {file!r}: it gets JSON Lines; Sweep.to_pandas() and to_html() "
                                       "make tables and pages of them")
    elif not resume:
        raise InvalidArgumentError("'resume' is about 'file', which is missing")
    return Options(shard=part, shards=parts, file=file, restart=file is not None and not resume)


def _run(model: Any, space: Any, executor: Any, errors: str, jobs: Optional[int], options: Options,
         settings: Dict[str, Any]) -> Run:
    if errors not in ("raise", "keep"):
        raise InvalidArgumentError(f"'errors' is {errors!r}: expected raise or keep")
    if jobs is not None and not 1 <= jobs <= 1024:
        raise InvalidArgumentError(f"'jobs' is {jobs!r}: expected 1 to 1024 threads")
    return Run(_cases_of(model, space, settings), executor, errors, jobs, options)


def sweep(model: Any, space: Any, *, file: Union[str, "os.PathLike[str]", None] = None, resume: bool = True,
          shard: Optional[str] = None, executor: Any = None, jobs: Optional[int] = None, errors: str = "raise",
          progress: Optional[bool] = None, **settings: Any) -> Sweep:
    """Analyzes a model at many points: all combinations of `space`, a mapping from settings to
    their values, or a list of mappings; `settings` apply to all of them.

        gpucost.sweep("bert.onnx", {"target": ["a100-bf16", "h100-bf16"], "batch": [1, 8, 64],
                                    "power_limit": [200, 300, 400]}, seq=128).to_pandas()
        gpucost.sweep("bert.onnx", {"batch": "1..256x2", "clock": "900..1410:15"}, target="a100-bf16",
                      seq=128, file="sweep.jsonl")

    This is `gpu-cost-opt sweep` (docs/Decisions.md): points share all the work that they can. Values may be lists
    and ranges in text, as on the command line. A point keeps the numbers of its line; point.report is predicted
    again. With `model=None` and "model" in the space, models also vary.

    file: appends each finished point as a line of JSON. A sweep that was interrupted continues, also one of the
        command line, and on other machines; `Sweep.load(file)` reads an incomplete one
    resume: False: discards the content of `file`
    shard: "2/8": the second of 8 parts
    executor: as in map(): workers evaluate parts. If a worker dies, finished parts are in `file`
    jobs: threads without an executor; default: one for each core
    errors: "raise", or "keep": failed points have an `error`
    progress: True, False, or None: after a second, on terminals and in notebooks, with tqdm if it is installed

    After Ctrl-C or the end of a worker, the exception has the finished points: `error.partial`, a Sweep."""
    run = _run(model, space, executor, errors, jobs, _options(shard, file, resume), settings)
    try:
        with Progress(len(run.table.cases), "points", progress) as shown:
            for count in run.results():
                shown.add(count)
    except BaseException as error:
        error.partial = run.sweep()  # type: ignore[attr-defined]
        raise
    return run.sweep()


def iter_sweep(model: Any, space: Any, *, executor: Any = None, jobs: Optional[int] = None, errors: str = "raise",
               **settings: Any) -> Iterator[Point]:
    """The points of sweep() as they are evaluated, in any order; they are not kept."""
    run = _run(model, space, executor, errors, jobs, Options(), settings)

    def points() -> Iterator[Point]:
        indices: Dict[int, List[int]] = {}
        known: Any = None
        for _ in run.results():
            if known is not run.numbers or run.single or len(run.plans) > 1:
                known = run.table.numbers = run.numbers
                indices = {}
                for index, number in enumerate(known):
                    indices.setdefault(number, []).append(index)
            lines = run.table.lines
            for number in list(lines):
                for index in indices[number]:
                    yield run.table.point(index)
                del lines[number]

    return points()
