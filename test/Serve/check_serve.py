# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds a report of `gpu-cost-opt serve` against counts by hand, floors and reports of single steps."""
import argparse
import json
import subprocess
import sys

LAYERS, HEADS, KV_HEADS, HEAD, WIDTH, INNER, WORDS = 2, 32, 8, 128, 4096, 14336, 128256
BANDWIDTH = 3.35e12  # B/s of the H100


def read(path):
    with open(path) as file:
        return json.load(file)


def check(condition, *what):
    if not condition:
        sys.exit("check_serve: " + " ".join(map(str, what)))


def same(a, b, what, tolerance=1e-6):
    check(abs(a - b) <= tolerance * abs(b), what, a, b)


def by_hand(r):
    """Two layers of Llama 3 8B in bf16."""
    block = WIDTH * WIDTH * 2 + 2 * WIDTH * KV_HEADS * HEAD + 3 * WIDTH * INNER + 2 * WIDTH
    rotary = 2 * 8192 * HEAD // 2
    weights = LAYERS * block + WIDTH + 2 * WORDS * WIDTH + rotary
    memory, batch, length = r["memory"], r["batch"], r["input_tokens"]
    check(memory["cache_bytes_per_token"] == LAYERS * 2 * KV_HEADS * HEAD * 2, "cache", memory)
    check(memory["parameter_bytes"] == 2 * weights, "weights", memory["parameter_bytes"], 2 * weights)
    decode = r["decode"]
    # A step reads one row of the embedding table for each sequence, and at most all of both rotary tables.
    read = 2 * (LAYERS * block + WIDTH + WORDS * WIDTH)
    check(read <= decode["floor"]["weight_bytes"] <= read + 2 * (batch * WIDTH + rotary) + 16 * batch * 2 * length,
          "weights that a step reads", decode["floor"]["weight_bytes"], read)
    middle = length + (r["output_tokens"] - 2) // 2
    same(decode["floor"]["cache_bytes"], batch * middle * memory["cache_bytes_per_token"], "cache that a step reads", 1e-3)
    floor = decode["floor"]
    same(floor["memory_ms"], (floor["weight_bytes"] + floor["cache_bytes"]) / BANDWIDTH * 1e3, "floor", 2e-3)
    products = 2 * batch * (LAYERS * (block - 2 * WIDTH) + WORDS * WIDTH)
    check(floor["compute_ms"] >= products / 989.4e12 * 1e3 * 0.999, "compute floor", floor["compute_ms"])


def physics(r):
    for name in ("prefill", "decode"):
        phase = r[name]
        check(phase["time_ms"] >= phase["floor"]["memory_ms"], name, "is faster than its memory")
        check(phase["time_ms"] >= phase["floor"]["compute_ms"], name, "is faster than its products")
        floor = phase["floor"]
        check((floor["collectives"] > 0) == (floor["communication_ms"] > 0), name, "collectives without time", floor)
        check(phase["time_ms"] >= max(floor["memory_ms"], floor["compute_ms"]) + floor["communication_ms"],
              name, "is faster than its collectives")
        same(phase["power_w"] * phase["time_ms"] * 1e-3, phase["energy_j"], name + " power")
    steps = r["output_tokens"] - 1
    decode = r["decode"]
    check(decode["first"]["time_ms"] <= decode["time_ms"] <= decode["last"]["time_ms"] or steps < 3, "mean", decode)
    total = r["ttft_ms"] + steps * r["tpot_ms"]
    same(r["answer_ms"], total, "answer")
    same(r["tokens_per_s"], r["batch"] * r["output_tokens"] / total * 1e3, "rate")
    energy = r["prefill"]["energy_j"] + steps * decode["energy_j"]
    same(r["energy_per_token_j"], energy / (r["batch"] * r["output_tokens"]), "energy")
    same(r["tokens_per_j"] * r["energy_per_token_j"], 1, "tokens per joule")


def limits(r, model):
    """One more sequence exceeds the limit in the reason."""
    def serve(batch):
        return subprocess.run(
            ["gpu-cost-opt", "serve", model, "--target=h100-bf16", f"--batch={batch}", "--report=json"],
            capture_output=True, text=True)

    largest = r["largest_batch"]["value"]
    check(serve(largest).returncode == 0, "the largest batch does not fit", largest)
    failed = serve(largest + 1)
    check(failed.returncode == 1 and f"the largest batch that fits is {largest}" in failed.stderr,
          "a larger batch fits", failed.stderr)
    allowed = r["largest_allowed_batch"]["value"]
    check(0 < allowed <= largest, "allowed", allowed)
    inside, outside = (json.loads(serve(batch).stdout) for batch in (allowed, allowed + 1))
    for name in ("tokens_per_s", "energy_per_token_j"):
        same(r["largest_allowed_batch"][name], inside[name], name + " of the allowed batch")
    check(inside["tpot_ms"] <= 2 and inside["ttft_ms"] <= 200, "bounds are broken", inside["tpot_ms"])
    check(outside["tpot_ms"] > 2 or outside["ttft_ms"] > 200, "a larger batch keeps the bounds", allowed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report")
    parser.add_argument("--prefill")
    parser.add_argument("--decode")
    parser.add_argument("--same-mean")
    parser.add_argument("--limits")
    options = parser.parse_args()
    r = read(options.report)
    by_hand(r)
    physics(r)
    for name in ("prefill", "decode"):
        path = getattr(options, name)
        if path:
            single, phase = read(path)["iteration"], r[name]
            same(phase["time_ms"], single["time_ms"], name + " time")
            same(phase["energy_j"], single["energy_j"], name + " energy")
    if options.same_mean:
        every = read(options.same_mean)
        # The statement in docs/Serving.md.
        same(r["tpot_ms"], every["tpot_ms"], "mean", 1e-3)
        same(r["decode"]["energy_j"], every["decode"]["energy_j"], "mean energy", 1e-3)
    if options.limits:
        limits(r, options.limits)


main()
