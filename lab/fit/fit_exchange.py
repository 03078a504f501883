#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits exchanges between the GPUs of experts, equations (N13)-(N15), to measured tables (serving_rows.py, serving_sets.py).

  fit_exchange.py --data FOLDER [--gpu b200-sxm] [--mode low-latency] --check|--apply|--held-out

Each direction of an entry of `expert_exchange` is fitted by itself. Numbers between nodes exist for H100 only; the other
boards keep them. --held-out leaves a fifth of the shapes out and prints their errors. Requires NumPy and SciPy.
"""
import sys

import serving_sets
from serving_rows import MODES, SOFTWARE, exchange_rows
from validate_exchange import entries, times_of

BOUNDS = {"base": (1, 1000), "link_efficiency": (0.02, 2), "row": (1e-6, 1), "network_base": (0.1, 200), "hop": (0.05, 100),
          "network_efficiency": (0.1, 1)}
SHAPE = ("hidden", "topk", "experts", "nodes", "ep", "tokens")


def fits_of(tool, data, gpu, mode):
    """(name, fit) of each direction of an entry."""
    rows = exchange_rows(data)
    for (board, software, kind), entry in entries(serving_sets.SHARED.read_text()).items():
        if gpu not in ("", board) or mode not in kind:
            continue
        for direction in ("dispatch", "combine"):
            start = entry.index(f"{direction} = <")
            text = entry[start:entry.index(">", start) + 1]
            own = [row for row in rows
                   if (row["gpu"], SOFTWARE[row["stack"]], MODES[row["backend"]], row["op"]) == (board, software, kind, direction)]

            def times(changed, part, board=board, entry=entry, text=text):
                return times_of(tool, board, part, entry.replace(text, changed))
            yield f"{board} {software} {kind} {direction}", serving_sets.SetFit(text, BOUNDS, own, times)


if __name__ == "__main__":
    sys.exit(serving_sets.main(__doc__, fits_of, SHAPE, "mode"))
