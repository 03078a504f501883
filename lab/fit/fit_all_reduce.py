#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the all-reduces that serving stacks run inside a node instead of NCCL: equations (N9)-(N12).

  fit_all_reduce.py --data FOLDER --check|--apply|--held-out

One set for each board and range of releases (SETS), on the CUDA-graph rows of aiconfigurator's table: base and step of
the one-shot, two-shot and multicast kernels, their rates, and the largest message of each. Where the source of the
software states these limits, they are facts (VLLM_LIMITS, CUSTOM_LIMITS); otherwise they are read off the rows, given
the times of NCCL that the tool predicts. --held-out prints the errors on sizes left out of the fit, and the half-widths
of the intervals. --check compares with the group `all_reduce` of shared.mlir, --apply writes it. Requires NumPy and
SciPy.
"""
import collections
import csv
import dataclasses
import io
import math
import re
import subprocess
import sys

import numpy as np
from scipy.optimize import least_squares

from coefficient_files import block_of, fit_options, read_all, soft_l1, store

TABLE = "wave3/aic/custom_allreduce_by_stack.csv"
GROUP = "all_reduce"
KIB, MIB = 2**10, 2**20
KERNELS = ("one_shot", "two_shot", "multicast")
NCCL = len(KERNELS)
NOISE = 0.05  # of the log of a time
FOLDS = 5
# Board: generation and bandwidth of its NVLink in GB/s, both directions, as in targets/.
LINKS = {"a100-sxm-80gb": (3, 600), "h100-sxm-80gb": (4, 900), "b200-sxm": (5, 1800)}
# The kernels read and write through one direction of a link; beyond these shares of it a rate is not physical.
LEAST_SHARE, MOST_SHARE = 0.2, 1.5
# (low, start, high) of base and step in us.
BASE, STEP = (1, 6, 100), (1e-3, 0.3, 10)


def custom(largest, counts=(2, 4, 6, 8)):
    """Limits of the kernels that vLLM and SGLang share (custom_all_reduce.cuh): one shot for pairs and short
    messages."""
    one_shot = {2: largest, 4: 512 * KIB}
    return {n: tuple(min(limit, largest) for limit in (one_shot.get(n, 256 * KIB), largest)) + (0,) for n in counts}


def with_multicast(own, multicast):
    """Limits of vLLM's tables (all_reduce_utils.py): its custom kernels, then symmetric memory."""
    return {n: custom(largest, (n,))[n][:2] + (multicast[n],) for n, largest in own.items()}


# {GPUs: messages below which one shot, two shots and multicast run, in this order}.
VLLM_14 = custom(8 * MIB)
SGLANG_10 = custom(8 * MIB + 1)
VLLM_LIMITS = {
    "h100-sxm-80gb": with_multicast({2: 64 * MIB, 4: 32 * MIB, 6: 512 * KIB, 8: 256 * KIB},
                                    {2: 64 * MIB, 4: 32 * MIB, 6: 64 * MIB, 8: 64 * MIB}),
    "b200-sxm": with_multicast({2: 2 * MIB, 4: 2 * MIB, 6: 1 * MIB, 8: 1 * MIB},
                               {2: 8 * MIB, 4: 32 * MIB, 6: 128 * MIB, 8: 128 * MIB}),
}
# The same kernels under two names: they are fitted together.
CUSTOM = (("vllm", "0.14"), ("sglang", "0.5.9"), ("sglang", "0.5.10"))
VLLM = (("vllm", "0.18"), ("vllm", "0.19"), ("vllm", "0.24"), ("vllm", "0.27"))


@dataclasses.dataclass(frozen=True)
class Set:
    """`software`: the last release that runs it; `rows`: stacks and versions of its rows; `limits`: None if they are
    read off the rows."""

    software: str
    rows: tuple
    limits: dict = None
    shared: dict = None  # limits below which all `rows` run the kernels, if these are not `limits`


def sets_of(gpu):
    found = [Set("vllm-0.14", CUSTOM, VLLM_14), Set("sglang-0.5.10", CUSTOM, SGLANG_10, VLLM_14)]
    if gpu in VLLM_LIMITS:  # GPUs that vLLM's tables lack keep the custom kernels
        found += [Set("vllm", VLLM, VLLM_LIMITS[gpu]), Set("sglang", (("sglang", "0.5.14"),)),
                  Set("tensorrt-llm", (("trtllm", "1.3"),))]
    return found + [Set("tensorrt-llm-1.2", (("trtllm", "1.0"), ("trtllm", "1.2")))]


@dataclasses.dataclass
class Rows:
    """Columns of the table: GPUs, bytes, measured and NCCL's seconds."""

    gpus: np.ndarray
    bytes: np.ndarray
    time: np.ndarray
    nccl: np.ndarray
    clean: np.ndarray  # not flagged by the source

    def __getitem__(self, which):
        return Rows(*(getattr(self, field.name)[which] for field in dataclasses.fields(self)))


def is_of(row, releases):
    return any(row["stack"] == stack and re.match(re.escape(version) + r"(\D|$)", row["version"])
               for stack, version in releases)


def without_peaks(rows):
    """The rows of a series without those that take at least 1.25 times as long as both neighbouring sizes: defects,
    after which the source flags sound rows."""
    times = [float(row["us"]) for row in rows]
    return [row for i, row in enumerate(rows)
            if any(times[i] < 1.25 * times[j] for j in (i - 1, i + 1) if 0 <= j < len(rows))]


def read_table(data):
    """{board: rows} of CUDA graphs, sound ones only. TensorRT-LLM's mode is not given; its times are those of
    graphs."""
    series = collections.defaultdict(list)
    with open(data / TABLE, newline="") as file:
        for row in csv.DictReader(file):
            if row["mode"] != "eager" and row["gpu"] in LINKS and "O" not in row["flag"]:
                series[row["gpu"], row["stack"], row["version"], row["num_gpus"]].append(row)
    found = collections.defaultdict(list)
    for (gpu, *_), rows in series.items():
        found[gpu] += without_peaks(sorted(rows, key=lambda row: int(row["bytes"])))
    return found


def nccl_times(tool, gpu, shapes):
    """Seconds of NCCL (N1) for pairs of GPUs and bytes."""
    queries = "family,op,gpus,message_bytes\n" + "".join(f"collective,all_reduce,{n},{size}\n" for n, size in shapes)
    text = subprocess.run([tool, f"--target={gpu}-bf16", "--kernels=-", "--report=csv"], input=queries, check=True,
                          capture_output=True, text=True).stdout
    return [float(row["time_us"]) * 1e-6 for row in csv.DictReader(io.StringIO(text))]


def columns(tool, gpu, rows):
    shapes = [(int(row["num_gpus"]), int(row["bytes"])) for row in rows]
    wanted = sorted(set(shapes))
    nccl = dict(zip(wanted, nccl_times(tool, gpu, wanted)))
    gpus, size = np.array(shapes, dtype=float).T
    return Rows(gpus, size, np.array([float(row["us"]) for row in rows]) * 1e-6, np.array([nccl[s] for s in shapes]),
                np.array([not row["flag"] for row in rows]))


def traffic(kernel, gpus, size):
    """Bytes that a GPU receives."""
    return {"one_shot": (gpus - 1) * size, "two_shot": 2 * (gpus - 1) / gpus * size, "multicast": size}[kernel]


def predict(fit, kernel, gpus, size):
    """Seconds of (N9)-(N11); `fit`: base and step in us, rate in GB/s."""
    base, step, rate = fit
    return (base + step * (gpus - 2)) * 1e-6 + traffic(kernel, gpus, size) / (rate * 1e9)


def fit_kernel(kernel, rows, direction):
    """Base, step and rate of one kernel."""
    low, start, high = np.log(np.array([BASE, STEP, (LEAST_SHARE * direction, 0.5 * direction, MOST_SHARE * direction)]).T)

    def residuals(logs):
        return soft_l1(np.log(predict(np.exp(logs), kernel, rows.gpus, rows.bytes) / rows.time), NOISE)
    return np.exp(least_squares(residuals, start, bounds=(low, high), x_scale=0.1).x)


def kinds(limits, rows):
    """Index in KERNELS of the kernel of each row, or NCCL."""
    found = np.full(len(rows.gpus), NCCL)
    for index in reversed(range(len(KERNELS))):
        below = np.array([limits.get(int(n), (0, 0, 0))[index] for n in rows.gpus])
        found[rows.bytes < below] = index
    return found


def fit_kinds(rows, kind, direction, before=None):
    """{kernel: fit} of the kernels that have rows."""
    return {**(before or {}), **{kernel: fit_kernel(kernel, rows[kind == i], direction)
                                 for i, kernel in enumerate(KERNELS) if (kind == i).any()}}


def error_costs(fits, rows):
    """A line for each kernel and for NCCL: capped absolute error of the log of each row."""
    times = [predict(fits[kernel], kernel, rows.gpus, rows.bytes) if kernel in fits else np.full(len(rows.gpus), np.inf)
             for kernel in KERNELS] + [rows.nccl]
    return np.minimum(np.abs(np.log(np.array(times) / rows.time)), 0.5)


def between(fits, gpus, low, high, first, second):
    """The power of two in (low, high] at which kernel `first` gives way to `second` (None: NCCL, at once): sizes
    between two measured ones run the faster kernel."""
    if second is None or high <= low:
        return high
    limit = high
    while limit / 2 > low and predict(fits[first], first, gpus, limit / 2) > predict(fits[second], second, gpus, limit / 2):
        limit /= 2
    return limit


def read_limits(fits, rows):
    """The limits of one and two shots by number of GPUs that fit the rows best; of equal ones the lowest. A pair moves
    the same bytes with both, so that it has one shot only."""
    costs, limits = error_costs(fits, rows), {}
    for n in sorted(set(rows.gpus)):
        here = rows.gpus == n
        sizes = np.unique(rows.bytes[here])
        sums = np.array([[costs[k][here & (rows.bytes == size)].sum() for size in sizes] for k in range(NCCL + 1)])
        count = len(sizes)
        # A little for each size beyond NCCL, and for two shots where one is as good.
        first, second = min(((i, j) for i in range(count + 1)
                             for j in range(i, (i if n == 2 else count) + 1)),
                            key=lambda ij: (sums[0][:ij[0]].sum() + sums[1][ij[0]:ij[1]].sum() + sums[NCCL][ij[1]:].sum()
                                            + 0.01 * ij[1] + 0.01 * (ij[1] - ij[0])))
        ends = np.append(sizes, 2 * sizes[-1])
        one = between(fits, n, ends[first - 1], ends[first], *KERNELS[:2]) if 0 < first < second else \
            ends[first] if first else 0
        limits[int(n)] = (int(one), int(ends[second] if second else 0), 0)
    return limits


STARTS = [(one, two) for one in (2**16, 2**18, 2**19, 2**20, 2**22) for two in (2**18, 2**20, 2**21, 2**23, 2**25)
          if one <= two]


def fit_free(rows, direction):
    """Fits and limits of kernels whose switch points are unknown."""
    best = None
    for one, two in STARTS:
        limits, fits = {int(n): (two if n == 2 else one, two, 0) for n in set(rows.gpus)}, {}
        for _ in range(8):
            fits = fit_kinds(rows, kinds(limits, rows), direction, fits)
            fits = {kernel: fits.get(kernel, fits["one_shot"]) for kernel in KERNELS[:2]}
            found = read_limits(fits, rows)
            if found == limits:
                break
            limits = found
        kind = kinds(limits, rows)
        cost = error_costs(fits, rows)[kind, np.arange(len(kind))].sum()
        if best is None or cost < best[0] - 1e-6:
            best = cost, {kernel: fits[kernel] for i, kernel in enumerate(KERNELS) if i in kind and kernel in fits}, limits
    return best[1:]


def fit_set(one, gpu, rows):
    """({kernel: base, step and rate}, limits)."""
    direction = LINKS[gpu][1] / 2
    if one.limits is None:
        return fit_free(rows, direction)
    return fit_kinds(rows, kinds(one.shared or one.limits, rows), direction), one.limits


def times_of(fits, limits, rows):
    kind, times = kinds(limits, rows), rows.nccl.copy()
    for i, kernel in enumerate(KERNELS):
        if kernel in fits:
            times[kind == i] = predict(fits[kernel], kernel, rows.gpus, rows.bytes)[kind == i]
    return times, kind


def rounded(value):
    return float(f"{value:.4g}")


def fit_all(tool, table):
    """[(board, set, fits, limits)] with the numbers of the file."""
    found = []
    for gpu in LINKS:
        for one in sets_of(gpu):
            rows = columns(tool, gpu, [row for row in table[gpu] if is_of(row, one.rows)])
            fits, limits = fit_set(one, gpu, rows)
            found.append((gpu, one, {kernel: [rounded(v) for v in fit] for kernel, fit in fits.items()}, limits))
    return found


def fold_of(rows):
    """Fold of each row: the same for a size and number of GPUs in all sets."""
    return (np.log2(rows.bytes) * 2 + np.log2(rows.gpus)).astype(int) % FOLDS


def held_out(tool, table):
    """[(board, set, rows, predicted seconds, kernels)], each row predicted by the fit without its size."""
    found = []
    for gpu in LINKS:
        for one in sets_of(gpu):
            rows = columns(tool, gpu, [row for row in table[gpu] if is_of(row, one.rows)])
            times, kind = np.zeros(len(rows.gpus)), np.zeros(len(rows.gpus), int)
            for fold in range(FOLDS):
                out = fold_of(rows) == fold
                times[out], kind[out] = times_of(*fit_set(one, gpu, rows[~out]), rows[out])
            found.append((gpu, one, rows, times, kind))
    return found


def print_held_out(tool, table):
    everything = []
    for gpu, one, rows, times, kind in held_out(tool, table):
        errors = 100 * np.abs(times / rows.time - 1)
        short = rows.clean & (rows.bytes <= MIB)
        longer = rows.clean & (rows.bytes > MIB) & (rows.bytes <= 8 * MIB)
        print(f"{gpu:14s} {one.software:16s} sizes left out: to 1 MiB {errors[short].mean():5.1f} % of {short.sum():3d} rows, "
              f"1 to 8 MiB {errors[longer].mean():5.1f} %")
        own = rows.clean & (kind != NCCL)
        everything.append(np.array([times[own], np.exp(np.abs(np.log(times[own] / rows.time[own]))) - 1]))
    times, widths = np.concatenate(everything, axis=1)
    for name, low, high in (("small", 0, 10e-6), ("medium", 10e-6, 100e-6), ("large", 100e-6, math.inf)):
        here = (times >= low) & (times < high)
        if here.any():
            print(f"80 % half-width, {name}: {np.quantile(widths[here], 0.8):.3f} of {here.sum()} rows")


def in_file(size):
    for unit, name in ((MIB, "MiB"), (KIB, "KiB")):
        if size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def limit_text(gpus, limits):
    """A number of GPUs; the limit of a kernel that runs no message is left out."""
    shown, below = [f"gpus = {gpus}"], 0
    for kernel, limit in zip(KERNELS, limits):
        if limit > below:
            shown.append(f"{kernel}_below = {in_file(limit)}")
        below = max(below, limit)
    return f"<{', '.join(shown)}>"


def text_of(found):
    """The elements of the list `stacks`."""
    sets = []
    for gpu, one, fits, limits in found:
        generation, link = LINKS[gpu]
        lines = [f'    <gpu = "{gpu}", generation = {generation}, link_bandwidth = {link} GBps, '
                 f'software = "{one.software}",']
        lines += [f"      {kernel} = <base = {base:g} us, step = {step:g} us, bandwidth = {rate:g} GBps>,"
                  for kernel, (base, step, rate) in fits.items()]
        lines.append("      limits = [\n        "
                     + ",\n        ".join(limit_text(n, row) for n, row in sorted(limits.items())) + "]>")
        sets.append("\n".join(lines))
    return ",\n".join(sets)


def sets_at(text):
    """Where the elements of `stacks` are in the text of shared.mlir."""
    start, end = block_of(text, GROUP)
    return text.index("stacks = [\n", start) + len("stacks = [\n"), text.rindex("]", start, end)


def with_sets(text, found):
    start, end = sets_at(text)
    return text[:start] + text_of(found) + text[end:]


def main():
    args = fit_options(__doc__)
    if args.held_out:
        print_held_out(args.tool, read_table(args.data))
        return 0
    return store(args, {"shared": with_sets(read_all()["shared"], fit_all(args.tool, read_table(args.data)))})


if __name__ == "__main__":
    sys.exit(main())
