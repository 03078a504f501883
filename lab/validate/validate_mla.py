# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Latent attention by serving stack: new tokens, prompts and the two projections (serving_rows.py), each shape once.

Boards of the fit are H100 SXM and B200; others take their numbers.
"""
import collections
import csv

import gates
from error_statistics import Errors
from serving_rows import SOFTWARE, latent_kernel, latent_rows, predict

FITTED = ("h100-sxm-80gb", "b200-sxm")
# Without HBM or with other tensor cores: the kernels that the tool has for any attention.
OTHERS = ("a100-sxm-80gb", "l40s")
# Mean errors in percent above which the gate fails: just above the current ones.
GATES = {"h100-sxm-80gb": 7.9, "b200-sxm": 8.2}


def compare_rows(tool, table, kernel, gpus=None):
    """[(row, time in us, error in percent)] of the rows of `gpus`, or all; `kernel` writes a row's kernel in the IR."""
    groups = collections.defaultdict(list)
    for row in table:
        if gpus is None or row["gpu"] in gpus:
            groups[row["gpu"], row["stack"]].append(row)
    return [(row, time, 100 * (time / float(row["us"]) - 1))
            for (gpu, stack), rows in sorted(groups.items())
            for row, time in zip(rows, predict(tool, gpu, SOFTWARE[stack], list(map(kernel, rows))))]


def compare(tool, data, gpus=None):
    return compare_rows(tool, [row for row in latent_rows(data) if row["gpu"] not in OTHERS], latent_kernel, gpus)


def print_groups(results, key):
    groups = collections.defaultdict(list)
    for row, _, error in results:
        groups[key(row)].append((float(row["us"]), error))
    for group, rows in sorted(groups.items()):
        large = [error for us, error in rows if us >= 20]
        print(f"{' '.join(group):100s} {Errors([error for _, error in rows]).text()}; from 20 us: "
              f"{Errors(large).mean if large else 0:.1f}")


def write_rows(path, results):
    if not path:
        return
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        names = [name for name in results[0][0] if name not in ("us", "flag")]
        table.writerow([*names, "measured_us", "predicted_us"])
        for row, time, _ in results:
            table.writerow([*(row[name] for name in names), row["us"], f"{time:.6g}"])


def report(args, results, *columns):
    """Prints the errors of the rows with the same values of each of `columns`, writes --rows and returns the exit code."""
    for names in columns:
        print_groups(results, lambda row, names=names: tuple(row[name] for name in names))
    write_rows(args.rows, results)
    return 0 if results else 1


def run(args):
    return report(args, compare(args.tool, args.data), ("gpu", "op", "stack", "kv_dtype"), ("gpu", "op"), ("gpu",))


def checks(tool, data):
    """Time of single kernels by board."""
    results = compare(tool, data, GATES)
    for gpu, limit in GATES.items():
        yield gates.mape(f"latent attention, {gpu}, time", [error for row, _, error in results if row["gpu"] == gpu], limit)
