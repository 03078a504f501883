# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of sparse attention by serving stack (sparse_rows.py), each shape once.

Boards of the fit are H100 SXM and B200; GB200 takes the numbers of B200.
"""
import collections
import tempfile
import zlib

import gates
from error_statistics import Errors
from sparse_rows import PHASES, chooses, judged_rows, predict
from validate_mla import write_rows

# Mean errors in percent above which the gate fails: just above the current ones, of a part of the blocks.
GATES = {("h100-sxm-80gb", "trtllm"): 27.8, ("h100-sxm-80gb", "vllm"): 20.6, ("h100-sxm-80gb", "sglang"): 15.2,
         ("b200-sxm", "trtllm"): 13.6, ("b200-sxm", "vllm"): 22.9, ("b200-sxm", "sglang"): 32.2, ("gb200", "trtllm"): 14.3}
SHARE = 0.1


def compare(tool, rows, jobs):
    """[(row, time in us, error in percent)]."""
    with tempfile.TemporaryDirectory() as folder:
        times = [sum(parts.values()) for parts in predict(tool, rows, folder, jobs)]
    return [(row, time, 100 * (time / float(row["us"]) - 1)) for row, time in zip(rows, times)]


def run(args):
    results = compare(args.tool, judged_rows(args.data), args.jobs)
    phase = lambda row: PHASES[row["op"]]
    for name, key in (("formats", lambda row: (row["gpu"], row["stack"], phase(row), row["model"], row["kv_dtype"], row["gemm_dtype"])),
                      ("keys", lambda row: (row["gpu"], row["stack"], phase(row), "chosen" if chooses(row) else "all keys")),
                      ("stack", lambda row: (row["gpu"], row["stack"])), ("GPU", lambda row: (row["gpu"],))):
        groups = collections.defaultdict(list)
        for row, _, error in results:
            groups[key(row)].append(error)
        print(f"== by {name}")
        for group, errors in sorted(groups.items()):
            print(f"{' '.join(group):80s} {Errors(errors).text()}")
    write_rows(args.rows, results)
    return 0 if results else 1


def is_checked(row):
    """A tenth of the blocks: the same shapes in every stack."""
    shape = "|".join(row[name] for name in ("op", "model", "num_heads", "batch_size", "q_len", "prefix"))
    return (row["gpu"], row["stack"]) in GATES and zlib.crc32(shape.encode()) % 1000 < SHARE * 1000


def checks(args, data):
    """Time of whole blocks by board and stack."""
    results = compare(args.tool, list(filter(is_checked, judged_rows(data))), args.jobs)
    for (gpu, stack), limit in GATES.items():
        errors = [error for row, _, error in results if (row["gpu"], row["stack"]) == (gpu, stack)]
        yield gates.mape(f"sparse attention, {gpu}, {stack}, time", errors, limit)
