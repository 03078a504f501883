# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate(): pipelines that generate images or videos."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from gpucost._analysis import with_settings
from gpucost._files import Inputs
from gpucost._tool import Answer, Sizes, flags_of, joined, settings_for, sizes_text
from gpucost.errors import InvalidArgumentError

#: A run with one batch and one split over GPUs, and its phases: the fields of `gpu-cost-opt generate --report=json`.
Run = Mapping[str, Any]


class Generations(Answer):
    """What generate() predicts: a mapping whose "reports" are the runs, one for each batch and context (docs/Generation.md).

        found.run["latency_ms"], found.time_of("VAE decoder"), print(found), found.to_html("pipeline.html")

    Names end with their unit (ms, j, w, bytes); None is an unknown number. Latency and energy of phases are those of the
    whole batch; energy is that of all GPUs."""

    @property
    def runs(self) -> List[Run]:
        """All runs: for each context all batches, in the given order."""
        return list(self["reports"])

    @property
    def run(self) -> Run:
        """The only run; InvalidArgumentError if there are several."""
        if len(self["reports"]) != 1:
            raise InvalidArgumentError(f"there are {len(self['reports'])} runs: use runs or best()")
        found: Run = self["reports"][0]
        return found

    def best(self, metric: str = "latency_ms") -> Run:
        """The run with the least "latency_ms", "energy_per_output_j", ..., or the most "outputs_per_s"."""
        sign = -1 if metric == "outputs_per_s" else 1
        if not isinstance(self.runs[0].get(metric), (int, float)):
            raise InvalidArgumentError(f"{metric!r} is not a number of a run")
        return min(self.runs, key=lambda run: sign * run[metric])

    def time_of(self, network: str, run: Optional[Run] = None) -> float:
        """Time of all calls of a network in ms."""
        of = self.run if run is None else run
        times = {phase["name"]: phase["time_ms"] for phase in of["phases"]}
        if network not in times:
            raise InvalidArgumentError(f"unknown network {network!r}: expected {', '.join(times)}")
        found: float = times[network]
        return found

    def _parse(self, text: bytes) -> Dict[str, Any]:
        """One object, or one on each line."""
        lines = [text] if text.startswith(b"{\n") else text.splitlines()
        return {"reports": [json.loads(line) for line in lines]}

    def to_pandas(self) -> Any:
        """The runs as a pandas.DataFrame, without phases and notes."""
        from gpucost._frames import pandas

        return pandas.DataFrame([{key: value for key, value in run.items() if not isinstance(value, list)}
                                 for run in self.runs])


def _pipeline_file(files: Inputs, pipeline: Any) -> str:
    """The path of a pipeline file. A mapping is written to a new file."""
    if isinstance(pipeline, (str, os.PathLike)):
        return os.fspath(pipeline)
    if not isinstance(pipeline, Mapping):
        raise TypeError(f"'pipeline' is the path of a JSON file or a mapping, not {type(pipeline).__name__}")
    networks = []
    for network in pipeline.get("networks", ()):
        graph = network.get("graph")
        if graph is not None and not isinstance(graph, (str, os.PathLike)):
            raise TypeError(f"'graph' is the path of a model file, not {type(graph).__name__}")
        networks.append({**network, **({} if graph is None else {"graph": os.path.abspath(graph)})})
    return files.file("pipeline.json", json.dumps({**pipeline, "networks": networks}).encode())


@with_settings
def generate(pipeline: Any, *, steps: Optional[int] = None, batch: Sizes = None,
             context: Union[str, Sequence[str], None] = None, host_exchange_us: Optional[float] = None,
             host_ring_us: Optional[float] = None, **settings: Any) -> Generations:
    """Latency, power, energy and memory of a pipeline that generates images or videos: `gpu-cost-opt generate`
    (docs/Generation.md).

        found = gpucost.generate("pixart.json", target="h100-bf16", batch=[1, 4], context=["ulysses2", "ulysses4.ring2"])
        found.best("energy_per_output_j")["batch"]
        print(found)

    pipeline: the path of a pipeline file, or a mapping with its members; paths of graphs are then relative to the current
        folder
    steps: denoising steps; default: those of the pipeline
    batch: outputs generated together: a number or several; default: 1
    context: how GPUs share the tokens of an output: "ulysses4", "ring2", "ulysses4.ring2", or several
    host_exchange_us: time of the host for one all-to-all of attention
    host_ring_us: time of the host for each further part of the keys in one attention
    settings: as in analyze(), except seq, gpus and parallel

    Raises InvalidArgumentError with the message of the tool for wrong values and files; TypeError for an unknown setting."""
    stated = settings_for("generate", settings)
    files = Inputs()
    words = ["generate", _pipeline_file(files, pipeline), *flags_of(stated)]
    if batch is not None:
        words.append(f"--batch={sizes_text('batch', batch)}")
    if context is not None:
        words.append("--context=" + joined(context, ","))
    words += [f"--{flag}={value}" for flag, value in (
        ("steps", steps), ("host-exchange-us", host_exchange_us), ("host-ring-us", host_ring_us)) if value is not None]
    return Generations(words, files, "generating")
