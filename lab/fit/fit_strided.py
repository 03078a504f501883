# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Energy of fp32 products whose operands are not all stored along k, equation (S9), for refit.py.

NeuSight's table has layers, whose operands are stored along k, and batched products, of which one is not; cuBLAS runs
`sgemm_*_tn` and `sgemm_*_nn`. Products that fill the GPU many times run at the power limit, so that the ratio of their
median rates is that of their clocks; the energy is the one at which the tool predicts this ratio for a layer's product.
The mean over the boards of a die.
"""
import csv
import gzip
import math
import statistics
import tempfile

import numpy as np

from coefficient_files import add_provenance, read_field, replace_field, with_number
from validate_kernels import ask

GROUPS, FIELD = ("simt_linear", "simt_batched"), "strided_energy"
# Boards of the table: files of the same die.
DIES = {("a100-pcie-40gb", "a100-pcie-80gb"): ("a100-pcie-40gb", "a100-pcie-80gb", "a100-sxm-40gb", "a100-sxm-80gb")}
TILE = 128
LEAST_TILES, LEAST_DEPTH, LEAST_FULL = 2000, 512, 0.97
PRODUCT = {"family": "matmul", "m": 8192, "n": 8192, "k": 4096}
ENERGIES = np.arange(0.7, 1.001, 0.02)


def ratio(path, gpu):
    """The median rate of batched products over that of layers."""
    found = {"bmm": [], "linear": []}
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            if row["gpu"] != gpu or row["op"] not in found:
                continue
            batch, m, n, k = (int(row[name] or 1) for name in ("B", "m", "n", "k"))
            tiles = math.ceil(m / TILE) * math.ceil(n / TILE)
            if batch * tiles >= LEAST_TILES and k >= LEAST_DEPTH and m * n >= LEAST_FULL * tiles * TILE**2:
                found[row["op"]].append(batch * m * n * k / float(row["measured_us"]))
    return statistics.median(found["bmm"]) / statistics.median(found["linear"])


def speed(tool, gpu, text, energy):
    """Rate of PRODUCT at the power limit if a FLOP has `energy`, relative to the committed one."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(replace_field(text, "power", "per_fp32_flop", energy * read_field(text, "power", "per_fp32_flop")))
        file.flush()
        answers, error = ask(tool, gpu, "fp32", [PRODUCT], [f"--coefficients={file.name}"])
    if error:
        raise SystemExit(f"fit_strided.py: {error}")
    return 1 / float(answers[0]["time_us"])


def energy_of(tool, path, gpu, text):
    """From a line through the rates of all ENERGIES: clocks have steps."""
    rates = np.log([speed(tool, gpu, text, energy) for energy in ENERGIES])
    slope, _ = np.polyfit(ENERGIES, rates, 1)
    return 1 + math.log(ratio(path, gpu)) / slope


def with_energy(tool, path, texts):
    """`texts` with the energy of each die."""
    for boards, stems in DIES.items():
        energy = round(statistics.mean(energy_of(tool, path, gpu, texts[gpu]) for gpu in boards), 2)
        print(f"  {', '.join(boards)}: {FIELD} {energy}", flush=True)
        for stem in stems:
            for group in GROUPS:
                text = with_number(texts[stem], group, FIELD, energy)
                texts = {**texts, stem: add_provenance(text, group, "energy by layout from throttled products of NeuSight")}
    return texts
