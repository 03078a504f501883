#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refines coefficients on measured whole networks and writes them back.

  fit_networks.py time  --data FOLDER [--apply] [--hold-out MODEL]
  fit_networks.py power --data FOLDER [--apply] [--hold-out MODEL]
  fit_networks.py volta --data FOLDER [--apply] [--hold-out MODEL]

`time` adjusts a few shared physical parameters (PARAMETERS below) so that the
tool's iteration times meet those of e2e.csv: soft-L1 loss on log errors, each
GPU, model and precision weighing the same, and a Gaussian prior on the log of
each parameter around the kernel studies' value. `power` then fits the five
event energies of a GPU by ridge regression towards the study's values, given
the predicted times: first `time`, then `power`. `volta` finds one factor on the
event energies that V100 boards borrow, from training runs that draw less than
the board's limit (Zeus).

`--hold-out` leaves the rows of one model out of the fit and reports their error.
`--apply` writes calibration/coefficients/*.mlir. Needs NumPy and SciPy.
"""
import argparse
import collections
import csv
import json
import pathlib
import re
import sys
import tempfile

import numpy as np
from scipy.optimize import least_squares, lsq_linear

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "utils"))
import validate  # noqa: E402

COEFFICIENTS = ROOT / "calibration" / "coefficients"
EVERY = "*"
A100 = ("a100-pcie-40gb", "a100-pcie-80gb", "a100-sxm-40gb", "a100-sxm-80gb")
A100_PCIE = ("a100-pcie-40gb", "a100-pcie-80gb")
GA102 = ("a10", "a40")

# Files, group, field, prior of the value, prior sigma of its log, upper bound.
PARAMETERS = [
    (EVERY, "streaming", "issue_scale", 1.0, 0.3, None),
    (EVERY, "streaming", "broadcast_slots", 90.0, 0.3, None),
    (EVERY, "streaming", "l2_bytes_per_clock", 13.5, 0.2, None),
    (EVERY, "tensor_gemm", "convolution_efficiency", 0.7, 0.2, 1.05),
    (EVERY, "runtime", "kernel_gap", 1.0, 0.3, None),
    (A100, "simt_linear", "emax", 0.8449, 0.1, 1.05),
    (A100_PCIE, "tensor_gemm", "l2_bytes_per_clock", 25.64, 0.2, None),
    (GA102, "tensor_gemm", "efficiency", 0.85, 0.12, 1.05),
    (GA102, "tensor_gemm", "l2_bytes_per_clock", 17.0, 0.3, None),
]
NOISE = 0.06  # soft-L1 scale of log errors
PRIOR_WEIGHT = 0.25
EVENTS = ("per_tensor_flop", "per_fp32_flop", "per_instruction", "per_dram_byte", "per_sm_cycle")
RIDGE = 0.1
SOURCE = {"time": "EnergAIzer whole networks", "power": "EnergAIzer whole networks",
          "volta": "Zeus training runs, one factor"}
VOLTA = ("v100-pcie", "v100-sxm")


def replace_field(text, group, field, value):
    """`text` with `field = number` of `#group = ...` set to `value`."""
    start = text.index(f"#{group} = ")
    end = text.index(">\n", start)
    block, count = re.subn(rf"(\b{field} = )-?[0-9.]+(e-?[0-9]+)?", rf"\g<1>{value:.5g}",
                           text[start:end], count=1)
    if count != 1:
        raise ValueError(f"no field {field} in #{group}")
    return text[:start] + block + text[end:]


def read_field(text, group, field):
    start = text.index(f"#{group} = ")
    end = text.index(">\n\n", start)
    return float(re.search(rf"\b{field} = (-?[0-9.e-]+)", text[start:end]).group(1))


def add_provenance(text, group, note):
    """`text` with `note` at the end of the provenance of `#group`."""
    start = text.index(f"#{group} = ")
    quote = text.index('"', text.index("provenance = ", start) + len('provenance = "'))
    if note in text[start:quote]:
        return text
    return text[:quote] + "; " + note + text[quote:]


class Fit:
    """Rows, the tool, and coefficient files under change."""

    def __init__(self, args):
        data = pathlib.Path(args.data)
        self.tool, self.jobs = args.tool, args.jobs
        self.manifest = json.loads((ROOT / "utils" / "manifest.json").read_text())
        with open(data / "workloads.csv", newline="") as file:
            self.workloads = {(w["source"], w["workload_id"]): w for w in csv.DictReader(file)}
        with open(data / "e2e.csv", newline="") as file:
            source = "zeus" if args.what == "volta" else "energaizer"
            self.rows = [r for r in csv.DictReader(file)
                         if r["source"] == source and r["core"] == "time+power"]
        self.texts = {path.stem: path.read_text() for path in COEFFICIENTS.glob("*.mlir")}

    def file_of(self, gpu):
        """Coefficient file of a board: its own, or that of its kind."""
        return next(stem for stem in (gpu, gpu.rsplit("-", 1)[0]) if stem in self.texts)

    def run(self, rows, texts, extra=()):
        """(row, measured, iteration) of every row with these coefficient texts."""
        with tempfile.TemporaryDirectory() as folder:
            jobs = []
            for row in rows:
                path = pathlib.Path(folder, row["gpu"] + ".mlir")
                path.write_text(texts[self.file_of(row["gpu"])])
                workload = self.workloads[(row["source"], row["workload_id"])]
                line = validate.command(self.tool, row, workload, self.manifest)
                if extra:
                    line = [flag for flag in line if not flag.startswith("--power-limit")]
                jobs.append(line + [f"--coefficients={path}", *extra])
            reports = validate.predict_all(jobs, self.jobs)
        return [(row, validate.measured(row, report["iteration"]["samples"]), report)
                for row, (report, error) in zip(rows, reports) if not error]


def classes(results):
    return [(row["gpu"], row["model"], row["precision"]) for row, _, _ in results]


def spread(rows, each):
    """At most `each` rows per GPU, model and precision, evenly spaced."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[(row["gpu"], row["model"], row["precision"])].append(row)
    return [group[i * len(group) // min(each, len(group))]
            for group in groups.values() for i in range(min(each, len(group)))]


def report(title, results):
    for what in ("time", "power", "energy"):
        print(f"{title:24s} {what:6s} n {len(results):4d} "
              f"{validate.describe(validate.errors(results, what))}")


def fit_time(fit, args):
    prior = np.array([p[3] for p in PARAMETERS])
    sigma = np.array([p[4] for p in PARAMETERS])
    train = spread([r for r in fit.rows if r["model"] != args.hold_out], args.each)

    def values(z):
        return [min(v, p[5] or v) for v, p in zip(prior * np.exp((z - 1) * sigma), PARAMETERS)]

    def edited(z):
        texts = dict(fit.texts)
        for (files, group, field, *_), value in zip(PARAMETERS, values(z)):
            for stem in texts if files is EVERY else files:
                if f"#{group} = " not in texts[stem]:
                    continue  # no tensor cores
                texts[stem] = replace_field(texts[stem], group, field, value)
        return texts

    def residuals(z):
        results = fit.run(train, edited(z))
        count = collections.Counter(classes(results))
        weight = np.array([count[c] ** -0.5 for c in classes(results)])
        error = np.array([np.log(report["iteration"]["time_ms"] / label["time"])
                          for _, label, report in results])
        soft = np.sign(error) * np.sqrt(2 * (np.sqrt(1 + (error / NOISE) ** 2) - 1))
        return np.concatenate([soft * weight, PRIOR_WEIGHT * (z - 1)])

    found = least_squares(residuals, np.ones(len(PARAMETERS)), diff_step=0.2,
                          max_nfev=args.evaluations).x
    for parameter, value in zip(PARAMETERS, values(found)):
        print(f"{parameter[1]}.{parameter[2]} {parameter[3]:g} -> {value:.5g}")
    return edited(found)


def power_row(text, report_json, sm_count):
    """Idle power and the watts per unit of each event energy at the row's clock."""
    def field(name):
        return read_field(text, "power", name)
    iteration = report_json["iteration"]
    clock = iteration["clock_mhz"]
    points = [(float(c), float(v)) for c, v in
              re.findall(r"<clock = ([0-9.]+) MHz, voltage = ([0-9.]+) mV>", text)]
    reference = field("reference_clock")
    ratio = 1.0
    if points:
        volts = lambda f: np.interp(f, [p[0] for p in points], [p[1] for p in points])
        ratio = volts(clock) / volts(reference)
    elif clock > reference:  # the generic curve, with the row at the board's maximum
        ratio = field("generic_max")
    idle = (field("idle_base") + field("idle_voltage") * ratio ** 3
            + field("idle_clock") * clock * 1e-3 * ratio ** 2)
    onchip = ratio ** field("voltage_exponent")
    events, seconds = iteration["events"], iteration["time_ms"] * 1e-3
    busy = min(iteration["gpu_busy_ms"] * 1e-3, seconds)
    counts = np.array([events["tensor_flops"] * onchip, events["fp32_flops"] * onchip,
                       events["instructions"] * onchip, events["dram_bytes"],
                       sm_count * clock * 1e6 * busy * onchip])
    return idle, counts * 1e-12 / seconds


def fit_power(fit, args):
    texts = dict(fit.texts)
    boards = {"a100-pcie-40gb": (108, A100), "a10": (72, GA102)}
    results = fit.run(fit.rows, texts)
    for gpu, (sm_count, files) in boards.items():
        prior = np.array([read_field(texts[gpu], "power", e) for e in EVENTS])
        matrix, target = [], []
        for row, label, result in results:
            if row["gpu"] != gpu or row["model"] == args.hold_out:
                continue
            if result["iteration"]["throttled"]:
                continue  # power is the limit there and says nothing of energies
            idle, watts = power_row(texts[gpu], result, sm_count)
            matrix.append(watts * prior / label["power"])
            target.append((label["power"] - idle) / label["power"])
        rows = np.vstack([np.array(matrix), RIDGE * len(target) ** 0.5 * np.eye(len(EVENTS))])
        wanted = np.concatenate([target, RIDGE * len(target) ** 0.5 * np.ones(len(EVENTS))])
        scale = lsq_linear(rows, wanted, bounds=(0, np.inf)).x
        for event, old, factor in zip(EVENTS, prior, scale):
            print(f"{gpu} {event} {old:g} pJ -> {old * factor:.5g} pJ")
            for stem in files:
                texts[stem] = replace_field(texts[stem], "power", event, old * factor)
    return texts


def fit_volta(fit, args):
    texts = dict(fit.texts)
    shares = []
    # Without a limit the tool stays at the clock that the board really ran at.
    for row, label, result in fit.run(fit.rows, texts, ["--power-limit=10000"]):
        if row["model"] == args.hold_out or label["power"] > 0.95 * float(row["power_limit_w"]):
            continue
        idle, watts = power_row(texts[fit.file_of(row["gpu"])], result, 80)
        prior = np.array([read_field(texts[fit.file_of(row["gpu"])], "power", e) for e in EVENTS])
        shares.append((label["power"] - idle) / (watts * prior).sum())
    factor = float(np.median(shares))
    print(f"factor {factor:.4f} from {len(shares)} rows, {min(shares):.3f} to {max(shares):.3f}")
    for stem in VOLTA:
        for event in EVENTS:
            old = read_field(texts[stem], "power", event)
            texts[stem] = replace_field(texts[stem], "power", event, old * factor)
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("time", "power", "volta"))
    parser.add_argument("--data", required=True)
    parser.add_argument("--tool", default=str(ROOT / "build" / "bin" / "gpu-cost-opt"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--each", type=int, default=4, help="rows per GPU, model and precision")
    parser.add_argument("--evaluations", type=int, default=6)
    parser.add_argument("--hold-out", default="")
    parser.add_argument("--apply", action="store_true")
    args = parser.parse_args()
    fit = Fit(args)
    texts = {"time": fit_time, "power": fit_power, "volta": fit_volta}[args.what](fit, args)
    report("before", fit.run(fit.rows, fit.texts))
    results = fit.run(fit.rows, texts)
    report("after", [r for r in results if r[0]["model"] != args.hold_out])
    if args.hold_out:
        report("held out " + args.hold_out, [r for r in results if r[0]["model"] == args.hold_out])
    if args.apply:
        groups = ({p[1] for p in PARAMETERS} if args.what == "time" else {"power"})
        for stem, text in texts.items():
            if text == fit.texts[stem]:
                continue
            for group in groups:
                if f"#{group} = " in text:
                    text = add_provenance(text, group, f"{args.what} refined on {SOURCE[args.what]}")
            (COEFFICIENTS / f"{stem}.mlir").write_text(text)


if __name__ == "__main__":
    main()
