#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the attention of the serving stacks on Blackwell, which run TensorRT-LLM's generated kernels.

  fit_generated.py --data FOLDER --check|--apply|--held-out

The numbers of the kernel are common to SGLang, vLLM and TensorRT-LLM; each stack has separate numbers for the kernels
around it (study_generated.py names both). Triton and FlashInfer, which some head dimensions need, have separate sets.
The fit minimises a pseudo-Huber loss of log errors within the bounds below, over at most ROWS rows of each set: half of
them random, half even over the logarithm of the time. The tool computes all predictions. --held-out leaves a fifth of
the shapes out, the same in all stacks, and prints their errors. Requires NumPy and SciPy.
"""
import concurrent.futures
import dataclasses
import pathlib
import re
import sys
import tempfile
import zlib

import numpy as np
from scipy.optimize import least_squares

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab" / "validate"))
import kernel_tables  # noqa: E402
import validate_kernels  # noqa: E402
from coefficient_files import (add_provenance, block_of, fit_options, read_all, read_field, replace_field,  # noqa: E402
                               settled, soft_l1, store, with_errors, with_fit)
from error_statistics import Errors  # noqa: E402
from fit_error_bars import half_widths, widths_text  # noqa: E402

TABLE = "wave3/aic/attention_lowp.csv.gz"
GPU = "b200-sxm"
NOISE, ROWS, STEP, EVALUATIONS = 0.06, 1000, 1e-3, 30
# Shapes are divided into this number of parts; the first one is held out.
PARTS = 5
# Bounds in the units of the files (us, pJ). Products reach 0.86 of the tensor peak, so an efficiency below 0.75 would
# replace the softmax or the power limit; more than one exponential per score takes at least 0.0025 cycles.
CAUSAL = {
    "efficiency": (0.75, 1), "softmax_cycles": (0.0025, 1), "pipe_norm": (1, 8), "prologue_cycles": (100, 1e5),
    "wave_fraction": (0.005, 1), "causal_tail": (0.01, 1.5), "dram_efficiency": (0.2, 1), "l2_bytes_per_clock": (5, 2000),
    "l2_fraction": (0.02, 1.49), "energy_per_flop": (0.09, 1.8), "window_prologue": (0.01, 4)}
AROUND = {"fixed_time": (1, 60), "query_passes": (0.01, 6), "cache_row_cycles": (0.1, 3e4), "query_row_cycles": (0.1, 3e4),
          "cache_bytes_per_clock": (1, 300)}
DECODE = {
    "dram_efficiency": (0.5, 1), "l2_bytes_per_clock": (5, 2000), "l2_fraction": (0.05, 1.49), "prologue_cycles": (100, 1e5),
    "row_cycles": (0.05, 3000), "block_cycles": (5, 2e4), "ctas_per_sm": (0.5, 16), "row_exponent": (0.01, 3),
    "overlap_norm": (1, 8), "combine_cycles": (0.1, 3000), "least_split_blocks": (0.5, 64), "latency_cycles": (50, 2e4),
    "block_latency_cycles": (5, 5000), "split_time": (0.01, 20)}
MASKED = {"single_prologue_cycles": (100, 1e5), "single_block_cycles": (5, 2e4), "single_fixed_time": (1, 40)}
# Triton and FlashInfer: fewer rows, other kernels.
OTHER_CAUSAL = {**CAUSAL, "efficiency": (0.05, 1)}
OTHER_DECODE = {**DECODE, "hit_exponent": (1, 60), "exposed_share": (0.01, 1), "wave_fraction": (0.001, 1),
                "latency_exponent": (0.05, 3)}
LAUNCH = {"fixed_time": (1, 40)}


@dataclasses.dataclass(frozen=True)
class Joint:
    """Sets with common numbers: `common` for all, `own` for each; `users`: {set: (software, head dimensions)}, where no
    dimensions mean all that no other set of the software has; `extra`: {set: further numbers}."""
    family: str
    users: dict
    common: dict
    own: dict
    extra: dict = dataclasses.field(default_factory=dict)


FITS = (
    Joint("attention, prefill", {"causal_sglang": ("sglang", ()), "causal_vllm": ("vllm", ()),
                                 "causal_vllm019": ("vllm-0.19", ()), "causal_trtllm": ("tensorrt-llm", ())},
          {**CAUSAL, "relative_efficiency": (0.3, 1)}, AROUND),
    Joint("attention, decode", {"decode_sglang": ("sglang", ()), "decode_vllm": ("vllm", ()),
                                "decode_trtllm": ("tensorrt-llm", ())}, DECODE, LAUNCH, {"decode_trtllm": MASKED}),
    Joint("attention, prefill", {"causal_triton192": ("sglang", (192,))}, OTHER_CAUSAL, AROUND),
    Joint("attention, prefill", {"causal_trtllm512": ("tensorrt-llm", (512,))}, OTHER_CAUSAL, AROUND),
    Joint("attention, decode", {"decode_triton192": ("sglang", (192,))}, OTHER_DECODE, LAUNCH),
    Joint("attention, decode", {"decode_trtllm512": ("tensorrt-llm", (512,))}, OTHER_DECODE, LAUNCH),
)
# Sets for all software, and the set whose numbers they have. A model states the writes of its cache.
COMMON = {"attention_causal": "causal_vllm", "decode": "decode_vllm"}


def parameters_of(fit):
    """[(sets, field, low, high)]: the numbers that the fit changes, each in all of its sets."""
    found = [(tuple(fit.users), field, *bounds) for field, bounds in fit.common.items()]
    for name in fit.users:
        found += [((name,), field, *bounds) for field, bounds in {**fit.own, **fit.extra.get(name, {})}.items()]
    return found


def has_field(text, name, field):
    start, end = block_of(text, name)
    return re.search(rf"\b{field} = ", text[start:end]) is not None


def part_of(query):
    """The part of a query's shape, the same in all stacks."""
    shape = [query[c] for c in ("batch", "heads", "kv_heads", "head_dim", "q_len", "kv_len")]
    return zlib.crc32(repr((*shape, query.get("window", 0))).encode()) % PARTS


def spread(times, rows):
    """At most `rows` indices: half at random, half even over the logarithms of the times."""
    random = np.random.default_rng(0)
    if len(times) <= rows:
        return np.arange(len(times))
    first = random.permutation(len(times))[:rows // 2]
    logs = np.log(times)
    bins = np.clip((20 * (logs - logs.min()) / (np.ptp(logs) + 1e-9)).astype(int), 0, 19)
    weights = 1 / np.bincount(bins, minlength=20)[bins]
    weights[first] = 0
    more = random.choice(len(times), min(rows - rows // 2, np.count_nonzero(weights)), False, weights / weights.sum())
    return np.sort(np.concatenate([first, more]))


def rows_of(table, fit, fits):
    """{set: rows of its software and head dimensions, those of other sets of `fits` left out}."""
    def product(software):
        return re.sub(r"-\d.*", "", software)
    special = {(product(software), dim) for other in fits if other.family == fit.family
               for software, dims in other.users.values() for dim in dims}
    return {name: [(row, query) for row, query in table
                   if row["software"] == software and kernel_tables.family(query) == fit.family
                   and (query["head_dim"] in dims if dims else (product(software), query["head_dim"]) not in special)]
            for name, (software, dims) in fit.users.items()}


class GeneratedFit:
    """The rows of one Joint, by set, and the text from which the fit starts."""

    def __init__(self, tool, gpu, rows, fit, text, jobs):
        """`rows`: {set: [(row, query)]}"""
        self.tool, self.gpu, self.rows, self.fit, self.text, self.jobs = tool, gpu, rows, fit, text, jobs
        self.parameters = [p for p in parameters_of(fit) if all(has_field(text, name, p[1]) for name in p[0])]
        self.bounds = np.log([p[2:] for p in self.parameters]).T
        self.measured = {name: np.array([float(row["measured_us"]) for row, _ in rows]) for name, rows in self.rows.items()}
        self.queries = {name: [validate_kernels.with_protocol(row, query) for row, query in rows]
                        for name, rows in self.rows.items()}
        self.parts = {name: np.array([part_of(query) for _, query in rows]) for name, rows in self.rows.items()}

    def file(self, logs):
        text = self.text
        for (names, field, *_), value in zip(self.parameters, np.exp(logs)):
            for name in names:
                text = replace_field(text, name, field, value)
        return text

    def start(self):
        logs = np.log([max(read_field(self.text, names[0], field), 1e-9) for names, field, *_ in self.parameters])
        return np.clip(logs, self.bounds[0] + 1e-6, self.bounds[1] - 1e-6)

    def times(self, logs, name, where):
        """Predictions in us for rows `where` of a set."""
        software = self.fit.users[name][0]
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(self.file(logs))
            file.flush()
            answers, error = validate_kernels.ask(self.tool, self.gpu, "bf16", [self.queries[name][i] for i in where],
                                                  [f"--coefficients={file.name}", f"--software={software}"])
        if error:
            raise SystemExit(f"fit_generated.py: {error}")
        return np.array([float(answer["time_us"]) for answer in answers])

    def search(self, where, settle=False):
        """Logarithms of the best numbers for rows `where` of each set; `settle`: see settled()."""
        names = list(self.fit.users)

        def residual(name, logs):
            return soft_l1(np.log(self.times(logs, name, where[name]) / self.measured[name][where[name]]), NOISE)

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            def residuals(logs):
                return np.concatenate(list(pool.map(lambda name: residual(name, logs), names)))

            def slopes(logs):
                """A number of one set changes only the rows of that set."""
                base = {name: part for name, part in zip(names, np.split(residuals(logs), np.cumsum(
                    [len(where[name]) for name in names])[:-1]))}
                def slope(place):
                    moved = logs.copy()
                    step = -STEP if logs[place] + STEP > self.bounds[1][place] else STEP
                    moved[place] += step
                    return np.concatenate([(residual(name, moved) - base[name]) / step
                                           if name in self.parameters[place][0] else np.zeros(len(where[name]))
                                           for name in names])
                return np.array(list(pool.map(slope, range(len(logs))))).T

            end = least_squares(residuals, self.start(), slopes, bounds=self.bounds, x_scale=1.0, max_nfev=EVALUATIONS)
            return settled(self.start(), end, residuals) if settle else end.x

    def sample(self, keep):
        """{set: rows of the fit} among those for which `keep` is true."""
        found = {}
        for name, times in self.measured.items():
            among = np.flatnonzero(keep[name])
            found[name] = among[spread(times[among], ROWS)]
        return found

    def errors(self, logs, keep):
        """{set: signed errors in percent}."""
        return {name: 100 * (self.times(logs, name, np.flatnonzero(keep[name]))
                             / self.measured[name][keep[name]] - 1) for name in self.fit.users}

    def held_out(self):
        """{set: (signed errors in percent, measured us)} of a fifth of the shapes, which the fit leaves out."""
        left = {name: part == 0 for name, part in self.parts.items()}
        found = self.search(self.sample({name: ~part for name, part in left.items()}))
        return {name: (signed, self.measured[name][left[name]]) for name, signed in self.errors(found, left).items()}

    def fitted(self):
        """The text with the best numbers and their provenance, and {set: signed errors in percent}."""
        found = self.search(self.sample(everything(self)), settle=True)
        text, errors = self.file(found), self.errors(found, everything(self))
        for name, signed in errors.items():
            text = with_fit(text, name, min(len(signed), ROWS), Errors(signed).mean)
        return text, errors

    def with_widths(self):
        """The text whose sets have the half-widths of its numbers."""
        kind = "decode" if self.fit.family == "attention, decode" else "attention"
        text = self.text
        for name, signed in self.errors(self.start(), everything(self)).items():
            measured = self.measured[name]
            text = with_errors(text, name, [widths_text(kind, half_widths(measured * (1 + signed / 100), measured))])
        return text


def everything(fit):
    return {name: np.ones(len(times), bool) for name, times in fit.measured.items()}


def with_common(text):
    """`text` whose sets for all software have the numbers of one stack."""
    for group, origin in COMMON.items():
        fields = {**CAUSAL, **AROUND, "relative_efficiency": ()} if group == "attention_causal" else {**DECODE, **LAUNCH}
        for field in fields:
            if has_field(text, group, field):
                text = replace_field(text, group, field, read_field(text, origin, field))
        text = add_provenance(text, group, f"numbers of {origin.split('_')[1]}")
    return text


def read_table(data):
    rows, _ = validate_kernels.read(data / TABLE, "attention")
    return [(row, query) for row, query in rows if row["gpu"] == GPU]


def fit_generated(tool, data, jobs, texts):
    """`texts` with the attention of GPU fitted to the table."""
    table, text = read_table(data), texts[GPU]
    for fit in FITS:
        text, errors = GeneratedFit(tool, GPU, rows_of(table, fit, FITS), fit, text, jobs).fitted()
        for name, signed in errors.items():
            print(f"  {GPU} {name}: {len(signed)} rows, {Errors(signed).mean:.1f} % in fit", flush=True)
    return {**texts, GPU: with_common(text)}


def with_committed_generated(texts, committed):
    """`texts` with the attention sets of `committed`."""
    text = texts[GPU]
    for name in (*COMMON, *(name for fit in FITS for name in fit.users)):
        start, end = block_of(text, name)
        own, last = block_of(committed[GPU], name)
        text = text[:start] + committed[GPU][own:last] + text[end:]
    return {**texts, GPU: text}


def held_out(tool, data, jobs, texts):
    """Prints the errors on the held-out part of the shapes, by set."""
    table, text = read_table(data), texts[GPU]
    totals = {}
    for fit in FITS:
        kernels = GeneratedFit(tool, GPU, rows_of(table, fit, FITS), fit, text, jobs)
        for name, (signed, _) in kernels.held_out().items():
            totals.setdefault(fit.family, []).append(signed)
            print(f"{name:20s} n {len(signed):5d} {Errors(signed).text()}", flush=True)
    for family, parts in totals.items():
        print(f"{family:20s} n {sum(map(len, parts)):5d} {Errors(np.concatenate(parts)).text()}")


def main():
    args = fit_options(__doc__)
    if args.held_out:
        held_out(args.tool, args.data, args.jobs, read_all())
        return 0
    return store(args, fit_generated(args.tool, args.data, args.jobs, read_all()))


if __name__ == "__main__":
    sys.exit(main())
