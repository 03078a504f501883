# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`validate.py transfer`: measured on one GPU, transferred to another, compared with measurements there.

Operators of the same models on P100, V100, T4, P4 and A100 (kernels_ops_fwbw_neusight) and their iterations
(e2e.csv). For each ordered pair of GPUs and each model measured on both, `gpu-cost-opt transfer` receives the
operators of the first GPU as a table. Three predictions for the second one:

  plain       the prediction without the measurement
  transfer    the transferred time of the tool
  wave        wave scaling (Yu et al., Habitat, ATC 2021, eq. 2): t_B = (D_A/D_B)^g (W_A/W_B C_A/C_B)^(1-g) t_A with
              bandwidth D, clock C, wave W (threads that run at a time), and g by the arithmetic intensity x against
              the ridge R of B: 1 - x/2R below it, R/2x above. Habitat itself uses trained networks for matmuls,
              which have another kernel on another GPU; this is its rule for all others.

Operators under LEAST us on either GPU are excluded because their time includes the host's dispatch. Operators timed
one by one do not add up to the iteration (`trace_fw_ratio` of the table: 0.94 to 1.51), but operators of a profile
do. Therefore, for iterations, the operators of the first GPU are divided by that ratio, both for transfer and for
wave scaling.
"""
import collections
import csv
import json
import math
import pathlib
import re
import statistics
import subprocess
import tempfile

import e2e_rows
import validate_kernels
from error_statistics import Errors

ROOT = pathlib.Path(__file__).resolve().parents[2]
GPUS = ("p100-pcie-16gb", "v100-pcie-32gb", "t4", "p4", "a100-pcie-40gb")
SHORT = {"p100-pcie-16gb": "P100", "v100-pcie-32gb": "V100", "t4": "T4", "p4": "P4", "a100-pcie-40gb": "A100"}
LEAST = 100.0
FILE = "kernels_ops_fwbw_neusight.csv.gz"
METHODS = ("plain", "transfer", "wave")
# Trace operator -> family and label in reports; exporters write a division by a constant as a
# multiplication.
ELEMENTWISE = {"add": "Add", "mul": "Mul", "truediv": "Mul", "div": "Mul", "gelu": "Gelu", "tanh": "Tanh", "pow": "Pow",
               "relu": "Relu", "activation": "", "sub": "Sub", "masked_fill": "Where"}


def kernel_of(row):
    """(family, op, shape) of a measured operator with the names of a report; None: it has no known launches."""
    inputs = json.loads(row["input_shapes"])
    output = [int(n) for n in re.findall(r"\d+", row["output_shape"])]
    op, count = row["op"], math.prod(output)
    if op == "linear":
        k = inputs[0][-1]
        return "matmul", "", f"m={math.prod(inputs[0]) // k} n={output[-1]} k={k}"
    if op == "addmm":
        (m, k), n = inputs[1], inputs[2][1]
        return "matmul", "", f"m={m} n={n} k={k}"
    if op in ("matmul", "bmm", "baddbmm"):
        a, b = inputs[-2], inputs[-1]
        return "matmul", "", f"b={math.prod(a[:-2])} m={a[-2]} n={b[-1]} k={a[-1]}"
    if op == "softmax":
        return "softmax", "", f"rows={count // output[-1]} cols={output[-1]}"
    if op == "layernorm":
        return "normalization", "", f"rows={count // output[-1]} cols={output[-1]}"
    if op == "contiguous":
        return "data_movement", "", f"n={count}"
    if op == "embedding":
        return "embedding", "", f"n={count}"
    if op in ELEMENTWISE:
        return "elementwise", ELEMENTWISE[op], f"n={count}"
    return None


def read_ops(path):
    """{(gpu, workload): {(family, op, shape): median us}} of the inferences, and {(gpu, workload): sum / iteration}."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    ratios = {}
    with validate_kernels.opened(path) as file:
        for row in csv.DictReader(file):
            if row["gpu"] in GPUS and row["mode"] == "inference" and (kernel := kernel_of(row)):
                found[row["gpu"], row["workload"]][kernel].append(float(row["fw_us"]))
                ratios[row["gpu"], row["workload"]] = float(row["trace_fw_ratio"])
    medians = {key: {kernel: statistics.median(times) for kernel, times in ops.items()} for key, ops in found.items()}
    return medians, ratios


class Facts:
    """GPU facts for wave scaling, from the target file."""

    def __init__(self, gpu):
        text = (ROOT / "targets" / f"{gpu}.mlir").read_text()
        number = lambda pattern: float(re.search(pattern, text)[1])
        self.waves = number(r"\bsms = (\d+)") * number(r"\bthreads = (\d+)")
        self.clock = number(r"\bmax_clock = (\d+)")
        self.bandwidth = number(r"\bdram_bandwidth = (\d+)") * 1e9
        self.peak = number(r"format = fp32, flops_per_clock = \d+, peak = ([\d.]+)") * 1e12


def wave_scaled(time, source, target, intensity):
    """Time on `target` of a kernel that took `time` on `source`; `intensity` is its FLOPs per byte."""
    ridge = target.peak / target.bandwidth
    bound = 1 - 0.5 * intensity / ridge if intensity < ridge else 0.5 * ridge / intensity
    return (time * (source.bandwidth / target.bandwidth) ** bound
            * (source.waves / target.waves * source.clock / target.clock) ** (1 - bound))


def write_table(ops, path, ratio=1.0):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("op", "family", "shape", "time_us"))
        writer.writerows((op, family, shape, us / ratio) for (family, op, shape), us in ops.items() if us >= LEAST)


def transfer(tool, command, table, targets, flags):
    """The tool's result for one model: {gpu: destination}, and the measured kernels."""
    line = [tool, "transfer", *command[1:], f"--measured={table}", "--report=json",
            *(f"--to=target={gpu}-fp32{flags}" for gpu in targets)]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"validate.py: {' '.join(line)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


class Found:
    """Times of one model on one GPU, from a profile of another GPU."""

    def __init__(self, source, target, workload):
        self.source, self.target, self.workload = source, target, workload
        self.ops = []  # (measured, {method: us}, launches)
        self.iteration = None  # (measured, {method: ms}), low and high end of the transferred time
        self.interval = None


def destination_of(report, target):
    return next(d for d in report["destinations"] if d["target"] == target)


def carried(source, target, workload, report, scaled, ops, flops, label):
    """The three predictions for `workload` on `target`; `scaled` is the prediction for operators that add up."""
    found = Found(source, target, workload)
    destination = destination_of(report, target)
    facts, own = Facts(source), Facts(target)
    measured = {key_of(k): k["measured_us"] for k in report["kernels"] if k["measured_us"]}
    truth = by_kernel(ops, destination["kernels"])
    sums = {"wave": 0.0, "measured": 0.0}
    for kernel in destination["kernels"]:
        key = key_of(kernel)
        if key not in measured or kernel["basis"] != "kernel":
            continue
        wave = wave_scaled(measured[key], facts, own, flops.get(key, 0))
        sums["wave"] += wave * kernel["count"]
        sums["measured"] += measured[key] * kernel["count"]
        if key in truth and truth[key] >= LEAST:
            times = {"plain": kernel["predicted_us"], "transfer": kernel["time_us"], "wave": wave}
            found.ops.append((truth[key], times, kernel["count"]))
    if label.get((source, workload)) and label.get((target, workload)):
        destination = destination_of(scaled, target)
        found.iteration = (label[target, workload],
                           {"plain": destination["predicted_time_ms"], "transfer": destination["time_ms"],
                            "wave": label[source, workload] * sums["wave"] / sums["measured"]})
        found.interval = destination["time_low_ms"], destination["time_high_ms"]
    return found


def key_of(kernel):
    return kernel["name"], kernel["label"], kernel["family"], kernel["shape"]


def sizes(shape):
    return {name: size for name, size in (word.split("=") for word in shape.split()) if size not in ("0", "1")}


def by_kernel(ops, kernels):
    """{key: measured us} of the destination's kernels, paired by family, shape and op like in the
    tool."""
    found = {}
    for (family, op, shape), us in ops.items():
        fitting = [k for k in kernels if k["family"] == family and sizes(k["shape"]) == sizes(shape)]
        exact = [k for k in fitting if op and op in k["label"]]
        for kernel in (exact or fitting)[:1]:
            found[key_of(kernel)] = us
    return found


def intensities(tool, command):
    """{key: FLOPs per byte} for the kernels of a report."""
    report, error = e2e_rows.run_tool([tool, *command[1:]])
    if error:
        raise SystemExit(f"validate.py: {error}")
    return {key_of(k): k["flops"] / k["bytes"] for k in report["kernels"] if k["bytes"]}


def evaluate(tool, data, manifest, foreign=False):
    """[Found] for all pairs. `foreign`: the second GPU uses the coefficients of the first, as if it had not been
    calibrated."""
    table = e2e_rows.Table(data / "e2e.csv", data / "workloads.csv", manifest,
                           lambda row: row["source"] == "neusight" and row["gpu"] in GPUS and row["quality"] != "C")
    rows = {(row["gpu"], row["workload_id"].split("/")[-1]): row for row in table.rows}
    label = {key: float(row["iter_time_ms"]) for key, row in rows.items()}
    ops, ratios = read_ops(data / FILE)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for (source, workload), measured in sorted(ops.items()):
            # A GPU without a measured iteration uses the iteration of the other GPUs.
            row = next((dict(rows[gpu, workload], gpu=source) for gpu in (source, *GPUS) if (gpu, workload) in rows), None)
            targets = [gpu for gpu in GPUS if gpu != source and (gpu, workload) in ops]
            if not row or not targets:
                continue
            command = e2e_rows.command(tool, row, table.workload(row), table.manifest)
            command = [word for word in command if word != "--report=json"]
            flops = intensities(tool, [*command, "--report=json"])
            profile = pathlib.Path(folder) / "ops.csv"
            own = ROOT / "targets" / "coefficients" / f"{source}.mlir"
            own = own if own.exists() else own.with_name(re.sub(r"-\d+gb$", "", source) + ".mlir")
            flags = f" coefficients={own}" if foreign else ""
            reports = []
            for ratio in (1.0, ratios[source, workload]):
                write_table(measured, profile, ratio)
                reports.append(transfer(tool, command, profile, targets, flags))
            for target in targets:
                found.append(carried(source, target, workload, *reports, ops[target, workload], flops, label))
    return found


def mape(pairs):
    pairs = list(pairs)
    return f"{Errors.of(pairs).mean:.1f}" if pairs else ""


def row_of(name, part):
    ops = [(truth, times) for each in part for truth, times, _ in each.ops]
    iterations = [each.iteration for each in part if each.iteration]
    inside = [each.interval[0] <= each.iteration[0] <= each.interval[1] for each in part
              if each.iteration and each.interval and each.interval[0]]
    cells = [name, str(len(ops))] + [mape((t, times[m]) for t, times in ops) for m in METHODS]
    cells += [str(len(iterations))] + [mape((t, times[m]) for t, times in iterations) for m in METHODS]
    cells.append(f"{100 * sum(inside) / len(inside):.0f}" if inside else "")
    return "| " + " | ".join(cells) + " |"


def markdown(found):
    lines = ["| from, to | ops | plain % | transfer % | wave % | iterations | plain % | transfer % | wave % | in 80 % PI |",
             "|---|" + "---:|" * 9]
    for source in GPUS:
        for target in GPUS:
            part = [each for each in found if (each.source, each.target) == (source, target)]
            if part:
                lines.append(row_of(f"{SHORT[source]}, {SHORT[target]}", part))
    lines.append(row_of("all", found))
    return "\n".join(lines) + "\n"


def run(args):
    data = pathlib.Path(args.data)
    print(markdown(evaluate(args.tool, data, args.manifest)))
    found = evaluate(args.tool, data, args.manifest, foreign=True)
    print(row_of("all, the second GPU with the coefficients of the first", found))
    return 0
