#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits attention without a mask (encoders, vision towers), as serving stacks run it on H100, B200 and L40S.

  fit_encoder.py --data FOLDER [--gpu b200-sxm] --check|--apply|--held-out

The loss, the bounds and the choice of rows are those of fit_generated.py. --held-out leaves a fifth of the shapes out,
the same in all stacks, and prints their errors, all rows and those of at least 20 us. Boards of the same die get the
sets of H100. Requires NumPy and SciPy.
"""
import re
import sys

import numpy as np

from fit_generated import CAUSAL, GeneratedFit, Joint, rows_of
from fit_eight_bit import FROM, SAME_DIE, describe
from coefficient_files import block_of, fit_options, read_all, store, with_field, with_provenance, with_transferred
from encoder_rows import FAMILY, read_rows

PREFILL = "attention, prefill"
FULL = {**{name: bounds for name, bounds in CAUSAL.items() if name not in ("causal_tail", "window_prologue")},
        "efficiency": (0.05, 1), "relative_efficiency": (0.2, 1.5)}
OWN = {"fixed_time": (0.5, 60)}
STACKS = {"full_vllm": "vllm", "full_sglang": "sglang", "full_trtllm": "tensorrt-llm"}
# Sets for some head dimensions: B200 has no generated kernel of TensorRT-LLM for 72.
DIMS = {"b200-sxm": {"full_trtllm72": ("tensorrt-llm", (72,))}}
GPUS = ("h100-sxm-80gb", "b200-sxm", "l40s")
# The tile of the heads between 64 and 128, whose efficiency is fitted relative to the others: FlashAttention 4 pads
# heads to multiples of 16, the older ones to 96.
MIDDLE = {"b200-sxm": 80}
# FlashAttention 4 computes a part of the exponentials on FMA units (T. Dao and others, FlashAttention-4).
EXPONENTIALS = {"b200-sxm": "0.8"}


def users_of(gpu):
    return {**{name: (software, ()) for name, software in STACKS.items()}, **DIMS.get(gpu, {})}


def with_sets(text, gpu):
    """`text` with a set for each stack, at first that of all software."""
    start, end = block_of(text, "attention_full")
    common = text[start:end]
    for name, (software, dims) in users_of(gpu).items():
        if f"#{name} = " in text:
            continue
        block = common.replace("#attention_full", f"#{name}", 1)
        middle = MIDDLE.get(gpu, 96)
        tile = re.search(r"<head_dim = 96, (rows = \d+, columns = \d+)", block)
        new = f"<head_dim = {middle}, {tile[1]}, relative_efficiency = 0.9"
        block = block.replace(tile[0], new if middle == 96 else f"{new}>,\n    {tile[0]}", 1)
        text = text[:start] + block + ">\n\n" + text[start:]
        text = with_provenance(text, name, f"attention of encoders with {software}, aiconfigurator")
        if gpu in EXPONENTIALS:
            text = with_field(text, name, "exponentials", EXPONENTIALS[gpu])
        if dims:
            text = with_field(text, name, "head_dims", f"[{', '.join(map(str, dims))}]")
        start, _ = block_of(text, "attention_full")
    return with_entries(text, gpu)


def with_entries(text, gpu):
    """`text` whose stacks name their sets."""
    for name, software in STACKS.items():
        of_dims = [f"#{other}" for other, (product, _) in DIMS.get(gpu, {}).items() if product == software]
        fields = f"full = #{name}" + (f", full_of_dims = [{', '.join(of_dims)}]" if of_dims else "")
        entry = re.compile(rf'(attention_stacks = \[(?:\n    <.*>,)*\n    <software = "{software}", )(?:full = #\w+, (?:full_of_dims = \[.*?\], )?)?')
        text, count = entry.subn(rf"\g<1>{fields}, ", text)
        if count != 1:
            raise SystemExit(f"fit_encoder.py: {gpu} has no entry of {software}")
    return text


def fit_of(data, gpu):
    """[(fit, rows)]: each stack has separate numbers."""
    table = [(row, query) for _, row, query in read_rows(data, gpu)]
    joints = [Joint(PREFILL, {name: user}, FULL, OWN) for name, user in users_of(gpu).items()]
    return [(joint, rows_of(table, joint, joints)) for joint in joints]


def held_out(tool, data, gpu, jobs, text):
    totals = []
    for fit, rows in fit_of(data, gpu):
        kernels = GeneratedFit(tool, gpu, rows, fit, text, jobs)
        for name, (signed, measured) in kernels.held_out().items():
            describe(f"{gpu} {name}, held out", signed, measured)
            if name in STACKS:
                totals.append((signed, measured))
    describe(f"{gpu} {FAMILY}, held out", *map(np.concatenate, zip(*totals)))


def fit_encoder(tool, data, gpu, jobs, text):
    """`text` with the sets of `gpu` fitted to the table."""
    for fit, rows in fit_of(data, gpu):
        kernels = GeneratedFit(tool, gpu, rows, fit, text, jobs)
        text, errors = kernels.fitted()
        for name, signed in errors.items():
            describe(f"{gpu} {name}, fitted", signed, kernels.measured[name])
    return text


def with_carried(texts):
    """`texts` in which the boards of the same die have the sets of H100."""
    source = texts[FROM]
    for gpu in SAME_DIE:
        text = texts[gpu]
        for name in users_of(FROM):
            text = with_transferred(text, source, name, "H100 SXM", "attention_full")
        texts = {**texts, gpu: with_entries(text, FROM)}
    return texts


def main():
    args, texts = fit_options(__doc__, gpu=GPUS), read_all()
    for gpu in (args.gpu,) if args.gpu else GPUS:
        text = with_sets(texts[gpu], gpu)
        if args.held_out:
            held_out(args.tool, args.data, gpu, args.jobs, text)
        else:
            texts = {**texts, gpu: fit_encoder(args.tool, args.data, gpu, args.jobs, text)}
    return store(args, with_carried(texts))


if __name__ == "__main__":
    sys.exit(main())
