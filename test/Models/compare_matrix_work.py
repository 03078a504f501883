#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two JSON reports of one network in two forms: matrix FLOPs and the
bytes of matrix kernels to 1 %, parameters exactly where both files have them,
time within a band, nothing unmodelled.

    compare_matrix_work.py onnx.json linalg.json --time=0.7:1.3 [--parameters]
"""

import argparse
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    matrix = [k for k in report["kernels"] if k["matrix_flops"] > 0]
    return report, {
        "matrix FLOPs": sum(k["matrix_flops"] * k["count"] for k in matrix),
        "bytes of matrix kernels": sum(k["bytes"] * k["count"] for k in matrix),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("onnx")
    parser.add_argument("linalg")
    parser.add_argument("--time", required=True, help="lowest:highest ratio of times")
    parser.add_argument("--parameters", action="store_true")
    arguments = parser.parse_args()
    (one, expected), (two, found) = load(arguments.onnx), load(arguments.linalg)
    failures = [f"{name}: {found[name]} instead of {value}"
                for name, value in expected.items() if abs(found[name] - value) > 0.01 * value]
    ratio = two["iteration"]["time_ms"] / one["iteration"]["time_ms"]
    low, high = map(float, arguments.time.split(":"))
    if not low <= ratio <= high:
        failures.append(f"time: {ratio:.3f} of the other one's")
    for report in (one, two):
        coverage = report["coverage"]
        if coverage["fallback"]["ops"] or coverage["unmodelled"]["ops"]:
            failures.append(f"{report['model']} is not fully modelled")
    counts = [r["iteration"]["parameter_count"] for r in (one, two)]
    if arguments.parameters and abs(counts[0] - counts[1]) > 0.01 * counts[0]:
        failures.append(f"parameters: {counts[1]} instead of {counts[0]}")
    if failures:
        sys.exit("\n".join(failures))
    print(f"same work, time {ratio:.2f}")


if __name__ == "__main__":
    main()
