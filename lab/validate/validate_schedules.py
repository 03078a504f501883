# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`validate.py schedules`: predicted against measured order of schedules.

- fp32 matmuls: each configuration of an exhaustive sweep is a row with a schedule; Spearman over all rows, regret =
  measured time of the model's choice divided by the measured best.
- fused kernels: gain over a framework's kernels (validate_fusion.py).
- 8-bit matmuls on tensor cores: rank of a shape's tuned winner among the 20 tiles, and among the 320 tuples of tile, K
  step, warps and stages, that a tuner tried; ties count with their mean rank.
- matmuls and convolutions in logs of Inductor's autotuner (validate_autotune.py).
The validator does not fit anything; a GPU without a target uses a similar one, for order only.
"""
import collections
import csv
import gzip
import io
import math
import pathlib
import statistics
import subprocess

import validate_autotune
import validate_fusion
from gates import Check
from kernel_tables import Unmapped, mapped

FP32 = "gemm_schedules_fp32.csv.gz"
TUNED = "gemm_schedules_triton_fp16.csv"
# Columns of a sweep that are fields of a schedule.
SWEEP_COLUMNS = {"tile_m": "tile_m", "tile_n": "tile_n", "k_step": "tile_k", "warps": "warps",
                 "thread_tile_m": "thread_tile_m", "thread_tile_n": "thread_tile_n", "vector_m": "vector_m",
                 "vector_n": "vector_n", "raw_MDIMA": "copy_m", "raw_NDIMB": "copy_n"}
NO_LIMIT = 10000  # W: tuners and sweeps time short runs, which end before a board limits its power
TILES = [(m, n) for m in (16, 32, 64, 128, 256) for n in (32, 64, 128, 256)]
TUPLES = 320
FOLDS = 4


def ask(tool, target, rows):
    """Predictions for `rows`, dictionaries of columns, as a list of dictionaries; raises Unmapped with the tool's reason."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), restval="")
    writer.writeheader()
    writer.writerows(rows)
    done = subprocess.run([tool, f"--target={target}", "--kernels=-", "--report=csv", f"--power-limit={NO_LIMIT}"],
                          input=text.getvalue(), capture_output=True, text=True)
    if done.returncode:
        raise Unmapped(f"{target}: tool: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def ranks(values):
    """Ranks from 1; equal values get their mean rank."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result, start = [0.0] * len(values), 0
    for end in range(1, len(order) + 1):
        if end == len(order) or values[order[end]] != values[order[start]]:
            for i in order[start:end]:
                result[i] = (start + 1 + end) / 2
            start = end
    return result


def spearman(a, b):
    return statistics.correlation(ranks(a), ranks(b))


# ---------------------------------------------------------------- exhaustive sweeps

def sweep_query(row):
    query = {"family": "matmul", "m": row["m"], "n": row["n"], "k": row["k"], "split_k": 1, "stages": 1,
             "stage_a": "shared" if int(row["smem_a"]) else "cache",
             "stage_b": "shared" if int(row["smem_b"]) else "cache"}
    return {**query, **{name: row[column] for column, name in SWEEP_COLUMNS.items()}}


class Sweep:
    """Predicted and measured times of all configurations on one board."""

    def __init__(self, tool, gpu, target, rows):
        self.gpu, self.target = gpu, target
        self.measured = [float(row["time_ms"]) for row in rows]
        self.predicted = [float(answer["time_us"]) for answer in
                          ask(tool, f"{target}-fp32", [sweep_query(row) for row in rows])]
        self.tiles = [int(row["tile_m"]) * int(row["tile_n"]) for row in rows]
        self.best = min(self.measured)

    def regret(self, count=1):
        """Measured time divided by the best, for the fastest of the model's first `count`; ties are resolved in table
        order, as in `top`."""
        order = sorted(range(len(self.predicted)), key=self.predicted.__getitem__)
        return min(self.measured[i] for i in order[:count]) / self.best

    def tied_regret(self):
        """The mean over all configurations that tie for the best prediction."""
        first = min(self.predicted)
        return statistics.mean(t for t, p in zip(self.measured, self.predicted) if p == first) / self.best

    def near(self, factor=2):
        """Spearman among the configurations within `factor` of the best."""
        kept = [i for i, time in enumerate(self.measured) if time <= factor * self.best]
        return spearman([self.predicted[i] for i in kept], [self.measured[i] for i in kept])

    def largest_tile(self):
        """A typical configuration with the largest tile, relative to the
        best."""
        largest = max(self.tiles)
        return statistics.median(t for t, tile in zip(self.measured, self.tiles) if tile == largest) / self.best

    def random(self):
        return statistics.median(self.measured) / self.best

    def cells(self):
        return [spearman(self.predicted, self.measured), self.near(), self.regret(), self.tied_regret(), self.regret(8),
                self.largest_tile(), self.random()]


def sweeps(tool, folder):
    """One Sweep per complete sweep on an NVIDIA GPU with a target or a similar target."""
    groups = collections.defaultdict(list)
    with gzip.open(folder / FP32, "rt", newline="") as file:
        for row in csv.DictReader(file):
            if row["vendor"] == "nvidia" and row["target_near"] and row["status"] == "valid":
                groups[row["gpu"], row["dataset"], row["target_exact"] or row["target_near"]].append(row)
    complete, found = max(map(len, groups.values()), default=0), []
    for (gpu, _, target), rows in groups.items():
        if len(rows) == complete:
            found += mapped(len(rows), lambda: [Sweep(tool, gpu, target, rows)])
    return found


# ---------------------------------------------------------------- tuned winners

def tuned_rows(folder):
    """Winners of block- and channel-scaled matmuls on GPUs with a target, inside the tuners' space."""
    with open(folder / TUNED, newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] in ("block_gemm", "channel_gemm") and row["target_exact"] == "1" \
                    and (int(row["tile_m"]), int(row["tile_n"])) in TILES:
                yield row


def problem(row):
    return {"family": "matmul", "m": row["m"], "n": row["n"], "k": row["k"],
            "dtype": "int8" if row["dtype"].startswith("int8") else "fp8",
            "block_scaled": int(row["kind"] == "block_gemm"), "split_k": 1, "top": TUPLES}


def parsed(schedule):
    """A schedule's text as a tuple."""
    fields = dict(field.split("=") for field in schedule.split())
    return tuple(int(fields[name]) for name in ("tile_m", "tile_n", "tile_k", "warps", "stages"))


class Winner:
    """Ranks of one tuned configuration."""

    def __init__(self, row, times):
        self.target, self.shape, self.m = row["target"], (row["n"], row["k"]), int(row["m"])
        self.dtype = problem(row)["dtype"]
        own = tuple(int(row[name]) for name in ("tile_m", "tile_n", "tile_k", "warps", "stages"))
        self.tile = own[:2]
        best = {}
        for candidate, time in times.items():
            best[candidate[:2]] = min(time, best.get(candidate[:2], math.inf))
        self.tile_rank = self.rank(best.get(self.tile, math.inf),
                                   [best.get(tile, math.inf) for tile in TILES])
        # None: the winner is not among the 320.
        self.tuple_rank = self.rank(times[own], list(times.values())) if own in times else None

    @staticmethod
    def rank(own, times):
        return 1 + sum(time < own for time in times) + (sum(time == own for time in times) - 1) / 2


def winners(tool, folder):
    groups = collections.defaultdict(list)
    for row in tuned_rows(folder):
        groups[row["target"], problem(row)["dtype"]].append(row)
    found = []
    for (target, dtype), rows in sorted(groups.items()):
        queries = list({tuple(problem(row).items()) for row in rows})
        times = collections.defaultdict(dict)
        answers = mapped(len(rows), lambda: ask(tool, f"{target}-{dtype}", [dict(query) for query in queries]))
        for answer in answers:
            key = tuple(answer[name] for name in ("m", "n", "k", "block_scaled"))
            times[key][parsed(answer["schedule"])] = float(answer["time_us"])
        for row in rows if answers else ():
            query = problem(row)
            found.append(Winner(row, times[row["m"], row["n"], row["k"], str(query["block_scaled"])]))
    return found


def share(values, limit):
    return 100 * sum(value <= limit for value in values) / len(values)


def tops(values, limits=(1, 5, 8)):
    return [share(values, limit) for limit in limits]


def by_table(all_winners):
    """Ranks by a table of the most frequent tiles for each log2 M, learned on the other folds over (n, k)."""
    shapes = sorted({winner.shape for winner in all_winners})
    fold = {shape: i % FOLDS for i, shape in enumerate(shapes)}
    result = []
    for held in range(FOLDS):
        counts = collections.defaultdict(collections.Counter)
        for winner in all_winners:
            if fold[winner.shape] != held:
                counts[int(math.log2(winner.m))][winner.tile] += 1
        for winner in all_winners:
            if fold[winner.shape] == held:
                table = counts[int(math.log2(winner.m))]
                result.append(Winner.rank(-table[winner.tile], [-table[tile] for tile in TILES]))
    return result


def by_largest(all_winners):
    """Ranks by the largest tile first, as many compilers choose."""
    sizes = [-m * n for m, n in TILES]
    return [Winner.rank(-winner.tile[0] * winner.tile[1], sizes) for winner in all_winners]


# ---------------------------------------------------------------- report

def cell(value):
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"


def sweep_table(all_sweeps):
    lines = ["| fp32 product, 4096^3 | target | configurations | Spearman | within 2 x | regret | of ties | "
             "best of 8 | largest tile | random |", "|---|---|---|---|---|---|---|---|---|---|"]
    for sweep in all_sweeps:
        numbers = " | ".join(f"{x:.3f}" for x in sweep.cells())
        lines.append(f"| {sweep.gpu} | {sweep.target} | {len(sweep.measured)} | {numbers} |")
    means = [statistics.mean(column) for column in zip(*(sweep.cells() for sweep in all_sweeps))]
    lines.append("| mean |  |  | " + " | ".join(f"{x:.3f}" for x in means) + " |")
    return lines


def winner_table(found):
    groups = collections.defaultdict(list)
    for winner in found:
        groups[f"{winner.target} {winner.dtype}"].append(winner)
        low, high = next((low, high) for low, high in ((1, 16), (17, 128), (129, 1024), (1025, 1 << 40))
                         if low <= winner.m <= high)
        groups[f"M {low} to {high}" if high < 1 << 40 else f"M from {low}"].append(winner)
    lines = ["| tuned 8-bit products | winners | tile in top 1 | 5 | 8 of 20 | tuple in top 1 | 8 | 20 of 320 |",
             "|---|---|---|---|---|---|---|---|"]

    def line(name, tiles, tuples=()):
        cells = [f"{x:.0f}" for x in tops(tiles) + (tops(tuples, (1, 8, 20)) if tuples else [])] + [""] * (0 if tuples else 3)
        lines.append(f"| {name} | {len(tiles)} | " + " | ".join(cells) + " |")

    def ranked(part):
        return [w.tile_rank for w in part], [w.tuple_rank for w in part if w.tuple_rank is not None]

    line("all", *ranked(found))
    for name in sorted(groups):
        line(name, *ranked(groups[name]))
    line("baseline: table by log2 M, held out by shape", by_table(found))
    line("baseline: largest tile first", by_largest(found))
    lines.append(f"| baseline: random | {len(found)} | 5 | 25 | 40 | 0 | 2 | 6 |")
    return lines


SECTION = "## Schedules"
INTRO = """
Written by `utils/validate.py schedules --data FOLDER --out docs/KernelAccuracy.md`; do not edit. Order of measured
schedules, equations (F\\*), (I\\*), (Y\\*), (Z\\*).

- *fp32 product*: every configuration of exhaustive sweeps (CLBlast). *Regret*: measured time of the configuration that the
  model picks, divided by the measured best; *of ties*: the mean of the configurations that the model ranks equally; *best of 8*:
  the best of its first eight; *largest tile*: a typical configuration with the largest tile; *random*: a median configuration. A board
  without a target uses a similar one, for order only. The terms were fitted on all sweeps together; refitted without one
  architecture: Spearman 0.87-0.97, regret 1.00-1.06.
- *Tuned products*: winners of the vLLM and SGLang tuners (Triton, fp8 and int8). Two tuners agree
  on 46 % of the tiles for the same shape and GPU. Tuples: only winners inside the tuners' 320. Fitted on these rows; four folds over
  shapes: 50/97/99.
- *Autotuner's log*: the ten best of 17 to 20 choices of Inductor's autotuner (Triton), so all are near the best; *median* and *worst* of
  the log, relative to the best. Convolutions are implicit GEMMs (Z6). Not fitted.
- *Fused kernel*: log of predicted over measured gain of one kernel over eager PyTorch's kernels, forward (Liger's benchmarks).
  *Before*: without (M9), where every kernel loads whole vectors. Not fitted.
"""


def section(tool, folder):
    fused, before = (validate_fusion.errors(ask, tool, folder, by_schedule) for by_schedule in (True, False))
    logs = validate_autotune.logs(ask, mapped, tool, folder)
    return "\n".join([SECTION, INTRO, *sweep_table(sweeps(tool, folder)), "", *winner_table(winners(tool, folder)), "",
                      *validate_autotune.table(logs, spearman), "", *validate_fusion.table(fused, before), ""])


def with_section(page, new):
    """`page` with the section on schedules, its last section, replaced by
    `new`."""
    return page.split(SECTION)[0].rstrip("\n") + "\n\n" + new


def section_of(page):
    """The section on schedules of a page, or nothing."""
    return "\n" + SECTION + page.split(SECTION)[1] if SECTION in page else ""


def run(args):
    new = section(args.tool, pathlib.Path(args.data))
    print(new)
    if args.out:
        path = pathlib.Path(args.out)
        path.write_text(with_section(path.read_text(), new))
    return 0


# Just above the current values.
LEAST_SPEARMAN, MOST_REGRET, WORST_REGRET = 0.94, 1.04, 1.06
MOST_CONVOLUTION, MOST_MATMUL = 1.01, 1.16
LEAST_TILES, LEAST_TUPLES, MOST_FUSION = (50, 96, 99), 75, 0.25


def checks(tool, data):
    """Order and choice of schedules against measured and tuned ones."""
    folder = data / "schedules"
    found = sweeps(tool, folder)
    regrets = [sweep.regret() for sweep in found]
    yield Check("schedules: Spearman of fp32 products", statistics.mean(sweep.cells()[0] for sweep in found),
                LEAST_SPEARMAN, at_least=True)
    yield Check("schedules: regret of fp32 products", statistics.mean(regrets), MOST_REGRET)
    yield Check("schedules: worst regret of fp32 products", max(regrets), WORST_REGRET)
    tuned = winners(tool, folder)
    for limit, least, value in zip((1, 5, 8), LEAST_TILES, tops([winner.tile_rank for winner in tuned])):
        yield Check(f"schedules: tuned tiles in the top {limit}", value, least, " %", at_least=True)
    value = share([winner.tuple_rank for winner in tuned if winner.tuple_rank is not None], 8)
    yield Check("schedules: tuned tuples in the top 8", value, LEAST_TUPLES, " %", at_least=True)
    logs = validate_autotune.logs(ask, mapped, tool, folder)
    for name, most, part in (("convolutions", MOST_CONVOLUTION, [log for log in logs if log.op == "convolution"]),
                             ("Inductor's matmuls", MOST_MATMUL, [log for log in logs if log.op != "convolution"])):
        yield Check(f"schedules: regret of {name}", statistics.mean(log.regret() for log in part), most)
    value = validate_fusion.median(validate_fusion.errors(ask, tool, folder))
    yield Check("schedules: gain of fused kernels, median log ratio", value, MOST_FUSION)
