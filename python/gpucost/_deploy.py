# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""deploy(): how a language model is served on many GPUs."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from gpucost._analysis import with_settings
from gpucost._files import Inputs
from gpucost._inputs import source_of
from gpucost._questions import model_file
from gpucost._tool import Answer, Sizes, flags_of, joined, settings_for, sizes_text
from gpucost.errors import InvalidArgumentError, NotFoundError

#: Lengths of prompts or answers in tokens: a number, a mapping from tokens to requests, or the path of a CSV file.
Lengths = Union[int, Mapping[int, float], str, "os.PathLike[str]"]
#: Requests per second over a day: "day", a mapping from hours to rates, or the path of a CSV file.
Load = Union[str, Mapping[float, float], "os.PathLike[str]"]

_INTERVALS = {"ttft_ms": "ttft_{}_ms", "tpot_ms": "tpot_{}_ms", "energy_per_token_j": "energy_per_token_{}_j"}


class Deployments(Answer):
    """The deployments that deploy() found: a mapping with the fields of `gpu-cost-opt deploy --report=json`
    (docs/Deploy.md).

        found.choice["gpus"], found.interval("tpot_ms"), found.commands("vllm"), print(found), found.to_html("d.html")

    A deployment is a mapping; names end with their unit, None is an unknown number. Times (ms) are means over requests,
    `gpu_rate` and `user_rate` output tokens per second, energies J per output token, GPUs and nodes included."""

    @property
    def choice(self) -> Mapping[str, Any]:
        """The best deployment."""
        found: Mapping[str, Any] = self["choice"]
        return found

    @property
    def front(self) -> List[Mapping[str, Any]]:
        """The Pareto front of output tokens per second of a user and of a GPU, among those that meet all bounds."""
        return list(self["front"])

    @property
    def fewest_gpus(self) -> Mapping[str, Any]:
        """The best deployment with the fewest GPUs."""
        found: Mapping[str, Any] = self["fewest_gpus"]
        return found

    @property
    def alternatives(self) -> List[Mapping[str, Any]]:
        """The best `deployment` without one `property` of the choice, and its `ratio` of the minimized metric to that of
        the choice, with the 80 % interval `ratio_low` to `ratio_high`."""
        return list(self["rivals"])

    @property
    def rejected(self) -> Dict[str, int]:
        """Numbers of candidates that are not possible, by reason."""
        return {each["reason"]: each["count"] for each in self["rejected"]}

    @property
    def load_curve(self) -> List[Mapping[str, Any]]:
        """Times, power and energy of the choice at a tenth of its requests, two tenths, up to all: requests_per_s,
        ttft_ms, tpot_ms, total_power_w, energy_per_token_j, idle_share."""
        return list(self["load_curve"])

    @property
    def hours(self) -> List[Mapping[str, Any]]:
        """The hours of `load`: times and power of the choice, and the fewest GPUs that meet the bounds (gpus_needed)."""
        return list(self["load"])

    @property
    def phases(self) -> Dict[str, float]:
        """Mean time of the phases of a request on the choice, in ms; they add up to latency_ms."""
        best = self.choice
        queue = best["prompt_wait_ms"] + best["slot_wait_ms"]
        decode = best["latency_ms"] - (best["ttft_ms"] - best["answer_ms"]) - best["transfer_ms"]
        return {"request": best["request_ms"], "queue": queue, "prefill": best["prefill_ms"], "transfer": best["transfer_ms"],
                "decode": decode}

    def interval(self, name: str, deployment: Optional[Mapping[str, Any]] = None) -> Optional[Tuple[float, float]]:
        """The 80 % interval of "ttft_ms", "tpot_ms" or "energy_per_token_j" of a deployment, by default the choice; None:
        unknown."""
        if name not in _INTERVALS:
            raise InvalidArgumentError(f"{name!r} has no interval: expected {', '.join(_INTERVALS)}")
        of = self.choice if deployment is None else deployment
        low, high = (of[_INTERVALS[name].format(end)] for end in ("low", "high"))
        return None if low is None or high is None else (low, high)

    def commands(self, server: str) -> List[str]:
        """Commands that start a replica of the choice with "vllm", "sglang" or "tensorrt-llm", or analyze its steps
        ("serve"); NotFoundError for another name. If prompts have separate GPUs, the first one starts a replica that
        decodes, the second one a replica for prompts."""
        known = self["commands"]
        if server not in known:
            raise NotFoundError(f"unknown server {server!r}: expected {', '.join(known)}")
        return list(known[server])

    def to_pandas(self) -> Any:
        """The Pareto front as a pandas.DataFrame."""
        from gpucost._frames import pandas

        return pandas.DataFrame(self.front)


def pairs_text(files: Inputs, name: str, columns: str, value: Any) -> str:
    """The text of a number or a path; a mapping as a file."""
    if isinstance(value, Mapping):
        rows = "".join(f"{key},{each}\n" for key, each in value.items())
        return files.file(f"{name}.csv", f"{columns}\n{rows}".encode())
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InvalidArgumentError(f"'{name}' is {value!r}: expected a number, a mapping, or the path of a file")


@with_settings
def deploy(model: Any, *, input_tokens: Lengths = 2048, output_tokens: Lengths = 512,
           requests_per_second: Optional[float] = None, users: Optional[float] = None, load: Optional[Load] = None,
           minimize: Optional[str] = None, subject_to: Union[str, Sequence[str], None] = None, tp: Sizes = None,
           precision: Union[str, Sequence[str], None] = None, batch_limit: Sizes = None, prefill_chunk: Sizes = None,
           prompt_steps: Union[str, Sequence[str], None] = None, request_ms: Optional[float] = None,
           kind: Optional[str] = None, prefix_hit: Optional[float] = None, draft_tokens: Optional[int] = None,
           acceptance: Optional[float] = None, draft: Any = None, node_limit: Optional[float] = None, jobs: Optional[int] = None, inputs: Any = None, name: Optional[str] = None, export: Optional[Mapping[str, Any]] = None, **settings: Any) -> Deployments:
    """The best way to serve a language model: GPUs, tensor parallelism, formats, batch limit, prompt chunks, and prompts on
    the same or on separate GPUs: `gpu-cost-opt deploy` (docs/Deploy.md).

        found = gpucost.deploy("Llama-3.1-8B", target=["h100", "h200"], tp=[1, 2], requests_per_second=20,
                               subject_to=["ttft<=500ms", "tpot<=20ms"])
        found.choice["target"], found.choice["replicas"], found.choice["energy_per_token_j"]
        print(found)

    model, inputs, name, export: as in analyze()
    input_tokens, output_tokens: length of prompts and answers: a number, a mapping from tokens to requests, or a file
    requests_per_second: requests that arrive at random, on all GPUs
    users: requests at the same time, on all GPUs; without both, each replica runs as many as its batch limit allows
    load: requests per second over a day, {hour: rate}, "day" for a built-in curve whose largest rate is
        requests_per_second, or a file: found.hours
    minimize: "energy", "cost", "ttft", "gpus", ...; default: cost with `price`, else energy
    subject_to: bounds such as "ttft_p99<=2s", "tpot<=30ms", "gpus<=64"; cost and carbon are those of a million output
        tokens, energy that of one
    tp: sizes of tensor parallelism to try; `parallel` and `gpus` state whole plans
    precision: number formats to try for each target: "bf16", "fp8"
    batch_limit: largest numbers of sequences of a replica to try
    prefill_chunk: largest numbers of prompt tokens of a step to try
    prompt_steps: how prompts form steps: "mixed" (chunks in steps with decodes), "separate" (chunks before decodes) or
        "whole" (undivided prompts in steps with decodes); default: as the software does, and mixed
    request_ms: time of a request before its prompt is scheduled; default: as fitted for `software`
    kind: only "aggregated" or "disaggregated"
    prefix_hit: share of the prompt tokens that the prefix cache contains; the prefix is stored once for all sequences
    draft_tokens: tokens that a draft model proposes before each decode step
    acceptance: probability that a draft token is accepted if those before it were
    draft: the draft model; default: the module of `model` that predicts further tokens
    node_limit: power limit of a node in W, GPUs and `node_watts`
    jobs: threads; default: one for each core
    settings: as in analyze(), each a value or a list to choose from

    Raises InvalidArgumentError with the message of the tool for wrong values, and if no deployment is possible or meets all
    bounds; TypeError for an unknown setting."""
    stated = settings_for("deploy", settings)
    files = Inputs()
    path, found = model_file(files, "deploy", model, inputs, name, export, stated)
    # Those of example inputs.
    implied = {key for key in ("batch", "seq", "past") if key not in stated}
    words = ["deploy", path, *flags_of({key: value for key, value in found.items() if key not in implied}),
             "--input-tokens=" + pairs_text(files, "input_tokens", "tokens,requests", input_tokens),
             "--output-tokens=" + pairs_text(files, "output_tokens", "tokens,requests", output_tokens)]
    if load is not None:
        words.append("--load=" + pairs_text(files, "load", "hour,requests_per_s", load))
    if subject_to is not None:
        words.append("--subject-to=" + joined(subject_to, ", "))
    if precision is not None:
        words.append("--precision=" + joined(precision, ","))
    if prompt_steps is not None:
        words.append("--prompt-steps=" + joined(prompt_steps, ","))
    for flag, sizes in (("tp", tp), ("batch_limit", batch_limit), ("prefill_chunk", prefill_chunk)):
        if sizes is not None:
            words.append(f"--{flag.replace('_', '-')}={sizes_text(flag, sizes)}")
    words += [f"--{flag}={value}" for flag, value in (
        ("requests-per-second", requests_per_second), ("users", users), ("minimize", minimize), ("kind", kind),
        ("request-ms", request_ms),
        ("prefix-hit", prefix_hit), ("draft-tokens", draft_tokens), ("acceptance", acceptance), ("node-limit", node_limit),
        ("jobs", jobs)) if value is not None]
    if draft is not None:
        words.append("--draft=" + files.model(source_of(draft), "draft"))
    return Deployments(words, files, "searching deployments")
