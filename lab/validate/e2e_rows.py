# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of whole iterations: from a measured row to the tool's command line and its report.

The manifest (manifest.json) contains, per model and head, the file and its options; per source, the
timed region, its options of the tool, the options for the names of its
optimizers ("name|precision" if a script's precisions differ), one host launch cost
per host, and the rate at which its scripts copy inputs from pageable memory, which the GPU waits
for (`input_bytes` of a model: of one sample); it has no other free number.
"""
import collections
import concurrent.futures
import csv
import json
import pathlib
import subprocess

from kernel_tables import Unmapped

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Target format and options for every precision in the data.
FORMATS = {
    "bf16": ("bf16", {"precision-mode": "cast"}),
    "fp16": ("fp16", {"precision-mode": "cast"}),
    "bf16-amp": ("bf16", {"precision-mode": "amp"}),
    "fp16-amp": ("fp16", {"precision-mode": "amp"}),
    "fp32": ("fp32", {}),
    "tf32": ("tf32", {}),
    "fp32+tf32conv": ("fp32", {"tf32": "conv"}),
}
# How several GPUs share a step: name in the data, name in the tool, and whether the batch covers
# all GPUs.
PARALLEL = {
    "fsdp8-full_shard": ("fsdp", False),
    "dp4": ("ddp", True),
    "tp4": ("tp", True),
    "DDP": ("ddp", False),
}
QUANTITIES = {"time": "time_ms", "power": "avg_power_w", "energy": "energy_j"}


def number(text):
    return float(text) if text not in ("", None) else None


def mode_of(row):
    return "training" if row["mode"] == "training" else "inference"


def find_model(row, workload, manifest):
    """The manifest's entry for the model and head, possibly only for the row's length or source."""
    key = f"{workload['variant'] or row['model']}|{workload['head']}" if workload else row["model"]
    models = manifest["models"]
    keys = f"{key}|s{row['seq']}", f"{key}|{row['source']}", key
    model = next((models[k] for k in keys if k in models), None)
    if model is None:
        raise Unmapped(f"model {key}")
    if not (ROOT / "models" / model["file"]).exists():
        raise Unmapped(f"no file {model['file']}")
    return model


def training_options(row, workload, source, model):
    """Options of the training step in `row`, by name."""
    name = model.get("optimizer", workload["optimizer"])
    names = f"{name}|{row['precision']}", name
    optimizer = next((source["optimizers"][n] for n in names if n in source["optimizers"]), None)
    if optimizer is None:
        raise Unmapped(f"optimizer {name}")
    passes = int(workload["grad_accum"] or 1)
    passes = max(passes, int(model.get("step_samples", 0) / float(row["batch"])))
    options = {"mode": "training", "grad-accum": passes,
               "recompute": workload["recompute"] or "none",
               "dropout": "off" if workload["dropout"] == "0" else "as-is",
               **source["training"], **optimizer}
    if int(row["gpus"]) > 1:
        options.update({"gpus": row["gpus"], "parallel": PARALLEL[row["parallelism"]][0]})
    return options


def command(tool, row, workload, manifest):
    """Command line that predicts `row`; raises Unmapped with the reason."""
    source = manifest["sources"].get(row["source"])
    if source is None:
        raise Unmapped(f"source {row['source']}")
    if row["quality"] == "BAD":
        raise Unmapped("failed run")
    if row["parallelism"] not in ("", "none", *PARALLEL):
        raise Unmapped(f"parallelism {row['parallelism']}")
    model = find_model(row, workload, manifest)
    if row["precision"] not in FORMATS:
        raise Unmapped(f"precision {row['precision']}")
    fmt, precision = FORMATS[row["precision"]]
    options = {"target": f"{row['gpu']}-{fmt}", "report": "json", **precision, **source["options"],
               **source.get("by_precision", {}).get(row["precision"], {}),
               **source.get("by_gpu", {}).get(row["gpu"], {}), **model.get("options", {})}
    if row["mode"] == "training":
        if workload is None:
            raise Unmapped("training row without its workload")
        options.update(training_options(row, workload, source, model))
    batch = (workload or {}).get("micro_batch") or row["batch"]
    if PARALLEL.get(row["parallelism"]) == ("ddp", True):
        batch = float(batch) / int(row["gpus"])
    options["bind"] = f"batch:{int(float(batch))}"
    if model.get("seq"):
        options["bind"] += f",sequence:{int(float(row['seq']))}"
    if row["freq_mhz"]:
        options["clock"] = f"{float(row['freq_mhz']):g}"
    if row["power_limit_w"]:
        options["power-limit"] = f"{float(row['power_limit_w']):g}"
    host = source.get("host_launch_us", {}).get(row["gpu"])
    if host is not None:
        options["host-launch-us"] = host
    if model.get("input_bytes"):  # The GPU waits for the copy of the batch.
        options["step-gap-us"] = f"{float(batch) * model['input_bytes'] / source['input_copy_gbps'] / 1e3:g}"
    return [tool, str(ROOT / "models" / model["file"])] + [f"--{name}={value}" for name, value in options.items()]


def measured(row, samples):
    """Time in ms, power in W, energy in J for `samples` samples per GPU (a row may time one micro-batch
    of a step, a prediction is one whole step); None if missing."""
    scale = samples / float(row["batch"])
    time = number(row["iter_time_corr_ms"]) or number(row["iter_time_ms"])
    energy = number(row["energy_corr_j"]) or number(row["energy_j_per_iter"])
    power = energy / time * 1e3 if time and energy else number(row["avg_power_w"])
    time, energy = time and time * scale, energy and energy * scale
    return {"time": time, "power": power, "energy": energy}


class Prediction:
    """A measured row, its label, the tool's report, and the row's unknowns ("" for most)."""

    def __init__(self, row, label, report, caveat):
        self.row, self.label, self.report, self.caveat = row, label, report, caveat

    @classmethod
    def of(cls, row, report, caveat):
        iteration = report["iteration"]
        share = 1 if PARALLEL.get(row["parallelism"], ("", False))[1] else iteration["world_size"]
        return cls(row, measured(row, iteration["samples"] / share), report, caveat)

    FIELDS = ("source", "workload_id", "gpu", "model", "mode", "precision")

    def to_json(self):
        return {"row": {field: self.row[field] for field in self.FIELDS}, "measured": self.label,
                "predicted": self.report["iteration"], "caveat": self.caveat}

    @classmethod
    def from_json(cls, data):
        return cls(data["row"], data["measured"], {"iteration": data["predicted"]}, data["caveat"])

    def predicted(self, what):
        return self.report["iteration"][QUANTITIES[what]]

    def error(self, what):
        """Signed relative error in percent; None without a label."""
        return 100 * (self.predicted(what) / self.label[what] - 1) if self.label[what] else None


    def inside(self, what):
        """The label lies in the 80 % interval; None if one of them is missing."""
        field, unit = QUANTITIES[what].rsplit("_", 1)
        ends = [self.report["iteration"].get(f"{field}_{end}_{unit}") for end in ("low", "high")]
        return ends[0] <= self.label[what] <= ends[1] if self.label[what] and None not in ends else None


def coverage(results, what):
    """Percent of the results inside their interval; None without intervals."""
    known = [inside for inside in (result.inside(what) for result in results) if inside is not None]
    return 100 * sum(known) / len(known) if known else None


def errors(results, what):
    return [error for error in (result.error(what) for result in results) if error is not None]


def run_tool(line):
    """(report, None) or (None, last line of the error)."""
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr.strip().splitlines() or ["no message"])[-1]
    return json.loads(done.stdout), None


def run_tools(lines, jobs):
    """run_tool() for all command lines in order, with `jobs` parallel processes."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(run_tool, lines))


def iterations(lines, jobs):
    """`iteration` in the report of each command line; exits if one fails."""
    answers = run_tools(lines, jobs)
    for line, (_, error) in zip(lines, answers):
        if error:
            raise SystemExit(f"{' '.join(line)}: {error}")
    return [report["iteration"] for report, _ in answers]


class Table:
    """Measured rows with the protocol of each, and the manifest."""

    def __init__(self, measurements, workloads, manifest, wanted=lambda row: True):
        self.manifest = json.loads(pathlib.Path(manifest).read_text())
        with open(measurements, newline="") as file:
            table = csv.DictReader(file)
            missing = {"source", "workload_id", "gpu", "model", "mode", "precision", "batch", "quality",
                       "parallelism", "iter_time_ms"} - set(table.fieldnames or [])
            if missing:
                raise SystemExit(f"validate.py: {measurements}: no column {', '.join(sorted(missing))}")
            self.rows = [row for row in table if wanted(row)]
        self.workloads = {}
        if workloads:
            with open(workloads, newline="") as file:
                self.workloads = {(w["source"], w["workload_id"]): w for w in csv.DictReader(file)}

    def workload(self, row):
        return self.workloads.get((row["source"], row["workload_id"]))

    def caveat(self, row):
        """Why the measurement data mark a label as doubtful; "" for most rows."""
        return row.get("caveat") or (self.workload(row) or {}).get("caveat") or ""

    def predict(self, tool, jobs, rows=None, flags=lambda row: ()):
        """([Prediction], number of rows without one by reason); `flags` are additional tool flags,
        which replace flags with the same name."""
        lines, skipped = [], collections.Counter()
        for row in self.rows if rows is None else rows:
            try:
                line = command(tool, row, self.workload(row), self.manifest)
            except Unmapped as reason:
                skipped[str(reason)] += 1
                continue
            except (ValueError, KeyError) as error:
                skipped[f"no such column or number: {error}"] += 1
                continue
            more = list(flags(row))
            names = {flag.split("=")[0] for flag in more}
            lines.append((row, [flag for flag in line if flag.split("=")[0] not in names] + more))
        answers = run_tools([line for _, line in lines], jobs)
        results = []
        for (row, _), (report, error) in zip(lines, answers):
            if error:
                skipped[f"tool: {error}"] += 1
            else:
                model = find_model(row, self.workload(row), self.manifest)
                results.append(Prediction.of(row, report, model.get("caveat") or self.caveat(row)))
        return results, skipped
