#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits expert layers of serving stacks, equations (E2)-(E5), to measured tables (serving_rows.py, serving_sets.py).

  fit_moe.py --data FOLDER [--gpu b200-sxm] [--kernel moe_torch_flow] --check|--apply|--held-out

Each kernel and format is one entry of `fused_experts`. --held-out leaves a fifth of the shapes out and prints their
errors. Requires NumPy and SciPy.
"""
import sys

import serving_sets
import validate_exchange
from serving_rows import FORMATS, SOFTWARE, WIDE_KERNELS, expert_kernel, expert_rows, predict, wide_rows
from validate_moe import entries, with_only

BOUNDS = {"fixed_time": (1, 300), "least_time": (1, 900), "efficiency": (0.03, 1), "cta_cycles": (50, 1e5), "latency_cycles": (5, 5000),
          "wave_fraction": (0.01, 1), "l2_bytes_per_clock": (2, 2000), "l2_fraction": (0.01, 3), "dram_efficiency": (0.2, 1),
          "overlap_norm": (1, 8), "pair_cycles": (0.01, 5e3), "choice_cycles": (0.01, 5e3), "expert_cycles": (0.01, 3e4),
          "pair_bytes": (0.05, 100), "token_bytes": (5e-3, 100), "awake_rate": (0.1, 3), "load_exponent": (0.01, 0.6)}
SHAPE = ("hidden", "inter", "topk", "experts", "tp", "ep", "tokens")


def fits_of(tool, data, gpu, kernel):
    """(name, fit) of each entry with rows."""
    rows = expert_rows(data) + wide_rows(data)
    exchanges = validate_exchange.entries(serving_sets.SHARED.read_text())
    for (board, name, format, weights), text in entries(serving_sets.SHARED.read_text()).items():
        if gpu not in ("", board) or kernel not in name:
            continue
        own = [row for row in rows if (row["gpu"], row["kernel"], *FORMATS[row["dtype"]][:2]) == (board, name, format, weights)]
        if not own:
            continue

        def times(entry, part, board=board):
            if part[0]["kernel"] in WIDE_KERNELS:
                return validate_exchange.layer_times(tool, board, part, exchanges, entry)
            return predict(tool, board, SOFTWARE[part[0]["stack"]], list(map(expert_kernel, part)), with_only(board, entry))
        yield f"{board} {name} {format} {weights}", serving_sets.SetFit(text, BOUNDS, own, times)


if __name__ == "__main__":
    sys.exit(serving_sets.main(__doc__, fits_of, SHAPE, "kernel"))
