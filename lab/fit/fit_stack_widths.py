#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the 80 % intervals of kernels of serving stacks, by set or by board, to the errors of the committed numbers.

  fit_stack_widths.py --data FOLDER [--only attention|CLASS] --check|--apply

A half-width is the 80 % quantile of |ln(measured / predicted)| over the rows of a range of predicted time (equation (U1)). Each
set of attention has those of its rows; the boards of the same die take them with the set. Each class of CLASSES has those of
each board in its group of targets/coefficients/shared.mlir, and those of all together for other boards. Requires NumPy.
"""
import re
import sys

import numpy as np

import fit_eight_bit
import fit_encoder
import fit_generated
from coefficient_files import block_of, fit_options, read_all, store, with_errors
from fit_error_bars import half_widths, widths_text
from fit_generated import GeneratedFit
import sparse_rows
import validate_exchange
import validate_linear
import validate_mla
import validate_moe
import validate_quantize
import validate_sparse

ATTENTION = "attention"


def experts(tool, data, _):
    return [result for result in validate_moe.compare(tool, data) if validate_moe.judged(result[0])]


# {error class, which is also the name of the group: [(row, time in us, error in percent)] of its table}.
CLASSES = {
    "fused_experts": experts,
    "latent_attention": lambda tool, data, _: validate_mla.compare(tool, data),
    "expert_exchange": lambda tool, data, _: validate_exchange.compare(tool, data)[0],
    "static_quantization": lambda tool, data, _: validate_quantize.compare(tool, data),
    "sparse_attention": lambda tool, data, jobs: validate_sparse.compare(tool, sparse_rows.judged_rows(data), jobs),
    "linear_attention": lambda tool, data, _: [
        (row, float(row["us"]) * (1 + error / 100), error) for row, error in validate_linear.compare(tool, data)],
}


def attention_fits(tool, data, texts):
    """(board, Joint, {set: rows}) of all sets of attention."""
    table = fit_generated.read_table(data)
    for fit in fit_generated.FITS:
        rows = fit_generated.rows_of(table, fit, fit_generated.FITS)
        yield fit_generated.GPU, fit, rows
    for gpu in fit_eight_bit.FITS:
        for fit, rows, _ in fit_eight_bit.fits_of(tool, data, gpu, "", texts):
            yield gpu, fit, rows
    for gpu in fit_encoder.GPUS:
        for fit, rows in fit_encoder.fit_of(data, gpu):
            yield gpu, fit, rows


def with_attention(tool, data, jobs, texts):
    for gpu, fit, rows in attention_fits(tool, data, texts):
        texts = {**texts, gpu: GeneratedFit(tool, gpu, rows, fit, texts[gpu], jobs).with_widths()}
        print(f"  {gpu} {', '.join(fit.users)}", flush=True)
    texts = {**texts, fit_generated.GPU: fit_generated.with_common(texts[fit_generated.GPU])}
    return fit_encoder.with_carried(fit_eight_bit.with_carried(texts))


def with_class(text, kind, results):
    """`text` with the half-widths of a class: those of all its boards, then those of each."""
    start, end = block_of(text, kind)
    boards = dict.fromkeys(re.findall(r'gpu = "([^"]*)"', re.sub(r"<kind = [^>]*>", "", text[start:end])))
    found = {}
    for gpu in boards:
        rows = [(time, float(row["us"])) for row, time, _ in results if row["gpu"] == gpu]
        if rows:
            found[gpu] = np.array(rows).T
    widths = {"": half_widths(*np.concatenate(list(found.values()), axis=1)),
              **{gpu: half_widths(*pairs) for gpu, pairs in found.items()}}
    for gpu, each in widths.items():
        print(f"  {kind} {gpu or 'other boards'}: {', '.join(f'{width:.3g}' for width in each)}", flush=True)
    return with_errors(text, kind, [widths_text(kind, each, gpu) for gpu, each in widths.items()])


def main():
    args = fit_options(__doc__, actions=("check", "apply"), only=(ATTENTION, *CLASSES))
    texts = read_all()
    if args.only in ("", ATTENTION):
        texts = with_attention(args.tool, args.data, args.jobs, texts)
    for kind, compare in CLASSES.items():
        if args.only in ("", kind):
            texts = {**texts, "shared": with_class(texts["shared"], kind, compare(args.tool, args.data, args.jobs))}
    return store(args, texts)


if __name__ == "__main__":
    sys.exit(main())
