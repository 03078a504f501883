# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Image and video pipelines: rows of `wave3/inference_other.csv` against `gpu-cost-opt generate`.

`models/export_diffusion.py FOLDER` writes the graphs and pipeline files once; --graphs is that folder. One command per model and
GPU predicts all its batches and plans. OPTIONS are the settings of the measured stack, the same for every model: xDiT 0.4.5 with PyTorch 2.6
on H100 and 2.7 on B200, FlashAttention 2, and no torch.compile, as the benchmark's repository (ml-energy/benchmark) states. Its three times of
the host were chosen on a coarse grid over all rows.
"""
import collections
import csv
import json
import pathlib
import subprocess

import gates
from error_statistics import Errors

FILE = pathlib.Path("wave3") / "inference_other.csv"
TARGETS = {"h100-sxm-80gb": "h100-bf16", "h200-sxm": "h200-bf16", "b200-sxm": "b200-bf16", "b300-sxm": "b300-bf16"}
PIPELINES = {
    "stable-diffusion-3.5-medium": "stable-diffusion-3.5-medium", "stable-diffusion-3.5-large": "stable-diffusion-3.5-large",
    "PixArt-Sigma-XL-2-1024-MS": "pixart-sigma", "HunyuanDiT-v1.2-Diffusers": "hunyuan-dit",
    "SANA1.5_1.6B_1024px_diffusers": "sana-1.6b", "SANA1.5_4.8B_1024px_diffusers": "sana-4.8b",
    "Wan2.1-T2V-1.3B-Diffusers": "wan-2.1-1.3b", "Wan2.1-T2V-14B-Diffusers": "wan-2.1-14b", "CogVideoX-2b": "cogvideox-2b",
    "FLUX.1-dev": "flux.1-dev", "HunyuanVideo": "hunyuan-video"}
OPTIONS = {"software": "pytorch-2.7", "attention": "flash2", "host-launch-us": 25, "host-exchange-us": 0, "host-ring-us": 80}
# Mean errors in percent that were reached; lower them with every improvement.
LIMITS = {"time": 13.6, "energy": 11.4}


def plan_of(row):
    degrees = json.loads(row["parallelization"])
    parts = [(name, degrees[f"{name}_degree"]) for name in ("ulysses", "ring")]
    return ".".join(f"{name}{count}" for name, count in parts if count > 1)


def predicted(tool, graphs, model, gpu, rows):
    """Reports by plan and batch."""
    plans = sorted({plan_of(row) for row in rows} - {""})
    batches = sorted({int(row["batch"]) for row in rows})
    options = {"target": TARGETS[gpu], "batch": ",".join(map(str, batches)), "report": "json", **OPTIONS}
    if plans:
        options["context"] = ",".join(plans)
    command = [tool, "generate", str(pathlib.Path(graphs) / f"{PIPELINES[model]}.json")]
    done = subprocess.run(command + [f"--{name}={value}" for name, value in options.items()], capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{model} on {gpu}: {done.stderr.strip()}")
    lines = done.stdout.splitlines()
    reports = [json.loads(line) for line in lines] if len(plans) * len(batches) > 1 else [json.loads(done.stdout)]
    return {(report["context"], report["batch"]): report for report in reports}


def errors_of(tool, data, graphs):
    """(row, {quantity: signed error in percent}) for each mapped row, and the number of others by model."""
    groups, skipped = collections.defaultdict(list), collections.Counter()
    with open(pathlib.Path(data) / FILE, newline="") as file:
        for row in csv.DictReader(file):
            if row["model"] in PIPELINES and row["gpu"] in TARGETS:
                groups[row["model"], row["gpu"]].append(row)
            else:
                skipped[row["model"]] += 1
    found = []
    for (model, gpu), rows in sorted(groups.items()):
        reports = predicted(tool, graphs, model, gpu, rows)
        for row in rows:
            report = reports[plan_of(row), int(row["batch"])]
            found.append((row, {"time": 100 * (report["latency_ms"] / 1e3 / float(row["latency_s"]) - 1),
                                "energy": 100 * (report["energy_per_output_j"] / float(row["energy_per_output_j"]) - 1)}))
    return found, skipped


def print_table(title, key, found):
    groups = collections.defaultdict(list)
    for row, errors in found:
        groups[key(row)].append(errors)
    print(f"\n| {title} | rows | time % | energy % | signed time % | signed energy % |\n|---|---|---|---|---|---|")
    for name, errors in sorted(groups.items()):
        means = [Errors([each[what] for each in errors]).mean for what in LIMITS]
        signed = [sum(each[what] for each in errors) / len(errors) for what in LIMITS]
        print(f"| {name} | {len(errors)} | {means[0]:.1f} | {means[1]:.1f} | {signed[0]:+.1f} | {signed[1]:+.1f} |")


def checks_of(found):
    for what, limit in LIMITS.items():
        yield gates.mape(f"diffusion {what}", [errors[what] for _, errors in found], limit)


def run(args):
    found, skipped = errors_of(args.tool, args.data, args.graphs)
    print(f"{len(found)} rows; without a pipeline file: {dict(skipped)}")
    print_table("model, GPU", lambda row: f"{row['model']}, {row['gpu']}", found)
    print_table("GPUs", lambda row: f"{row['gpus']} {row['gpu']}", found)
    print_table("batch", lambda row: f"{int(row['batch']):2}", found)
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["row_id", "plan", "time_error_percent", "energy_error_percent"])
            writer.writerows([row["row_id"], plan_of(row), f"{errors['time']:.2f}", f"{errors['energy']:.2f}"]
                             for row, errors in found)
    return 0 if gates.report(checks_of(found)) else 1
