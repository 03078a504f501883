# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums over the reports of training-experts.test."""
import collections
import json
import sys

reports = [json.load(open(path)) for path in sys.argv[2:]]
phases = [{phase["phase"]: phase["time_ms"] for phase in report["phases"]} for report in reports]


def copies(report):
    """{(phase, elements): copies of rows of experts}"""
    found = collections.Counter()
    for kernel in report["kernels"]:
        if kernel["implementation"] == "copy" and ".mlp.experts" in kernel["name"]:
            found[kernel["phase"], kernel["shape"]] += kernel["count"]
    return found


if sys.argv[1] == "sorts":
    more = copies(reports[0]) - copies(reports[1])
    (shape,) = {shape for _, shape in more}
    print(f"{more['forward', shape]} more copies of {shape.removeprefix('n=')} elements in forward, "
          f"{more['backward', shape]} in backward")
elif sys.argv[1] == "host":
    both = sum(phases[0].get(name, 0) for name in ("forward", "backward", "communication"))
    print(f"forward and backward pass {both / 1e3:.2f} s")
else:
    (exposed, hidden), transfers = [sum(each.values()) for each in phases], reports[1]["iteration"]["communication_ms"]
    computation = exposed - phases[0]["communication"]
    assert exposed > 1.02 * hidden
    print("less than computation and transfers" if hidden < 0.99 * (computation + transfers) else hidden, end=", ")
    print("not less than transfers" if hidden > 0.999 * transfers else (hidden, transfers))
