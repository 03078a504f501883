# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collectives of GPUs in several nodes, and of the GPUs of an NVL72: rows of public tables.

The tool predicts each row with the network of its system. GB200 is no target: B200, whose NVLink it has, with the network
gb200-nvl72. Rows inside one server are those of the other validators. Rows that cannot be mapped are counted with the reason:
a GPU without a target, or a rate without the time of a message.
"""
import collections
import csv
import gzip
import io
import pathlib
import subprocess

import gates
from error_statistics import Errors

KIB, MIB = 2**10, 2**20
TABLES = ("wave3/comm.csv.gz", "wave3/extra/comm.csv", "wave3/aic/nccl_new_gpus.csv.gz")
OPS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv", "broadcast")
# Target, network and name of the system of a GPU in the tables.
SYSTEMS = {"gb200": ("b200-sxm", "gb200-nvl72"), "b200-sxm": ("b200-sxm", "dgx-b200"),
           "h100-sxm-80gb": ("h100-sxm-80gb", "dgx-h100"), "a100-sxm-80gb": ("a100-sxm-80gb", "dgx-a100"),
           "v100-sxm-32gb": ("v100-sxm-32gb", "jean-zay")}
# Messages in bytes: more than the first number, up to the second.
SIZES = {"below 64 KiB": (0, 64 * KIB - 1), "64 KiB to 4 MiB": (64 * KIB - 1, 4 * MIB), "above": (4 * MIB, float("inf"))}
# Mean error in percent of messages of 64 KiB and more on 16 to 72 GPUs, above which the gate fails.
GATES = {"all_reduce": 8.0, "all_gather": 7.5, "reduce_scatter": 8.5}


def rows_of(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            yield {"gpu": row["gpu"].rstrip("?"), "op": row.get("op") or row.get("op_name"),
                   "gpus": row.get("gpus") or row.get("num_gpus"), "nodes": row.get("nodes") or "1",
                   "bytes": row.get("bytes") or row.get("message_bytes") or "",
                   "time_us": row.get("time_us") or row.get("us") or "",
                   "tool": "NCCL" if "op_name" in row else "XLA" if "xla" in row["source"] else "nccl-tests"}


def why_not(row):
    """Why a row is not compared; "" if it is."""
    if row["nodes"] == "1" and row["gpu"] != "gb200":
        return "inside a server"
    if row["gpu"] not in SYSTEMS:
        return f"{row['gpu']} is no target"
    if row["op"] not in OPS:
        return f"{row['op']}: a rate of a part of an exchange"
    if not (row["bytes"] and row["time_us"]) or float(row["time_us"]) <= 0:
        return f"{row['gpu']}: a rate without a message"
    return ""


def system_of(row):
    return SYSTEMS[row["gpu"]]


def predict(tool, system, rows):
    """{(op, GPUs, bytes): answer} of the tool."""
    target, network = system
    shapes = sorted({(row["op"], row["gpus"], row["bytes"]) for row in rows})
    queries = "family,op,gpus,message_bytes\n" + "".join(f"collective,{op},{n},{size}\n" for op, n, size in shapes)
    answer = subprocess.run([tool, f"--target={target}-bf16", f"--network={network}", "--kernels=-", "--report=csv"],
                            input=queries, capture_output=True, text=True)
    if answer.returncode:
        raise OSError(f"{target}, {network}: {answer.stderr.strip()}")
    return dict(zip(shapes, csv.DictReader(io.StringIO(answer.stdout))))


def compare(tool, data):
    """[(row, answer)], and the number of rows by the reason why they are not compared."""
    skipped, groups = collections.Counter(), collections.defaultdict(list)
    for table in TABLES:
        path = pathlib.Path(data) / table
        for row in rows_of(path) if path.exists() else ():
            reason = why_not(row)
            if reason:
                skipped[reason] += 1
            else:
                groups[system_of(row)].append(row)
    found = []
    for system, rows in sorted(groups.items()):
        answers = predict(tool, system, rows)
        found += [(row, answers[row["op"], row["gpus"], row["bytes"]]) for row in rows]
    return found, skipped


def error(row, answer):
    """Signed, in percent."""
    return 100 * (float(answer["time_us"]) / float(row["time_us"]) - 1)


def is_of(row, size):
    low, high = SIZES[size]
    return low < int(row["bytes"]) <= high


def is_inside(row, answer):
    return not answer["time_low_us"] or float(answer["time_low_us"]) <= float(row["time_us"]) <= float(answer["time_high_us"])


def line(name, results):
    parts = []
    for size in SIZES:
        part = [result for result in results if is_of(result[0], size)]
        if part:
            errors = Errors([error(*result) for result in part])
            inside = sum(is_inside(*result) for result in part)
            parts.append(f"{size}: n {len(part):3d} mean {errors.mean:5.1f} bias {errors.bias:+6.1f} "
                         f"inside {100 * inside // len(part):3d} %")
    return f"{name:48s} " + "; ".join(parts)


def print_groups(title, results, key):
    print(f"== by {title}")
    groups = collections.defaultdict(list)
    for result in results:
        groups[key(result[0])].append(result)
    for group, part in sorted(groups.items()):
        print(line(" ".join(group), part))


def span_of(row):
    return "up to 8 GPUs" if int(row["gpus"]) <= 8 else "above 8 GPUs"


def run(args):
    results, skipped = compare(args.tool, args.data)
    print_groups("system, tool and op", results,
                 lambda row: (system_of(row)[1], row["tool"], span_of(row), row["op"]))
    print_groups("system and GPUs", results, lambda row: (system_of(row)[1], row["tool"], f"{int(row['gpus']):3d} GPUs"))
    for reason, count in skipped.most_common():
        print(f"not mapped: {count} rows: {reason}")
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["gpu", "tool", "op", "gpus", "bytes", "measured_us", "predicted_us"])
            for row, answer in results:
                table.writerow([*(row[name] for name in ("gpu", "tool", "op", "gpus", "bytes", "time_us")),
                                answer["time_us"]])
    return 0 if results else 1


def checks(tool, data):
    """Large domains, messages of 64 KiB and more, by op."""
    results, _ = compare(tool, data)
    for op, limit in GATES.items():
        yield gates.mape(f"collectives of an NVL72, 64 KiB and more, {op}, time",
                         [error(row, answer) for row, answer in results
                          if row["op"] == op and int(row["gpus"]) > 8 and not is_of(row, "below 64 KiB")], limit)
