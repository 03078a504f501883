#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the matmuls of MI300X in 16 and 8 bits, equations (G1)-(G8), to XLA's table.

  fit_amd.py --data FOLDER [--set fp8_gemm] --check|--apply|--held-out

A soft-L1 loss on log errors with a weak Gaussian prior on the log of each parameter: the committed value, with the
deviation of the joint priors of tensor_gemm. fp16 has the numbers of bf16 except the efficiency. --held-out leaves a
third of the shapes out of a fit that starts from the committed numbers, and prints their errors. MI355X takes the
numbers of MI300X with twice the bytes per clock, and MI300X the fp32 and streaming kernels of MI210 (fit_kernels.py).
The tool computes all predictions. Requires NumPy and SciPy.
"""
import re
import sys

import numpy as np

import fit_kernels
from coefficient_files import TOOL, block_of, fit_options, read_all, settled, soft_l1, store, with_fit
from error_statistics import Errors
from fit_low_precision import LowPrecisionFit, describe, half_widths
from matmuls_of_xla import read_rows
from scipy.optimize import least_squares
from validate_kernels import ask

BEFORE, BOARD, NEXT = "mi210", "mi300x", "mi355x"
CARRIED = ("simt_linear", "simt_batched", "issue_slots", "streaming", "softmax_reread")
INSTRUCTIONS = ("per_element", "instructions")  # which power needs
NOISE, EVALUATIONS, HELD_OUT = 0.08, 40, 1 / 3
ALL = slice(None)  # rows
PRIOR = 0.1
BOUNDS = {"l2_bytes_per_clock": (4, 64), "latency_cycles": (1, 3000), "fixed_time": (0.3, 10), "split_k_time": (0.1, 10),
          "l2_fraction": (0.005, 1.4), "fill_depth": (2, 2000)}
FORMATS = {"tensor_gemm": "bf16", "fp16_gemm": "fp16", "fp8_gemm": "fp8"}


class XlaFit(LowPrecisionFit):
    """The rows of one set, and the text from which its fit starts."""

    def __init__(self, tool, data, name, texts):
        self.tool, self.name, self.format = tool, name, FORMATS[name]
        self.text = texts[BOARD]
        if self.format == "fp16":
            for each in set(fit_kernels.joint_priors(tool, fit_kernels.GROUP)) - {"efficiency"}:
                value = fit_kernels.read_field(self.text, fit_kernels.GROUP, each)
                self.text = fit_kernels.replace_field(self.text, name, each, value)
        rows = read_rows(data, BOARD, self.format)
        self.measured = np.array([row.measured for row in rows])
        self.shapes = [row.shape for row in rows]
        # Columns of one format ask the same.
        unique = {row.shape: row.query for row in rows}
        self.queries = list(unique.values())
        places = {shape: i for i, shape in enumerate(unique)}
        self.index = np.array([places[shape] for shape in self.shapes])
        prior = fit_kernels.joint_priors(tool, fit_kernels.GROUP)
        self.names = ["efficiency"] if self.format == "fp16" else [each for each in prior if each != "energy_per_flop"]
        self.sigma = np.array([prior[each][1] for each in self.names])
        self.bounds = np.log([BOUNDS.get(each, prior[each][2:]) for each in self.names]).T
        self.start = np.clip(np.log([fit_kernels.read_field(self.text, name, each) for each in self.names]),
                             self.bounds[0] + 1e-6, self.bounds[1] - 1e-6)

    def times(self, logs, where=ALL):
        with fit_kernels.tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(self.file(logs))
            file.flush()
            answers, error = ask(self.tool, BOARD, self.format, self.queries, [f"--coefficients={file.name}"])
        if error:
            raise SystemExit(f"fit_amd.py: {error}")
        return np.array([float(answer["time_us"]) for answer in answers])[self.index][where]

    def fit(self, where=ALL, settle=False):
        def residuals(logs):
            error = np.log(self.times(logs, where) / self.measured[where])
            return np.concatenate([soft_l1(error, NOISE), PRIOR * (logs - self.start) / self.sigma])

        end = least_squares(residuals, self.start, bounds=self.bounds, diff_step=1e-2, max_nfev=EVALUATIONS)
        return settled(self.start, end, residuals) if settle else end.x


def held_out(shapes):
    """Which rows are of the shapes that are left out."""
    drawn = {shape: random < HELD_OUT for shape, random in
             zip(sorted(set(shapes)), np.random.default_rng(1).random(len(set(shapes))))}
    return np.array([drawn[shape] for shape in shapes])


def with_widths(text, name, widths):
    """`text` with the half-widths of the set `name`; those of tensor_gemm are in `error_bars`."""
    small, medium, large = (f"{width:.3g}" for width in widths)
    entry = f"<kind = tensor_matmul, small = {small}, medium = {medium}, large = {large}>"
    if name != fit_kernels.GROUP:
        return re.sub(rf"(gemm = #{name})(, errors = \[.*\])?>", rf"\g<1>, errors = [{entry}]>", text)
    return re.sub(r"(?m)^    <kind = tensor_matmul, [^>]*>", f"    {entry}", text)


def carried(text, source, group, board):
    """`text` with `group` of the file `source`, marked as those of `board`."""
    start, end = block_of(source, group)
    block = source[start:end]
    if "transferred_from" not in block:
        block = re.sub(r'(provenance = "[^"]*",\n)', rf'\1  transferred_from = "{board}",\n', block, count=1)
    if f"#{group} = " in text:
        start, end = block_of(text, group)
        return text[:start] + block + text[end:]
    place = text.index("module attributes")
    return f"{text[:place]}{block}>\n\n{text[place:]}"


def with_carried(texts):
    """`texts` in which MI300X has the groups CARRIED of MI210, and MI355X follows MI300X."""
    text = texts[BOARD]
    for group in CARRIED:
        text = carried(text, texts[BEFORE], group, "MI210")
    texts = {**texts, BOARD: text}
    text = texts[NEXT]
    for group in INSTRUCTIONS:
        text = carried(text, texts[BOARD], group, "MI300X")
    for name in FORMATS:
        for each in fit_kernels.joint_priors(TOOL, fit_kernels.GROUP):
            value = fit_kernels.read_field(texts[BOARD], name, each)
            text = fit_kernels.replace_field(text, name, each, value * (2 if each == "l2_bytes_per_clock" else 1))
    return {**texts, NEXT: text}


def main():
    args, texts = fit_options(__doc__, set=FORMATS), read_all()
    for name in (args.set,) if args.set else FORMATS:
        fit = XlaFit(args.tool, args.data, name, texts)
        describe(f"{BOARD} {name}, committed", fit.errors(fit.start, ALL), fit.measured)
        if args.held_out:
            left = held_out(fit.shapes)
            found = fit.fit(~left)
            describe(f"{BOARD} {name}, held out", fit.errors(found, left), fit.measured[left])
            continue
        found = fit.fit(settle=True)
        signed = fit.errors(found, ALL)
        describe(f"{BOARD} {name}, fitted", signed, fit.measured)
        print(dict(zip(fit.names, np.exp(found).round(4))))
        text = with_fit(fit.file(found), name, len(fit.measured), Errors(signed).mean)
        texts = {**texts, BOARD: with_widths(text, name, half_widths(fit.times(found), fit.measured))}
    return store(args, with_carried(texts))


if __name__ == "__main__":
    sys.exit(main())
