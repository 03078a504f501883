#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the kernels that quantise activations in serving stacks, equation (Q7), to a measured table (serving_rows.py, serving_sets.py).

  fit_quantize.py --data FOLDER [--gpu b200-sxm] [--software vllm] --check|--apply|--held-out

--held-out leaves a fifth of the shapes out and prints their errors. Requires NumPy and SciPy.
"""
import re
import sys

import serving_sets
from serving_rows import SOFTWARE, predict, quantize_kernel, quantize_rows
from validate_moe import with_only

BOUNDS = {"fixed_time": (0.1, 20), "dram_efficiency": (0.2, 1), "l2_bytes_per_clock": (1, 100), "row_cycles": (1, 1e4),
          "element_cycles": (1e-4, 50)}
SHAPE = ("m", "k")
GROUP = "static_quantization"
ENTRY = re.compile(r'    <gpu = "([^"]*)",[^>]*software = "([^"]*)",[^>]*>')


def fits_of(tool, data, gpu, software):
    rows, shared = quantize_rows(data), serving_sets.SHARED.read_text()
    start = shared.index(f"#{GROUP} = ")
    for found in ENTRY.finditer(shared, start, shared.index("\n\n", start)):
        entry, board, stack = found[0], *found.groups()
        if gpu not in ("", board) or software not in ("", stack):
            continue
        own = [row for row in rows if row["gpu"] == board and SOFTWARE[row["stack"]] == stack]

        def times(text, some, board=board, stack=stack):
            return predict(tool, board, stack, list(map(quantize_kernel, some)), with_only(board, text, GROUP))
        yield f"{board} {stack}", serving_sets.SetFit(entry, BOUNDS, own, times)


if __name__ == "__main__":
    sys.exit(serving_sets.main(__doc__, fits_of, SHAPE, "software"))
