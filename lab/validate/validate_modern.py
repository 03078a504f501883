# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of current PyTorch: rows of `modern/training_modern.csv`.

milabench times from batch to batch, with loader, copies, loss and optimizer. The
manifest maps a benchmark to a file, its optimizer and its layout ("NETWORK|milabench").
Rows of quality C are left out unless a caller requests them: rows with batch 1
(bound by the host) and rows that wait for the loader.
"""
import csv
import json
import pathlib
import re

import e2e_rows
import gates
from e2e_report import print_table
from e2e_rows import errors

SOURCE = "milabench"
FILE = pathlib.Path("modern") / "training_modern.csv"
# Mean error of time, in percent, above which the gate fails: just above the current error.
GATES = {"all": 5.2, "quality A in 16 bit": 5.4}


def network(benchmark):
    """The name of the benchmark without its precision and number of GPUs."""
    return re.sub(r"(-(fp16|fp32|tf32|gpus))+$", "", benchmark)


class ModernTable(e2e_rows.Table):
    """The rows with the columns of e2e.csv, and the workload of each."""

    def __init__(self, path, manifest, wanted=lambda row: row["quality"] in "AB"):
        self.manifest = json.loads(pathlib.Path(manifest).read_text())
        self.rows, self.workloads = [], {}
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                if not wanted(row):
                    continue
                name = f"{row['benchmark']}/{row['gpu']}/{row['precision']}/b{row['batch_per_gpu']}"
                source = SOURCE if "milabench" in row["source"] else row["source"].split("@")[0]
                self.rows.append({
                    "source": source, "workload_id": name, "gpu": row["gpu"].rstrip("?"), "core": "time",
                    "model": network(row["benchmark"]), "mode": "training", "precision": row["precision"],
                    "batch": row["batch_per_gpu"], "seq": row["seq_or_image"], "gpus": row["gpus"],
                    "parallelism": row["parallelism"], "freq_mhz": "", "power_limit_w": "",
                    "iter_time_ms": row["time_ms"], "iter_time_corr_ms": "", "energy_corr_j": "",
                    "energy_j_per_iter": "", "avg_power_w": "", "quality": row["quality"],
                    "memory_mib": row["memory_mib"], "benchmark": row["benchmark"]})
                self.workloads[source, name] = {"variant": "", "head": source, "optimizer": row["optimizer"],
                                                "grad_accum": "", "micro_batch": "", "recompute": "", "dropout": ""}


def sets(results):
    """{name: rows} for the sets that have goals."""
    trusted = [r for r in results if r.row["quality"] == "A"]
    bits16 = [r for r in trusted if r.row["precision"].endswith("-amp")]
    return {"all": results, "quality A": trusted, "quality A in 16 bit": bits16,
            "quality A in fp32 and tf32": [r for r in trusted if r not in bits16]}


def predict(args, data):
    return ModernTable(pathlib.Path(data) / FILE, args.manifest).predict(args.tool, args.jobs)


def run(args):
    results, skipped = predict(args, args.data)
    print_table("by network, GPU and precision", results,
                lambda row: f"{row['benchmark']} {row['gpu']} {row['precision']}")
    for name, part in sets(results).items():
        if part:
            print_table(name, part, lambda row: SOURCE)
    for reason, count in skipped.most_common():
        print(f"not mapped: {count} rows: {reason}")
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["benchmark", "gpu", "precision", "batch", "quality", "measured_ms", "predicted_ms",
                            "error_percent", "inside"])
            for r in results:
                table.writerow([r.row["benchmark"], r.row["gpu"], r.row["precision"], r.row["batch"], r.row["quality"],
                                r.label["time"], f"{r.predicted('time'):.3f}", f"{r.error('time'):.1f}",
                                int(bool(r.inside("time")))])
    return 0 if results else 1


def checks(args, data):
    """Time of modern training runs, by set of rows."""
    results, _ = predict(args, data)
    parts = sets(results)
    for name, limit in GATES.items():
        yield gates.mape(f"{SOURCE} {name} time", errors(parts[name], "time"), limit)
