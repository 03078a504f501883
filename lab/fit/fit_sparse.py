#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the kernels of attention to chosen keys, equations (K12)-(K14), to measured blocks (sparse_rows.py, serving_sets.py).

  fit_sparse.py --data FOLDER [--gpu b200-sxm] [--software tensorrt-llm] --check|--apply|--held-out

A row is a whole block: a step, or a prompt with more than 2,048 keys, in stacks with `all_keys` any prompt. Its other kernels
keep their predicted times; the fixed time of the scores includes kernels that the graph does not launch (copies, quantisation,
lengths); steps to all keys launch them too. The choice of keys does not depend on the width of the cache, so entries of 8 bits
use the committed numbers of the 16-bit entry. --held-out prints the errors of a fifth of the shapes, which the fit does not
use. Requires NumPy and SciPy.
"""
import re
import sys
import tempfile

import serving_sets
from serving_rows import SOFTWARE, predict
from sparse_rows import PHASES, chooses, judged_rows, sparse_kernels
from sparse_rows import predict as predict_blocks
from validate_moe import with_only

BOUNDS = {"fixed_time": (0.5, 200), "prompt fixed_time": (0.5, 30), "efficiency": (0.02, 1), "dram_efficiency": (0.2, 1),
          "row_cycles": (10, 3e5), "key_cycles": (1e-3, 20), "l2_bytes_per_clock": (1, 300)}
SHAPE = ("op", "model", "num_heads", "batch_size", "q_len", "prefix")
GROUP = "sparse_attention"
ENTRY = re.compile(r'    <gpu = "([^"]*)", matrix_path = \w+, software = "([^"]*)", bits = (\d+),.*?>>', re.DOTALL)
ALL_KEYS = "all_keys = true"
JOBS = 2


def around(tool, rows):
    """[(row, time in us of the other kernels)]."""
    with tempfile.TemporaryDirectory() as folder:
        blocks = predict_blocks(tool, rows, folder, JOBS)
    return [(row, sum(parts.values()) - sum(parts[name] for name in sparse_kernels(row))) for row, parts in zip(rows, blocks)]


def fits_of(tool, data, gpu, software):
    rows, shared = judged_rows(data), serving_sets.SHARED.read_text()
    start = shared.index(f"#{GROUP} = ")
    entries = list(ENTRY.finditer(shared, start, shared.index("\n\n", start)))
    choices = {found.groups()[:2]: found[0] for found in entries if "choice = " in found[0]}
    for found in entries:
        entry, board, stack, bits = found[0], *found.groups()
        choice = "" if "choice = " in entry else f",\n{choices[board, stack]}"
        if gpu not in ("", board) or software not in ("", stack):
            continue
        own = [row for row in rows if row["gpu"] == board and SOFTWARE[row["stack"]] == stack
               and (row["kv_dtype"] == "fp8") == (bits == "8")]
        fixed = around(tool, [row for row in own if chooses(row) or PHASES[row["op"]] == "generation" or ALL_KEYS in entry])
        rest = {id(row): time for row, time in fixed}

        def times(text, some, board=board, stack=stack, rest=rest, choice=choice):
            kernels = [list(sparse_kernels(row).values()) for row in some]
            flat = iter(predict(tool, board, stack, [each for row in kernels for each in row],
                                with_only(board, text + choice, GROUP)))
            return [rest[id(row)] + sum(next(flat) for _ in each) for row, each in zip(some, kernels)]
        yield f"{board} {stack} {bits} bits", serving_sets.SetFit(entry, BOUNDS, [row for row, _ in fixed], times)


if __name__ == "__main__":
    sys.exit(serving_sets.main(__doc__, fits_of, SHAPE, "software"))
