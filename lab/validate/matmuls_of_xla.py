# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls of AMD boards in XLA's table as kernel queries.

The table states one board for each code object: gfx942 is MI300X, gfx950 MI355X. Its times contain the launch, of
which nothing is known but the smallest row (2.9 us); LAUNCH of it is assumed. e4m3 x e5m2 with a result in e4m3 runs
at a third of the rate, as another path of the library, and is left out.
"""
import csv
import dataclasses
import functools
import gzip
import pathlib

TABLE = "wave3/kernels_gemm_xla.csv.gz"
LAUNCH = 1.5  # us
BOARDS = {"mi300x": "mi300x?", "mi355x": "mi355x?"}
SLOW = ("f8e4m3fnuzxf8e5m2fnuz->f8e4m3fnuz", "f8e5m2fnuzxf8e4m3fnuz->f8e4m3fnuz", "f8e4m3fnxf8e5m2->f8e4m3fn",
        "f8e5m2xf8e4m3fn->f8e4m3fn")
COLUMNS = {"bf16x": "bf16", "f16x": "fp16", "f8e": "fp8"}
SIZES = {"bf16": 2, "fp16": 2, "fp8": 1}


@dataclasses.dataclass(frozen=True)
class Row:
    """A matmul: its time in us without the launch, the query, and (batch, m, n, k)."""
    measured: float
    query: dict
    shape: tuple


def format_of(column):
    """The format of a column; None for those that are left out."""
    if column in SLOW:
        return None
    return next((kind for start, kind in COLUMNS.items() if column.startswith(start)), None)


@functools.lru_cache(maxsize=1)
def table(data):
    with gzip.open(pathlib.Path(data) / TABLE, "rt") as file:
        return list(csv.DictReader(file))


def read_rows(data, board, kind):
    """The rows of one board in one format, all columns of results."""
    found = []
    for row in table(data):
        if row["gpu"] != BOARDS[board] or format_of(row["dtype"]) != kind:
            continue
        shape = tuple(int(row[name]) for name in ("batch", "m", "n", "k"))
        batch, m, n, k = shape
        # The matmul repeats with the same operands.
        touched = batch * (SIZES[kind] * (m * k + k * n) + 2 * m * n)
        query = {"family": "matmul", "batch": batch, "m": m, "n": n, "k": k, "dtype": kind, "protocol": "benchmark",
                 "reuse_bytes": touched}
        found.append(Row(float(row["us"]) - LAUNCH, query, shape))
    return found
