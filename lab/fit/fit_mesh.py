#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits collectives of GPUs that are joined pairwise (xGMI of MI300X): equation (N1).

  fit_mesh.py --data FOLDER --check|--apply

A group of n GPUs uses n - 1 of the seven links of a GPU, so every n of XLA's table of collectives has its numbers,
fitted to messages of LEAST_BYTES and more: below, the launch through XLA is most of the time. Its all-reduces take
LAUNCH longer than those of rccl-tests (8 GPUs, down to 1 KiB), which are fitted together with them. Other n take a fit
over all of them. --check compares with targets/coefficients/mi300x.mlir, --apply writes it. Requires NumPy and SciPy.
"""
import csv
import gzip
import sys

import numpy as np
from scipy.optimize import least_squares

from coefficient_files import fit_options, read_all, store
from fit_domain import NOISE, TABLE, predict

FILE, BOARD, TESTS = "mi300x", "mi300x?", "wave3/extra/comm.csv"
LAUNCH, LEAST_TEST = {"all_reduce": 25}, 2**10  # us, bytes
KINDS, SIZES, LEAST_BYTES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all"), (2, 4, 8), 2**20
# (low, start, high) of base and step in us, root in us per square root of a byte, bandwidth in GB/s, ramp.
BOUNDS = ((5, 15, 60), (1e-9, 1e-8, 1e-7), (1e-9, 5e-3, 0.1), (30, 200, 1000), (0, 1e-8, 1e-7))
OF_ALL = (*BOUNDS[:1], (1e-3, 0.5, 10), *BOUNDS[2:4], (0, 1, 1.99))


def rows_of(data, kind, sizes):
    with gzip.open(data / TABLE, "rt", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["gpu"] == BOARD and row["op"] == kind
                and int(row["gpus"]) in sizes and int(row["bytes"]) >= LEAST_BYTES]
    points = [(int(row["gpus"]), float(row["bytes"]), float(row["time_us"]) - LAUNCH.get(kind, 0)) for row in rows]
    with open(data / TESTS, newline="") as file:
        points += [(int(row["gpus"]), float(row["message_bytes"]), float(row["time_us"])) for row in csv.DictReader(file)
                   if row["gpu"] == BOARD.strip("?") and row["op"] == kind and row["nodes"] == "1"
                   and int(row["gpus"]) in sizes and int(row["message_bytes"]) >= LEAST_TEST]
    return np.array(points).T


def fit(data, kind, sizes, bounds):
    """The numbers, and the mean error in percent."""
    gpus, size, time = rows_of(data, kind, sizes)
    factor = 2 if kind == "all_reduce" else 1
    low, start, high = (np.array(column) for column in zip(*bounds))
    found = least_squares(lambda x: np.log(predict(x, factor, gpus, size) / time), start, bounds=(low, high),
                          x_scale=start, loss="soft_l1", f_scale=NOISE, xtol=1e-12, ftol=1e-12)
    return found.x, 100 * np.mean(np.abs(predict(found.x, factor, gpus, size) / time - 1)), len(time)


def entry(kind, size, numbers):
    base, step, root, bandwidth, ramp = (f"{number:.4g}" if number > 1e-6 else "0" for number in numbers)
    world = f"world_size = {size}, " if size else ""
    return (f"    <kind = {kind}, {world}base = {base} us, step = {step} us, root = {root} us, "
            f"bandwidth = {bandwidth} GBps, ramp = {ramp}>")


def main():
    args, entries = fit_options(__doc__, actions=("check", "apply")), []
    for kind in KINDS:
        for size in (0, *SIZES):
            numbers, error, count = fit(args.data, kind, (size,) if size else SIZES, BOUNDS if size else OF_ALL)
            print(f"{kind} {size or 'all'}: {error:.1f} % over {count} rows")
            entries.append(entry(kind, size, numbers))
    text = read_all()[FILE]
    start = text.index("  fits = [", text.index("#collectives = "))
    end = text.index("]>", start)
    return store(args, {FILE: text[:start] + "  fits = [\n" + ",\n".join(entries) + text[end:]})


if __name__ == "__main__":
    sys.exit(main())
