# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Energies and efficiency of GB202 from published rates of products, for refit.py.

No board of GB202 has public power figures. Its on-chip energies are those of GH100, whose process is the same, times a factor:
the largest fp32 product runs at the power limit for a second, and the factor is the one at which the tool predicts its rate.
Products on tensor cores then run at the maximum clock, and their mean error gives the efficiency.
"""
import math
import statistics
import tempfile

from scipy.optimize import brentq

from coefficient_files import add_provenance, read_field, replace_field
from fit_boards import ON_CHIP
from validate_kernels import ask

STEM, BOARD = "rtx-pro-6000", "rtx-pro-6000-server"
SOURCE = "published rates of torch.mm on RTX PRO 6000 Server Edition"
# TFLOP/s by format and size: github.com/zzc0721/torch-performance-test-data, issue 161 (PyTorch 2.7, CUDA 12.8).
LIMITED = ("fp32", 10240, 74.88)
UNLIMITED = (
    ("tf32", 4096, 193.44), ("tf32", 8192, 205.23), ("tf32", 10240, 199.23),
    ("fp16", 4096, 397.22), ("fp16", 8192, 406.97), ("fp16", 10240, 374.05),
    ("bf16", 4096, 399.93), ("bf16", 8192, 417.34), ("bf16", 10240, 387.01))
FACTORS, EFFICIENCIES = (0.3, 1.5), (0.7, 0.999)


def excess(tool, text, product):
    """Log of the predicted over the published rate of a product."""
    kind, size, rate = product
    query = {"family": "matmul", "m": size, "n": size, "k": size}
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        answers, error = ask(tool, BOARD, kind, [query], [f"--coefficients={file.name}"])
    if error:
        raise SystemExit(f"fit_published.py: {error}")
    return math.log(2e-6 * size**3 / float(answers[0]["time_us"]) / rate)


def with_factor(text, factor):
    for field in ON_CHIP:
        text = replace_field(text, "power", field, factor * read_field(text, "power", field))
    return text


def with_efficiency(text, value):
    return replace_field(text, "tensor_gemm", "efficiency", value)


def with_published(tool, texts):
    """`texts` in which GB202 has on-chip energies and an efficiency from published rates."""
    text = texts[STEM]
    factor = round(brentq(lambda x: excess(tool, with_factor(text, x), LIMITED), *FACTORS, xtol=1e-3), 2)
    text = add_provenance(with_factor(text, factor), "power", f"on chip x {factor}, {SOURCE}")

    def error(value):
        return statistics.mean(excess(tool, with_efficiency(text, value), product) for product in UNLIMITED)
    value = round(brentq(error, *EFFICIENCIES, xtol=1e-3), 3)
    text = add_provenance(with_efficiency(text, value), "tensor_gemm", f"efficiency from {SOURCE}")
    errors = [100 * (math.exp(-excess(tool, text, product)) - 1) for product in (LIMITED, *UNLIMITED)]
    print(f"  {STEM}: on chip x {factor}, efficiency {value}; errors of time {', '.join(f'{each:+.1f}' for each in errors)} %", flush=True)
    return {**texts, STEM: text}
