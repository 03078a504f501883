# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations that serving stacks quantise to fp8 with one scale (serving_rows.py), each shape once.

Boards of the fit are H100 SXM, B200 and L40S; others take their numbers.
"""
import gates
from serving_rows import quantize_kernel, quantize_rows
from validate_mla import compare_rows, report

# Mean errors in percent above which the gate fails: just above the current ones. GB200 takes the numbers of B200.
GATES = {"h100-sxm-80gb": 4.2, "b200-sxm": 5.6, "l40s": 8.3, "gb200": 7.8}


def compare(tool, data, gpus=None):
    return compare_rows(tool, quantize_rows(data), quantize_kernel, gpus)


def run(args):
    return report(args, compare(args.tool, args.data), ("gpu", "stack"), ("gpu",))


def checks(tool, data):
    """Time of single kernels by board."""
    results = compare(tool, data, GATES)
    for gpu, limit in GATES.items():
        yield gates.mape(f"static quantisation, {gpu}, time", [error for row, _, error in results if row["gpu"] == gpu], limit)
