# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measured attention of encoders (vision towers) by serving stack as kernel queries.

aiconfigurator times attention in bf16 without a mask or a cache. Left out: rows faster than a smaller size (flag N) and
encoders of one token, whose kernel no model launches.
"""
import csv
import functools
import gzip
import pathlib

import kernel_tables
import validate_kernels
from attention_rows import Key

TABLE = "wave3/aic/encoder_attention.csv.gz"
FAMILY = "attention, encoder"
# TensorRT-LLM has no fast kernel for heads of 72 on Blackwell; such rows are reported apart.
APART = {("trtllm", "72"): "attention, encoder with heads of 72"}


@functools.lru_cache(maxsize=1)
def read_table(path):
    found = []
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            if row["flag"] in kernel_tables.DOUBTED or row["isl"] == "1":
                continue
            row = kernel_tables.of_release({**row, "measured_us": row["us"], "num_key_value_heads": row["num_heads"], "q_len": row["isl"]})
            row["op"] = "encoder"
            family = APART.get((row["stack"], row["head_dim"]), FAMILY)
            found.append((Key(row["gpu"], f"{row['stack']}-{row['version']}", family, "bf16", "none"), row,
                          kernel_tables.query(row)))
    return found


def read_rows(data, gpu=None):
    """[(Key, row, query with its benchmark's protocol)] of one GPU or of all."""
    return [(key, row, validate_kernels.with_protocol(row, query)) for key, row, query in read_table(pathlib.Path(data) / TABLE)
            if gpu in (None, key.gpu)]
