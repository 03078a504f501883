# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""post_train(): a round of reinforcement learning or DPO."""
from __future__ import annotations

import os
from typing import Any, List, Mapping, Optional, Tuple, Union

from gpucost._analysis import with_settings
from gpucost._deploy import Lengths, pairs_text
from gpucost._files import Inputs
from gpucost._inputs import source_of
from gpucost._questions import model_file
from gpucost._tool import Answer, flags_of, settings_for
from gpucost.errors import InvalidArgumentError, UnsupportedError

#: Settings of the engines or of the training: a mapping, or the words of the command line.
Words = Union[str, Mapping[str, Any]]


class Round(Answer):
    """What post_train() predicts: a mapping with the fields of `gpu-cost-opt post-train --report=json`
    (docs/PostTraining.md).

        found["time_ms"], found.time_of("rollout"), found.interval("energy_j"), found.fits, print(found)

    Names end with their unit (ms, j, w, bytes); None is an unknown number. Energies are those of all GPUs."""

    @property
    def phases(self) -> List[Mapping[str, Any]]:
        """The phases in order: name, gpus, time_ms, energy_j, device_bytes, limited_by, ..."""
        return list(self["phases"])

    @property
    def fits(self) -> bool:
        """Whether the memory of every phase fits."""
        return bool(self["fits"])

    def phase(self, name: str) -> Mapping[str, Any]:
        """One phase; InvalidArgumentError for an unknown name."""
        for each in self.phases:
            if each["name"] == name:
                return each
        raise InvalidArgumentError(f"unknown phase {name!r}: expected {', '.join(each['name'] for each in self.phases)}")

    def time_of(self, name: str) -> float:
        """Time of a phase in ms."""
        return float(self.phase(name)["time_ms"])

    def interval(self, name: str) -> Optional[Tuple[float, float]]:
        """The 80 % interval of "time_ms" or "energy_j" of the round; None: unknown."""
        if name not in ("time_ms", "energy_j"):
            raise InvalidArgumentError(f"{name!r} has no interval: expected time_ms, energy_j")
        kind, unit = name.split("_")
        low, high = self[f"{kind}_low_{unit}"], self[f"{kind}_high_{unit}"]
        return None if low is None or high is None else (low, high)

    def to_html(self, path: Union[str, "os.PathLike[str]", None] = None) -> str:
        """Not available: a round has no page."""
        raise UnsupportedError("a round has no page: use print(), to_json() or to_pandas()")

    def to_pandas(self) -> Any:
        """The phases as a pandas.DataFrame."""
        from gpucost._frames import pandas

        return pandas.DataFrame(self.phases)


def _words_text(name: str, words: Words) -> str:
    if isinstance(words, str):
        return words
    if isinstance(words, Mapping):
        return " ".join(word[2:] for word in flags_of(words))
    raise InvalidArgumentError(f"'{name}' is {words!r}: expected a mapping of settings, or text such as 'parallel=tp2'")


@with_settings
def post_train(model: Any, *, prompts: int, algorithm: str = "grpo", samples: Optional[int] = None,
               input_tokens: Lengths = 512, output_tokens: Lengths = 1024, rollout_gpus: Optional[int] = None,
               train_gpus: Optional[int] = None, lag: Optional[int] = None, mini_batch: Optional[int] = None,
               epochs: Optional[int] = None, padding: Optional[str] = None, pass_tokens: Optional[int] = None,
               reference: Optional[str] = None, old_log_probs: Optional[str] = None, reward_model: Any = None,
               critic: Any = None, reward_ms: Optional[float] = None, offload: Optional[str] = None,
               sleep: Optional[str] = None, host_link: Optional[float] = None, slots: Optional[int] = None,
               step_tokens: Optional[int] = None, prefix_cache: Optional[str] = None, rollout: Words = "",
               train: Words = "", jobs: Optional[int] = None, inputs: Any = None, name: Optional[str] = None,
               export: Optional[Mapping[str, Any]] = None, **settings: Any) -> Round:
    """Time, energy and memory of a round of GRPO, PPO or DPO: `gpu-cost-opt post-train` (docs/PostTraining.md).

        found = gpucost.post_train("Llama-3.1-8B", target="h100-bf16", gpus=8, prompts=64, samples=8,
                                   output_tokens={500: 9, 4000: 1}, train={"parallel": "fsdp"})
        found["time_ms"], found.time_of("rollout")

    model, inputs, name, export: as in analyze()
    prompts: prompts of a round; of "dpo", pairs
    algorithm: "grpo", "ppo" or "dpo"
    samples: answers to each prompt; default: "grpo" 8, "ppo" 1; "dpo" always 2
    input_tokens, output_tokens: length of prompts and answers: a number, a mapping from tokens to requests, or a file
    rollout_gpus, train_gpus: separate GPUs; `gpus` are shared by rollout and training
    lag: with separate GPUs, updates by which the rollout is late; 0: in turn; default: 1
    mini_batch: sequences of an update; default: all
    epochs: times that each sequence is trained
    padding: "packed" or "longest"
    pass_tokens: tokens of a forward and backward pass on a GPU
    reference: "model" or "none"
    old_log_probs: "recomputed" or "rollout"
    reward_model, critic: paths of models; default: rewards by rules, and a critic like the model
    reward_ms: time in which the GPUs wait for rewards by rules
    offload: "none", "frozen", "optimizer" or "all"
    sleep: "none", "cache" or "all"
    host_link: GB/s between a GPU and host memory
    slots, step_tokens: answers and tokens of a step of an engine
    prefix_cache: "on" or "off"
    rollout, train: settings of an engine and of the training: mappings, or text such as "parallel=tp2 recompute=full"
    jobs: threads; default: one for each core
    settings: as in analyze(), those of GPUs and costs

    Raises InvalidArgumentError with the message of the tool for wrong values and files; TypeError for an unknown setting."""
    stated = settings_for("post_train", settings)
    files = Inputs()
    path, found = model_file(files, "post_train", model, inputs, name, export, stated)
    # Those of example inputs.
    implied = {key for key in ("batch", "seq", "past") if key not in stated}
    words = ["post-train", path, *flags_of({key: value for key, value in found.items() if key not in implied}),
             f"--algorithm={algorithm}", f"--prompts={prompts}",
             "--input-tokens=" + pairs_text(files, "input_tokens", "tokens,requests", input_tokens),
             "--output-tokens=" + pairs_text(files, "output_tokens", "tokens,requests", output_tokens)]
    words += [f"--{flag}={value}" for flag, value in (
        ("samples", samples), ("rollout-gpus", rollout_gpus), ("train-gpus", train_gpus), ("lag", lag),
        ("mini-batch", mini_batch), ("epochs", epochs), ("padding", padding), ("pass-tokens", pass_tokens),
        ("reference", reference), ("old-log-probs", old_log_probs), ("reward-ms", reward_ms), ("offload", offload),
        ("sleep", sleep), ("host-link", host_link), ("slots", slots), ("step-tokens", step_tokens),
        ("prefix-cache", prefix_cache), ("rollout", _words_text("rollout", rollout) or None),
        ("train", _words_text("train", train) or None), ("jobs", jobs)) if value is not None]
    for flag, other in (("reward-model", reward_model), ("critic", critic)):
        if other is not None:
            words.append(f"--{flag}=" + files.model(source_of(other), flag))
    return Round(words, files, "predicting a round")
