#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the changes in comparisons add up to the change of the time.

usage: check_sums.py COMPARISON.json...
"""
import json
import math
import pathlib
import sys


def problems(comparison):
    """Messages for the sums that do not add up."""
    change = comparison["totals"]["time_ms"]["change"]
    size = comparison["totals"]["time_ms"]["before"]
    computing = [kernel for kernel in comparison["kernels"] if kernel["phase"] != "communication"]
    parts = sum(k["by_count_us"] + k["by_launch_us"] for k in computing) / 1e3
    parts += sum(each["change"] for each in comparison["between"].values())
    sums = {"kernels and the time between them": parts,
            "phases": sum(phase["time_us"]["change"] for phase in comparison["phases"]) / 1e3}
    found = [f"{name}: {value} of {change} ms" for name, value in sums.items()
             if not math.isclose(value, change, abs_tol=1e-5 * size)]
    kernels = sum(k["change_us"] for k in computing)
    for groups in ("families", "ops"):
        value = sum(group["time_us"]["change"] for group in comparison[groups])
        if not math.isclose(value, kernels, abs_tol=1e-2 * size):
            found.append(f"{groups}: {value} of {kernels} us")
    return found


def main():
    failed = 0
    for name in sys.argv[1:]:
        wrong = problems(json.loads(pathlib.Path(name).read_text()))
        failed += bool(wrong)
        for line in wrong:
            print(f"{pathlib.Path(name).name}: {line}")
    print(f"{len(sys.argv) - 1 - failed} of {len(sys.argv) - 1} add up")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
