# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/StackAccuracy.md: errors of kernels of serving stacks, of 8 and 4 bits and of AMD's boards, by board.

Where a validator has no intervals, they are those of the board in targets/coefficients/shared.mlir; a board that takes the
numbers of another one has wider ones, and no share.
"""
import pathlib
import re

import numpy as np

import validate_all_reduce
import validate_attention
import validate_exchange
import validate_linear
import validate_low_precision
import validate_mla
import validate_moe
import validate_quantize
import validate_sparse
import validate_xla
from error_statistics import EDGES, Errors
from sparse_rows import judged_rows

LARGE = 20  # us
HEAD = """# Accuracy of serving stacks

Written by `utils/validate.py stacks --data FOLDER --out docs/StackAccuracy.md`; do not edit. Kernels of PyTorch:
[KernelAccuracy.md](KernelAccuracy.md).

Errors of the time of single kernels against the tables of aiconfigurator (NVIDIA) and XLA (AMD), each shape once, in percent: mean and 90th
percentile of the absolute error, mean from 20 us, mean of the signed error. *inside* is the share of rows inside the 80 % interval; boards with
`-` take the numbers of another board, and have wider intervals. No row of GB200 is in a fit, and all-reduces of L40S depend on the host, by a
factor of up to ten. The rows of vLLM's fp8-block on H100 are those whose measured time the GPU decides, which favours long ones; the rows of
blocks with chosen keys are whole attention blocks of DeepSeek-V3.2 and GLM-5. Shapes, stacks and formats: `utils/validate.py lowprecision`, `attention`, `xla`, `moe`, `mla`, `exchange`, `quantize`, `sparse`,
`linear`, `allreduce`.

| kernels | board | rows | mean | p90 | from 20 us | signed | inside |
|---|---|---|---|---|---|---|---|
"""


class Class:
    """The half-widths of a group's error class, by board that was measured."""

    def __init__(self, group):
        text = (validate_moe.SETS / "shared.mlir").read_text()
        start = text.index(f"#{group} = ")
        block = text[start:text.index("\n\n", start)]
        entry = rf'<kind = {group}, small = ([0-9.]+), medium = ([0-9.]+), large = ([0-9.]+), gpu = "([^"]*)">'
        self.widths = {gpu: np.array([float(each) for each in sizes]) for *sizes, gpu in re.findall(entry, block)}

    def inside(self, board, times, measured):
        if board not in self.widths:
            return None
        widths = self.widths[board][np.searchsorted(EDGES, times, side="right")]
        return 100 * np.mean(np.abs(np.log(measured / times)) <= np.log1p(widths))


def by_board(name, results, group):
    """Lines of [(row, error in percent)]."""
    known = Class(group)
    for board in sorted({row["gpu"] for row, _ in results}):
        own = [(float(row["us"]), error) for row, error in results if row["gpu"] == board]
        measured, errors = (np.array(each) for each in zip(*own))
        yield name, board, errors, measured, known.inside(board, measured * (1 + errors / 100), measured)


def pairs(results):
    return [(row, error) for row, _, error in results]


def lines(tool, data, jobs):
    """(kernels, board, errors in percent, measured times in us, percent inside or None)"""
    found = validate_low_precision.results_of(tool, data, sorted(validate_low_precision.GATES))
    for (gpu, kind, stack), result in found.items():
        yield f"linear layers, {kind}, {stack}", gpu, result.errors(result.times), result.measured, result.inside()
    for (gpu, family, bits), parts in validate_attention.totals_of(validate_attention.results_of(tool, data)).items():
        measured = np.concatenate([part.measured for part in parts])
        name = family + (f", {bits}-bit cache" if bits else "")
        yield name, gpu, np.concatenate([part.errors() for part in parts]), measured, validate_attention.inside_of(parts)
    for (board, kind), result in validate_xla.matmuls(tool, data).items():
        yield f"matmuls, {kind}", board, result.errors(), result.measured, result.inside()
    experts = [each for each in validate_moe.compare(tool, data) if validate_moe.judged(each[0])]
    yield from by_board("expert layers", pairs(experts), "fused_experts")
    yield from by_board("latent attention", pairs(validate_mla.compare(tool, data)), "latent_attention")
    exchanges, layers = validate_exchange.compare(tool, data)
    yield from by_board("exchanges of experts", pairs(exchanges), "expert_exchange")
    yield from by_board("expert layers between exchanges", pairs(layers), "fused_experts")
    yield from by_board("quantisation to fp8", pairs(validate_quantize.compare(tool, data)), "static_quantization")
    blocks = validate_sparse.compare(tool, judged_rows(data), jobs)
    yield from by_board("blocks with chosen keys", pairs(blocks), "sparse_attention")
    yield from by_board("linear attention", validate_linear.compare(tool, data), "linear_attention")
    reduces = [(row, answer) for row, answer, _ in validate_all_reduce.compare(tool, data)]
    for board in sorted({row["gpu"] for row, _ in reduces}):
        own = [pair for pair in reduces if pair[0]["gpu"] == board]
        errors = np.array([validate_all_reduce.error(*pair) for pair in own])
        measured = np.array([float(row["us"]) for row, _ in own])
        yield "all-reduces", board, errors, measured, 100 * np.mean([validate_all_reduce.is_inside(*pair) for pair in own])


def run(args):
    text = HEAD
    for name, board, errors, measured, inside in lines(args.tool, args.data, args.jobs):
        large, all_rows = errors[measured >= LARGE], Errors(errors)
        figures = (f"{all_rows.mean:.1f}", f"{all_rows.p90:.1f}", f"{Errors(large).mean:.1f}" if len(large) else "-",
                   f"{all_rows.bias:+.1f}", "-" if inside is None else f"{inside:.0f} %")
        text += f"| {name} | {board} | {len(errors)} | {' | '.join(figures)} |\n"
    if args.out:
        pathlib.Path(args.out).write_text(text)
    else:
        print(text)
    return 0
