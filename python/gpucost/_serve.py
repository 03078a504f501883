# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""serve(): a language model as a service."""
from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from gpucost._analysis import with_settings
from gpucost._files import Inputs
from gpucost._inputs import source_of
from gpucost._questions import model_file
from gpucost._tool import Answer, Sizes, flags_of, joined, settings_for, sizes_text
from gpucost.errors import InvalidArgumentError, UnsupportedError

#: Numbers: one, several, or a list or range in text, such as "10..50x2".
Numbers = Union[float, str, Sequence[float], None]


class Services(Answer):
    """What serve() predicts: a mapping whose "points" are the services, one for each combination of values
    (docs/Serving.md).

        found.service["tpot_ms"], found.best("tokens_per_s")["batch"], print(found)

    A service is a mapping with the fields of `gpu-cost-opt serve --report=json`; names end with their unit, None is an
    unknown number. A point has `flags`, the values that vary, and `reason`, the error of one without a service."""

    def _parse(self, text: bytes) -> Dict[str, Any]:
        """The report of one service, or one point on each line."""
        if not text.startswith(b"{\n"):
            return {"points": [json.loads(line) for line in text.splitlines()]}
        return {"points": [{"point": 0, "flags": "", "status": "ok", "reason": "", "report": json.loads(text)}]}

    @property
    def services(self) -> List[Mapping[str, Any]]:
        """The services of all combinations that have one, in order."""
        return [point["report"] for point in self["points"] if point["status"] == "ok"]

    @property
    def service(self) -> Mapping[str, Any]:
        """The only service; InvalidArgumentError if there are several points, or for the error of the only one."""
        if len(self["points"]) != 1:
            raise InvalidArgumentError(f"there are {len(self['points'])} points: use services or best()")
        point = self["points"][0]
        if point["status"] != "ok":
            raise InvalidArgumentError(point["reason"])
        found: Mapping[str, Any] = point["report"]
        return found

    def best(self, metric: str = "energy_per_token_j") -> Mapping[str, Any]:
        """The service with the least "energy_per_token_j", "ttft_ms", ..., or the most "tokens_per_s", ..., "tokens_per_j"."""
        known = [each for each in self.services if isinstance(each.get(metric), (int, float))]
        if not known:
            raise InvalidArgumentError(f"{metric!r} is not a number of a service")
        sign = -1 if metric.startswith(("tokens_per_s", "tokens_per_j")) else 1
        return min(known, key=lambda each: sign * each[metric])

    def to_html(self, path: Any = None) -> str:
        """Raises UnsupportedError: a service has no page."""
        raise UnsupportedError("a service has no page: print() shows it, and deploy() has one")

    def to_pandas(self) -> Any:
        """The services as a pandas.DataFrame, with the flags of their points; numbers of the prefill, the decode steps and
        the memory have names such as "decode.power_w"."""
        from gpucost._frames import pandas

        rows = [{"flags": point["flags"], **point["report"]} for point in self["points"] if point["status"] == "ok"]
        frame = pandas.json_normalize([{key: value for key, value in row.items() if key != "settings"} for row in rows])
        return frame.drop(columns=[name for name in frame if name == "notes"])


def _numbers_text(name: str, numbers: Numbers) -> str:
    values = numbers if isinstance(numbers, Sequence) and not isinstance(numbers, str) else [numbers]
    if not values or any(isinstance(value, bool) or not isinstance(value, (int, float, str)) for value in values):
        raise InvalidArgumentError(f"'{name}' is {numbers!r}: expected a number, several, or text such as '10,20'")
    return ",".join(map(str, values))


@with_settings
def serve(model: Any, *, input_tokens: Sizes = None, output_tokens: Sizes = None, decoder_tokens: Sizes = None,
          prefill_batch: Sizes = None, prefill_chunk: Sizes = None, contexts: Optional[int] = None,
          logits: Union[str, Sequence[str], None] = None, ttft: Numbers = None, tpot: Numbers = None, prefix_hit: Numbers = None,
          draft_tokens: Sizes = None, acceptance: Numbers = None, draft: Any = None, users: Sizes = None, requests: Sizes = None,
          least_length: Numbers = None, step_tokens: Sizes = None, slots: Sizes = None, poll_steps: Sizes = None,
          gather_steps: Sizes = None, gather_share: Numbers = None, request_ms: Numbers = None, inputs: Any = None,
          name: Optional[str] = None, export: Optional[Mapping[str, Any]] = None, **settings: Any) -> Services:
    """A language model as a service: time to the first token, time per output token, tokens per second, power and energy of
    prefill and decode steps, the largest batch and the longest context that fit: `gpu-cost-opt serve` (docs/Serving.md).

        found = gpucost.serve("Llama-3.1-8B", target="h100-bf16", input_tokens=2048, batch=[1, 8, 32])
        found.best("energy_per_token_j")["batch"]
        print(found)

    model, inputs, name, export: as in analyze()
    input_tokens, output_tokens: length of prompts and answers; default: 2048 and 512
    decoder_tokens: length of the decoder's prompt in models with an encoder; default: 1
    prefill_batch: prompts that are prefilled together; default: the batch
    prefill_chunk: prompt tokens of a prefill step; default: the whole prompt
    contexts: contexts at which a decode step is evaluated; default: 65
    logits: "last" or "all", the prompt positions whose logits are computed
    ttft, tpot: limits in ms on the time to the first token and per output token: "largest_allowed_batch" meets them
    prefix_hit: share of the prompt tokens that the prefix cache contains
    draft_tokens: tokens that a draft model proposes before each decode step
    acceptance: probability that a draft token is accepted if those before it were
    draft: the draft model; default: the module of `model` that predicts further tokens
    users: of a closed loop, instead of `batch`: each sends the next request after its answer, as in a benchmark with this
        concurrency; with several copies of the model, the users of each; "loop" has the mean time to the first token and per output token
    requests: of the loop; default: 10 for each user
    least_length: lengths of the loop are spread evenly between this share of the stated ones and these; default: 1
    step_tokens, slots: prompt tokens and sequences of a step at most; default: 8192, one slot for each user
    poll_steps: steps between two looks at new requests; default: 1
    gather_steps, gather_share: prompts wait up to `gather_steps` decode steps for others, unless they fill this share of a step
    request_ms: time of a request before its prompt is scheduled; default: as fitted for `software`
    settings: as in analyze(), `batch` sequences of a GPU or of its group

    Each number and setting may be a list or a range in text.

    Raises InvalidArgumentError with the message of the tool for wrong values; TypeError for an unknown setting."""
    stated = settings_for("serve", settings)
    files = Inputs()
    path, found = model_file(files, "serve", model, inputs, name, export, stated)
    # Those of example inputs.
    implied = {key for key in ("batch", "seq", "past") if key not in stated}
    words = ["serve", path, *flags_of({key: value for key, value in found.items() if key not in implied})]
    for flag, sizes in (("input_tokens", input_tokens), ("output_tokens", output_tokens), ("decoder_tokens", decoder_tokens),
                        ("prefill_batch", prefill_batch), ("prefill_chunk", prefill_chunk), ("draft_tokens", draft_tokens),
                        ("users", users), ("requests", requests), ("step_tokens", step_tokens), ("slots", slots),
                        ("poll_steps", poll_steps), ("gather_steps", gather_steps)):
        if sizes is not None:
            words.append(f"--{flag.replace('_', '-')}={sizes_text(flag, sizes)}")
    for flag, numbers in (("ttft", ttft), ("tpot", tpot), ("prefix_hit", prefix_hit), ("acceptance", acceptance),
                          ("least_length", least_length), ("gather_share", gather_share), ("request_ms", request_ms)):
        if numbers is not None:
            words.append(f"--{flag.replace('_', '-')}={_numbers_text(flag, numbers)}")
    if logits is not None:
        words.append("--logits=" + joined(logits, ","))
    if contexts is not None:
        words.append(f"--contexts={contexts}")
    if draft is not None:
        words.append("--draft=" + files.model(source_of(draft), "draft"))
    return Services(words, files, "serving")
