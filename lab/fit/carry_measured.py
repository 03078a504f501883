# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transfers the project's measurements of Hopper to other GPUs: functions of refit.py.

SM rates that the tables of other boards do not determine are transferred per clock, so that fits on whole models do
not have to change them:

- `misaligned_efficiency`: elements of misaligned rows are loaded one by one, by kernels with the same instructions on
  every GPU since Volta. The FLOPs per clock and SM that such matmuls reach on Hopper apply to other GPUs, where they
  are a different fraction of the peak.
- fp32 attention is one kernel with the same instructions on every GPU with TF32, so the SM time in addition to its
  matrix products is transferred. The same applies to the backward pass of FlashAttention 2 and its slowdown relative to
  equation (A8).
- `l2_bytes_per_clock` of memory-bound kernels since Ampere: the bytes that an SM reads from L2 per clock. The study
  fitted A100's `dram_efficiency` with a lower value, so it is adjusted to preserve the rates of large tensors.
- fp32 products and convolutions of B200 use the coefficients of Hopper, which were refitted to measurements since the study.
- launches and rates that keep the order of GPUs (`with_bounds`), after all fits.
- event energies and V(f) of GH100, for Ada and RTX PRO 6000, whose process is the same (`carry_energies`).
- GELU instructions (`carry_gelu`): the study assumed them; those of Hopper come from the power of loads. The kernel is
  the same code on all GPUs.
"""
import pathlib
import re
import statistics

from coefficient_files import (add_provenance, block_of, curve_of, provenance_of, read_field, replace_field, with_curve,
                               with_field, with_fields, with_origin, with_provenance)
from fit_measured import BOARDS, KERNELS, WINOGRAD, with_numbers
from fit_networks import A100

TARGETS = pathlib.Path(__file__).resolve().parents[2] / "targets"
GH100 = "H100 SXM"
CUDA_CORES = ("simt_linear", "simt_batched", "simt_conv")  # groups of fp32 products and convolutions
BACKWARD = ("backward_slowdown", "backward_prologue", "backward_time")
AMPERE = 8  # the generation in a compute capability
# The first 16-bit format counts.
FACTS = {"half_rate": r"format = (?:bf16|fp16), flops_per_clock = (\d+)", "sms": r"\bsms = (\d+)",
         "clock": r"\bmax_clock = (\d+) MHz", "dram": r"\bdram_bandwidth = (\d+) GBps",
         "generation": r"\bcompute_capability = (\d+)\."}
NOTE = "{} per clock as measured on Hopper, 2026-11"
HOPPER = ("h100-pcie-80gb", "h100-sxm-80gb", "h200-sxm")
# SM cycles of launch and drain: products on tensor cores in CUDA graphs take 4,100 (B200) to 5,000 (H200), and 3,600 to
# 7,600 more with a split K. The timers of the tables of linear layers on CUDA cores include a dispatch of 20 to 90 us, so
# their fits do not determine it. Linear layers of V100 take longer in whole models.
LAUNCH_CYCLES, SPLIT_CYCLES = 4600, 5400
SLOW_LAUNCH = {"v100-pcie": 4.0, "v100-sxm": 4.0}  # us
OWN_GEMM = ("a100-pcie-40gb", "a100-pcie-80gb", "a100-sxm-40gb", "a100-sxm-80gb", "b200-sxm", "h100-sxm-80gb", "h200-sxm",
            "l40s")
BOUND = "launch and drain in SM cycles as on other GPUs, 2026-11"


def fact(stem, name):
    """One of FACTS of a coefficient file's target: per clock and SM, MHz, GB/s, number."""
    named = TARGETS / f"{stem}.mlir"
    target = (named if named.exists() else min(TARGETS.glob(f"{stem}-*.mlir"))).read_text()
    return int(re.search(FACTS[name], target)[1])


def with_l2(stem, text, l2):
    """`text` with another L2 rate, and with the DRAM efficiency for which equation (W1) yields the same combined
    rate."""
    per_byte = fact(stem, "sms") * fact(stem, "clock") * 1e-3 / fact(stem, "dram")  # L2 in units of DRAM
    old_l2 = read_field(text, "streaming", "l2_bytes_per_clock")
    joined = read_field(text, "streaming", "dram_efficiency") ** -4 + (old_l2 * per_byte) ** -4
    text = replace_field(text, "streaming", "l2_bytes_per_clock", l2)
    return replace_field(text, "streaming", "dram_efficiency", (joined - (l2 * per_byte) ** -4) ** -0.25)


def carry_measured(texts):
    """`texts` with rates transferred from fit_measured.BOARDS to boards without measurements."""
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
            text = with_fields(text, texts["h100-sxm-80gb"], "attention_fp32", KERNELS["attention_fp32"])
            text = add_provenance(text, "attention_fp32", NOTE.format("cycles"))
        for group in ("attention_full", "attention_causal"):
            if f"#{group} = " in text and "backward_time" in text[slice(*block_of(text, group))]:
                text = with_fields(text, texts["h100-sxm-80gb"], group, BACKWARD, "attention_flash2")
        if stem == "b200-sxm":
            text = with_numbers(with_origin(text, "simt_conv", GH100), WINOGRAD)
            for group in CUDA_CORES:
                text = with_fields(text, texts["h100-sxm-80gb"], group, KERNELS[group])
                text = add_provenance(text, group, "as measured on Hopper, 2026-11")
        changed[stem] = text
    return changed


def scale_launches(stem, text):
    """`text` with launches of as many SM cycles as on other GPUs, where its own tables do not determine them."""
    launch, split = (cycles / fact(stem, "clock") for cycles in (LAUNCH_CYCLES, SPLIT_CYCLES))
    times = {}
    if stem not in (*HOPPER, "b200-sxm"):
        times["simt_linear", "latency"] = SLOW_LAUNCH.get(stem, launch)
    if "#tensor_gemm = " in text and stem not in OWN_GEMM:
        times["tensor_gemm", "fixed_time"], times["tensor_gemm", "split_k_time"] = launch, split
    for (group, field), time in times.items():
        text = add_provenance(replace_field(text, group, field, time), group, BOUND)
    return text


def with_bounds(texts):
    """`texts` in which no GPU is slower than one that it exceeds in every fact only because the tables of one of them
    include a dispatch (test/Consistency/properties/boards.py). The last step of a refit."""
    latency = statistics.geometric_mean(read_field(texts[board], "streaming", "latency") for board in BOARDS)
    changed = dict(texts)
    for stem, text in texts.items():
        if "#simt_linear = " not in text:
            continue
        text = scale_launches(stem, text)
        if stem not in HOPPER:
            text = replace_field(text, "streaming", "latency", latency)
        changed[stem] = text
    for group in CUDA_CORES:
        changed["b200-sxm"] = with_fields(changed["b200-sxm"], texts["h200-sxm"], group, KERNELS[group])
    changed["h100-pcie-80gb"] = with_dram_per_clock(texts, "h100-sxm-80gb", "h100-pcie-80gb", changed)
    return changed


def with_dram_per_clock(texts, measured, stem, changed):
    """Text of `stem` whose linear layers read as many bytes per clock and SM from DRAM as on `measured`."""
    def per_byte(name):
        return fact(name, "sms") * fact(name, "clock") / fact(name, "dram")
    share = read_field(texts[measured], "simt_linear", "dram_efficiency") * per_byte(stem) / per_byte(measured)
    return replace_field(changed[stem], "simt_linear", "dram_efficiency", share)


# Boards of GH100's process that have no power measurements.
LIKE_GH100 = ("l4", "l40s", "rtx-pro-6000")
STUDY_ENERGIES = re.compile(r".*A100 at 900 MHz x [0-9.]+ \(process\)")
POINT = re.compile(r"<clock = ([0-9.]+) MHz, voltage = ([0-9.]+) mV")


def with_idle(text, voltage, before, clock):
    """`text` with an idle law that keeps the power of leakage and clocks at `clock` (GHz), although the voltage there, relative
    to that of the reference clock, changes from `before` to `voltage`."""
    leakage, clocks = (read_field(text, "power", field) for field in ("idle_voltage", "idle_clock"))
    def draw(v):
        return leakage * v ** 3 + clocks * clock * v ** 2
    for field, value in (("idle_voltage", leakage), ("idle_clock", clocks)):
        text = with_field(text, "power", field, f"{value * draw(before) / draw(voltage):.5g} W")
    return text


def carry_energies(texts, measured, fields):
    """`texts` in which LIKE_GH100 have the on-chip energies `fields` and V(f) of `measured`, whose clocks are scaled to
    the maximum clock of each board: dies of one process reach about the same voltage at their maximum."""
    origin, changed = texts[measured], dict(texts)
    curve = curve_of(origin)
    for stem in LIKE_GH100:
        text, ratio = texts[stem], fact(stem, "clock") / fact(measured, "clock")
        for field in fields:
            text = with_field(text, "power", field, f"{read_field(origin, 'power', field):.5g} pJ")
        text = with_field(text, "power", "reference_clock", f"{read_field(origin, 'power', 'reference_clock') * ratio:.0f} MHz")
        text = with_curve(text, POINT.sub(lambda point: f"<clock = {float(point[1]) * ratio:.0f} MHz, voltage = {point[2]} mV", curve))
        text = with_idle(text, float(POINT.findall(curve)[-1][1]) * 1e-3, read_field(text, "power", "generic_max"),
                         fact(stem, "clock") * 1e-3)
        text = with_origin(text, "power", GH100)
        changed[stem] = with_provenance(text, "power", STUDY_ENERGIES.sub(
            f"on-chip energies and V(f) of GH100, clocks x {ratio:.3g}, 2026-11", provenance_of(text, "power")))
    return changed


def carry_gelu(texts, measured, count):
    """`texts` with the GELU instructions `count`, which come from loads on Hopper, on boards other than `measured`."""
    changed = dict(texts)
    for stem in sorted(set(texts) - set(measured)):
        text = replace_field(texts[stem], "per_element", "gelu", count)
        changed[stem] = add_provenance(text, "instructions", "GELU as measured on Hopper, 2026-11")
    return changed
