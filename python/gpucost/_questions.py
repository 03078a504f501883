# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""optimize(), compare() and transfer(): the subcommands of the tool."""
from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from gpucost._analysis import _space, analyze, with_settings
from gpucost._files import Inputs, write_file
from gpucost._inputs import is_module
from gpucost._memory import with_any_batch
from gpucost._objects import replace_objects_for
from gpucost._report import Report
from gpucost._tool import Answer, flags_of, settings_for
from gpucost.errors import InvalidArgumentError


def model_file(inputs: Inputs, function: str, model: Any, examples: Any, name: Optional[str],
           export: Optional[Mapping[str, Any]], settings: Dict[str, Any]) -> Any:
    """The path of a model, and the settings with those that it implies. A module has a symbol for its batch if this varies."""
    if is_module(model) and function == "optimize" and isinstance(settings.get("batch"), (list, tuple, str)):
        found, loss = replace_objects_for({**settings, "model": model})
        model = with_any_batch(model, examples, export, "auto", loss)
        settings, examples, export = {key: value for key, value in found.items() if key != "model"}, None, None
    axes = {key: value for key, value in settings.items() if isinstance(value, (list, tuple))}
    source, stated, varied = _space(function, model, examples, name, export, "auto", {
        key: value for key, value in settings.items() if key not in axes}, axes)
    return inputs.model(source), {**stated, **varied}


def optimize(model: Any, space: Optional[Mapping[str, Any]] = None, *, minimize: str,
             subject_to: Union[str, Sequence[str], None] = None, per: Optional[str] = None, jobs: Optional[int] = None,
             inputs: Any = None, name: Optional[str] = None, export: Optional[Mapping[str, Any]] = None,
             **settings: Any) -> Answer:
    """The best combination of the values of settings, the combinations that cannot be told from it, and its savings
    over the board's own clock and limit: `gpu-cost-opt optimize` (docs/Decisions.md).

        best = gpucost.optimize("bert.onnx", {"batch": [1, 2, 4, 8]}, target="a100-bf16", seq=128,
                                minimize="energy", subject_to="time<=1.05*best")
        best["choice"]["clock_mhz"], best["choice"]["energy_j"]
        print(best)

    space: values of settings, as in sweep(); for one GPU, without clock and power_limit, every clock is tried
    minimize: "time", "energy", "memory", ...; bounds in `subject_to` are texts such as "power<=300"
    per: "iteration" or "sample"; default: sample if the number of samples differs
    inputs, name, export: as in analyze()"""
    stated = settings_for("optimize", {**settings, **(space or {})})
    files = Inputs()
    path, stated = model_file(files, "optimize", model, inputs, name, export, stated)
    words = ["optimize", path, *flags_of(stated), f"--minimize={minimize}"]
    if subject_to is not None:
        words.append("--subject-to=" + (subject_to if isinstance(subject_to, str) else ", ".join(subject_to)))
    words += [f"--{flag}={value}" for flag, value in (("per", per), ("jobs", jobs)) if value is not None]
    return Answer(words, files, "optimizing")


def compare(before: Any, after: Any = None, *, against: Optional[Mapping[str, Any]] = None,
            budget: Union[str, "os.PathLike[str]", None] = None, **settings: Any) -> Answer:
    """What changes between two predictions, and why: `gpu-cost-opt compare` (docs/Compare.md).

        gpucost.compare(old_report, new_report)
        gpucost.compare("bert.onnx", target="a100-bf16", batch=8, seq=128, against={"target": "h100-bf16"})
        gpucost.compare(old_report, module, inputs=(x,))          # with the settings of the report

    before, after: reports, or models with the arguments of analyze() in `settings`; `after` is `before` by default
    against: arguments that differ in `after`
    budget: a file with limits; answer["budget"] lists those that are broken"""
    if after is None and not against:
        raise InvalidArgumentError("compare() needs 'after', or settings 'against' which differ in it")
    if isinstance(before, Report) and after is None:
        raise InvalidArgumentError("a report cannot be predicted with other settings: give its model")
    first = before if isinstance(before, Report) else analyze(before, **settings)
    if isinstance(after, Report):
        if against:
            raise InvalidArgumentError("'against' is about a model, but 'after' is a report")
        second = after
    else:
        common = stated_by(first) if isinstance(before, Report) else {}
        second = analyze(before if after is None else after, **{**common, **settings, **(against or {})})
    files = Inputs()
    words = ["compare", files.file("before.json", first.to_json().encode()),
             files.file("after.json", second.to_json().encode())]
    if budget is not None:
        words.append(f"--budget={os.fspath(budget)}")
    return Answer(words, files, "comparing")


def stated_by(report: Report) -> Dict[str, Any]:
    """The settings that were stated for a report."""
    return {name: report.settings[name] for name in report.settings.get("given", ())}


@with_settings
def transfer(measured: Any, model: Any, inputs: Any = None, *, to: Union[str, Sequence[Any], Mapping[str, Any], None] = None,
             iterations: Optional[int] = None, name: Optional[str] = None, export: Optional[Mapping[str, Any]] = None,
             **settings: Any) -> Answer:
    """Aligns a profile of a GPU with the prediction for it, names each gap, and carries the measured times to other
    GPUs and settings: `gpu-cost-opt transfer` (docs/Transfer.md).

        with gpucost.record() as run:
            for batch in batches:
                step(batch)
                run.step()
        print(gpucost.transfer(run, module, (batch,), target="a100-bf16", to=["h100-bf16", {"clock": 1005}]))

    measured: the path of a trace of PyTorch's profiler or of a CSV table, a torch.profiler.profile, or a record()
    to: targets, or mappings of settings that differ
    iterations: steps in a trace that marks none

    The other arguments, those of analyze(), describe the measured run."""
    stated = settings_for("transfer", settings)
    files = Inputs()
    if isinstance(measured, (str, os.PathLike)):
        trace = os.fspath(measured)
    elif hasattr(measured, "export_chrome_trace"):
        trace = files.file("trace.json", b"")
        measured.export_chrome_trace(trace)
    else:
        raise TypeError("'measured' is the path of a profile, a torch.profiler.profile or a record(), not "
                        f"{type(measured).__name__}")
    path, stated = model_file(files, "transfer", model, inputs, name, export, stated)
    words = ["transfer", f"--measured={trace}", path, *flags_of(stated)]
    for destination in [to] if isinstance(to, (str, Mapping)) else to or ():
        text = destination if isinstance(destination, str) else " ".join(
            flag[2:] for flag in flags_of(settings_for("transfer", destination)))
        words.append(f"--to={text}")
    if iterations is not None:
        words.append(f"--iterations={iterations}")
    return Answer(words, files, "aligning")


class record:
    """Records the steps of a real run with torch.profiler, for transfer().

        with gpucost.record() as run:
            for batch in batches:
                step(batch)
                run.step()
        run.transfer(module, (batch,), target="a100-bf16", to="h100-bf16")

    `options` are those of torch.profiler.profile; activities: by default the CPU and, where there is one, the GPU.
    Warm up before: every recorded step counts."""

    def __init__(self, **options: Any) -> None:
        from torch import profiler

        options.setdefault("activities", list(profiler.supported_activities()))
        # Without a schedule, torch marks no steps.
        options.setdefault("schedule", lambda _: profiler.ProfilerAction.RECORD)
        self._profile = profiler.profile(**options)
        self._steps = 0
        self._trace: Optional[bytes] = None

    def __enter__(self) -> "record":
        self._profile.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        self._profile.__exit__(*failure)
        if failure[0] is not None:
            return
        with tempfile.TemporaryDirectory(prefix="gpucost-") as folder:  # torch writes a trace once.
            path = os.path.join(folder, "trace.json")
            self._profile.export_chrome_trace(path)
            with open(path, encoding="utf-8") as file:
                trace = json.load(file)
        if self._steps:
            empty = f"ProfilerStep#{self._steps}"  # After the last step().
            trace["traceEvents"] = [event for event in trace["traceEvents"] if event.get("name") != empty]
        self._trace = json.dumps(trace).encode()

    def step(self) -> None:
        """Ends a step."""
        self._profile.step()
        self._steps += 1

    @property
    def profile(self) -> Any:
        """The torch.profiler.profile."""
        return self._profile

    def export_chrome_trace(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the trace, after the end of the context."""
        if self._trace is None:
            raise InvalidArgumentError("the run has no trace yet: it is complete at the end of the 'with' block")
        write_file(path, self._trace)

    def transfer(self, model: Any, inputs: Any = None, **options: Any) -> Answer:
        """transfer() of this run."""
        return transfer(self, model, inputs, **options)
