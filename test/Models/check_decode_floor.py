#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decode steps of Llama 3 8B on 1, 2, 4 and 8 H100 (tensor parallelism) against closed forms.

usage: check_decode_floor.py <gpu-cost-opt> <models folder>

A step cannot be faster than
    floor = (weights + cache) / GPUs / bandwidth + collectives x time of one with its size.
Its kernels wait for each other: each takes at least the latency of the smallest one. On 8 GPUs the
reads of one sequence take 0.58 ms, 66 collectives take 1.1 ms and 451 latencies take 0.8 ms: the
reads do not dominate any more. So
    1 <= time / (floor + kernels x latency) <= 1.6
for every batch and number of GPUs, and 1 <= time / floor <= 1.65 if the latencies are less than a
fifth of the floor.
"""
import json
import subprocess
import sys

LAYERS, WIDTH, INNER, WORDS, HEAD, KV_HEADS, POSITIONS = 32, 4096, 14336, 128256, 128, 8, 131072
PAST, BYTES, BANDWIDTH = 4096, 2, 3.352e12
# All-reduces of up to 64 KiB take about so many microseconds in public measurements of NCCL and of vLLM's kernels on H100
# with NVLink.
ALL_REDUCE = {"pytorch": {2: (5, 10), 4: (8, 13), 8: (13, 22)}, "vllm": {2: (4, 5.5), 4: (4, 6), 8: (4, 7)}}

problems = []


def check(condition, *what):
    if not condition:
        problems.append(" ".join(map(str, what)))


def run(tool, *flags):
    done = subprocess.run([tool, "--target=h100-bf16", "--report=json", *flags], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{flags}: {done.stderr}")
    return json.loads(done.stdout)


def kernel(tool, text, software="pytorch"):
    """Milliseconds."""
    return run(tool, f"--kernel={text}", f"--software={software}")[0]["time_us"] * 1e-3


def step(tool, model, batch, gpus, *flags):
    plan = [f"--gpus={gpus}", "--parallel=tp"] if gpus > 1 else []
    return run(tool, model, f"--batch={batch}", f"--past={PAST}", "--seq=1", "--runtime=cudagraph",
               "--kv-cache=in-place", *plan, *flags)


# Parameters that matmuls and norms of a step read; the table of words gives one row for each sequence.
BLOCK = 2 * WIDTH * WIDTH + 2 * WIDTH * KV_HEADS * HEAD + 3 * WIDTH * INNER
NORMS = (2 * LAYERS + 1) * WIDTH


def weight_bytes(gpus):
    return BYTES * ((LAYERS * BLOCK + WORDS * WIDTH) / gpus + NORMS)


def cache_bytes(batch, tokens, gpus):
    return BYTES * batch * tokens * 2 * LAYERS * KV_HEADS * HEAD / gpus


def check_memory(memory, batch, gpus, where):
    # Cosine and sine for the HEAD / 2 angles of each position.
    parameters = weight_bytes(gpus) + BYTES * WORDS * WIDTH / gpus + BYTES * 2 * POSITIONS * HEAD / 2
    check(memory["parameter_bytes"] == parameters, where, "parameters", memory["parameter_bytes"], parameters)
    cache = cache_bytes(batch, PAST, gpus)
    # Logits of all words and the activations of a layer.
    small = BYTES * batch * (2 * WORDS + 4 * (WIDTH + INNER))
    check(cache <= memory["activation_bytes"] <= cache + small, where, "cache", memory["activation_bytes"], cache, small)
    total = memory["parameter_bytes"] + memory["activation_bytes"] + memory["workspace_bytes"]
    check(memory["peak_memory_bytes"] == total, where, "peak", memory["peak_memory_bytes"], total)
    check(memory["fits_in_memory"] == (memory["device_bytes"] <= memory["memory_usable_bytes"]), where, "fits")


def main(tool, models):
    model = f"{models}/llama-3.1-8b-decode.onnx"
    latency = kernel(tool, "elementwise op=add elements=1")
    check(1e-3 <= latency <= 3e-3, "latency of a kernel", latency)
    steps = 0
    for software in ("pytorch", "vllm"):
        for batch in (1, 4, 16, 64):
            before = None
            for gpus in (1, 2, 4, 8):
                where = f"{software}, batch {batch}, {gpus} GPUs:"
                report = step(tool, model, batch, gpus, f"--software={software}", "--step-gap-us=0")
                total = report["iteration"]
                collectives = 0
                if gpus > 1:
                    # A sum after the embedding, the attention and the feed-forward network of each layer; the logits.
                    sums, message = 2 * LAYERS + 1, batch * WIDTH * BYTES
                    each = kernel(tool, f"collective op=all_reduce gpus={gpus} message_bytes={message}", software)
                    low, high = ALL_REDUCE[software][gpus]
                    check(message > 65536 or low <= each * 1e3 <= high, where, "all-reduce", each)
                    logits = batch * WORDS * BYTES // gpus
                    collectives = sums * each + kernel(
                        tool, f"collective op=all_gather gpus={gpus} message_bytes={logits * gpus}")
                    check(abs(total["communication_ms"] / collectives - 1) < 0.02, where, "collectives",
                          total["communication_ms"], collectives)
                reads = (weight_bytes(gpus) + cache_bytes(batch, PAST + 1, gpus)) / BANDWIDTH * 1e3
                floor = reads + collectives
                kernels = sum(k["count"] for k in report["kernels"] if k["family"] != "collective")
                waits = kernels * latency
                ratio, plain = total["time_ms"] / (floor + waits), total["time_ms"] / floor
                check(1 <= ratio <= 1.6, where, "time / (floor + latencies)", ratio)
                check(plain >= 1 and (waits > 0.2 * floor or plain <= 1.65), where, "time / floor", plain)
                check(before is None or total["time_ms"] < before, where, "not faster than on fewer GPUs")
                check_memory(total, batch, gpus, where)
                before = total["time_ms"]
                steps += 1
    # 256 caches are 137 GB: too much for one H100, not for two.
    for gpus, fits in ((1, False), (2, True)):
        total = step(tool, model, 256, gpus)["iteration"]
        check(total["fits_in_memory"] == fits, "batch 256 on", gpus)
    if problems:
        sys.exit("\n".join(problems))
    print(f"{steps} steps above their floors")


if __name__ == "__main__":
    main(*sys.argv[1:])
