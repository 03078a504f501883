#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the kernels of attention to chosen keys, equations (K12)-(K14), to measured blocks (sparse_rows.py, serving_sets.py).

  fit_sparse.py --data FOLDER [--gpu b200-sxm] [--software tensorrt-llm] --check|--apply|--held-out

A row is a whole block with more than 2,048 keys. Its other kernels keep their predicted times, and what steps to all keys,
which run no indexer, take beyond their prediction in the median of their format is added: kernels that the graph does not
launch. An indexer does not depend on the width of the cache: entries of 8 bits have only prompts, and the indexer of the entry
of 16 bits, as committed. --held-out leaves a fifth of the shapes out and prints their errors. Requires NumPy and SciPy.
"""
import collections
import re
import statistics
import sys
import tempfile

import numpy as np
import serving_sets
from serving_rows import SOFTWARE, predict
from sparse_rows import INDEXER, PHASES, judged_rows, sparse_kernels
from sparse_rows import predict as predict_blocks
from validate_moe import with_only
from validate_sparse import is_chosen

BOUNDS = {"fixed_time": (0.5, 30), "efficiency": (0.02, 1), "dram_efficiency": (0.2, 1), "row_cycles": (10, 3e5),
          "key_cycles": (1e-3, 20), "l2_bytes_per_clock": (1, 300)}
SHAPE = ("op", "model", "num_heads", "batch_size", "q_len", "prefix")
GROUP = "sparse_attention"
ENTRY = re.compile(r'    <gpu = "([^"]*)", matrix_path = \w+, software = "([^"]*)", bits = (\d+),.*?>>', re.DOTALL)
JOBS = 2


def around(tool, rows):
    """[(row, time in us of the other kernels)] of the blocks with chosen keys."""
    with tempfile.TemporaryDirectory() as folder:
        blocks = predict_blocks(tool, rows, folder, JOBS)
    beyond = collections.defaultdict(list)
    others = []
    for row, parts in zip(rows, blocks):
        phase, kernels = PHASES[row["op"]], sum(parts.values())
        own = kernels - sum(parts[name] for name in INDEXER[phase])
        if is_chosen(row) == "chosen":
            others.append((row, own))
        elif phase == "generation":
            beyond[row["gemm_dtype"]].append(float(row["us"]) - own)
    return [(row, time + statistics.median(beyond[row["gemm_dtype"]])) for row, time in others]


def fits_of(tool, data, gpu, software):
    rows, shared = judged_rows(data), serving_sets.SHARED.read_text()
    start = shared.index(f"#{GROUP} = ")
    entries = list(ENTRY.finditer(shared, start, shared.index("\n\n", start)))
    indexers = {found.groups()[:2]: found[0] for found in entries if "scores = " in found[0]}
    for found in entries:
        entry, board, stack, bits = found[0], *found.groups()
        indexer = "" if "scores = " in entry else f",\n{indexers[board, stack]}"
        if gpu not in ("", board) or software not in ("", stack):
            continue
        own = [row for row in rows if row["gpu"] == board and SOFTWARE[row["stack"]] == stack
               and (row["kv_dtype"] == "fp8") == (bits == "8")]
        fixed = [pair for pair in around(tool, own) if not indexer or PHASES[pair[0]["op"]] == "context"]
        rest = {id(row): time for row, time in fixed}

        def times(text, some, board=board, stack=stack, rest=rest, indexer=indexer):
            kernels = [sparse_kernels(row) for row in some]
            flat = iter(predict(tool, board, stack, [each for row in kernels for each in row], with_only(board, text + indexer, GROUP)))
            return [rest[id(row)] + sum(next(flat) for _ in each) for row, each in zip(some, kernels)]
        yield f"{board} {stack} {bits} bits", PartsFit(entry, [row for row, _ in fixed], times)


class PartsFit(serving_sets.SetFit):
    """A set whose parts have numbers of the same name."""

    def __init__(self, text, rows, times):
        self.text, self.rows, self.times = text, rows, times
        self.places = list(re.finditer(rf"\b({'|'.join(BOUNDS)}) = ([0-9.e+-]+)", text))
        self.bounds = np.log([BOUNDS[place[1]] for place in self.places]).T
        self.start = np.clip(np.log([float(place[2]) for place in self.places]), self.bounds[0] + 1e-6, self.bounds[1] - 1e-6)
        self.measured = np.array([float(row["us"]) for row in rows])

    def with_numbers(self, logs):
        text = self.text
        for place, value in reversed(list(zip(self.places, np.exp(logs)))):
            written = re.sub(r"^(\d+)e", r"\1.0e", f"{value:.4g}")  # MLIR reads no 3e+04
            text = text[:place.start(2)] + written + text[place.end(2):]
        return text


if __name__ == "__main__":
    sys.exit(serving_sets.main(__doc__, fits_of, SHAPE, "software"))
