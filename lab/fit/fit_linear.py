#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits linear attention and its convolutions of serving stacks, equations (R1)-(R13), to measured tables (validate_linear.py,
serving_sets.py).

  fit_linear.py --data FOLDER [--gpu b200-sxm] [--software sglang] --check|--apply|--held-out

Each kernel of an entry of `linear_attention` is fitted separately; the sums of times of convolutions have a fixed norm.
--held-out leaves a fifth of the shapes out and prints their errors. Requires NumPy and SciPy.
"""
import re
import sys

import serving_sets
import validate_linear
from serving_rows import SOFTWARE, predict
from validate_moe import with_only

BOUNDS = {"fixed_time": (0.5, 60), "inverse_time": (0.01, 60), "chain_cycles": (5, 5e4), "chunk_cycles": (500, 2e4),
          "efficiency": (0.05, 1), "dram_efficiency": (0.2, 1), "token_passes": (0.3, 20), "state_passes": (1e-3, 10),
          "end_passes": (0.3, 10), "overlap_norm": (1, 8), "l2_fraction": (0.05, 4), "hit_exponent": (1, 20),
          "cta_cycles": (1, 2e4), "token_cycles": (0.01, 5000), "wave_fraction": (0.01, 1), "l2_bytes_per_clock": (5, 128),
          "step_time": (0.3, 6), "next_time": (0.1, 2), "element_cycles": (1e-3, 2), "first_cycles": (5, 500),
          "next_cycles": (50, 1000), "odd_slowdown": (1, 3)}
# Kernel of an entry: whether it is a convolution, and the phase of its rows.
PARTS = {"chunks": (False, "context"), "step": (False, "generation"), "verify": (False, "verify"),
         "convolution": (True, "context"), "channel_convolution": (True, "context"),
         "convolution_step": (True, "generation"), "convolution_verify": (True, "verify")}
SHAPE = ("model", "kernel", "batch_size", "seq_len")
ENTRY = re.compile(r'    <gpu = "([^"]*)".*?software = "([^"]*)", rule = (\w+),\n.*?>>(?=,\n    <gpu|\]>)', re.DOTALL)
KERNEL = re.compile(r"\b(\w+) = <[^<>]*>")


def fits_of(tool, data, gpu, software):
    """(name, fit) of each kernel with rows."""
    rows, shared = validate_linear.read(data), serving_sets.SHARED.read_text()
    start = shared.index("#linear_attention = ")
    for found in ENTRY.finditer(shared, start, shared.index("\n\n", start)):
        entry, board, stack, rule = found[0], *found.groups()
        if gpu not in ("", board) or software not in ("", stack):
            continue
        for part in KERNEL.finditer(entry):
            own = [row for row in rows if row["gpu"] == board and SOFTWARE[row["stack"]] == stack
                   and validate_linear.RULES[row["op"]] == rule
                   and ("conv1d" in row["kernel"], row["phase"]) == PARTS[part[1]]]
            if not own:
                continue

            def times(text, some, board=board, stack=stack, entry=entry, part=part):
                changed = entry[:part.start()] + text + entry[part.end():]
                return predict(tool, board, stack, list(map(validate_linear.kernel, some)),
                               with_only(board, changed, "linear_attention"))
            bounds = {name: limits for name, limits in BOUNDS.items() if name != "overlap_norm" or not PARTS[part[1]][0]}
            yield f"{board} {stack} {rule} {part[1]}", serving_sets.SetFit(part[0], bounds, own, times)


if __name__ == "__main__":
    sys.exit(serving_sets.main(__doc__, fits_of, SHAPE, "software"))
