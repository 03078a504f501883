#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapters of the small model in adapters.test on two GPUs (X32), by hand.

usage: adapters_parallel.py ONE.json TENSOR.json SEQUENCE.json

One layer of width H = 256, feed-forward width F = 512, T = 64 tokens, rank R = 8, all in bf16.
"""
import collections
import json
import pathlib
import sys

H, F, T, R = 256, 512, 64, 8
ADAPTERS = R * (4 * (H + H) + 3 * (H + F))
WIDE, NARROW, LOSS = 2 * T * H, 2 * T * R, 4 * T  # bytes of messages


def equal(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found}, expected {expected}")


def messages(report):
    """{(kind, bytes): collectives}"""
    found = collections.Counter()
    for kernel in report["kernels"]:
        if kernel["op"] == "gpucost.collective":
            kind, size, _ = kernel["shape"].split()
            found[kind, int(size.removeprefix("bytes="))] += kernel["count"]
    return dict(found)


def main():
    one, tensor, sequence = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
    for report in (tensor, sequence):
        # Both GPUs together compute what one does, and have its adapters. The logits of 1000 words are 500 on each.
        equal("matrix FLOPs", 2 * report["iteration"]["matrix_flops"], one["iteration"]["matrix_flops"])
        equal("optimizer states", 2 * report["iteration"]["optimizer_bytes"], 2 * 2 * ADAPTERS)
    # Five adapters next to columns gather the result of A. Two next to rows add it up and gather that of B. All seven add up
    # the gradient of what B reads.
    narrow = {("all_gather", NARROW): 5, ("all_reduce", NARROW): 2 + 7, ("all_reduce", LOSS): 3}
    # Sums of the embedding, o_proj and down_proj; in the backward pass of what the feed-forward layer and the head read.
    equal("tensor parallelism", messages(tensor), {**narrow, ("all_reduce", WIDE): 5, ("all_gather", WIDE): 2})
    # These sums are scattered. Gathered: what attention, the feed-forward layer and the head read, two results of B, and in
    # the backward pass the gradients of the sums of o_proj and down_proj, and of their adapters. Nothing is gathered again.
    equal("sequence parallelism", messages(sequence), {**narrow, ("reduce_scatter", WIDE): 5, ("all_gather", WIDE): 3 + 2 + 4})
    # Each GPU keeps half of the tokens between matmuls.
    if not sequence["iteration"]["peak_memory_bytes"] < tensor["iteration"]["peak_memory_bytes"]:
        sys.exit("sequence parallelism saves no memory")
    print("parallel adapters: as expected")


main()
