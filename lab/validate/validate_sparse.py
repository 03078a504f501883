# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of sparse attention by serving stack (sparse_rows.py), each shape once.

Boards of the fit are H100 SXM and B200; GB200 takes the numbers of B200. Steps of vLLM, and those of TensorRT-LLM on H100, take
about 100 us for work that is not in the graph.
"""
import collections
import tempfile
import zlib

import gates
from error_statistics import Errors
from sparse_rows import PHASES, judged_rows, predict
from validate_mla import write_rows

# Mean errors in percent above which the gate fails: just above the current ones, of a part of the blocks.
GATES = {("h100-sxm-80gb", "trtllm"): 46.5, ("h100-sxm-80gb", "vllm"): 37.2, ("h100-sxm-80gb", "sglang"): 27.9,
         ("b200-sxm", "trtllm"): 15, ("b200-sxm", "vllm"): 45.2, ("b200-sxm", "sglang"): 32.2, ("gb200", "trtllm"): 15.7}
SHARE = 0.1
CHOSEN = 2048  # keys


def compare(tool, rows, jobs):
    """[(row, time in us, error in percent)]."""
    with tempfile.TemporaryDirectory() as folder:
        times = [sum(parts.values()) for parts in predict(tool, rows, folder, jobs)]
    return [(row, time, 100 * (time / float(row["us"]) - 1)) for row, time in zip(rows, times)]


def is_chosen(row):
    return "chosen" if int(row["prefix"]) + int(row["q_len"]) > CHOSEN else "all keys"


def run(args):
    results = compare(args.tool, judged_rows(args.data), args.jobs)
    phase = lambda row: PHASES[row["op"]]
    for name, key in (("formats", lambda row: (row["gpu"], row["stack"], phase(row), row["model"], row["kv_dtype"], row["gemm_dtype"])),
                      ("keys", lambda row: (row["gpu"], row["stack"], phase(row), is_chosen(row))),
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
