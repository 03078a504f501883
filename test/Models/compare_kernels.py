#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the kernels of two model files that are the same network.

usage: compare_kernels.py <gpu-cost-opt> <one.onnx> <other.onnx> [flag...]

Two exporters write one network in different ops, but a framework launches the same
kernels: family, shape, FLOPs and count must agree, and so must the totals. Views
launch nothing and do not count. Bytes agree to 1e-4: one file gives axes, or positions
as pairs, in a tensor that is read, the other in an attribute or as numbers.
"""
import collections
import json
import subprocess
import sys


def analyze(tool, model, flags):
    result = subprocess.run([tool, model, "--report=json", *flags], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{model}: exit {result.returncode}\n{result.stderr}")
    return json.loads(result.stdout)


def kernels_of(report):
    """(family, shape, FLOPs) -> count, and the labels of each."""
    counts, labels = collections.Counter(), collections.defaultdict(set)
    for row in report["kernels"]:
        key = (row["family"], row["shape"], row["flops"])
        counts[key] += row["count"]
        labels[key].add(row["label"])
    return counts, labels


def main():
    tool, one, other, *flags = sys.argv[1:]
    first, second = analyze(tool, one, flags), analyze(tool, other, flags)
    (a, a_labels), (b, b_labels) = kernels_of(first), kernels_of(second)
    differences = []
    for key in ("matrix_flops", "flops", "launches", "parameter_count"):
        x, y = first["iteration"][key], second["iteration"][key]
        if x != y:
            differences.append(f"{key}: {x} and {y}")
    x, y = (report["iteration"]["compulsory_bytes"] for report in (first, second))
    if abs(x - y) > 1e-4 * x:
        differences.append(f"bytes: {x} and {y}")
    for key in sorted(a.keys() | b.keys()):
        if a[key] != b[key]:
            names = ", ".join(sorted(a_labels[key] | b_labels[key]))
            differences.append(f"{a[key]} and {b[key]} x {' '.join(map(str, key))} ({names})")
    for line in differences:
        print(line)
    if differences:
        sys.exit(f"{one} and {other}: {len(differences)} differences")
    print(f"equal: {sum(a.values())} kernels, {first['iteration']['matrix_flops']} matrix FLOPs")


if __name__ == "__main__":
    main()
