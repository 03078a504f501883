#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares predictions with measurements.

  validate.py e2e      --measurements e2e.csv [--workloads workloads.csv] [--core time+power]
  validate.py ops      --measurements e2e.csv --ops kernels_ops_fwbw.csv.gz
  validate.py kernels  --measurements TABLE.csv.gz [--family linear] [--no-protocol-terms]
  validate.py schedules --data FOLDER [--out docs/KernelAccuracy.md]
  validate.py accuracy --committed A.json --held-out-model B.json --held-out-gpu C.json --gate D.json --out docs/Accuracy.md
  validate.py modern   --data FOLDER
  validate.py memory   --data FOLDER
  validate.py measured
  validate.py scale    --data FOLDER [--source NAME] [--rows rows.csv] [--out docs/ScaleAccuracy.md]
  validate.py stacks   --data FOLDER [--out docs/StackAccuracy.md]
  validate.py serve    --data FOLDER [--json rows.json]
  validate.py services --data FOLDER [--peer PYTHON] [--rows rows.csv]
  validate.py serving --data FOLDER [--rows rows.csv]
  validate.py diffusion --data FOLDER --graphs FOLDER [--rows rows.csv]
  validate.py decisions --data FOLDER
  validate.py transfer --data FOLDER
  validate.py linear   --data FOLDER
  validate.py allreduce --data FOLDER
  validate.py lowprecision --data FOLDER [--rows rows.csv]
  validate.py attention --data FOLDER [--rows rows.csv]
  validate.py mla      --data FOLDER [--rows rows.csv]
  validate.py moe      --data FOLDER [--rows rows.csv]
  validate.py exchange --data FOLDER [--rows rows.csv]
  validate.py quantize --data FOLDER [--rows rows.csv]
  validate.py sparse   --data FOLDER [--rows rows.csv]
  validate.py xla      --data FOLDER
  validate.py networks --data FOLDER
  validate.py trust    --data FOLDER --committed A.json --out targets/accuracy.csv
  validate.py doors    [--folder FOLDER] [--newest] [--out TABLES.md]
  validate.py gate     [--data FOLDER]

`e2e` runs the tool on every row that the manifest maps and prints, per source, GPU
and mode, the errors of time, power and energy, and the errors of naive predictors:
roofline time, the board limit as power, their product as energy. Rows that it cannot
map are listed with the reason. --protocol refits without the tested model or GPU
(e2e_protocols.py). `ops` compares the forward and the backward pass with their measured
times, whole and as the sum of their operators. `kernels` compares tables of single
kernels (kernel_tables.py describes their benchmarks). `schedules` compares the order of
schedules with measured and tuned ones. `accuracy` writes the page, its tables and its
figures (Matplotlib) from the JSON output of `e2e`, by the three protocols, and `gate`.
`modern` compares training steps of current PyTorch by network (validate_modern.py); `e2e`
adds them to its rows if their table is next to its table. `memory` compares peak memory
with allocators' counters, also rank by rank, and slopes over the batch (validate_memory.py). `serve` compares
prompts and decode steps of serving stacks, and their power, with measurements and peers
(validate_serve.py). `services` compares times per output token, times to the first token and
the order of plans with measured services, and with a peer if --peer is a Python with it
(validate_services.py), `serving` published tables of steps, energy and offline rates (validate_serving.py). `decisions` judges chosen clocks and power limits
(validate_decisions.py). `transfer` compares times that are transferred from a measured GPU
with measurements on the other GPU (validate_transfer.py). `linear` compares linear attention
and short convolutions by serving stack (validate_linear.py). `scale` compares training steps
on many GPUs (validate_scale.py). `allreduce` compares all-reduces inside a node by serving
stack (validate_all_reduce.py), `lowprecision` linear layers in 8 and 4 bits
(validate_low_precision.py), `attention` attention by stack and format
(validate_attention.py), `mla` latent attention and `moe` expert layers by stack (validate_mla.py,
validate_moe.py), `exchange` exchanges between the GPUs of experts (validate_exchange.py),
`quantize` the quantisation of activations (validate_quantize.py), `sparse` blocks of sparse attention (validate_sparse.py), `xla` matmuls and collectives of AMD boards (validate_xla.py).
`networks` compares collectives between nodes and inside an NVL72
(validate_networks.py). `trust` writes the errors by source, board, kind and format that
the tool embeds (measured_accuracy.py). `diffusion` compares image and video pipelines
(validate_diffusion.py). `measured` compares kernels,
loads and networks with the project's measurements (validate_measured.py). `doors` exports
modules and networks by all front ends and compares the predictions for their files
(validate_doors.py; installs packages, takes hours, and needs no measurements). `gate` fails
above the thresholds of continuous integration: for the project's measurements, and with
--data for public ones.
"""
import argparse
import collections
import csv
import dataclasses
import json
import pathlib
import sys

import accuracy_figures
import accuracy_page
import accuracy_tables
import e2e_protocols
import e2e_report
import e2e_rows
import gates
import kernel_tables
import measured_accuracy
import stack_page
import validate_all_reduce
import validate_attention
import validate_decisions
import validate_diffusion
import validate_doors
import validate_exchange
import validate_kernels
import validate_linear
import validate_low_precision
import validate_measured
import validate_memory
import validate_mla
import validate_modern
import validate_moe
import validate_networks
import validate_quantize
import validate_scale
import validate_schedules
import validate_serve
import validate_services
import validate_serving
import validate_sparse
import validate_transfer
import validate_xla
from e2e_rows import errors, mode_of, number
from error_statistics import describe

ROOT = e2e_rows.ROOT
# Mean error, in percent, above which the gate fails: just above the current error.
GATES = {
    ("energaizer", "inference"): {"time": 2.7, "power": 3.2, "energy": 3.1},
    ("neusight", "inference"): {"time": 5.0},
    ("neusight", "training"): {"time": 2.5},
    ("zeus", "training"): {"time": 3.0, "power": 3.0, "energy": 3.9},
    ("lambdal", "training"): {"time": 4.4},
    ("dle", "training"): {"time": 8.6},
    ("mosaicml-mpt", "training"): {"time": 3.0},
}
# Likewise for rows whose label the measurement data mark as doubtful.
DOUBTFUL_GATES = {
    ("zeus", "training"): {"time": 14.5, "power": 3.0},
    ("lambdal", "training"): {"time": 14.5},
    ("mosaicml-mpt", "training"): {"time": 16.0},
}


def load(args, wanted):
    beside = pathlib.Path(args.measurements).parent / "workloads.csv"
    workloads = args.workloads or (beside if beside.exists() else None)
    return e2e_rows.Table(args.measurements, workloads, args.manifest, wanted)


def selected(args):
    core = args.core.split(",") if args.core else None
    return lambda row: (not core or row["core"] in core) and (not args.source or row["source"] == args.source)


def run_e2e(args):
    results, skipped = e2e_protocols.predict(args, load(args, selected(args)))
    modern = pathlib.Path(args.measurements).parent / validate_modern.FILE
    if modern.exists():
        table = validate_modern.ModernTable(modern, args.manifest)
        table.rows = [row for row in table.rows if selected(args)(row)]
        found, without = table.predict(args.tool, args.jobs)
        results += found
        skipped.update(without)
    if not results:
        print("validate.py: no row was predicted", file=sys.stderr)
    e2e_report.print_table("all", results, lambda row: "all")
    e2e_report.print_table("by source, board and mode", results,
                           lambda row: f"{row['source']} {e2e_report.board(row)} {mode_of(row)}")
    e2e_report.print_table("by model", results, lambda row: f"{row['source']} {e2e_report.model(row)}")
    for reason, count in skipped.most_common():
        print(f"not mapped: {count} rows: {reason}")
    if args.out:
        tables = [e2e_report.markdown("By source, board and mode", results,
                                      lambda row: f"{row['source']}, {e2e_report.board(row)}, {mode_of(row)}"),
                  e2e_report.markdown("By model", results, lambda row: f"{row['source']} {e2e_report.model(row)}")]
        pathlib.Path(args.out).write_text("\n".join([f"# Errors, protocol {args.protocol}\n", *tables]))
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps([result.to_json() for result in results]))
    return 0 if results else 1


def run_accuracy(args):
    found = {}
    for protocol in e2e_protocols.PROTOCOLS:
        rows = json.loads(pathlib.Path(getattr(args, protocol.replace("-", "_"))).read_text())
        if protocol != "committed":  # elsewhere the shipped files are held out
            rows = [row for row in rows if row["row"]["source"] in e2e_protocols.FITTED]
        found[protocol] = [e2e_rows.Prediction.from_json(row) for row in rows]
    out = pathlib.Path(args.out)
    figures = {check["name"]: check["value"] for check in json.loads(pathlib.Path(args.gate).read_text())}
    out.write_text(accuracy_page.page(found, figures))
    (out.parent / "AccuracyTables.md").write_text(accuracy_tables.page(found))
    accuracy_figures.write(found["committed"], out.parent / "figures")
    return 0


def run_ops(args):
    """GPU time of each pass compared with the timed pass and the sum of its timed
    operators."""
    with validate_kernels.opened(args.ops) as file:
        shares = {(op["gpu"], op["workload"]): op for op in csv.DictReader(file)}
    results, _ = load(args, lambda row: row["source"] == "neusight" and row["core"]).predict(args.tool, args.jobs)
    groups = collections.defaultdict(list)
    for result in results:
        row = result.row
        share = shares.get((row["gpu"], row["workload_id"].split("/")[-1]))
        for phase, column in (("forward", "fw"), ("backward", "bw")):
            time = number(row[f"{column}_ms"])
            if not time:
                continue
            busy = next(p["gpu_busy_ms"] for p in result.report["phases"] if p["phase"] == phase)
            ratio = number(share[f"trace_{column}_ratio"]) if share else None
            groups[row["mode"], phase, "timed pass"].append(100 * (busy / time - 1))
            if ratio:
                groups[row["mode"], phase, "sum of operators"].append(
                    100 * (busy / (time * ratio) - 1))
            print(f"{row['gpu']:16s} {row['workload_id'].split('/')[-1]:26s} {phase:9s} "
                  f"predicted {busy:8.1f} ms  timed {time:8.1f}"
                  + (f"  operators {time * ratio:8.1f}" if ratio else ""))
    for name in sorted(groups):
        print(f"{' '.join(name):38s} n {len(groups[name]):3d} {describe(groups[name])}")
    return 0


def iteration_checks(results):
    """Whole iterations by source; rows with doubtful labels are separate."""
    for limits_of, doubtful in ((GATES, False), (DOUBTFUL_GATES, True)):
        for (source, mode), limits in limits_of.items():
            part = [r for r in results
                    if (r.row["source"], mode_of(r.row), bool(r.caveat)) == (source, mode, doubtful)]
            for what, limit in limits.items():
                yield gates.mape(f"{source} {mode}{', label in doubt,' if doubtful else ''} {what}",
                                 errors(part, what), limit)


def public_checks(args):
    """Checks against tables in `args.data`, which are not part of this project."""
    data = pathlib.Path(args.data)
    args.measurements, args.workloads = data / "e2e.csv", data / "workloads.csv"
    table = load(args, lambda row: row["core"] and (row["source"], mode_of(row)) in GATES)
    results, skipped = table.predict(args.tool, args.jobs)
    print(f"gate: {len(results)} rows mapped, {sum(skipped.values())} not: {dict(skipped)}")
    yield gates.Check("rows of whole iterations that are not mapped", sum(skipped.values()), len(results) - 1)
    yield from iteration_checks(results)
    for more in (validate_modern.checks(args, data), validate_memory.checks(args), validate_serve.checks(args, data),
                 validate_services.checks(args, data), validate_serving.checks(args, data),
                 validate_kernels.checks(args.tool, data), validate_linear.checks(args.tool, data),
                 validate_all_reduce.checks(args.tool, data), validate_low_precision.checks(args.tool, data),
                 validate_attention.checks(args.tool, data), validate_xla.checks(args.tool, data),
                 validate_networks.checks(args.tool, data), validate_mla.checks(args.tool, data),
                 validate_moe.checks(args.tool, data), validate_exchange.checks(args.tool, data),
                 validate_quantize.checks(args.tool, data), validate_sparse.checks(args, data),
                 validate_scale.checks(args, data),
                 validate_schedules.checks(args.tool, data)):
        yield from more


def run_gate(args):
    checks = list(validate_measured.checks(args))
    if args.data:
        checks += public_checks(args)
    good = gates.report(checks)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps([dataclasses.asdict(check) for check in checks], indent=1))
    return 0 if good else 1


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    subs = {}
    for name, run in (("e2e", run_e2e), ("ops", run_ops), ("kernels", validate_kernels.run),
                      ("schedules", validate_schedules.run), ("accuracy", run_accuracy),
                      ("modern", validate_modern.run), ("memory", validate_memory.run),
                      ("measured", validate_measured.run), ("serve", validate_serve.run),
                      ("services", validate_services.run), ("serving", validate_serving.run),
                      ("decisions", validate_decisions.run), ("transfer", validate_transfer.run),
                      ("linear", validate_linear.run), ("scale", validate_scale.run),
                      ("allreduce", validate_all_reduce.run), ("lowprecision", validate_low_precision.run),
                      ("attention", validate_attention.run), ("xla", validate_xla.run),
                      ("networks", validate_networks.run),
                      ("mla", validate_mla.run), ("moe", validate_moe.run), ("exchange", validate_exchange.run),
                      ("quantize", validate_quantize.run), ("sparse", validate_sparse.run),
                      ("stacks", stack_page.run),
                      ("diffusion", validate_diffusion.run),
                      ("trust", measured_accuracy.run),
                      ("doors", validate_doors.run),
                      ("gate", run_gate)):
        sub = subs[name] = commands.add_parser(name)
        sub.add_argument("--tool", default=str(ROOT / "build" / "bin" / "gpu-cost-opt"))
        sub.add_argument("--manifest", default=str(ROOT / "lab" / "validate" / "manifest.json"))
        sub.add_argument("--jobs", type=int, default=2)
        sub.set_defaults(run=run)
    for name in ("e2e", "ops", "kernels"):
        subs[name].add_argument("--measurements", required=True, nargs="+" if name == "kernels" else None)
    for name in ("e2e", "ops"):
        subs[name].add_argument("--workloads", help="protocol columns (head, ...) by workload id; default: "
                                                    "workloads.csv next to the measurements")
    for name in ("e2e", "accuracy", "scale", "stacks"):
        subs[name].add_argument("--out", required=name == "accuracy", help="write the page here")
    subs["trust"].add_argument("--committed", required=True, help="output of e2e --json")
    subs["trust"].add_argument("--out", required=True, help="write the table here")
    for protocol in e2e_protocols.PROTOCOLS:
        subs["accuracy"].add_argument(f"--{protocol}", required=True, help="output of e2e --json")
    subs["accuracy"].add_argument("--gate", required=True, help="output of gate --json")
    for name in ("allreduce", "attention", "diffusion", "exchange", "linear", "lowprecision", "mla", "modern", "moe", "networks", "quantize",
                 "scale", "services", "serving", "sparse"):
        subs[name].add_argument("--rows", help="write a row of CSV for each measured row here")
    for name in ("allreduce", "attention", "decisions", "diffusion", "exchange", "gate", "linear", "lowprecision", "memory", "mla", "modern", "moe",
                 "networks", "quantize", "scale", "serve", "services", "serving", "sparse", "stacks", "transfer", "trust", "xla"):
        subs[name].add_argument("--data", required=name != "gate")
    subs["schedules"].add_argument("--data", required=True, help="folder of the measured schedules")
    subs["schedules"].add_argument("--out", help="write the section here")
    subs["e2e"].add_argument("--study", help="folder of the studies' parameters, where a fit starts from")
    subs["ops"].add_argument("--ops", required=True)
    subs["e2e"].add_argument("--core", help="comma-separated values of the core column")
    for name in ("e2e", "scale"):
        subs[name].add_argument("--source")
    subs["e2e"].add_argument("--protocol", choices=e2e_protocols.PROTOCOLS, default="committed")
    subs["e2e"].add_argument("--json", help="write every row's prediction here")
    subs["measured"].add_argument("--json", help="write the signed errors by group here")
    subs["serve"].add_argument("--json", help="write every row's labels and predictions here")
    subs["services"].add_argument("--peer", help="Python in whose environment aiconfigurator 0.12 is installed")
    subs["gate"].add_argument("--json", help="write every figure here")
    subs["diffusion"].add_argument("--graphs", required=True, help="folder that models/export_diffusion.py wrote")
    validate_doors.add_arguments(subs["doors"])
    subs["kernels"].add_argument("--protocol", choices=("committed", "held-out-gpu"), default="committed",
                                 help="held-out-gpu: tensor-core products with the coefficients of other GPUs "
                                      "(held out by shape: lab/fit/fit_kernels.py --folds)")
    subs["kernels"].add_argument("--family", default="", choices=["", *kernel_tables.FAMILIES, *kernel_tables.GROUPS])
    subs["kernels"].add_argument("--no-protocol-terms", dest="protocol_terms", action="store_false",
                                 help="unmodified kernels, without terms that the benchmark adds")
    subs["kernels"].add_argument("--out", help="write the table here")
    return parser.parse_args()


def main():
    args = parse()
    try:
        return args.run(args)
    except (OSError, csv.Error, UnicodeDecodeError, json.JSONDecodeError) as error:
        print(f"validate.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
