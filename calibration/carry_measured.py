# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the project's own measurements of Hopper say of other GPUs: functions of refit.py.

Rates of a multiprocessor that no table of the other boards determines are carried per clock, so that no fit on whole
networks has to move them against what it knows:

- `misaligned_efficiency`: elements of misaligned rows are loaded one by one, by kernels of the same instructions on
  every GPU since Volta. The FLOPs per clock and SM that products reach so on Hopper are the same elsewhere, where
  they are another share of the peak.
- `l2_bytes_per_clock` of memory-bound kernels since Ampere: what an SM takes of L2 in a clock. The study's
  `dram_efficiency` of A100 was fitted beside a lower one: it changes so that large tensors keep their rates.
"""
import pathlib
import re
import statistics

from coefficient_files import add_provenance, read_field, replace_field
from fit_measured import BOARDS

TARGETS = pathlib.Path(__file__).resolve().parent.parent / "targets"
HALF = re.compile(r"format = (?:bf16|fp16), flops_per_clock = (\d+)")
A100 = ("a100-pcie-40gb", "a100-pcie-80gb", "a100-sxm-40gb", "a100-sxm-80gb")
SINCE_AMPERE = (*A100, "a10", "a40", "b200-sxm", "l4", "l40s", "rtx-pro-6000")
FACTS = {"sms": r"\bsms = (\d+)", "clock": r"\bmax_clock = (\d+) MHz", "dram": r"\bdram_bandwidth = (\d+) GBps"}
NOTE = "{} per clock as measured on Hopper, 2026-11"


def target_of(stem):
    """Text of the target that a coefficient file belongs to."""
    return next(iter(sorted(TARGETS.glob(f"{stem}*.mlir")))).read_text()


def half_rate(stem):
    """FLOPs per clock and SM in 16 bit."""
    return int(HALF.search(target_of(stem))[1])


def with_l2(stem, text, l2):
    """`text` with another rate of L2, and the efficiency of DRAM beside which (W1) joins both to the same rate."""
    sms, clock, dram = (float(re.search(pattern, target_of(stem))[1]) for pattern in FACTS.values())
    rate = lambda per_clock: per_clock * sms * clock * 1e-3 / dram  # noqa: E731: L2 in units of DRAM
    old = read_field(text, "streaming", "dram_efficiency") ** -4 + rate(read_field(text, "streaming", "l2_bytes_per_clock")) ** -4
    return replace_field(replace_field(text, "streaming", "l2_bytes_per_clock", l2), "streaming", "dram_efficiency",
                         (old - rate(l2) ** -4) ** -0.25)


def carry_measured(texts):
    """`texts` with what is carried from the boards of fit_measured.BOARDS to those without measurements."""
    measured = {stem for stems in BOARDS.values() for stem in stems}
    rate = statistics.geometric_mean(
        read_field(texts[board], "tensor_gemm", "misaligned_efficiency") * half_rate(board) for board in BOARDS)
    l2 = read_field(texts["h100-sxm-80gb"], "streaming", "l2_bytes_per_clock")
    changed = dict(texts)
    for stem in sorted(set(texts) - measured):
        text = texts[stem]
        if "#tensor_gemm = " in text:
            text = replace_field(text, "tensor_gemm", "misaligned_efficiency", min(1.0, rate / half_rate(stem)))
            text = add_provenance(text, "tensor_gemm", NOTE.format("misaligned rows"))
        if stem in SINCE_AMPERE:
            text = with_l2(stem, text, l2) if stem in A100 else replace_field(text, "streaming", "l2_bytes_per_clock", l2)
            text = add_provenance(text, "streaming", NOTE.format("L2"))
        changed[stem] = text
    return changed
