# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All-reduces of serving stacks inside a node: rows of the table of aiconfigurator.

Each row is one message of 2 to 8 GPUs, timed by one release of a stack in a CUDA graph; eager rows, which contain the
launch, and flagged ones are left out. The tool predicts each with that release, and with NCCL alone. L40S and GB200 are not
judged: hosts of L40S differ by a factor of ten, GB200's rows by two.
"""
import collections
import csv
import io
import pathlib
import subprocess

import gates
from error_statistics import Errors
from kernel_tables import PRODUCTS, RELEASES

TABLE = "wave3/aic/custom_allreduce_by_stack.csv"
JUDGED = ("a100-sxm-80gb", "h100-sxm-80gb", "b200-sxm")
MIB = 2**20
MOST_GPUS = 8
# Messages in bytes: more than the first number, up to the second.
SIZES = {"to 1 MiB": (0, MIB), "1 to 8 MiB": (MIB, 8 * MIB), "above": (8 * MIB, float("inf"))}
# Mean error of messages up to 1 MiB, in percent, above which the gate fails: just above the current error.
GATES = {"a100-sxm-80gb": 5.5, "h100-sxm-80gb": 4.0, "b200-sxm": 4.5}


def is_judged(row):
    return row["mode"] != "eager" and not row["flag"] and int(row["num_gpus"]) <= MOST_GPUS


def software_of(row):
    return RELEASES[row["stack"]].get(row["version"], PRODUCTS[row["stack"]])


def predict(tool, gpu, software, rows):
    """{(GPUs, bytes): answer} of the tool."""
    shapes = sorted({(row["num_gpus"], row["bytes"]) for row in rows})
    queries = "family,op,gpus,message_bytes\n" + "".join(f"collective,all_reduce,{n},{size}\n" for n, size in shapes)
    answer = subprocess.run([tool, f"--target={gpu}-bf16", f"--software={software}", "--kernels=-",
                             "--report=csv"], input=queries, capture_output=True, text=True)
    if answer.returncode:
        raise OSError(f"{gpu}, {software}: {answer.stderr.strip()}")
    return dict(zip(shapes, csv.DictReader(io.StringIO(answer.stdout))))


def compare(tool, data):
    """[(row, answer, NCCL's answer)] of the judged rows."""
    with open(pathlib.Path(data) / TABLE, newline="") as file:
        rows = [row for row in csv.DictReader(file) if is_judged(row)]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["gpu"], software_of(row)].append(row)
    found = []
    for (gpu, software), part in sorted(groups.items()):
        own, nccl = predict(tool, gpu, software, part), predict(tool, gpu, "pytorch", part)
        found += [(row, *(answers[row["num_gpus"], row["bytes"]] for answers in (own, nccl))) for row in part]
    return found


def error(row, answer):
    """Signed, in percent."""
    return 100 * (float(answer["time_us"]) / float(row["us"]) - 1)


def is_inside(row, answer):
    return float(answer["time_low_us"]) <= float(row["us"]) <= float(answer["time_high_us"])


def is_of(row, size):
    low, high = SIZES[size]
    return low < int(row["bytes"]) <= high


def line(name, results):
    parts = []
    for size in SIZES:
        part = [result for result in results if is_of(result[0], size)]
        if part:
            own, nccl = (Errors([error(result[0], result[i]) for result in part]).mean for i in (1, 2))
            inside = sum(is_inside(*result[:2]) for result in part)
            parts.append(f"{size}: n {len(part):4d} mean {own:5.1f} (NCCL {nccl:5.1f}) inside {100 * inside // len(part):3d} %")
    return f"{name:36s} " + "; ".join(parts)


def run(args):
    results = compare(args.tool, args.data)
    for title, key in (("GPU, stack and release", lambda row: (row["gpu"], row["stack"], row["version"])),
                       ("GPU", lambda row: (row["gpu"],))):
        groups = collections.defaultdict(list)
        for result in results:
            groups[key(result[0])].append(result)
        print(f"== by {title}")
        for group, part in sorted(groups.items()):
            print(line(" ".join(group), part))
    print("== " + ", ".join(JUDGED))
    print(line("all", [result for result in results if result[0]["gpu"] in JUDGED]))
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["gpu", "stack", "version", "num_gpus", "bytes", "measured_us", "predicted_us", "nccl_us"])
            for row, own, nccl in results:
                table.writerow([*(row[name] for name in ("gpu", "stack", "version", "num_gpus", "bytes", "us")),
                                own["time_us"], nccl["time_us"]])
    return 0 if results else 1


def checks(tool, data):
    """Messages up to 1 MiB, by board."""
    results = compare(tool, data)
    for gpu, limit in GATES.items():
        yield gates.mape(f"all-reduce of serving stacks to 1 MiB, {gpu}, time",
                         [error(row, answer) for row, answer, _ in results
                          if row["gpu"] == gpu and is_of(row, "to 1 MiB")], limit)
