# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares peak memory with allocator counters, and its slope over the batch.

`memory.csv` has the readings of PyTorch's allocator in Megatron-LM's tests: `steady`, the
memory between steps, and the peak; the difference is activations. `training_modern.csv` has
the used memory of the GPU during steps with several batches: its slope is compared with
the slope of the predicted device memory, since the fixed part depends on driver and libraries.
Trainings on several GPUs are compared rank by rank (memory_rank_rows.py).
"""
import collections
import contextlib
import csv
import io
import json
import pathlib
import statistics
import tempfile

import gates
import memory_rank_rows
from e2e_rows import run_tool, run_tools
from error_statistics import describe
from validate_modern import ModernTable

ROOT = pathlib.Path(__file__).resolve().parents[2]


def megatron_command(tool, row):
    """Options of a Megatron-LM row: bf16 weights, fp32 main gradients and states."""
    unfused = row["attention_backend"] == "unfused" or row["transformer_impl"] == "local"
    sharded = row["distributed_optimizer"] == "yes"
    return [tool, str(ROOT / "models" / ("gpt-12x512" + ("" if unfused else "-sdpa23") + ".onnx")),
            f"--target={row['gpu']}-bf16", "--mode=training", "--precision-mode=cast", "--main-grads=fp32",
            "--loss-variant=in-place", "--optimizer=adam", "--optimizer-variant=fused",
            f"--batch={row['micro_batch']}", f"--seq={row['seq']}",
            "--recompute=" + ("full" if row["recompute"].startswith("full") else "none"),
            f"--gpus={row['gpus']}", "--parallel=" + ("zero1" if sharded else "ddp"), "--report=json"]


def run_megatron(tool, path):
    errors, skipped = collections.defaultdict(list), collections.Counter()
    for row in csv.DictReader(open(path)):
        if row["quality"] != "A" or row["family"] != "gpt":
            skipped[f"quality {row['quality']}, family {row['family']}"] += 1
            continue
        if (row["tp"], row["pp"]) != ("1", "1"):
            skipped["tensor or pipeline parallel"] += 1
            continue
        answer, error = run_tool(megatron_command(tool, row))
        if error:
            skipped[f"tool: {error}"] += 1
            continue
        found = answer["iteration"]
        state = sum(found[part + "_bytes"] for part in ("parameter", "gradient", "optimizer", "workspace")) / 2**20
        steady, peak = float(row["steady_allocated_mib"]), float(row["peak_allocated_mib"])
        activations = found["activation_bytes"] / 2**20
        for what, predicted, measured in (("state", state, steady), ("activations", activations, peak - steady)):
            errors[what].append(100 * (predicted / measured - 1))
            print(f"{row['gpu']:14s} {row['transformer_impl']:18s} {row['attention_backend']:8s} "
                  f"{row['recompute']:14s} {what:11s} predicted {predicted:7.0f} MiB measured {measured:7.0f} "
                  f"{errors[what][-1]:+6.1f} %")
    for reason, count in skipped.most_common():
        print(f"not mapped: {count} rows: {reason}")
    return errors


def slope(points):
    """Least squares fit: (slope, value at 0)."""
    x, y = zip(*points)
    fit = statistics.linear_regression(x, y)
    return fit.slope, fit.intercept


def run_slopes(args, path):
    # The loader of resnet50-noio leaves its blocks in the reading.
    table = ModernTable(path, args.manifest, lambda row: row["quality"] in "AB" and row["memory_mib"]
                        and row["batch_per_gpu"] != "1" and row["benchmark"] != "resnet50-noio")
    results, skipped = table.predict(args.tool, args.jobs)
    groups = collections.defaultdict(list)
    for result in results:
        row = result.row
        groups[row["benchmark"], row["gpu"], row["precision"]].append(
            (int(row["batch"]), float(row["memory_mib"]), result.report["iteration"]))
    errors = []
    for (benchmark, gpu, precision), rows in groups.items():
        if len({batch for batch, _, _ in rows}) < 2:
            continue
        measured = slope([(batch, used) for batch, used, _ in rows])
        tensors = slope([(batch, found["peak_memory_bytes"] / 2**20) for batch, _, found in rows])
        device = slope([(batch, found["device_bytes"] / 2**20) for batch, _, found in rows])
        inside = sum(found["device_low_bytes"] <= used * 2**20 <= found["device_high_bytes"]
                     for _, used, found in rows)
        errors.append(100 * (device[0] / measured[0] - 1))
        print(f"{benchmark:18s} {gpu:14s} {precision:8s} n {len(rows):2d} MiB per sample measured "
              f"{measured[0]:7.1f} (+{measured[1]:5.0f}) tensors {tensors[0]:7.1f} device {device[0]:7.1f} "
              f"(+{device[1]:5.0f}) {errors[-1]:+6.1f} %, {inside} inside")
    for reason, count in skipped.most_common():
        print(f"not mapped: {count} rows: {reason}")
    return {"slope over batch": errors}


def run_ranks(args):
    """Errors by table, kind of memory and quality of the rows."""
    nodes, last, skipped = memory_rank_rows.read(args.data)
    errors, failed = collections.defaultdict(list), collections.Counter(skipped)
    with tempfile.TemporaryDirectory() as folder:
        for table, rows in (("ranks", nodes), ("last rank", last)):
            lines = {json.dumps(line): line for line in (row.command(args.tool, folder) for row in rows)}
            answers = dict(zip(lines, run_tools(lines.values(), args.jobs)))
            for row in rows:
                answer, error = answers[json.dumps(row.command(args.tool, folder))]
                if error:
                    failed[f"tool: {error}"] += 1
                    continue
                ranks = answer.get("pipeline", {}).get("ranks") or [answer["iteration"]]
                for kind, values in row.measured.items():
                    for number, (rank, measured) in enumerate(zip(reversed(ranks), values)):
                        predicted = rank[f"{kind}_bytes"] / 2**20
                        errors[f"{table}, {kind}, {row.quality}"].append(100 * (predicted / measured - 1))
                        print(f"{row.name[:60]:60s} {row.quality:8.8s} rank {len(ranks) - 1 - number} {kind:9s} predicted "
                              f"{predicted:7.0f} MiB measured {measured:7.0f} {100 * (predicted / measured - 1):+6.1f} %")
    for reason, count in failed.most_common():
        print(f"not mapped: {count} rows: {reason}")
    return errors


# Mean error, in percent, above which the gate fails: just above the current error.
GATES = {"activations": 1.5, "state": 7.0, "slope over batch": 6.0, "ranks, allocated, A": 0.8, "ranks, reserved, A": 3.0,
         "last rank, allocated, B": 3.0}


def measure(args):
    """{what: signed errors in percent}."""
    data = pathlib.Path(args.data) / "modern"
    errors = run_megatron(args.tool, data / "memory.csv")
    errors.update(run_slopes(args, data / "training_modern.csv"))
    errors.update(run_ranks(args))
    return errors


def run(args):
    errors = measure(args)
    for what, signed in errors.items():
        print(f"memory: {what:44s} {describe(signed)}")
    return 0 if errors else 1


def checks(args):
    """Peak memory, for rows with allocator or board readings."""
    with contextlib.redirect_stdout(io.StringIO()):
        errors = measure(args)
    for what, limit in GATES.items():
        yield gates.mape(f"memory: {what}", errors[what], limit)
