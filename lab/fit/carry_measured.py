# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transfers the project's measurements of Hopper to other GPUs: functions of refit.py.

Rates of a multiprocessor that no table of the other boards determines are transferred per clock, so that fits on whole
networks do not have to compensate for them:

- `misaligned_efficiency`: elements of misaligned rows are loaded one by one, by kernels with the same instructions on
  every GPU since Volta. The FLOPs per clock and SM that matmuls reach this way on Hopper are the same elsewhere, where
  they are another share of the peak.
- attention with fp32 tensors is one kernel with the same instructions on every GPU with TF32: the time of an SM in
  addition to its matmuls is the same elsewhere. The same applies to the backward pass of FlashAttention 2: its time
  relative to equation A8 is the same elsewhere.
- `l2_bytes_per_clock` of memory-bound kernels since Ampere: L2 bytes per SM and clock. The study fitted A100's
  `dram_efficiency` together with a lower rate: it changes so that large tensors keep their rates.
- instructions per GELU (`carry_gelu`): the study assumed them; Hopper's come from the power of loads. The kernel is the
  same code everywhere.
"""
import pathlib
import re
import statistics

from coefficient_files import add_provenance, block_of, read_field, replace_field
from fit_measured import BOARDS, KERNELS
from fit_measured_power import FOLLOWERS, GELU
from fit_networks import A100

TARGETS = pathlib.Path(__file__).resolve().parents[2] / "targets"
BACKWARD = ("backward_slowdown", "backward_prologue", "backward_time")
AMPERE = 8  # the generation in a compute capability
# The first 16-bit format counts.
FACTS = {"half_rate": r"format = (?:bf16|fp16), flops_per_clock = (\d+)", "sms": r"\bsms = (\d+)",
         "clock": r"\bmax_clock = (\d+) MHz", "dram": r"\bdram_bandwidth = (\d+) GBps",
         "generation": r"\bcompute_capability = (\d+)\."}
NOTE = "{} per clock as measured on Hopper, 2026-11"


def fact(stem, name):
    """A fact in FACTS for the target of a coefficient file: per clock and SM, MHz, GB/s, number."""
    target = next(iter(sorted(TARGETS.glob(f"{stem}*.mlir")))).read_text()
    return int(re.search(FACTS[name], target)[1])


def with_l2(stem, text, l2):
    """`text` with another rate of L2, and the DRAM efficiency for which W1 gives the same combined rate."""
    per_byte = fact(stem, "sms") * fact(stem, "clock") * 1e-3 / fact(stem, "dram")  # L2 in units of DRAM
    old_l2 = read_field(text, "streaming", "l2_bytes_per_clock")
    joined = read_field(text, "streaming", "dram_efficiency") ** -4 + (old_l2 * per_byte) ** -4
    text = replace_field(text, "streaming", "l2_bytes_per_clock", l2)
    return replace_field(text, "streaming", "dram_efficiency", (joined - (l2 * per_byte) ** -4) ** -0.25)


def carry_measured(texts):
    """`texts` with the rates transferred from the boards in fit_measured.BOARDS to boards without measurements."""
    measured = {stem for stems in BOARDS.values() for stem in stems}
    rate = statistics.geometric_mean(
        read_field(texts[board], "tensor_gemm", "misaligned_efficiency") * fact(board, "half_rate") for board in BOARDS)
    l2 = read_field(texts["h100-sxm-80gb"], "streaming", "l2_bytes_per_clock")
    changed = dict(texts)
    for stem in sorted(set(texts) - measured):
        text = texts[stem]
        if "#tensor_gemm = " in text:
            text = replace_field(text, "tensor_gemm", "misaligned_efficiency", min(1.0, rate / fact(stem, "half_rate")))
            text = add_provenance(text, "tensor_gemm", NOTE.format("misaligned rows"))
        if "#streaming = " in text and fact(stem, "generation") >= AMPERE:
            text = (with_l2(stem, text, l2) if stem in A100
                    else replace_field(text, "streaming", "l2_bytes_per_clock", l2))
            text = add_provenance(text, "streaming", NOTE.format("L2"))
        if "#attention_fp32 = " in text:
            for field in KERNELS["attention_fp32"]:
                text = replace_field(text, "attention_fp32", field,
                                     read_field(texts["h100-sxm-80gb"], "attention_fp32", field))
            text = add_provenance(text, "attention_fp32", NOTE.format("cycles"))
        for group in ("attention_full", "attention_causal"):
            if f"#{group} = " in text and "backward_time" in text[slice(*block_of(text, group))]:
                for field in BACKWARD:
                    text = replace_field(text, group, field,
                                         read_field(texts["h100-sxm-80gb"], "attention_flash2", field))
        changed[stem] = text
    return changed


def carry_gelu(texts, measured):
    """`texts` with the instructions per GELU in `measured`, from Hopper's loads, on boards without loads."""
    group, field = GELU
    count = statistics.geometric_mean(read_field(measured[board], group, field) for board in FOLLOWERS)
    changed = dict(texts)
    for stem in sorted(set(texts) - {stem for stems in FOLLOWERS.values() for stem in stems}):
        text = replace_field(texts[stem], group, field, count)
        changed[stem] = add_provenance(text, "instructions", "GELU as measured on Hopper, 2026-11")
    return changed
