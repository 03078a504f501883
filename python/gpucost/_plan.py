# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""plan(): how a model is trained on many GPUs."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from gpucost._analysis import with_settings
from gpucost._files import Inputs
from gpucost._questions import model_file
from gpucost._tool import Answer, Sizes, flags_of, joined, run, settings_for, sizes_text
from gpucost.errors import InvalidArgumentError, NotFoundError

#: A plan with its settings and numbers, as a line of sweep() has them.
Point = Mapping[str, Any]


class Plans(Answer):
    """The plans that plan() found: a mapping with the fields of `gpu-cost-opt plan --report=json` (docs/Plan.md).

        plans.choice["parallel"], plans.interval("time_ms"), plans.why, print(plans), plans.to_html("plan.html")

    Plans are mappings of settings and numbers; names end with their unit, and None is an unknown number. Energy and
    power of a plan are those of one GPU, except `total_power_w`."""

    @property
    def choice(self) -> Point:
        """The best plan."""
        found: Point = self["choice"]
        return found

    @property
    def ranking(self) -> List[Point]:
        """The best plans that fit and meet all bounds, best first; plan(top=) sets their number."""
        return list(self["plan"]["ranking"])

    @property
    def front(self) -> List[Point]:
        """The Pareto front of time and energy; `plans["fronts"]` has all fronts."""
        return next((list(front["points"]) for front in self["fronts"] if front["metrics"] == ["time", "energy"]), [])

    @property
    def ties(self) -> List[Point]:
        """Plans that the 80 % intervals do not separate from the choice, best first."""
        return list(self["tied_points"])

    @property
    def terms(self) -> Optional[Mapping[str, float]]:
        """Parts of the choice's time on its busiest rank, in ms; None if every plan was analyzed in full."""
        found: Optional[Mapping[str, float]] = self["plan"]["terms"]
        return found

    @property
    def alternatives(self) -> List[Mapping[str, Any]]:
        """For each property of the choice, the best plan without it (`point`; None: none fits) and why it is worse."""
        return list(self["plan"]["alternatives"])

    @property
    def why(self) -> Dict[str, str]:
        """The reasons for the choice: for each property, such as "tp=8", the part of the time that is longer in the best
        plan without it, or why none fits."""
        return {f"{each['property']}={each['chosen']}": each["reason"] for each in self.alternatives}

    @property
    def scaling(self) -> List[Mapping[str, Any]]:
        """With several numbers of GPUs: the best plan (`point`) for each, and its `efficiency`, 0 to 1, relative to the
        fewest GPUs."""
        return list(self["plan"]["scaling"])

    @property
    def weak_scaling(self) -> List[Mapping[str, Any]]:
        """The same with a `global_batch` in proportion to the GPUs, from plan(weak_scaling=True)."""
        return list(self["plan"]["weak_scaling"])

    @property
    def stage_clocks(self) -> Optional[Mapping[str, Any]]:
        """Clocks from plan(stage_clocks="auto"): `ranks` and, without the choice, `usual_ranks`, each with forward_mhz and
        backward_mhz; time_ms, energy_j (of one GPU), both also with `usual_`, and the command. None: not requested, or the
        choice has no stages."""
        found: Optional[Mapping[str, Any]] = self["plan"]["stage_clocks"]
        return found

    @property
    def against(self) -> Optional[Mapping[str, Any]]:
        """The plan that `against` states: text, status, time_ms, energy_j (of one GPU); None if there is none."""
        found: Optional[Mapping[str, Any]] = self["plan"]["against"]
        return found

    @property
    def command(self) -> str:
        """The command that analyzes the choice; the path of a model that was not a file is temporary."""
        return str(self["command"])

    def interval(self, name: str = "time_ms", plan: Optional[Point] = None) -> Optional[Tuple[float, float]]:
        """The 80 % interval of "time_ms" or "energy_j" of a plan, by default the choice; None: unknown."""
        if name not in ("time_ms", "energy_j"):
            raise InvalidArgumentError(f"{name!r} has no interval: expected time_ms or energy_j")
        stem, unit = name.rsplit("_", 1)
        point = self.choice if plan is None else plan
        low, high = point[f"{stem}_low_{unit}"], point[f"{stem}_high_{unit}"]
        return None if low is None or high is None else (low, high)

    def launch(self, framework: str) -> List[str]:
        """The arguments that start the choice with "megatron", "nemo" or "torchtitan"; NotFoundError for another one."""
        launchers = self["plan"]["launch"]
        if framework not in launchers:
            raise NotFoundError(f"unknown framework {framework!r}: expected {', '.join(launchers)}")
        return list(launchers[framework])

    def to_pandas(self) -> Any:
        """The ranking as a pandas.DataFrame."""
        from gpucost._frames import pandas

        return pandas.DataFrame(self.ranking)


def compose_part(words: Sequence[str], name: str, model: bytes, part: str) -> bytes:
    """Composes a part of the plans, in a worker, which has one core."""
    files = Inputs()
    path = files.file(name, model)
    return run(["plan", path, *words, f"--shard={part}", "--jobs=1"], "composing plans", files)


def _parts(executor: Any, words: Sequence[str], path: str, files: Inputs) -> str:
    """The flag with the parts of all workers."""
    from gpucost._sweep import PARTS, check_executor, finished

    check_executor(executor)
    file = os.path.join(path, "config.json") if os.path.isdir(path) else path
    with open(file, "rb") as opened:
        model = opened.read()
    count = PARTS * (getattr(executor, "_max_workers", None) or 16)
    tasks = [(compose_part, list(words), os.path.basename(file), model, f"{part}/{count}") for part in range(1, count + 1)]
    return "--parts=" + ",".join(files.file("part.json", text) for _, text in finished(executor, tasks))


@with_settings
def plan(model: Any, *, gpus: Sizes, global_batch: int, minimize: str = "time",
         subject_to: Union[str, Sequence[str], None] = None, tp: Sizes = None, cp: Sizes = None, pp: Sizes = None,
         ep: Sizes = None, data: Union[str, Sequence[str], None] = None,
         weak_scaling: bool = False, against: Union[str, Mapping[str, Any], None] = None, top: Optional[int] = None,
         jobs: Optional[int] = None, executor: Any = None, inputs: Any = None, name: Optional[str] = None,
         export: Optional[Mapping[str, Any]] = None, **settings: Any) -> Plans:
    """The best way to train a model on many GPUs: tensor, context, pipeline and data parallelism, micro-batch, virtual
    stages and recomputation: `gpu-cost-opt plan` (docs/Plan.md).

        plans = gpucost.plan("Llama-3.1-8B", target="h100-bf16", gpus=64, network="dgx-h100", global_batch=256,
                             seq=4096, software="megatron")
        plans.choice["parallel"], plans.choice["time_ms"], plans.interval()
        print(plans)

    model, inputs, name, export: as in analyze(); token inputs of a module get symbols for batch and sequence
    gpus: number of GPUs, or several, which are compared
    global_batch: samples of an iteration on all GPUs
    minimize: "time", "energy", "memory", ...; bounds in `subject_to` are texts such as "memory<=70GiB"
    tp, cp, pp, ep: sizes of tensor, context and expert parallelism, and numbers of pipeline ranks to try
    data: kinds of data parallelism to try: "ddp", "zero1", "zero2", "fsdp"; "hsdp" is fsdp in each node and a copy for
        each of them
    weak_scaling: also find the best plans with a global batch in proportion to the GPUs; `global_batch` is that of the
        fewest
    against: a plan to compare with: settings, or flags in text: {"parallel": "tp8.pp8.zero1", "batch": 1}
    top: plans in the ranking; default: 10
    jobs: threads; default: one for each core
    executor: workers that compose the plans, as in sweep(): `dask_client.get_executor()`. The best plans are analyzed here, and
        the result is that without workers. Files that settings name must be at the same place on the workers
    settings: as in analyze(), each a value or a list to choose from. Several nodes need `network`. `batch`: sizes of a
        micro-batch; `parallel`: whole plans; `recompute="auto"`: each plan gets the recomputation with the least time that
        fits; `stage_clocks="auto"` or "auto-passes": clocks of the ranks of the choice, or of their forward and backward
        passes, with the least energy within the bound of the time

    Times are in ms, energies in J, power in W, memory in bytes.

    Raises InvalidArgumentError with the message of the tool for wrong values, and if no plan fits or meets all bounds;
    TypeError for an unknown setting."""
    common = {**settings, "gpus": gpus, "global_batch": global_batch}
    stated = settings_for("plan", common)
    # Values of the search, not of the settings.
    automatic = [f"--{name.replace('_', '-')}={stated.pop(name)}" for name, values in
                 (("recompute", ("auto",)), ("offload_activations", ("auto",)), ("stage_clocks", ("auto", "auto-passes"))) if stated.get(name) in values]
    if stated.get("mode") not in (None, "training"):
        raise InvalidArgumentError("plan is for mode='training'; for inference use optimize()")
    files = Inputs()
    path, stated = model_file(files, "plan", model, inputs, name, export, {**stated, "mode": "training"})
    if "batch" not in settings:
        stated.pop("batch", None)  # That of example inputs.
    words = [*flags_of(stated), f"--minimize={minimize}", *automatic]
    if subject_to is not None:
        words.append("--subject-to=" + joined(subject_to, ", "))
    for flag, sizes in (("tp", tp), ("cp", cp), ("pp", pp), ("ep", ep)):
        if sizes is not None:
            words.append(f"--{flag}={sizes_text(flag, sizes)}")
    if data is not None:
        words.append("--data=" + joined(data, ","))
    if weak_scaling:
        words.append("--weak-scaling")
    if isinstance(against, Mapping):
        against = " ".join(flags_of(settings_for("plan", against)))
    words += [f"--{flag}={value}" for flag, value in (("against", against), ("top", top), ("jobs", jobs))
              if value is not None]
    if executor is not None:
        words.append(_parts(executor, [word for word in words if not word.startswith(("--against=", "--top=", "--jobs="))],
                            str(path), files))
    return Plans(["plan", path, *words], files, "planning")
