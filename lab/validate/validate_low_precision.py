# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear layers of serving stacks in 8 and 4 bits: rows of the tables of aiconfigurator (low_precision_rows.py).

A prediction is the sum of the matmul, with the stack as --software, and a copy of the bytes that the kernel which
quantises the activation moves. Each shape counts once. Beside it: a roofline at 80 % of both peaks plus 3 us.
"""
import collections
import csv

import numpy as np

import gates
import validate_kernels
from error_statistics import Errors
from kernel_tables import Unmapped, mapped
from low_precision_rows import read_rows, table

LARGE = 20  # us
SIZES = {"all": (0, np.inf), "from 20 us": (LARGE, np.inf), "from 1 ms": (1e3, np.inf)}
ROOFLINE_SHARE, ROOFLINE_US = 0.8, 3
# Mean errors in percent of all rows and of rows from 20 us above which the gate fails: just above the current ones.
GATES = {("h100-sxm-80gb", "fp8", "vllm 0.24.0"): (9.3, 10.1), ("h100-sxm-80gb", "fp8-block", "vllm 0.24.0"): (8.5, 8.5),
         ("b200-sxm", "nvfp4", "vllm 0.22.0"): (8.2, 8.1), ("b200-sxm", "nvfp4", "sglang 0.5.14"): (11.1, 12.2),
         ("b200-sxm", "fp8", "sglang 0.5.14"): (12.4, 13.8), ("b200-sxm", "fp8-block", "sglang 0.5.14"): (13.4, 14.0),
         ("b200-sxm", "fp8-block", "vllm 0.22.0"): (7.5, 7.5)}


class Result:
    """Times in us of the rows of one table, and the ends of the 80 % intervals."""

    def __init__(self, tool, data, key):
        gpu, kind, stack = key
        self.rows = read_rows(data, *key)
        flags = [f"--software={stack.split()[0]}"]

        def ask(dtype, queries):
            answers, error = validate_kernels.ask(tool, gpu, dtype, queries, flags)
            if error:
                raise Unmapped(error)
            return answers
        layers = ask(kind, [row.matmul for row in self.rows])
        beside, host, self.measured = (np.array(values) for values in (
            [float(answer["time_us"]) for answer in ask("bf16", [row.quantise for row in self.rows])],
            [row.host for row in self.rows], [row.measured for row in self.rows]))
        self.times, self.low, self.high = (
            np.maximum(np.array([float(answer[name]) for answer in layers]) + beside, host)
            for name in ("time_us", "time_low_us", "time_high_us"))
        facts = validate_kernels.probe(tool, gpu, kind)
        flops, moved = (np.array([value(row.matmul) for row in self.rows]) for value in (
            lambda q: 2.0 * q["m"] * q["n"] * q["k"], lambda q: q["m"] * q["k"] + q["n"] * q["k"] + 2.0 * q["m"] * q["n"]))
        self.roofline = ROOFLINE_US + 1e6 / ROOFLINE_SHARE * np.maximum(
            flops / facts["peak_flops_per_s"], moved / facts["dram_bandwidth_bytes_per_s"])

    def errors(self, times, size="all"):
        low, high = SIZES[size]
        where = (self.measured >= low) & (self.measured < high)
        return 100 * (times[where] / self.measured[where] - 1)

    def inside(self):
        return 100 * np.mean((self.low <= self.measured) & (self.measured <= self.high))


def results_of(tool, data, keys):
    found = {}
    for key in keys:
        for result in mapped(len(table(data)[key]), lambda key=key: [Result(tool, data, key)]):
            found[key] = result
    return found


def run(args):
    results = results_of(args.tool, args.data, sorted(table(args.data)))
    for key, result in results.items():
        parts = []
        for size in SIZES:
            own = result.errors(result.times, size)
            if len(own):
                parts.append(f"{size} {len(own):6d}: {Errors(own).mean:5.1f} bias {np.median(own):+5.1f} "
                             f"(roofline {Errors(result.errors(result.roofline, size)).mean:3.0f})")
        print(f"{' '.join(key):38s} " + "; ".join(parts) + f"; inside {result.inside():3.0f} %", flush=True)
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["gpu", "dtype", "stack", "m", "n", "k", "measured_us", "predicted_us", "roofline_us"])
            for key, result in results.items():
                for row, time, roofline in zip(result.rows, result.times, result.roofline):
                    out.writerow([*key, *(row.matmul[size] for size in "mnk"), row.measured, f"{time:.3f}", f"{roofline:.3f}"])
    return 0 if results else 1


def checks(tool, data):
    """All rows and large ones, by board, format and stack."""
    for key, result in results_of(tool, data, GATES).items():
        for size, limit in zip(("all", "from 20 us"), GATES[key]):
            yield gates.mape(f"linear layers, {' '.join(key)}, {size}, time", list(result.errors(result.times, size)), limit)
