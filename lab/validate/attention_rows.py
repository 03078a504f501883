# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measured attention of serving stacks by format as kernel queries.

aiconfigurator times prompts with the kernels that quantise and write the cache, and decode steps that read one cache
again and again. Left out: rows of doubtful tables (flag O), kernels that a user selects in place of the default ones,
and prompts of one token, which are decode steps.
"""
import csv
import dataclasses
import functools
import gzip
import pathlib

import kernel_tables
import validate_kernels

TABLE = "wave3/aic/attention_lowp.csv.gz"
SLOW = "O"


@dataclasses.dataclass(frozen=True)
class Key:
    """The rows of one line in error tables."""
    gpu: str
    stack: str
    family: str
    products: str
    cache: str

    def text(self):
        return f"{self.gpu} {self.stack} {self.family.removeprefix('attention, ')} {self.products}, cache {self.cache}"


@functools.lru_cache(maxsize=1)
def read_table(path):
    found = []
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            if SLOW in row["flag"]:
                continue
            try:
                row = kernel_tables.of_release(kernel_tables.of_kernel(row))
                query = kernel_tables.query(row)
            except kernel_tables.Unmapped:
                continue
            key = Key(row["gpu"], f"{row['stack']}-{row['version']}", kernel_tables.family(query), row["attn_dtype"],
                      row["kv_dtype"])
            found.append((key, row, query))
    return found


def read_rows(data, gpu=None, cache=None):
    """[(Key, row, query with its benchmark's protocol)] of one GPU and format of the cache, or of all."""
    return [(key, row, validate_kernels.with_protocol(row, query)) for key, row, query in read_table(pathlib.Path(data) / TABLE)
            if gpu in (None, key.gpu) and cache in (None, key.cache)]
