#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decode steps derived from forward-only files.

usage: check_derived.py <gpu-cost-opt> <models folder>

Matmul FLOPs are exact: 2 per matmul parameter and token, 4 x heads x size per token in the
context and layer. The derived step of Llama 3 8B must equal the file that was written with a
cache: FLOPs exactly, bytes and time within the differences of the files: the prompt's file
decomposes the rotation and the norms' casts, the other file has them in its ops.
"""
import json
import subprocess
import sys

BATCH, PAST = 4, 1023
# file: parameters of matmuls, layers, heads x size of queries, kv heads x size.
NETWORKS = {
    "llama-3-8b": (7_504_658_432, 32, 4096, 1024),
    "llama-3-8b-lm": (7_504_658_432, 32, 4096, 1024),
    # 28 layers of 2 * 1536^2 + 2 * 1536 * 256 + 3 * 1536 * 8960, without an output layer.
    "qwen2-1.5b-sdpa23": (28 * (2 * 1536**2 + 2 * 1536 * 256 + 3 * 1536 * 8960), 28, 1536, 256),
    # 12 layers of 12 * 768^2.
    "gpt2": (12 * 12 * 768**2, 12, 768, 768),
}
# The same network by other exporters. For one token the causal mask is one number; for one sequence the padding mask is
# one number as well.
ALIASES = {"gpt2-sdpa": "gpt2", "gpt2-ts17": "gpt2", "qwen2-1.5b-sdpa": "qwen2-1.5b-sdpa23"}


def report(tool, path, *flags, batch=BATCH):
    done = subprocess.run([tool, path, "--target=h100-bf16", f"--batch={batch}", f"--past={PAST}", "--report=json",
                           "--kv-cache=in-place", "--runtime=cudagraph", *flags], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: {done.stderr}")
    return json.loads(done.stdout)


def problems(tool, folder):
    derived = {name: report(tool, f"{folder}/{name}.onnx", "--decode") for name in NETWORKS}
    for name, (products, layers, width, cache) in NETWORKS.items():
        iteration = derived[name]["iteration"]
        expected = BATCH * (2 * products + 4 * layers * width * (PAST + 1))
        if iteration["matrix_flops"] != expected:
            yield f"{name}: {iteration['matrix_flops']} FLOP in products, expected {expected}"
        written = sum(k["count"] for k in derived[name]["kernels"] if k["op"] == "onnx.Insert")
        if written != 2 * layers:
            yield f"{name}: {written} updates of the cache, expected {2 * layers}"
        # Keys and values of all layers, in 16 bit.
        bytes_of = sum(t["bytes"] for t in derived[name]["iteration"]["peak_tensors"] if "past" in t["name"])
        if bytes_of % (BATCH * cache * 2):
            yield f"{name}: {bytes_of} cache bytes are not a multiple of its rows"
    for name in (*NETWORKS, *ALIASES):
        products, layers, width, cache = NETWORKS[ALIASES.get(name, name)]
        for batch in (1, 2):
            flops = report(tool, f"{folder}/{name}.onnx", "--decode", batch=batch)["iteration"]["matrix_flops"]
            expected = batch * (2 * products + 4 * layers * width * (PAST + 1))
            if flops != expected:
                yield f"{name}, batch {batch}: {flops} FLOP in products, expected {expected}"
    exported = report(tool, f"{folder}/llama-3.1-8b-decode.onnx", "--seq=1")["iteration"]
    for name in ("llama-3-8b", "llama-3-8b-lm"):
        iteration = derived[name]["iteration"]
        if iteration["matrix_flops"] != exported["matrix_flops"]:
            yield f"{name}: {iteration['matrix_flops']} FLOP, exported {exported['matrix_flops']}"
        for what, limit in (("compulsory_bytes", 0.01), ("gpu_busy_ms", 0.25)):
            difference = iteration[what] / exported[what] - 1
            if not 0 <= difference < limit:
                yield f"{name}: {what} is {difference:+.3f} off the exported step"


def main():
    found = list(problems(*sys.argv[1:]))
    for problem in found:
        print(problem)
    if found:
        sys.exit(1)
    print(f"{len(NETWORKS)} networks, derived steps agree")


if __name__ == "__main__":
    main()
