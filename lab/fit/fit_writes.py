# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DRAM rates of reads and writes with inline ECC in GDDR6, equation (M2), for refit.py.

A write of less than a line of check bits reads and rewrites it, so that kernels that only read, as reductions do, are faster per
byte than copies. NeuSight has elementwise kernels of T4 with one and two operands, aiconfigurator the quantisation from 16 to 8 bits
on L40S; each kernel moves much more than the L2 holds. Both boards share two numbers, which minimise the squared log error of the
medians; L4, A10 and A40 have the same memory.
"""
import csv
import gzip
import math
import statistics

import numpy as np
from scipy.optimize import least_squares

from carry_measured import fact
from coefficient_files import add_provenance, replace_field, with_number

GROUP = "streaming"
STEMS = ("t4", "l4", "a10", "a40", "l40s")
ELEMENTWISE_TABLE, QUANTIZE_TABLE = "kernels_elementwise_neusight.csv.gz", "wave3/aic/quantize_fp8.csv.gz"
LEAST_BYTES = 400e6
FP32 = 4
# Operands of the fp32 ops; `pow` is limited by instructions.
OPERANDS = {"add": 2, "mul": 2, "div": 2, "addu": 1, "mulu": 1, "divu": 1, "relu": 1, "gelu": 1, "tanh": 1}
QUANTIZED = ("trtllm", "vllm")


def rows_of(path):
    with gzip.open(path, "rt", newline="") as file:
        yield from csv.DictReader(file)


def shares(data):
    """{(bytes read, bytes written) of an element: [share of the DRAM bandwidth]} of large kernels."""
    found = {}

    def add(gpu, read, written, elements, us):
        moved = elements * (read + written)
        if moved >= LEAST_BYTES:
            found.setdefault((gpu, read, written), []).append(moved / us / (1e3 * fact(gpu, "dram")))
    for row in rows_of(data / ELEMENTWISE_TABLE):
        if row["gpu"] == "t4" and row["op"] in OPERANDS:
            add("t4", FP32 * OPERANDS[row["op"]], FP32, int(row["B"]) * int(row["H"]), float(row["measured_us"]))
    for row in rows_of(data / QUANTIZE_TABLE):
        if row["gpu"] == "l40s" and row["stack"] in QUANTIZED and not row["flag"]:
            add("l40s", 2, 1, int(row["m"]) * int(row["k"]), float(row["us"]))
    return found


def predicted(efficiency, cost, read, written):
    return efficiency * (read + written) / (read + cost * written)


def with_writes(data, texts):
    """`texts` with the rates of reads and writes of boards with inline ECC in GDDR6."""
    kinds = {kind: statistics.median(values) for kind, values in shares(data).items()}
    fit = least_squares(lambda x: [math.log(predicted(*x, *kind[1:]) / share) for kind, share in kinds.items()], (0.8, 1.2))
    efficiency, cost = (float(value) for value in np.round(fit.x, 3))
    for kind, share in sorted(kinds.items()):
        print(f"  {kind}: measured {share:.3f}, fitted {predicted(efficiency, cost, *kind[1:]):.3f}")
    print(f"  {', '.join(STEMS)}: dram_efficiency {efficiency}, write_cost {cost}", flush=True)
    texts = dict(texts)
    for stem in STEMS:
        text = replace_field(texts[stem], GROUP, "dram_efficiency", efficiency)
        text = with_number(text, GROUP, "write_cost", cost)
        texts[stem] = add_provenance(text, GROUP, "reads and writes from T4 (NeuSight) and L40S (quantisation, aiconfigurator)")
    return texts
