#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits on measured whole models: functions of refit.py and of `validate.py --protocol`.

`fit_time` adjusts a few shared physical parameters (PARAMETERS below) to match the
tool's iteration times with EnergAIzer's rows: soft-L1 loss on log errors with equal
weight for each GPU, model and precision, and a Gaussian prior on the log of each
parameter around the kernel studies' value. `fit_power` then fits the five event energies
of a GPU by ridge regression towards the study's values, given the predicted times.
`fit_volta` fits one factor for the event energies of V100, and one for those of other
boards before Ampere, to V100 training runs below the power limit (Zeus).

Each function takes coefficient texts {file stem: text} and returns new ones; a
Fit provides rows and the tool. Requires NumPy and SciPy.
"""
import collections
import pathlib
import re
import sys
import tempfile

import numpy as np
from scipy.optimize import least_squares, lsq_linear

from coefficient_files import add_provenance, file_of, read_field, replace_field, soft_l1, write_all
from fit_measured import MEASURED
from study_power import IDLE_BASE_SHARE, PRE_AMPERE_KNEE, PRE_AMPERE_RISE

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab" / "validate"))
import e2e_rows  # noqa: E402

EVERY = "*"
A100 = ("a100-pcie-40gb", "a100-pcie-80gb", "a100-sxm-40gb", "a100-sxm-80gb")
GA102 = ("a10", "a40")
GV100 = ("v100-pcie", "v100-sxm")
LIKE_VOLTA = ("p100-pcie-16gb", "p4", "quadro-rtx6000", "t4")

# Files, group, field, prior value, prior sigma of the logarithm, upper bound.
PARAMETERS = [
    # As measured with kernels on H100.
    (EVERY, "streaming", "issue_scale", 0.684, 0.15, None),
    (EVERY, "streaming", "broadcast_slots", 90.0, 0.3, None),
    (EVERY, "tensor_gemm", "convolution_efficiency", 0.7, 0.2, 1.05),
    (EVERY, "runtime", "kernel_gap_cycles", 4500, 0.15, None),
    # The value of A100, which has the same architecture; L40S's 13.9 bytes at 2.52 GHz as bytes per second and SM,
    # at 1.695 GHz, because L2 has a separate clock.
    (GA102, "tensor_gemm", "efficiency", 0.968, 0.12, 1.0),
    (GA102, "tensor_gemm", "l2_bytes_per_clock", 20.7, 0.2, None),
]
NOISE = 0.06  # soft-L1 scale of log errors
PRIOR_WEIGHT = 0.25
EACH = 4  # rows per GPU, model and precision in the fit of times
EVALUATIONS = 12
EVENTS = ("per_tensor_flop", "per_fp32_flop", "per_instruction", "per_dram_byte", "per_sm_cycle")
RIDGE = 0.3
# Boards with power rows: number of SMs, and the files that receive the fit.
POWER_BOARDS = {"a100-pcie-40gb": (108, A100), "a10": (72, GA102)}
V100_SMS, V100_LIMIT = 80, 250


class Fit:
    """Rows of the data folder, the tool, and the number of parallel runs."""

    def __init__(self, data, tool, jobs):
        data = pathlib.Path(data)
        self.tool, self.jobs = tool, jobs
        self.table = e2e_rows.Table(data / "e2e.csv", data / "workloads.csv", ROOT / "lab" / "validate" / "manifest.json",
                                    lambda row: row["core"] == "time+power")

    def rows(self, source):
        return [row for row in self.table.rows if row["source"] == source]

    def predict(self, rows, texts, extra=()):
        """([Prediction] of `rows` with these coefficient texts, skipped by reason)."""
        with tempfile.TemporaryDirectory() as folder:
            write_all(texts, folder)

            def flags(row):
                return [f"--coefficients={folder}/{file_of(row['gpu'], texts)}.mlir", *extra]
            return self.table.predict(self.tool, self.jobs, rows, flags)

    def run(self, rows, texts, extra=()):
        return self.predict(rows, texts, extra)[0]


def class_of(row):
    return row["gpu"], row["model"], row["precision"]


def spread(rows, each):
    """At most `each` rows per GPU, model and precision, evenly spaced."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[class_of(row)].append(row)
    return [group[i * len(group) // min(each, len(group))]
            for group in groups.values() for i in range(min(each, len(group)))]


def fit_time(fit, texts, keep=lambda row: True):
    """`texts` with PARAMETERS refined on the EnergAIzer rows for which `keep` is
    true."""
    prior = np.array([p[3] for p in PARAMETERS])
    sigma = np.array([p[4] for p in PARAMETERS])
    train = spread([row for row in fit.rows("energaizer") if keep(row)], EACH)

    def values(z):
        return [min(v, p[5] or v) for v, p in zip(prior * np.exp((z - 1) * sigma), PARAMETERS)]

    def edited(z):
        changed = dict(texts)
        for (files, group, field, *_), value in zip(PARAMETERS, values(z)):
            for stem in changed if files is EVERY else files:
                # Some boards have no tensor cores; coefficients determined by the board's
                # kernels are not changed.
                if f"#{group} = " in changed[stem] and (stem, group) not in MEASURED:
                    changed[stem] = replace_field(changed[stem], group, field, value)
        return changed

    def residuals(z):
        results = fit.run(train, edited(z))
        count = collections.Counter(class_of(result.row) for result in results)
        weight = np.array([count[class_of(result.row)] ** -0.5 for result in results])
        error = np.array([np.log(result.predicted("time") / result.label["time"]) for result in results])
        return np.concatenate([soft_l1(error, NOISE) * weight, PRIOR_WEIGHT * (z - 1)])

    found = least_squares(residuals, np.ones(len(PARAMETERS)), diff_step=0.2, max_nfev=EVALUATIONS).x
    for parameter, value in zip(PARAMETERS, values(found)):
        print(f"  {parameter[1]}.{parameter[2]} {parameter[3]:g} -> {value:.5g}", flush=True)
    return edited(found)


def power_row(text, report, sm_count):
    """Idle power and the watts per pJ of each event energy at the row's clock."""
    def field(name):
        return read_field(text, "power", name)
    iteration = report["iteration"]
    clock = iteration["clock_mhz"]
    points = [(float(c), float(v)) for c, v in
              re.findall(r"<clock = ([0-9.]+) MHz, voltage = ([0-9.]+) mV>", text)]
    if not points:  # the generic curve up to the board's maximum, at which the row ran
        points = [(field("generic_knee") * clock, 1.0), (clock, field("generic_max"))]
    volts = lambda f: np.interp(f, [p[0] for p in points], [p[1] for p in points])
    ratio = volts(clock) / volts(field("reference_clock"))
    idle = (field("idle_base") + field("idle_voltage") * ratio ** 3
            + field("idle_clock") * clock * 1e-3 * ratio ** 2)
    onchip = ratio ** field("voltage_exponent")
    events, seconds = iteration["events"], iteration["time_ms"] * 1e-3
    busy = min(iteration["gpu_busy_ms"] * 1e-3, seconds)
    counts = np.array([events["tensor_flops"] * onchip, events["fp32_flops"] * onchip,
                       events["instructions"] * onchip, events["dram_bytes"],
                       sm_count * clock * 1e6 * busy * onchip])
    return idle, counts * 1e-12 / seconds


def energies(text):
    return np.array([read_field(text, "power", event) for event in EVENTS])


def with_energies(texts, files, values):
    changed = dict(texts)
    for stem in files:
        for event, value in zip(EVENTS, values):
            changed[stem] = replace_field(changed[stem], "power", event, value)
    return changed


def power_fit(text, results, sm_count):
    """Factors on the event energies of `text`: ridge regression towards 1."""
    prior, matrix, target = energies(text), [], []
    for result in results:
        idle, watts = power_row(text, result.report, sm_count)
        matrix.append(watts * prior / result.label["power"])
        target.append((result.label["power"] - idle) / result.label["power"])
    weight = RIDGE * len(target) ** 0.5
    return lsq_linear(np.vstack([np.array(matrix), weight * np.eye(len(EVENTS))]),
                      np.concatenate([target, weight * np.ones(len(EVENTS))]), bounds=(0, np.inf)).x


def fit_power(fit, texts, keep=lambda row: True):
    """`texts` with the event energies of POWER_BOARDS refined on the EnergAIzer rows for which `keep` is
    true."""
    results = fit.run([row for row in fit.rows("energaizer") if keep(row)], texts)
    for gpu, (sm_count, files) in POWER_BOARDS.items():
        # If throttled, power equals the limit and carries no information about
        # energies.
        part = [result for result in results
                if result.row["gpu"] == gpu and not result.report["iteration"]["throttled"]]
        if not part:
            continue
        prior, scale = energies(texts[gpu]), power_fit(texts[gpu], part, sm_count)
        for event, old, factor in zip(EVENTS, prior, scale):
            print(f"  {gpu} {event} {old:g} pJ -> {old * factor:.5g} pJ", flush=True)
        texts = with_energies(texts, files, prior * scale)
    return texts


def volta_factor(fit, texts, keep):
    """One factor on V100's event energies from the Zeus rows for which `keep` is true; None without such
    rows."""
    shares = []
    # Without a limit, the tool uses the clock at which the board ran. Average power does
    # not depend on padding, so rows with that caveat are used.
    for result in fit.run([row for row in fit.rows("zeus") if keep(row)], texts, ["--power-limit=10000"]):
        row, power = result.row, result.label["power"]
        if power > 0.95 * float(row["power_limit_w"]):
            continue
        text = texts[file_of(row["gpu"], texts)]
        idle, watts = power_row(text, result.report, V100_SMS)
        shares.append((power - idle) / (watts * energies(text)).sum())
    if not shares:
        return None
    factor = float(np.median(shares))
    print(f"  V100 energies x {factor:.4f} from {len(shares)} rows, {min(shares):.3f} to {max(shares):.3f}", flush=True)
    return factor


def fit_volta(fit, texts, keep=lambda row: True):
    """`texts` with one factor on the event energies of V100, and one for the boards that follow it, computed for a
    V100
    with the voltage curve and idle power that are assumed for these boards."""
    assumed = dict(texts)
    for field, value in (("generic_knee", PRE_AMPERE_KNEE), ("generic_max", PRE_AMPERE_RISE),
                         ("idle_base", IDLE_BASE_SHARE * V100_LIMIT)):
        assumed["v100-pcie"] = replace_field(assumed["v100-pcie"], "power", field, value)
    changed = texts
    for files, start in ((GV100, texts), (LIKE_VOLTA, assumed)):
        factor = volta_factor(fit, start, keep)
        for stem in files if factor else ():
            changed = with_energies(changed, [stem], energies(changed[stem]) * factor)
    return changed


# Step, source of its rows, groups that it changes, and note for their provenance.
STEPS = (
    (fit_time, "energaizer", sorted({p[1] for p in PARAMETERS}), "time refined on EnergAIzer whole networks, 2026-11, errors in docs/Accuracy.md"),
    (fit_power, "energaizer", ["power"], "power refined on EnergAIzer whole networks, 2026-11, errors in docs/Accuracy.md"),
    (fit_volta, "zeus", ["power"], "one factor from Zeus training runs, 2026-11, errors in docs/Accuracy.md"),
)


def fit_all(fit, texts, keep=lambda row: True, known=None):
    """Runs all steps in order, each on the result of the previous ones. `known` caches results for
    calls with the same rows and texts."""
    known = {} if known is None else known
    for step, source, groups, note in STEPS:
        rows = tuple(row["workload_id"] for row in fit.rows(source) if keep(row))
        key = step, rows, tuple(sorted(texts.items()))
        if key not in known:
            known[key] = step(fit, texts, keep)
        changed = dict(known[key])
        for stem, text in changed.items():
            for group in groups if text != texts[stem] else ():
                start = text.find(f"#{group} = ")
                if start >= 0 and text[start:text.index(">\n\n", start)] not in texts[stem]:
                    changed[stem] = text = add_provenance(text, group, note)
        texts = changed
    return texts
