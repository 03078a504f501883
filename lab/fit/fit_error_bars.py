#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the 80 % intervals of predictions to residuals and writes them to the coefficient files.

  fit_error_bars.py --data FOLDER --iterations HELD_OUT_MODEL.json --transferred HELD_OUT_GPU.json [--apply]

A half-width h means: 80 % of measured values lie within [x / (1 + h), x (1 + h)] of the prediction x. For kernels, h
is the 80 % quantile of |ln(measured / predicted)| per GPU, class and range of predicted time over the public tables,
with equal weight for each source, of which NCCL's rows in the table of the stacks' all-reduces are one. A cell with
fewer rows than LEAST takes the median over the GPUs that have enough; a class without any table takes the value of
tensor-core matmuls. `outside` is the factor by which residuals of tensor-core matmuls widen if the GPU's coefficients
come from other GPUs. For iterations, `correlation`, the part not explained by kernels (`time_inference`, `time_training`) and `power` are chosen so that 80 % of the rows of each kind
lie inside, with equal weight for each source and board. Errors of time and power are correlated (U4): `power_follows_time`
is the slope of the errors of power over those of time times the dynamic share, and `power` covers the rest. All boards with
rows of power have one value, of all sources: the boards of a new source are no nearer than those of the others. A board
without rows whose generation has some takes that of boards that a fit left out; a board of an unseen generation at least
that of Hopper with the event energies of Ampere by process and voltage. Rows are predicted by fits without their model (--iterations,
the JSON output of `validate.py e2e --protocol=held-out-model`). Boards without rows of a kind, and power of boards
with transferred energies, are predicted by fits without the board (--transferred).
"""
import argparse
import collections
import dataclasses
import json
import math
import pathlib
import re
import statistics
import sys
import tempfile

import numpy as np

import fit_boards
from coefficient_files import block_of, file_of, read_all, read_field, replace_field, write_all
from fit_kernels import from_others
from study_power import GDDR6_ENERGY, IDLE_BASE_SHARE

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab" / "validate"))
import e2e_rows  # noqa: E402
import kernel_tables  # noqa: E402
import validate_all_reduce  # noqa: E402
import validate_kernels  # noqa: E402
import validate_measured  # noqa: E402
import validate_modern  # noqa: E402
import validate_serve  # noqa: E402
from error_statistics import EDGES  # noqa: E402

COVERAGE = 0.8
LEAST = 30
CLASSES = ("tensor_matmul", "fp32_matmul", "tensor_convolution", "fp32_convolution", "attention", "decode",
           "row_wise", "streaming", "collective")
GEMM_TABLE = "kernels_gemm_bf16_aiconfigurator.csv.gz"
# Launch costs of three measured hosts are 16.4, 15.9 and 8.8 us; the default is 9. With a stated cost,
# only the scatter of launch-bound rows remains.
HOST_UNKNOWN, HOST = 0.8, 0.1
HOPPER_LIMIT = 700  # W
PROVENANCE = ("80 % quantiles of residuals of public kernel tables (aiconfigurator, NeuSight, Vidur, LLMCompass) and "
              "of whole networks (EnergAIzer, Zeus: held out by model or board; NeuSight, Lambda, DeepLearningExamples, MPT, "
              "milabench)")


def class_of(name):
    """(source, gpu, error class) of a group in validate_kernels."""
    source, gpu, dtype, family = name.split(" ", 3)
    unit = "fp32" if dtype == "fp32" else "tensor"
    return source, gpu, {"linear": f"{unit}_matmul", "batched matmul": f"{unit}_matmul",
                         "convolution": f"{unit}_convolution", "attention, prefill": "attention",
                         "attention, decode": "decode", "softmax": "row_wise", "layernorm": "row_wise",
                         "elementwise": "streaming", "collective": "collective"}[family.removesuffix(validate_kernels.OVER)]


def region(predicted_us):
    return sum(predicted_us >= edge for edge in EDGES)


def half_widths(predicted, measured):
    """Those of small, medium and large kernels, from arrays of times in us. A range with a twentieth of the rows or less has
    that of all."""
    logs = np.abs(np.log(np.maximum(measured, 1e-3) / predicted))
    where = np.searchsorted(EDGES, predicted, side="right")
    parts = [logs[where == each] for each in range(3)]
    return [float(np.expm1(np.quantile(part if len(part) > len(logs) / 20 else logs, COVERAGE))) for part in parts]


def widths_text(kind, widths, gpu=""):
    """An entry of `errors`, of one board or of those without an entry."""
    fields = [f"kind = {kind}", *(f"{size} = {value:.3g}" for size, value in zip(("small", "medium", "large"), widths))]
    if gpu:
        fields.append(f'gpu = "{gpu}"')
    return f"<{', '.join(fields)}>"


def quantile(weighted):
    """The value below which COVERAGE of the weight lies, from pairs (value,
    weight)."""
    weighted = sorted(weighted)
    total, sum_ = sum(w for _, w in weighted), 0.0
    for value, weight in weighted:
        sum_ += weight
        if sum_ >= COVERAGE * total:
            return value
    return weighted[-1][0]


def residual(measured, predicted):
    return abs(math.log(measured / predicted))


def kernel_residuals(tool, data):
    """{(file stem, class, region): {source: [residual]}} of all tables."""
    cells = collections.defaultdict(lambda: collections.defaultdict(list))
    stems = read_all()
    for table in sorted(data.glob("kernels_*.csv*")):
        if "ops_fwbw" in table.name:
            continue
        groups, _ = validate_kernels.evaluate(tool, table)
        for name, rows in groups.items():
            # Rows that are mostly dispatch time carry no information about the
            # kernel.
            if name.startswith(kernel_tables.WITH_DISPATCH) and validate_kernels.OVER not in name:
                continue
            source, gpu, kind = class_of(name)
            if source == validate_kernels.STACKS:  # medians of the other sources
                continue
            for row in rows:
                cells[file_of(gpu, stems), kind, region(row.predicted)][source].append(
                    residual(row.measured, row.predicted))
        print(f"  {table.name}", flush=True)
    for row, own, nccl in validate_all_reduce.compare(tool, data):
        if own["time_us"] == nccl["time_us"] and row["gpu"] in validate_all_reduce.JUDGED:  # NCCL's kernel
            cells[row["gpu"], "collective", region(float(own["time_us"]))][validate_kernels.STACKS].append(
                residual(float(row["us"]), float(own["time_us"])))
    return cells


def widths(cells):
    """{(stem, class): (small, medium, large)} of the cells, and {class: (small, medium, large)}
    for the rest."""
    own = {}
    for (stem, kind, where), sources in cells.items():
        if sum(map(len, sources.values())) >= LEAST:
            own[stem, kind, where] = math.expm1(quantile(
                [(value, 1 / len(values)) for values in sources.values() for value in values]))
    def typical(kind, where):
        found = [value for (_, k, w), value in own.items() if (k, w) == (kind, where)]
        near = [value for (_, k, _), value in own.items() if k == kind]
        return statistics.median(found or near) if found or near else None
    usual = {}
    for kind in CLASSES:
        usual[kind] = [typical(kind, w) or typical("tensor_matmul", w) for w in range(3)]
    return own, usual


def outside_factor(tool, data):
    """The factor by which intervals widen for a GPU that was not measured."""
    ratios = []
    groups, _ = validate_kernels.evaluate(tool, data / GEMM_TABLE)
    gpus = sorted({name.split()[1] for name in groups})
    for gpu in gpus:
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(from_others(tool, read_all(), gpu, gpus))
            file.flush()
            other, _ = validate_kernels.evaluate(tool, data / GEMM_TABLE, only=gpu,
                                                 flags=[f"--coefficients={file.name}"])
        def width(found):
            return quantile([(residual(row.measured, row.predicted), 1) for name, rows in found.items()
                             if name.split()[1] == gpu for row in rows])
        ratios.append(width(other) / width(groups))
        print(f"  matmuls of {gpu} from other GPUs: {100 * width(other):.1f} %, own {100 * width(groups):.1f} %")
    return math.exp(statistics.mean(map(math.log, ratios)))


# Ranges of predicted time; accuracy of power limiters (throttled A100 of EnergAIzer: 248.6 to 252.4 W at 250 W).
STATED = "small_below = 10 us, medium_below = 100 us, limiter_tolerance = 0.01"


def block(values, kernels):
    """The attribute as text."""
    rows = [f"    <kind = {kind}, small = {a:.3g}, medium = {b:.3g}, large = {c:.3g}>"
            for kind, (a, b, c) in kernels.items()]
    fields = ", ".join(f"{name} = {value:.3g}" for name, value in values.items())
    return (f"#error_bars = #gpucost.error_bars<\n  provenance = \"{PROVENANCE}\",\n  {fields},\n  {STATED},\n  kernels = [\n"
            + ",\n".join(rows) + "]>\n")


def with_block(text, new):
    """`text` with the group replaced or added."""
    if "#error_bars = " in text:
        start = text.index("#error_bars = ")
        return text[:start] + new + text[text.index(">\n\n", start) + 2:]
    text = text.replace("module attributes {", new + "\nmodule attributes {")
    return text.replace(">} {}\n", ",\n  error_bars = #error_bars>} {}\n")


class Iterations:
    """Rows of whole models with the kernels' fraction of the half-width, for correlation 0 and 1."""

    def __init__(self, args, texts_of, predictions, modern=False):
        """`predictions`: JSON of a protocol that holds something out. With `modern`, only its inference rows, and
        the training rows of boards whose models are not used in fits, such as the V100's times."""
        data = pathlib.Path(args.data)
        held_out = {(row["row"]["source"], row["row"]["workload_id"]): row
                    for row in json.loads(pathlib.Path(predictions).read_text())}
        table = e2e_rows.Table(data / "e2e.csv", data / "workloads.csv", ROOT / "lab" / "validate" / "manifest.json",
                               lambda row: row["core"])
        tables = [table]
        if modern:
            tables.append(validate_modern.ModernTable(data / validate_modern.FILE, ROOT / "lab" / "validate" / "manifest.json",
                                                      lambda row: row["quality"] == "A"))
        kernel_parts = []
        for correlation in (0.0, 1.0):
            with tempfile.TemporaryDirectory() as folder:
                texts = texts_of(correlation)
                write_all(texts, folder)
                results = [result for each in tables for result in each.predict(
                    args.tool, args.jobs, flags=lambda row: [
                        f"--coefficients={folder}/{file_of(row['gpu'], texts)}.mlir", "--details"])[0]]
            kernel_parts.append({(r.row["source"], r.row["workload_id"]): r for r in results if not r.caveat})
        self.rows = []
        for key, low in kernel_parts[0].items():
            high = kernel_parts[1][key]
            found = held_out.get(key)
            trains = e2e_rows.mode_of(high.row) == "training"
            if modern and key[0] != validate_modern.SOURCE and (trains or not found):
                continue
            iteration = found["predicted"] if found else high.report["iteration"]
            parts = [part.report["iteration"]["time_high_ms"] / part.report["iteration"]["time_ms"] - 1
                     for part in (low, high)]
            row = PowerRow.of(key[0], high.row["gpu"], high.label, {**high.report["iteration"], **iteration},
                              high.report["iteration"], high.report["details"]["idle_power_w"])
            self.rows.append({"key": key, "gpu": high.row["gpu"], "mode": e2e_rows.mode_of(high.row), "parts": parts,
                              "time": residual(high.label["time"], iteration["time_ms"]), "power": row})

    def power(self):
        return [row["power"] for row in self.rows if row["power"]]

    def coverage(self, mode, correlation, rest):
        """Fraction of the rows inside, with equal weight for each source and
        board."""
        inside = collections.defaultdict(list)
        for row in self.rows:
            if row["mode"] == mode:
                low, high = (part ** 2 for part in row["parts"])
                kernels = correlation ** 2 * high + (1 - correlation ** 2) * low
                inside[row["key"][0], row["gpu"]].append(row["time"] <= math.log1p(math.sqrt(kernels + rest ** 2)))
        return statistics.mean(statistics.mean(source) for source in inside.values())

    def rest(self, mode, correlation):
        """The part in addition to the kernels' part for which COVERAGE of the rows lie
        inside."""
        low, high = 0.0, 1.0
        if self.coverage(mode, correlation, 0.0) >= COVERAGE:
            return 0.0
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (low, middle) if self.coverage(mode, correlation, middle) >= COVERAGE else (middle, high)
        return high


@dataclasses.dataclass
class PowerRow:
    """Errors ln(measured / predicted) of a row below the power limit."""

    source: str
    board: str
    time: float  # 0 if it is part of `width`
    power: float
    dynamic: float  # share of the energy
    width: float  # known half-width of power: of an unknown board

    @classmethod
    def of(cls, source, board, label, predicted, widths, idle_power):
        """None without a label of power, and at the limit. `widths`: a report with coefficients without a width of power."""
        if not label["power"] or predicted["throttled"]:
            return None
        idle = idle_power * predicted["time_ms"] / 1e3 / predicted["energy_j"]
        return cls(source, board, math.log(label["time"] / predicted["time_ms"]),
                   math.log(label["power"] / predicted["avg_power_w"]), max(1 - idle, 0),
                   widths["avg_power_w"] / widths["avg_power_low_w"] - 1)

    def rest(self, follows):
        """The error of power that does not follow the error of time."""
        return self.power + follows * self.dynamic * self.time

    def needed(self, follows):
        """The half-width `power` with which the row lies on the edge of its interval."""
        return math.sqrt(max(math.expm1(abs(self.rest(follows))) ** 2 - self.width ** 2, 0))


def weighted(rows):
    """[(row, weight)]: equal weight for each source and, within one, for each board."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        groups[row.source][row.board].append(row)
    return [(row, 1 / len(groups) / len(boards) / len(part))
            for boards in groups.values() for part in boards.values() for row in part]


def slope(rows):
    """`power_follows_time`: least squares through the origin, from 0 to 1."""
    pairs = [(-row.dynamic * row.time, row.power, weight) for row, weight in weighted(rows) if row.time]
    return min(max(sum(w * x * y for x, y, w in pairs) / sum(w * x * x for x, _, w in pairs), 0.0), 1.0)


def width_of_power(rows, follows):
    return quantile([(row.needed(follows), weight) for row, weight in weighted(rows)])


def inside(rows, power, follows):
    """Percent of the rows, with the weights of the fit."""
    return 100 * sum(weight for row, weight in weighted(rows) if row.needed(follows) <= power)


def own_rows(args, texts, source="own"):
    """Networks on the project's boards (lab/measurements), predicted by the coefficients `texts`."""
    with tempfile.TemporaryDirectory() as folder:
        write_all(texts, folder)
        found = validate_measured.measured_networks(
            args.tool, args.jobs, lambda board: [f"--coefficients={folder}/{validate_measured.target_of(board)}.mlir", "--details"])[0]
    rows = []
    for row in found:
        if row.on_gpu:
            time = float(row.row["gpu_ms" if row.row["runtime"] == "cudagraph" else "wall_ms"])
            label = {"time": time, "power": float(row.row["power_avg_w"])}
            rows.append(PowerRow.of(source, row.board, label, row.found, row.found, row.found["idle_power_w"]))
    return [row for row in rows if row]


def serving_rows(args):
    """Steady states of vLLM; the known width holds all but the shipped `power`."""
    known = {stem: read_field(text, "error_bars", "power") for stem, text in read_all().items() if stem in fit_boards.DIE}
    rows = []
    for step in validate_serve.predict(args, args.data)[0]:
        if step.gpu in known and step.measured["power"] and validate_serve.trusted(step.row):
            rows.append(PowerRow("vllm", f"{step.gpu} {step.row['model']} {step.row['gpus']}", 0.0,
                                 math.log(step.measured["power"] / step.predicted["power"]), 1.0,
                                 math.sqrt(max(step.width ** 2 - known[step.gpu] ** 2, 0))))
    return rows


def ampere_on_hopper(texts):
    """`texts` in which Hopper has the event energies of Ampere by process and voltage, those of AD102 (the same process) with
    the energy of a stacked DRAM, and an assumed idle power: as predicted before the generation was measured."""
    changed = dict(texts)
    start, end = block_of(texts["l40s"], "power")
    group = texts["l40s"][start:end] + ">\n\n"
    group = replace_field(group, "power", "per_dram_byte", read_field(group, "power", "per_dram_byte") / GDDR6_ENERGY)
    group = replace_field(group, "power", "idle_base", IDLE_BASE_SHARE * HOPPER_LIMIT)
    for stem in fit_boards.DIE:
        start, end = block_of(texts[stem], "power")
        changed[stem] = texts[stem][:start] + group + texts[stem][end + len(">\n\n"):]
    return changed


def generations():
    """{stem: architecture} of the boards that use each coefficient file."""
    found = {}
    for path in (ROOT / "targets").glob("*.mlir"):
        text = path.read_text()
        found[re.search(r'coefficients_from = "([^"]+)"', text)[1]] = re.search(r"architecture = (\w+)", text)[1]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--iterations", required=True)
    parser.add_argument("--transferred", required=True)
    parser.add_argument("--tool", default=str(ROOT / "build" / "bin" / "gpu-cost-opt"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--apply", action="store_true")
    args = parser.parse_args()
    args.manifest = ROOT / "lab" / "validate" / "manifest.json"
    # Sets that contain only links have no kernels; AMD's boards have other intervals (fit_amd.py).
    texts = {stem: text for stem, text in read_all().items() if "#power = " in text and not stem.startswith("mi")}
    print("kernels", flush=True)
    own, usual = widths(kernel_residuals(args.tool, args.data))
    outside = outside_factor(args.tool, args.data)
    print(f"  outside the calibrated domain x {outside:.2f}")

    def edited(correlation, rest=lambda stem, mode: 0.0, power=lambda stem: 0.0, follows=0.0):
        changed = {}
        for stem, text in texts.items():
            kernels = {kind: [own.get((stem, kind, w), usual[kind][w]) for w in range(3)] for kind in CLASSES}
            values = {"correlation": correlation, "outside": outside, "host": HOST, "host_unknown": HOST_UNKNOWN,
                      "time_inference": rest(stem, "inference"), "time_training": rest(stem, "training"),
                      "power": power(stem), "power_follows_time": follows}
            changed[stem] = with_block(text, block(values, kernels))
        return changed

    print("whole networks", flush=True)
    rows = Iterations(args, edited, args.iterations)
    unseen = Iterations(args, edited, args.transferred, modern=True)
    # The largest correlation for which the rest of an iteration is not
    # negative.
    correlation = next(c / 20 for c in range(20, -1, -1)
                       if c == 0 or all(rows.coverage(mode, c / 20, 0.0) <= COVERAGE
                                        for mode in ("inference", "training")))
    # A board without rows of a mode is predicted like a board whose rows are
    # left out.
    seen = {(file_of(row["gpu"], texts), row["mode"]) for row in rows.rows}
    rest = {(mode, known): part.rest(mode, correlation)
            for known, part in ((True, rows), (False, unseen)) for mode in ("inference", "training")}
    print(f"  correlation {correlation}, rest {rest}")
    plain = edited(correlation)
    measured = rows.power() + own_rows(args, plain) + serving_rows(args)
    follows = slope(measured)
    known_power = width_of_power(measured, follows)
    print(f"  power follows time {follows:.2f}; power {known_power:.3f}")
    for source in sorted({row.source for row in measured}):
        part, others = ([row for row in measured if (row.source == source) == own] for own in (True, False))
        print(f"    {source}: {inside(part, known_power, follows):.0f} % inside, by the fit of the other sources "
              f"{inside(part, width_of_power(others, slope(others)), slope(others)):.0f} %")
    left_out = max(width_of_power(unseen.power(), follows), known_power)
    ampere = own_rows(args, ampere_on_hopper(plain), "ampere")
    other_power = max(width_of_power(unseen.power() + ampere, follows), left_out)
    print(f"  power of a board without rows {left_out:.3f}, of an unseen generation {other_power:.3f}")
    measured_stems = {file_of(row.board, texts) for row in rows.power()} | set(fit_boards.DIE) | {fit_boards.B200}
    generation = generations()
    measured_generations = {generation[stem] for stem in measured_stems}

    def power(stem):
        kin = re.sub(r"-(pcie|sxm).*", "", stem)
        if any(re.sub(r"-(pcie|sxm).*", "", other) == kin for other in measured_stems):
            return known_power
        return left_out if generation.get(stem) in measured_generations else other_power

    changed = edited(correlation, lambda stem, mode: rest[mode, (stem, mode) in seen], power, follows)
    if args.apply:
        write_all(changed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
