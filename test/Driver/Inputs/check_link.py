#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the time of an all-reduce against (N1) with the numbers of a coefficient file.

usage: check_link.py COEFFICIENTS.mlir GPUS BYTES < answer.csv
"""
import csv
import math
import re
import sys

UNITS = {"us": 1e-6, "GBps": 1e9, "": 1}
path, gpus, size = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
with open(path) as file:
    fits = re.findall(r"<(kind = all_reduce.*?)>", file.read())
fields = [{name: float(number) * UNITS[unit] for name, number, unit in re.findall(r"(\w+) = ([\d.]+) ?(us|GBps|)", fit)}
          for fit in fits]
fit = next(fit for fit in fields if fit.get("world_size", gpus) == gpus)
# An all-reduce takes twice the steps and twice the bytes.
moved = 2 * size * (gpus - 1) / gpus
expected = (fit["base"] + 2 * fit["step"] * (gpus - 1) + fit["root"] * math.sqrt(moved)
            + moved / (fit["bandwidth"] * (1 - fit["ramp"] / gpus)))
answer = float(next(csv.DictReader(sys.stdin))["time_us"]) * 1e-6
if not math.isclose(answer, expected, rel_tol=1e-6):
    sys.exit(f"{path}: expected {expected * 1e6:.7g} us, but got {answer * 1e6:.7g} us")
