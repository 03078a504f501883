# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Published tables of serving: rows of `wave3/serving.csv`.

- ml-energy: steps at the mean batch and context, power and energy per output token of a closed loop. In each step
  batch / outputs requests begin, with prompts of PROMPT tokens, one at a time.
- TensorRT-LLM, offline maximum throughput: output tokens per second of a whole run of `trtllm-bench`, from the first prompt to
  the last token. All requests are queued at once; as many run as fit, up to LARGEST.
- AMD, one batch: steps at the mean context; offline: a steady state at the largest batch that fits, because the number of
  requests is not stated.

The manifest's `serving_tables` maps names of models, precisions and engines to those of `services` (service_rows.py), and
states the requests of a run.
"""
import collections
import concurrent.futures
import csv
import json
import pathlib
import re
import tempfile

import gates
import service_rows
from error_statistics import describe
from kernel_tables import Unmapped
from validate_serve import PROMPT
from validate_services import Tool

FILE = pathlib.Path("wave3") / "serving.csv"
SOURCES = {"ml-energy": "ml-energy", "NVIDIA/TensorRT-LLM": "tensorrt-llm", "amd.com": "amd", "Azure": "azure"}
LARGEST = 2048  # sequences: max_batch_size of TensorRT-LLM
STEP_TOKENS = 8192  # prompt tokens of a step: its max_num_tokens, which trtllm-bench raises to a prompt and LARGEST
QUANTITIES = {"step": " ms", "power": " W", "energy": " J/token", "rate": " tokens/s"}
MUSTS = {"ml-energy step": 12, "ml-energy power": 8, "ml-energy energy": 8, "tensorrt-llm rate": 25, "amd step": 15}


def source_of(row):
    return next((name for text, name in SOURCES.items() if row["source"].startswith(text)), row["source"])


def is_judged(row):
    return row["quality"] == "A" or source_of(row) == "tensorrt-llm"


def plan_of(manifest, row):
    """The plan of a row, in the names of `services`."""
    tables = manifest.tables
    if row["model"] not in tables["models"]:
        raise Unmapped(f"model {row['model']}")
    precision = row["precision"].split()[0]
    if precision not in tables["precisions"]:
        raise Unmapped(f"precision {row['precision']}")
    for pattern, stack, version in tables["engines"]:
        if found := re.match(pattern, row["engine"]):
            version = version or found.group(1)
            break
    else:
        raise Unmapped(f"engine {row['engine']}")
    copies = row["dp_attention"] == "yes" or int(row["dp"] or 1) > 1
    return service_rows.Plan(tables["models"][row["model"]], row["gpu"].rstrip("?"), tables["precisions"][precision], stack,
                             service_rows.software_of(stack, version), int(row["gpus"]), copies and int(row["gpus"]) > 1,
                             manifest.table_launch(row) + (service_rows.WHOLE if int(row["ep"] or 1) > 1 and not copies else ()))


class Tables(Tool):
    """Predictions of rows: {quantity: value} in the units of QUANTITIES."""

    def serve(self, plan, **options):
        return json.loads(self.run("serve", plan, {"report": "json", **options}))

    def steps(self, plan, row):
        """A step at the mean batch and context, and what requests that begin add to it."""
        batch = max(round(float(row["mean_batch"]) / (plan.gpus if plan.replicated else 1)), 1)
        prompt = int(float(row["input_tokens"] or PROMPT))
        context = prompt + round(float(row["mean_decode_context_generated"] or float(row["output_tokens_mean"]) / 2))
        step = self.serve(plan, batch=batch, contexts=1, **{"input-tokens": context, "output-tokens": 2, "prefill-batch": 1})["decode"]
        found = {"step": step["time_ms"]}
        if row["energy_per_output_token_j"]:
            begin = self.serve(plan, batch=1, contexts=1, **{"input-tokens": prompt, "output-tokens": 2})["prefill"]
            share = batch / float(row["output_tokens_mean"])
            energy = step["energy_j"] + share * begin["energy_j"]
            found["power"] = energy / (step["time_ms"] + share * begin["time_ms"]) * 1e3
            found["energy"] = energy * plan.gpus / (batch * (plan.gpus if plan.replicated else 1))
        return found

    def run_rate(self, plan, lengths, requests):
        """Output tokens per second of all GPUs in a run of `requests`; each copy of the model has its share."""
        users = plan.local(requests)
        tokens = max(STEP_TOKENS, lengths["input-tokens"] + LARGEST)
        together = {"prefill-batch": max(tokens // lengths["input-tokens"], 1)}
        fits = self.serve(plan, batch=1, contexts=2, **lengths, **together)["largest_batch"]["value"]
        return self.serve(plan, users=users, requests=users, slots=min(fits, LARGEST, users), contexts=9,
                          **{"step-tokens": tokens}, **lengths)["loop"]["tokens_per_s"]

    def rate(self, plan, row):
        """Output tokens per second of all GPUs: of the run that the manifest states, or at the largest batch that fits."""
        lengths = {"input-tokens": round(float(row["input_tokens"])), "output-tokens": round(float(row["output_tokens_mean"]))}
        requests = self.manifest.run_of(row, *lengths.values())
        if requests:
            return {"rate": self.run_rate(plan, lengths, requests)}
        together = max(STEP_TOKENS // lengths["input-tokens"], 1)
        lengths["prefill-batch"] = together
        if lengths["input-tokens"] > STEP_TOKENS:
            lengths["prefill-chunk"] = STEP_TOKENS
        fits = self.serve(plan, batch=1, contexts=2, **lengths)["largest_batch"]["value"]
        return {"rate": self.serve(plan, batch=min(fits, LARGEST), contexts=9, **lengths)["tokens_per_s"]}

    def predict(self, plan, row):
        try:
            return (self.steps if row["decode_step_ms"] else self.rate)(plan, row), None
        except Unmapped as reason:
            return {}, str(reason)


def measured_of(row):
    texts = {"step": row["decode_step_ms"], "power": row["power_w_per_gpu"], "energy": row["energy_per_output_token_j"],
             "rate": row["output_tokens_per_s"]}
    return {name: float(text) for name, text in texts.items() if text}


def predict(args, data):
    """([(row, {quantity: signed error in percent})], {reason: rows})."""
    manifest = service_rows.Manifest(args.manifest)
    rows = service_rows.read(pathlib.Path(data) / FILE)
    plans, skipped = [], collections.Counter()
    for row in rows:
        try:
            plan = plan_of(manifest, row)
            manifest.precision(plan)
            plans.append((row, plan))
        except Unmapped as reason:
            skipped[str(reason)] += 1
    found = []
    with tempfile.TemporaryDirectory() as folder:
        tool = Tables(args.tool, manifest, folder)
        for _, plan in plans:
            tool.path(plan.model)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            answers = list(pool.map(lambda pair: tool.predict(pair[1], pair[0]), plans))
    for (row, _), (answer, reason) in zip(plans, answers):
        if reason:
            skipped[reason] += 1
            continue
        measured = measured_of(row)
        found.append((row, {name: 100 * (value / measured[name] - 1) for name, value in answer.items() if name in measured}))
    return found, skipped


def errors(found, source, what):
    return [error[what] for row, error in found if source_of(row) == source and is_judged(row) and what in error]


def checks_of(found, limits):
    for name, limit in limits.items():
        source, what = name.split()
        yield gates.mape(f"serving: {name}", errors(found, source, what), limit)


# Limits of continuous integration, in percent: just beyond the current errors.
GATES = {"ml-energy step": 9.3, "ml-energy power": 4.7, "ml-energy energy": 9.6, "tensorrt-llm rate": 20.2, "amd step": 6}


def checks(args, data):
    """The figures of the tool."""
    return checks_of(predict(args, data)[0], GATES)


def run(args):
    found, skipped = predict(args, args.data)
    groups = collections.defaultdict(list)
    for row, error in found:
        groups[source_of(row), row["gpu"], row["model"], row["task"], row["quality"]].append(error)
    for name, part in sorted(groups.items()):
        for what in QUANTITIES:
            if values := [error[what] for error in part if what in error]:
                print(f"{' '.join(name):84s} {what:6s} n {len(values):3d} {describe(values)}")
    for reason, count in skipped.most_common():
        print(f"not mapped: {count} rows: {reason}")
    for check in checks_of(found, MUSTS):
        print(check.text().replace("gate:", "must:"))
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["row_id", *(f"{what}_error" for what in QUANTITIES)])
            out.writerows([row["row_id"], *(error.get(what, "") for what in QUANTITIES)] for row, error in found)
    return 0 if found else 1
