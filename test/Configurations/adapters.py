#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapters of the small model in adapters.test, by hand.

usage: adapters.py LORA.json NF4.json DOUBLE.json RECOMPUTED.json FULL.json

One layer of width H = 256, feed-forward width F = 512, V = 1000 words, T = 64 tokens, rank R = 8, all in bf16.
"""
import json
import pathlib
import sys

H, F, V, T, R, HEADS, SIZE = 256, 512, 1000, 64, 8, 4, 64
LINEARS = {"q_proj": (H, H), "k_proj": (H, H), "v_proj": (H, H), "o_proj": (H, H), "gate_proj": (H, F), "up_proj": (H, F),
           "down_proj": (F, H)}
BASE = sum(a * b for a, b in LINEARS.values())
ADAPTERS = R * sum(a + b for a, b in LINEARS.values())
OTHERS = 2 * V * H + 3 * H  # embedding, head, norms
# Bytes of two rotary tables of 2048 positions, and of the factors of adapters.
TABLES = 2 * 2 * 2048 * SIZE // 2 + 2 * len(LINEARS)
# Projections that read the embedding, which is frozen, send no gradient on.
FIRST = ("q_proj", "k_proj", "v_proj")


def equal(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found}, expected {expected}")


def matrix_flops():
    """Forward: all products. Backward: the gradient of what each linear reads, those of the adapters' weights."""
    pairs = T * (T + 1) // 2
    attention = 2 * 2 * HEADS * SIZE * pairs
    forward = 2 * T * (BASE + ADAPTERS + V * H) + attention
    passed = sum(a * b for name, (a, b) in LINEARS.items() if name not in FIRST)
    inputs = R * sum(b for _, b in LINEARS.values()) + R * sum(a for name, (a, _) in LINEARS.items() if name not in FIRST)
    # Five products of attention instead of two.
    return forward + 2 * T * (V * H + passed + ADAPTERS + inputs) + attention * 5 // 2


def dequantised(report, phase=None):
    return [kernel for kernel in report["kernels"] if kernel["op"] == "onnx.DequantizeLinear" and kernel["phase"] == (phase or kernel["phase"])]


def main():
    lora, nf4, double, again, full = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
    for report in (lora, nf4, double):
        equal("parameters", report["iteration"]["parameter_count"], BASE + ADAPTERS + OTHERS)
        # AdamW: two states in the format of the adapters.
        equal("optimizer states", report["iteration"]["optimizer_bytes"], 2 * 2 * ADAPTERS)
        equal("matrix FLOPs", report["iteration"]["matrix_flops"], matrix_flops())
    equal("bytes of bf16", lora["iteration"]["parameter_bytes"], 2 * (BASE + ADAPTERS + OTHERS) + TABLES)
    scales = BASE // 64
    equal("bytes of nf4", nf4["iteration"]["parameter_bytes"], BASE // 2 + 4 * scales + 2 * (ADAPTERS + OTHERS) + TABLES)
    # Scales of 1 byte, for 256 of them one of 4 bytes; for each linear their mean.
    equal("bytes of nf4-double", double["iteration"]["parameter_bytes"],
          BASE // 2 + scales + 4 * scales // 256 + 4 * len(LINEARS) + 2 * (ADAPTERS + OTHERS) + TABLES)
    equal("dequantisations without", dequantised(lora), [])
    # Each weight in the forward pass; in the backward pass those whose linears send a gradient on. A kernel reads 0.5
    # bytes and 4 / 64 of scales per weight, and writes 2.
    for phase, names in (("forward", LINEARS), ("backward", [name for name in LINEARS if name not in FIRST])):
        weights = sum(LINEARS[name][0] * LINEARS[name][1] for name in names)
        kernels = dequantised(nf4, phase)
        equal(f"dequantisations, {phase}", sum(kernel["count"] for kernel in kernels), len(names))
        equal(f"their bytes, {phase}", sum(kernel["count"] * kernel["bytes"] for kernel in kernels), weights * 41 // 16)
        equal(f"their FLOPs, {phase}", sum(kernel["count"] * kernel["flops"] for kernel in kernels), 2 * weights)
        # Scales: one more kernel for each weight, and a sum.
        equal(f"dequantisations of scales, {phase}", sum(kernel["count"] for kernel in dequantised(double, phase)), 2 * len(names))
    # Weights of recomputed linears are dequantised once more.
    twice, more = 2 * len(LINEARS) - len(FIRST), sum(kernel["count"] for kernel in dequantised(again))
    if not twice < more <= twice + len(LINEARS):
        sys.exit(f"{more} dequantisations with recomputation")
    if not any("unseen" in note for note in nf4["notes"]) or any("unseen" in note for note in lora["notes"]):
        sys.exit(f"notes {nf4['notes']}")
    # Frozen weights have no gradients and states.
    if not nf4["iteration"]["peak_memory_bytes"] < lora["iteration"]["peak_memory_bytes"] < full["iteration"]["peak_memory_bytes"]:
        sys.exit("memory does not fall")
    print("adapters: as expected")


main()
