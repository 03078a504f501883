#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the all-reduces of a report, or what services gain by twice as many GPUs.

usage: check_all_reduce.py KERNEL BYTES COUNT < report.json
       check_all_reduce.py --faster FOUR EIGHT FOUR_WITH_NCCL EIGHT_WITH_NCCL
"""
import json
import sys


def step(path):
    with open(path) as file:
        return json.load(file)["tpot_ms"]


if sys.argv[1] == "--faster":
    four, eight, nccl_four, nccl_eight = map(step, sys.argv[2:])
    if not (eight < four < nccl_four and eight / four < nccl_eight / nccl_four):
        sys.exit(f"4 GPUs {four} ms, 8 GPUs {eight} ms; with NCCL {nccl_four} and {nccl_eight} ms")
else:
    name, size, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    kernels = [k for k in json.load(sys.stdin)["kernels"]
               if k["family"] == "collective" and f"all_reduce bytes={size} " in k["shape"] + " "]
    found = [(k["implementation"], k["count"]) for k in kernels]
    if found != [(name, count)]:
        sys.exit(f"expected {name} {count} times, but got {found}")
