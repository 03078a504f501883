#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the three forms of one report.

usage: compare_formats.py <report.json> <report.csv> <report.txt>

CSV rows and entries of `kernels` are the same, in the same order; totals are sums of
kernels; the table is at most 100 columns wide and has the counts of the JSON.
"""
import csv
import json
import pathlib
import sys

WIDEST = 100


def main():
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    with open(sys.argv[2], newline="") as file:
        rows = list(csv.DictReader(file))
    lines = pathlib.Path(sys.argv[3]).read_text().splitlines()
    iteration, kernels = report["iteration"], report["kernels"]

    assert len(rows) == len(kernels) > 0
    for row, kernel in zip(rows, kernels):
        for name, cell in row.items():
            value = kernel[name]
            expected = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
            same = cell == expected or (isinstance(value, float) and float(cell) == value)
            assert same, f"{name}: {cell} in CSV, {expected} in JSON"

    assert iteration["matrix_flops"] == sum(k["count"] * k["matrix_flops"] for k in kernels)
    assert iteration["compulsory_bytes"] == sum(k["count"] * k["bytes"] for k in kernels)
    times = [k["total_us"] for k in kernels]
    assert times == sorted(times, reverse=True)
    assert sum(times) <= iteration["gpu_busy_ms"] * 1e3 * (1 + 1e-5)
    for shares in ("bound_fractions", "family_fractions"):
        assert abs(sum(iteration[shares].values()) - 1) < 1e-5, shares

    widest = max(map(len, lines))
    assert widest <= WIDEST, max(lines, key=len)
    assert any(f"all {len(kernels)} distinct kernel" in line for line in lines)
    print(f"{len(kernels)} distinct kernels in json and csv, the table is {widest} columns wide")


if __name__ == "__main__":
    main()
