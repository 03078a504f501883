# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measured linear layers of serving stacks in 8 and 4 bits as kernel queries.

aiconfigurator times CUDA graphs of six layers: the kernel that quantises the activation, then the matmul. vLLM's fp8
runs use six weights and one activation of zeros; its other formats repeat one layer; SGLang's use six layers. vLLM's
fp8-block runs are eager: three paths, by rows (below 32) and by sizes that 128 does not divide, each with a host time
that small products show; only rows of at least 1.5 times this time measure the GPU.
"""
import csv
import dataclasses
import functools
import gzip
import pathlib

import numpy as np

TABLE = "wave3/kernels_lowp_gemm.csv.gz"
FORMATS = {"fp8": "fp8", "fp8_block": "fp8-block", "nvfp4": "nvfp4"}
# Bytes of an element and its share of a scale.
BYTES = {"fp8": 1, "fp8-block": 1 + 4 / 128, "nvfp4": 0.5 + 1 / 16}
COPIES = 6
HOST = 1.5
# Board: {set: (format, software)} and the stack and release of its rows.
SETS = {"h100-sxm-80gb": {"fp8_vllm": ("fp8", "vllm"), "fp8_block_vllm": ("fp8-block", "vllm")},
        "b200-sxm": {"nvfp4_vllm": ("nvfp4", "vllm"), "nvfp4_sglang": ("nvfp4", "sglang"), "fp8_sglang": ("fp8", "sglang"),
                     "fp8_block_sglang": ("fp8-block", "sglang"), "fp8_block_vllm": ("fp8-block", "vllm")}}
STACKS = {"h100-sxm-80gb": {"fp8_vllm": "vllm 0.24.0", "fp8_block_vllm": "vllm 0.24.0"},
          "b200-sxm": {"nvfp4_vllm": "vllm 0.22.0", "nvfp4_sglang": "sglang 0.5.14", "fp8_sglang": "sglang 0.5.14",
                       "fp8_block_sglang": "sglang 0.5.14", "fp8_block_vllm": "vllm 0.22.0"}}


@dataclasses.dataclass(frozen=True)
class Row:
    """A layer: its time in us, the queries for its two kernels, and the time in us that the host takes."""
    measured: float
    matmul: dict
    quantise: dict
    host: float = 0.0


def queries_of(m, n, k, kind, vllm):
    """The matmul, and a copy of as many bytes as the kernel that quantises the activation moves."""
    size, scaled = BYTES[kind], vllm and kind == "fp8"
    a, b, c = m * k * size, n * k * size, 2 * m * n
    copies = COPIES if scaled or not vllm else 1
    reuse = copies * b + a + c if scaled else copies * (a + b) + c
    matmul = {"family": "matmul", "m": m, "n": n, "k": k, "linear": 1, "dtype": kind, "protocol": "benchmark",
              "reuse_bytes": reuse, "toggle_rate": 0.5 if scaled else 1}
    copy = {"family": "elementwise", "op": "copy", "elements": max(1, round(m * k * (2 + size) / 4)), "dtype": "bf16",
            "reuse_bytes": reuse}
    return matmul, copy


@functools.lru_cache(maxsize=1)
def table(data):
    """{(gpu, format, stack): rows (m, n, k, us) sorted by shape, each shape once}."""
    found = {}
    with gzip.open(pathlib.Path(data) / TABLE, "rt") as file:
        for row in csv.DictReader(file):
            shapes = found.setdefault((row["gpu"], FORMATS[row["dtype"]], row["stack"]), {})
            shapes.setdefault((int(row["m"]), int(row["n"]), int(row["k"])), float(row["measured_us"]))
    return {key: np.array(sorted((*shape, us) for shape, us in shapes.items())) for key, shapes in found.items()}


def host_times(rows):
    """Time in us that the host takes for each row of an eager table: the median of the smallest products of its path."""
    m, n, k, us = rows.T
    path = np.where((n % 128 != 0) | (k % 128 != 0), 2, np.where(m < 32, 0, 1))
    flops, found = m * n * k, np.zeros(len(rows))
    for each in np.unique(path):
        where = path == each
        found[where] = np.median(us[where & (flops <= np.quantile(flops[where], 0.3))])
    return found


def read_rows(data, gpu, kind, stack):
    """The rows of one table that measure the GPU."""
    rows, vllm = table(data)[gpu, kind, stack], stack.startswith("vllm")
    host = host_times(rows) if vllm and kind == "fp8-block" else np.zeros(len(rows))
    return [Row(us, *queries_of(int(m), int(n), int(k), kind, vllm), floor)
            for (m, n, k, us), floor in zip(rows, host) if us > HOST * floor]
