#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits attention with keys and values in 8 bits (A15), as serving stacks run it on B200 and H100.

  fit_eight_bit.py --data FOLDER [--gpu b200-sxm] [--set causal8_vllm] --check|--apply|--held-out

The loss, the bounds and the choice of rows are those of fit_generated.py. On B200 the stacks run the same generated
kernels, so the numbers of the kernel are common to them; on H100 each stack has separate sets. --held-out leaves a
fifth of the shapes out, the same in all stacks, and prints their errors, all rows and those of at least 20 us. Boards
of the same die get the sets of H100. Requires NumPy and SciPy.
"""
import re
import sys

import numpy as np

from fit_generated import (AROUND, CAUSAL, DECODE, LAUNCH, MASKED, OTHER_CAUSAL, OTHER_DECODE, GeneratedFit,
                           Joint, rows_of)
from coefficient_files import fit_options, read_all, store, with_transferred
from error_statistics import Errors
from attention_rows import read_rows

PREFILL, STEP = "attention, prefill", "attention, decode"
KNEE = {"hit_exponent": (1, 60)}
FITS = {
    "b200-sxm": (
        Joint(PREFILL, {"causal8_sglang": ("sglang", ()), "causal8_vllm": ("vllm", ()),
                        "causal8_vllm019": ("vllm-0.19", ()), "causal8_trtllm": ("tensorrt-llm", ())},
              {**CAUSAL, "relative_efficiency": (0.3, 1)}, AROUND),
        Joint(STEP, {"decode8_sglang": ("sglang", ()), "decode8_vllm": ("vllm", ()), "decode8_trtllm": ("tensorrt-llm", ())},
              DECODE, LAUNCH, {"decode8_trtllm": MASKED}),
        Joint(PREFILL, {"causal8_triton192": ("sglang", (192,))}, OTHER_CAUSAL, AROUND),
        Joint(PREFILL, {"causal8_triton192_bf16": ("sglang", (192,))}, OTHER_CAUSAL, AROUND),
        Joint(PREFILL, {"causal8_vllm192": ("vllm", (192,))}, OTHER_CAUSAL, AROUND),
        Joint(PREFILL, {"causal8_trtllm512": ("tensorrt-llm", (512,))}, OTHER_CAUSAL, AROUND),
        Joint(STEP, {"decode8_triton192": ("sglang", (192,))}, OTHER_DECODE, LAUNCH),
        Joint(STEP, {"decode8_vllm192": ("vllm", (192,))}, OTHER_DECODE, LAUNCH),
        Joint(STEP, {"decode8_trtllm512": ("tensorrt-llm", (512,))}, OTHER_DECODE, LAUNCH)),
    "h100-sxm-80gb": (
        Joint(PREFILL, {"causal8_sglang": ("sglang", ())}, OTHER_CAUSAL, AROUND),
        Joint(PREFILL, {"causal8_vllm": ("vllm", ())}, OTHER_CAUSAL, AROUND),
        Joint(PREFILL, {"causal8_trtllm": ("tensorrt-llm", ())}, OTHER_CAUSAL, AROUND),
        Joint(PREFILL, {"causal8_trtllm_bf16": ("tensorrt-llm", ())}, OTHER_CAUSAL, AROUND),
        Joint(PREFILL, {"causal8_triton512": ("sglang", (512,))}, OTHER_CAUSAL, AROUND),
        Joint(PREFILL, {"causal8_triton512_bf16": ("sglang", (512,))}, OTHER_CAUSAL, AROUND),
        Joint(STEP, {"decode8_sglang": ("sglang", ())}, {**DECODE, **KNEE}, LAUNCH),
        Joint(STEP, {"decode8_vllm": ("vllm", ())}, {**DECODE, **KNEE}, LAUNCH),
        Joint(STEP, {"decode8_trtllm": ("tensorrt-llm", ())}, {**DECODE, **KNEE}, LAUNCH, {"decode8_trtllm": MASKED}),
        Joint(STEP, {"decode8_triton512": ("sglang", (512,))}, OTHER_DECODE, LAUNCH)),
}
# Stacks that were timed with products in both widths: their prompt sets with products in 16 bits end with BF16.
BOTH, BF16 = ("causal8_trtllm", "causal8_triton192", "causal8_triton512"), "_bf16"
FROM, SAME_DIE = "h100-sxm-80gb", ("h200-sxm", "h100-pcie-80gb")
LIST = re.compile(r"  eight_bit_attention = \[\n(?:    <.*>,\n)*    <.*>\],\n")
LARGE = 20  # us


def fits_of(tool, data, gpu, only, texts):
    """The fits of a board, with their rows."""
    table = [(row, query) for _, row, query in read_rows(data, gpu, "fp8")]
    for fit in FITS[gpu]:
        if only and only not in fit.users:
            continue
        rows = rows_of(table, fit, FITS[gpu])
        for name in fit.users:
            if gpu == FROM or name != "causal8_trtllm":
                if name.removesuffix(BF16) in BOTH:
                    products = "bf16" if name.endswith(BF16) else "fp8"
                    rows[name] = [(row, query) for row, query in rows[name] if query["dtype"] == products]
        yield fit, rows, texts[gpu]


def with_carried(texts):
    """`texts` in which the boards of the same die have the sets of H100."""
    source = texts[FROM]
    entries = LIST.search(source)[0]
    for gpu in SAME_DIE:
        text = LIST.sub("", texts[gpu])
        for name in dict.fromkeys(re.findall(r"#(\w+)", entries)):
            text = with_transferred(text, source, name, "H100 SXM", "issue_slots")
        place = text.index("  attention_stacks = [")
        texts = {**texts, gpu: text[:place] + entries + text[place:]}
    return texts


def describe(name, signed, measured):
    large = signed[measured >= LARGE]
    print(f"{name:34s} n {len(signed):6d} {Errors(signed).text()}; from {LARGE} us: {Errors(large).text() if len(large) else '-'}",
          flush=True)


def held_out(tool, data, gpu, only, jobs, texts):
    """Prints the errors on the held-out part of the shapes, by set and family."""
    totals = {}
    for fit, rows, text in fits_of(tool, data, gpu, only, texts):
        kernels = GeneratedFit(tool, gpu, rows, fit, text, jobs)
        for name, (signed, measured) in kernels.held_out().items():
            describe(f"{gpu} {name}, held out", signed, measured)
            totals.setdefault(fit.family, []).append((signed, measured))
    for family, parts in totals.items():
        describe(f"{gpu} {family}, held out", *map(np.concatenate, zip(*parts)))


def fit_eight_bit(tool, data, jobs, texts, gpus=tuple(FITS), only=""):
    """`texts` with the sets of `gpus` fitted to the table."""
    for gpu in gpus:
        for fit, rows, _ in fits_of(tool, data, gpu, only, texts):
            kernels = GeneratedFit(tool, gpu, rows, fit, texts[gpu], jobs)
            text, errors = kernels.fitted()
            for name, signed in errors.items():
                describe(f"{gpu} {name}, fitted", signed, kernels.measured[name])
            texts = {**texts, gpu: text}
    return with_carried(texts)


def main():
    args = fit_options(__doc__, gpu=FITS, set=None)
    gpus, texts = (args.gpu,) if args.gpu else tuple(FITS), read_all()
    if args.held_out:
        for gpu in gpus:
            held_out(args.tool, args.data, gpu, args.set, args.jobs, texts)
        return 0
    return store(args, fit_eight_bit(args.tool, args.data, args.jobs, texts, gpus, args.set))


if __name__ == "__main__":
    sys.exit(main())
