# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of serving stacks by GPU, stack, operation and format (attention_rows.py, encoder_rows.py), with the stack as
--software."""
import collections
import csv

import numpy as np

import encoder_rows
import gates
import validate_kernels
from attention_rows import read_rows
from error_statistics import Errors
from kernel_tables import Unmapped, mapped

LARGE = 20  # us
SIZES = {"all": 0, f"from {LARGE} us": LARGE}
# GPUs with sets of the stacks, or with those of the same die.
GPUS = ("b200-sxm", "gb200", "h100-sxm-80gb")
# Mean errors in percent of all rows and of rows from 20 us above which the gate fails: just above the current ones.
GATES = {("b200-sxm", "attention, prefill", 16): (6.5, 6.5), ("b200-sxm", "attention, decode", 16): (6.7, 5.9),
         ("b200-sxm", "attention, prefill", 8): (6.9, 7.0), ("b200-sxm", "attention, decode", 8): (7.1, 7.3),
         ("gb200", "attention, prefill", 8): (6.9, 7.1), ("gb200", "attention, decode", 8): (7.2, 7.4),
         ("h100-sxm-80gb", "attention, prefill", 8): (7.3, 7.5), ("h100-sxm-80gb", "attention, decode", 8): (12.3, 12.0),
         **{(gpu, encoder_rows.FAMILY, 0): limits for gpu, limits in (
             ("h100-sxm-80gb", (9.3, 8.4)), ("b200-sxm", (6.6, 5.6)), ("gb200", (6.9, 6.2)), ("l40s", (14.6, 13.0)))}}


class Result:
    """Times in us of the rows of one line, and the ends of the 80 % intervals."""

    def __init__(self, tool, key, part):
        times = collections.defaultdict(list)
        for software in dict.fromkeys(row["software"] for row, _ in part):
            rows = [(row, query) for row, query in part if row["software"] == software]
            answers, error = validate_kernels.ask(tool, key.gpu, "bf16", [query for _, query in rows],
                                                  [f"--software={software}"])
            if error:
                raise Unmapped(f"tool: {key.gpu}: {error}")
            times["measured"] += [float(row["measured_us"]) for row, _ in rows]
            times["queries"] += [query for _, query in rows]
            for name in ("time_us", "time_low_us", "time_high_us"):
                times[name] += [float(answer[name]) for answer in answers]
        self.queries = times.pop("queries")
        self.measured, self.times, self.low, self.high = (np.array(times[name]) for name in (
            "measured", "time_us", "time_low_us", "time_high_us"))

    def errors(self, size="all"):
        where = self.measured >= SIZES[size]
        return 100 * (self.times[where] / self.measured[where] - 1)

    def inside(self):
        return 100 * np.mean((self.low <= self.measured) & (self.measured <= self.high))


def results_of(tool, data, gpus=GPUS):
    parts = collections.defaultdict(list)
    for key, row, query in [*read_rows(data), *encoder_rows.read_rows(data)]:
        if key.gpu in gpus or key.cache == "none":
            parts[key].append((row, query))
    found = {}
    for key in sorted(parts, key=lambda key: key.text()):
        for result in mapped(len(parts[key]), lambda key=key: [Result(tool, key, parts[key])]):
            found[key] = result
    return found


def width_of(key):
    """Bits of the cache; 0: none."""
    return {"bf16": 16, "none": 0}.get(key.cache, 8)


def line_of(gpu, family, bits):
    return f"{gpu} {family.removeprefix('attention, ')}" + (f", {bits}-bit cache" if bits else "")


def totals_of(results):
    """{(GPU, family, bits of the cache): results}."""
    totals = collections.defaultdict(list)
    for key, result in results.items():
        totals[key.gpu, key.family, width_of(key)].append(result)
    return totals


def inside_of(results):
    """Percent of all rows."""
    return np.average([result.inside() for result in results], weights=[len(result.measured) for result in results])


def describe(name, results):
    parts = []
    for size in SIZES:
        signed = np.concatenate([result.errors(size) for result in results])
        if len(signed):
            parts.append(f"{size} {len(signed):6d}: {Errors(signed).mean:5.1f} bias {np.median(signed):+5.1f}")
    print(f"{name:52s} " + "; ".join(parts) + f"; inside {inside_of(results):3.0f} %", flush=True)


def run(args):
    results = results_of(args.tool, args.data)
    for key, result in results.items():
        describe(key.text(), [result])
    for (gpu, family, bits), found in totals_of(results).items():
        describe(line_of(gpu, family, bits), found)
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            sizes = ("batch", "heads", "kv_heads", "head_dim", "q_len", "kv_len", "window")
            out = csv.writer(file)
            out.writerow(["gpu", "stack", "family", "products", "cache", *sizes, "measured_us", "predicted_us"])
            for key, result in results.items():
                for query, measured, time in zip(result.queries, result.measured, result.times):
                    out.writerow([key.gpu, key.stack, key.family, key.products, key.cache,
                                  *(query.get(size, 0) for size in sizes), measured, f"{time:.3f}"])
    return 0 if results else 1


def checks(tool, data):
    """All rows and large ones, by GPU, operation and width of the cache."""
    for key, found in totals_of(results_of(tool, data)).items():
        for size, limit in zip(SIZES, GATES.get(key, ())):
            signed = [error for result in found for error in result.errors(size)]
            gpu, family, bits = key
            cache = f", {bits}-bit cache" if bits else ""
            yield gates.mape(f"{family} of stacks, {gpu}{cache}, {size}, time", signed, limit)
