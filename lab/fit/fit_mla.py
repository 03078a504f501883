#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits latent attention of serving stacks, equations (K6)-(K11), to measured tables (serving_rows.py, serving_sets.py).

  fit_mla.py --data FOLDER [--gpu b200-sxm] [--software sglang] --check|--apply|--held-out

Each operation of an entry of `latent_attention` is fitted separately: new tokens, prompts, and both projections.
--held-out leaves a fifth of the shapes out and prints their errors. Requires NumPy and SciPy.
"""
import re
import sys

import serving_sets
from serving_rows import SOFTWARE, latent_kernel, latent_rows, predict
from validate_moe import with_only

STEP = {"fixed_time": (1, 60), "split_time": (0.01, 20), "dram_efficiency": (0.3, 1), "l2_bytes_per_clock": (2, 3000),
        "l2_fraction": (0.03, 3), "prologue_cycles": (50, 2e5), "row_cycles": (0.05, 3000), "block_cycles": (1, 2e4),
        "block_row_cycles": (0.05, 400), "ctas_per_sm": (0.4, 8), "overlap_norm": (1, 8), "combine_cycles": (1e-3, 5000),
        "least_split_blocks": (0.5, 64), "latency_cycles": (50, 3e4), "block_latency_cycles": (1, 2e4),
        "exposed_share": (0.01, 1), "wave_fraction": (1e-3, 1)}
PROMPT = {"efficiency": (0.05, 1), "softmax_cycles": (2.5e-3, 2), "pipe_norm": (1, 8), "prologue_cycles": (50, 2e5),
          "wave_fraction": (5e-3, 1), "causal_tail": (0.01, 2), "fixed_time": (1, 100), "dram_efficiency": (0.1, 1),
          "l2_bytes_per_clock": (2, 2000), "l2_fraction": (0.02, 2), "head_cycles": (1e-3, 5e3)}
PRODUCT = {"fixed_time": (0.5, 30), "efficiency": (5e-3, 1), "dram_efficiency": (0.05, 1), "cta_cycles": (50, 5e4),
           "latency_cycles": (5, 5000), "overlap_norm": (1, 8)}
# Operation: where its numbers begin in an entry, and their bounds.
PARTS = {"mla_generation": ("step = <", STEP), "mla_context": ("prompt = <", PROMPT),
         "mla_gen_pre": ("<n = 512, k = 128,", PRODUCT), "mla_gen_post": ("<n = 128, k = 512,", PRODUCT)}
SHAPE = ("op", "num_heads", "batch_size", "q_len", "kv_len")
ENTRY = re.compile(r'    <gpu = "([^"]*)", matrix_path = \w+, software = "([^"]*)", bits = (\d+).*?>(?:\])?>(?=,\n    <gpu|\]>)', re.DOTALL)


def fits_of(tool, data, gpu, software):
    rows, shared = latent_rows(data), serving_sets.SHARED.read_text()
    start = shared.index("#latent_attention = ")
    for found in ENTRY.finditer(shared, start, shared.index("\n\n", start)):
        entry, board, stack, bits = found[0], *found.groups()
        if gpu not in ("", board) or software not in ("", stack):
            continue
        for op, (begin, bounds) in PARTS.items():
            if begin not in entry:
                continue
            place = entry.index(begin)
            part = entry[place:entry.index(">", place) + 1]
            own = [row for row in rows if row["gpu"] == board and SOFTWARE[row["stack"]] == stack and row["op"] == op
                   and (row["kv_dtype"] == "fp8") == (bits == "8")]

            def times(text, some, board=board, stack=stack, entry=entry, part=part):
                return predict(tool, board, stack, list(map(latent_kernel, some)),
                               with_only(board, entry.replace(part, text), "latent_attention"))
            yield f"{board} {stack} {bits} bits {op}", serving_sets.SetFit(part, bounds, own, times)


if __name__ == "__main__":
    sys.exit(serving_sets.main(__doc__, fits_of, SHAPE, "software"))
