# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of serving stacks: rows of `modern/decode.csv`, compared with peers on the same rows.

The manifest's `serving` maps models to files and, per source, stacks to options. A row is predicted by two reports: one for the prompts, one for a
decode step at the mean context. Prompts in one batch are unequal: matmuls run over all tokens
together, so that they use the mean length, and attention is scaled by the sum of squares.
Stacks only compute logits of last tokens: the output layer of the prompts equals the output
layer of the step. ml-energy's power is a mean over prompts and steps in a steady state: in
each step batch / output_tokens requests begin, with prompts of PROMPT tokens.
"""
import collections
import csv
import dataclasses
import json
import pathlib

import gates
from e2e_rows import ROOT, number, run_tools
from error_statistics import Errors, describe

FILE = pathlib.Path("modern") / "decode.csv"
PEERS = pathlib.Path("modern") / "peers_pipeweave.csv"
PROMPT = 245  # tokens: ml-energy does not publish them; its example log has this mean
LARGEST_TRUSTED_BATCH = 64  # above, new prompts enter in most of ml-energy's steps
QUANTITIES = ("prefill", "decode", "power", "energy")
# (source, quantity): maximum mean error of the tool, in percent.
MUSTS = {("pipeweave-e2e", "prefill"): 5.5, ("pipeweave-e2e", "decode"): 9,
         ("ml-energy", "power"): 5, ("ml-energy", "energy"): 6.5}


class Unserved(Exception):
    """Why a row has no prediction."""


@dataclasses.dataclass
class Step:
    """A measured row: available labels and predictions in ms, W per GPU and J per token."""

    row: dict
    gpu: str
    measured: dict
    predicted: dict
    width: float  # relative half-width of the power of a step; 0 without one

    def error(self, what):
        """Signed, in percent; None without a label."""
        if self.measured.get(what) is None or self.predicted.get(what) is None:
            return None
        return 100 * (self.predicted[what] / self.measured[what] - 1)


def trusted(row):
    """Whether a row is used for required limits."""
    return row["dataset"] != "ml-energy" or (row["quality"] == "A" and float(row["batch"]) <= LARGEST_TRUSTED_BATCH)


def base_command(tool, row, serving):
    source = serving["sources"].get(row["dataset"])
    if source is None:
        raise Unserved(f"source {row['dataset']}")
    if row["model"] not in serving["models"]:
        raise Unserved(f"model {row['model']}")
    if row["pp"] not in ("", "1"):
        raise Unserved("pipeline parallel")
    gpu = row["gpu"].rstrip("?")
    precision = row["precision"].split()[0]
    if precision not in serving["precisions"]:
        raise Unserved(f"precision {precision}")
    fmt, more = serving["precisions"][precision]
    options = {"target": f"{gpu}-{fmt}", "report": "json", "kv-cache": "in-place",
               **source["options"], **more}
    if int(row["tp"]) > 1:
        options.update({"gpus": row["tp"], "parallel": "tp"})
    model = ROOT / "models" / serving["models"][row["model"]]
    return [tool, str(model)] + [f"--{name}={value}" for name, value in options.items()]


def lengths_of(row):
    """Tokens of each prompt in the batch."""
    batch = max(round(float(row["batch"])), 1)
    lengths = [int(float(text)) for text in row["prompt_lengths"].split()] or [PROMPT]
    return lengths * batch if len(lengths) == 1 else lengths


def commands(tool, row, serving):
    """(prompts, step): command lines of both reports."""
    base, lengths = base_command(tool, row, serving), lengths_of(row)
    context = float(row["mean_decode_context"]) + (PROMPT if row["dataset"] == "ml-energy" else 0)
    mean = max(round(sum(lengths) / len(lengths)), 1)
    # In a steady state, requests enter one at a time.
    entering = 1 if row["dataset"] == "ml-energy" else len(lengths)
    return (base + [f"--batch={entering}", f"--seq={mean}", "--past=0"],
            base + [f"--batch={len(lengths)}", "--seq=1", f"--past={max(round(context) - 1, 0)}"])


def head_of(report):
    """Time of the output layer in ms: the matmul that runs once, and the gathering of its
    columns."""
    once = [k for k in report["kernels"] if k["count"] == 1]
    head = max((k for k in once if k["family"] == "matmul"), key=lambda k: k["flops"])
    return sum(k["total_us"] for k in once if k["name"] == head["name"]) / 1e3


def prefill_time(prompts, step, lengths):
    """Time in ms of one pass over prompts of `lengths`, from reports of equal prompts and of a
    step."""
    mean = sum(lengths) / len(lengths)
    unequal = sum(n * n for n in lengths) / (len(lengths) * mean * mean)
    attention = sum(k["total_us"] for k in prompts["kernels"] if k["family"] == "attention") / 1e3
    return prompts["iteration"]["time_ms"] + (unequal - 1) * attention - head_of(prompts) + head_of(step)


def predict_row(row, prompts, step):
    """{quantity: prediction}."""
    one, lengths = step["iteration"], lengths_of(row)
    found = {"decode": one["time_ms"]}
    if row["dataset"] != "ml-energy":
        found["prefill"] = prefill_time(prompts, step, lengths)
        if row["power_w_per_gpu"]:
            found["power"] = one["avg_power_w"]
        return found
    entering = len(lengths) / float(row["output_tokens"])
    part = prefill_time(prompts, step, lengths[:1])
    time = one["time_ms"] + entering * part
    energy = one["energy_j"] + entering * part * prompts["iteration"]["avg_power_w"] / 1e3
    gpus = one["world_size"]
    found["power"] = energy / time * 1e3
    found["energy"] = energy * gpus / len(lengths)
    return found


def measured_of(row):
    return {"prefill": number(row["prefill_ms"]), "decode": number(row["decode_step_ms"]),
            "power": number(row["power_w_per_gpu"]), "energy": number(row["energy_per_token_j"])}


def predict(args, data):
    """([Step], number of rows without one by reason)."""
    serving = json.loads(pathlib.Path(args.manifest).read_text())["serving"]
    with open(pathlib.Path(data) / FILE, newline="") as file:
        rows = list(csv.DictReader(file))
    lines, skipped = [], collections.Counter()
    for row in rows:
        try:
            lines.append((row, commands(args.tool, row, serving)))
        except Unserved as reason:
            skipped[str(reason)] += 1
    wanted = sorted({tuple(line) for _, pair in lines for line in pair})
    reports = dict(zip(wanted, run_tools(wanted, args.jobs)))
    steps = []
    for row, pair in lines:
        answers = [reports[tuple(line)] for line in pair]
        error = next((error for _, error in answers if error), None)
        if error:
            skipped[f"tool: {error}"] += 1
            continue
        step = answers[1][0]["iteration"]
        width = step["avg_power_w"] / step.get("avg_power_low_w", step["avg_power_w"]) - 1
        steps.append(Step(row, row["gpu"].rstrip("?"), measured_of(row), predict_row(row, *(r for r, _ in answers)), width))
    return steps, skipped


def errors(steps, what):
    return [error for error in (step.error(what) for step in steps) if error is not None]


def peers(data):
    """{(predictor, gpu, quantity): signed errors} of the peers, on pipeweave's rows."""
    found = collections.defaultdict(list)
    with open(pathlib.Path(data) / PEERS, newline="") as file:
        for row in csv.DictReader(file):
            for what in ("prefill", "decode"):
                error = number(row[f"error_{what}_percent"])
                if error is not None and row["dataset"] == "pipeweave-e2e":
                    for gpu in (row["gpu"].rstrip("?"), ""):
                        found[row["predictor"], gpu, what].append(error)
    return found


def print_errors(name, steps):
    print(f"{name:44s} n {len(steps):4d}")
    for what in QUANTITIES:
        if errors(steps, what):
            print(f"    {what:8s} {describe(errors(steps, what))}")


def print_peers(found):
    print("== peers on the rows of pipeweave-e2e: mean error of prefill and decode in percent")
    for predictor, gpu in sorted({(p, g) for p, g, _ in found}, key=lambda key: (key[1], key[0])):
        parts = [found.get((predictor, gpu, what)) for what in ("prefill", "decode")]
        text = " ".join(f"{Errors(part).mean:8.1f}" if part else "       -" for part in parts)
        print(f"{gpu or 'all':24s} {predictor:12s} {text}")


def to_json(step):
    keys = ("dataset", "model", "gpus", "batch", "mean_decode_context", "quality")
    return {**{key: step.row[key] for key in keys}, "gpu": step.gpu, "measured": step.measured,
            "predicted": step.predicted}


def run(args):
    steps, skipped = predict(args, args.data)
    groups = collections.defaultdict(list)
    for step in steps:
        groups[step.row["dataset"], step.gpu, trusted(step.row)].append(step)
    print("== by source and GPU")
    for (dataset, gpu, good), part in sorted(groups.items()):
        print_errors(f"{dataset} {gpu}{'' if good else ' (not trusted)'}", part)
    print("== by source")
    for dataset in sorted({key[0] for key in groups}):
        print_errors(dataset, [s for s in steps if s.row["dataset"] == dataset and trusted(s.row)])
    print_peers(peers(args.data))
    for reason, count in skipped.most_common():
        print(f"not mapped: {count} rows: {reason}")
    for check in must_checks(steps, MUSTS):
        print(check.text().replace("gate:", "must:"))
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps([to_json(step) for step in steps], indent=1))
    return 0 if steps else 1


def must_checks(steps, limits):
    for (dataset, what), limit in limits.items():
        part = [s for s in steps if s.row["dataset"] == dataset and trusted(s.row)]
        yield gates.mape(f"serve: {dataset} {what}", errors(part, what), limit)


# Mean error, in percent, above which the gate fails: just above the current error.
GATES = {("pipeweave-e2e", "prefill"): 5.2, ("pipeweave-e2e", "decode"): 8.1,
         ("ml-energy", "power"): 4.7, ("ml-energy", "energy"): 6.5}


def checks(args, data):
    """Prefill, decode, power and energy of serving, by source."""
    return must_checks(predict(args, data)[0], GATES)
