# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Part of `validate.py schedules`: predicted against measured gain of one fused kernel over a framework's kernels.

Each side of a pair is the list of launches of its program; a prediction is the sum of their times. A fused row kernel
whose row stays on chip transfers each operand once. A framework's kernel on strided or broadcast operands loads single
elements (M9). The harness flushes the L2 before each run: the first kernel of a side reads from DRAM. Nothing is
fitted; the time of the timer is excluded on both sides.
"""
import collections
import csv
import dataclasses
import json
import math
import statistics

from kernel_tables import mapped

PAIRS = "fusion_pairs_liger.csv"
# Threads per CTA in PyTorch's elementwise kernels, in warps.
EAGER_WARPS = 4
# Bytes touched since the operands were last used, after a flush.
FLUSHED = 10**12


@dataclasses.dataclass(frozen=True)
class Launch:
    """One elementwise kernel; `narrow`: on strided or broadcast operands."""
    op: str
    elements: int
    dtype: str = "bf16"
    narrow: bool = False
    flushed: bool = False

    def query(self, by_schedule):
        asked = {"strided": 1, "vector_m": 1, "warps": EAGER_WARPS} if self.narrow and by_schedule else {}
        return {"family": "elementwise", "op": self.op, "elements": self.elements, "dtype": self.dtype,
                "reuse_bytes": FLUSHED if self.flushed else "", "strided": "", "vector_m": "", "warps": "", **asked}


def moved(read, written, elements):
    """A kernel that reads and writes the given bytes per element, modelled as a copy of the
    same number of bytes."""
    return Launch("copy", (read + written) * elements // 8, "fp32")


def relu_squared(row, config):
    n = int(config["M"]) * int(row["x_value"])
    return [Launch("relu", n)], [Launch("relu", n), Launch("mulu", n)]


def rope(row, config):
    """Queries and keys, transposed: neg of one half, cat, products with cos and sin, add."""
    hidden = int(config.get("hidden_size", row["x_value"]))
    length = int(row["x_value"]) if row["x_name"] == "T" else int(config["seq_len"])
    heads = int(config.get("num_q_heads") or config["num_attention_heads"])
    key_heads = int(config.get("num_kv_heads") or config["num_key_value_heads"])
    queries, eager = length * hidden, []
    keys = queries * key_heads // heads
    for n in (queries, keys):
        eager += [Launch("neg", n // 2, narrow=True), Launch("copy", n, narrow=True), Launch("mulu", n, narrow=True),
                  Launch("mulu", n, narrow=True), Launch("add", n, narrow=True)]
    return [Launch("copy", queries + keys)], eager


def swiglu(row, config):
    """Each row: silu(one half) times the other half, in two kernels, or in one kernel of TorchScript."""
    n = int(config["S"]) * int(config["B"]) * int(row["x_value"])
    one = Launch("mul", n, narrow=True)
    return [Launch("mul", n)], [Launch("silu", n, narrow=True), one] if row["unfused_provider"] == "torch" else [one]


def cross_entropy(row, config):
    """Cast to fp32, row maximum, difference, exp, row sum, quotient; TorchScript joins difference and exp. The fused
    kernel reads the logits twice and writes gradients over them: a vocabulary does not stay on chip."""
    n = int(config["S"]) * int(config["B"]) * int(row["x_value"])
    cast, reduce, update = moved(2, 4, n), moved(4, 0, n), moved(4, 4, n)
    fused = [moved(4, 2, n)] if row["fused_provider"] == "liger" else [cast, reduce, update, reduce, update]
    return fused, [cast, reduce, update, update, reduce, update]


def poly_norm(row, config):
    """In fp32: three powers; for each power a square, a row mean and a multiplication; three weighted terms, two
    sums, the bias."""
    n = int(row["x_value"]) * int(config["hidden_size"])
    update, total = moved(4, 4, n), moved(8, 4, n)
    norm = [update, moved(4, 0, n), update]
    return ([Launch("copy", n)],
            [moved(2, 4, n), *3 * [update], *3 * norm, *3 * [update], total, total, update, moved(4, 2, n)])


PLANS = {"relu_squared": relu_squared, "rope": rope, "megatron_swiglu": swiglu,
         "megatron_cross_entropy": cross_entropy, "poly_norm": poly_norm}


def plan_of(row):
    """(fused, unfused) launches of a pair, as run by the harness."""
    sides = PLANS[row["kernel"]](row, json.loads(row["config"]))
    return [[dataclasses.replace(side[0], flushed=True), *side[1:]] for side in sides]


def pairs(folder):
    """Forward passes against eager kernels, on GPUs with a target."""
    with open(folder / PAIRS, newline="") as file:
        return [row for row in csv.DictReader(file)
                if row["reference_kind"] == "eager" and row["pass"] == "forward" and row["target"]]


def errors(ask, tool, folder, by_schedule=True):
    """{(kernel, target, fused, unfused): log of the ratio of predicted to measured gain}; without schedules all
    kernels load whole vectors."""
    rows = pairs(folder)
    plans = [plan_of(row) for row in rows]
    wanted = collections.defaultdict(dict)
    for row, plan in zip(rows, plans):
        for launch in plan[0] + plan[1]:
            wanted[row["target"]][launch] = None
    for target, times in list(wanted.items()):
        answers = mapped(len(times), lambda: ask(tool, f"{target}-bf16", [launch.query(by_schedule) for launch in times]),
                         "launches")
        if not answers:
            del wanted[target]
            continue
        for launch, answer in zip(list(times), answers):
            times[launch] = float(answer["time_us"])
    found = collections.defaultdict(list)
    for row, plan in zip(rows, plans):
        if row["target"] not in wanted:
            continue
        fused, unfused = (sum(wanted[row["target"]][launch] for launch in side) for side in plan)
        key = (row["kernel"], row["target"], row["fused_provider"], row["unfused_provider"])
        found[key].append(math.log(unfused / fused / float(row["speedup"])))
    return found


def median(found):
    return statistics.median(abs(error) for part in found.values() for error in part)


def table(found, before):
    lines = ["| fused kernel | target | fused | against | pairs | median log ratio | largest | median before |",
             "|---|---|---|---|---|---|---|---|"]
    for (kernel, target, fused, unfused), part in found.items():
        old = before[kernel, target, fused, unfused]
        lines.append(f"| {kernel} | {target} | {fused} | {unfused} | {len(part)} | {statistics.median(part):+.2f} | "
                     f"{max(part, key=abs):+.2f} | {statistics.median(old):+.2f} |")
    count = sum(map(len, found.values()))
    lines.append(f"| all, absolute |  |  |  | {count} | {median(found):.2f} |  | {median(before):.2f} |")
    return lines
