# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations that serving stacks quantise to fp8 with one scale (serving_rows.py), each shape once.

Boards of the fit are H100 SXM, B200 and L40S; others take their numbers.
"""
import collections

import gates
from serving_rows import SOFTWARE, predict, quantize_kernel, quantize_rows
from validate_mla import print_groups, write_rows

# Mean errors in percent above which the gate fails: just above the current ones. GB200 takes the numbers of B200.
GATES = {"h100-sxm-80gb": 4.2, "b200-sxm": 5.6, "l40s": 8.3, "gb200": 7.8}


def compare(tool, data, gpus=None):
    """[(row, time in us, error in percent)]."""
    groups = collections.defaultdict(list)
    for row in quantize_rows(data):
        if gpus is None or row["gpu"] in gpus:
            groups[row["gpu"], row["stack"]].append(row)
    return [(row, time, 100 * (time / float(row["us"]) - 1))
            for (gpu, stack), rows in sorted(groups.items())
            for row, time in zip(rows, predict(tool, gpu, SOFTWARE[stack], list(map(quantize_kernel, rows))))]


def run(args):
    results = compare(args.tool, args.data)
    for key in (lambda row: (row["gpu"], row["stack"]), lambda row: (row["gpu"],)):
        print_groups(results, key)
    write_rows(args.rows, results)
    return 0 if results else 1


def checks(tool, data):
    """Time of single kernels by board."""
    results = compare(tool, data, GATES)
    for gpu, limit in GATES.items():
        yield gates.mape(f"static quantisation, {gpu}, time", [error for row, _, error in results if row["gpu"] == gpu], limit)
