#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every target answers for BERT-large in training and inference and for a Llama-like decoder in a service, and boards that
differ in a few facts have the order that these facts imply.

usage: check_boards.py <gpu-cost-opt> <repository> <folder>
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

BERT = ["--batch=8", "--seq=128"]
# 1.1 B parameters, so that the weights fit into 8 GB.
DECODER = {"model_type": "llama", "torch_dtype": "float16", "hidden_size": 2048, "num_hidden_layers": 22,
           "num_attention_heads": 32, "num_key_value_heads": 4, "intermediate_size": 5632, "vocab_size": 32000,
           "max_position_embeddings": 2048, "tie_word_embeddings": False}
# The same GPU with slower links: as fast alone, slower together.
SLOWER_LINKS = [("h800-sxm", "h100-sxm-80gb"), ("a800-sxm-80gb", "a100-sxm-80gb"), ("a800-sxm-40gb", "a100-sxm-40gb")]
# Only links over PCIe, which are the same, or facts that do not matter on one GPU.
EQUAL = [("h800-pcie-80gb", "h100-pcie-80gb"), ("a800-pcie-80gb", "a100-pcie-80gb")]
# From the slowest board to the fastest: of one generation, each not below the one before in any fact.
ASCENDING = [("h200-nvl", "h200-sxm"), ("h100-sxm-80gb", "gh200-96gb"), ("a30", "a100-pcie-40gb"), ("a16", "a2", "a10")]


def call(tool, *arguments):
    result = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, arguments))}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def require(condition, text):
    if not condition:
        sys.exit(text)


def bert(tool, root, names, *flags):
    lines = call(tool, "sweep", root / "models/bert-large.onnx", *BERT, f"--target={','.join(names)}", *flags).splitlines()
    points = {point["target"]: point for point in map(json.loads, lines) if "target" in point}
    require(sorted(points) == sorted(names), f"{flags}: the sweep answers for {sorted(points)}")
    return points


def serve(tool, model, name):
    return json.loads(call(tool, "serve", model, f"--target={name}", "--batch=1", "--input-tokens=512", "--output-tokens=64",
                           "--report=json"))


def check_answers(tool, root, folder, listed):
    names = [target["name"] for target in listed]
    answers = {mode: bert(tool, root, names, f"--mode={mode}") for mode in ("inference", "training")}
    model = folder / "decoder"
    model.mkdir(parents=True, exist_ok=True)
    (model / "config.json").write_text(json.dumps(DECODER))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers["decode"] = dict(zip(names, pool.map(lambda name: serve(tool, model, name), names)))
    for mode, points in answers.items():
        for name, point in points.items():
            times = [point[key] for key in (("ttft_ms", "tpot_ms") if mode == "decode" else ("time_low_ms", "time_ms", "time_high_ms"))]
            require(all(time is not None and time > 0 for time in times), f"{name}, {mode}: {times}")
            require(mode == "decode" or times[0] < times[1] < times[2], f"{name}, {mode}: interval {times}")
    return answers


def time_of(answers, mode, name):
    return answers[mode][name]["tpot_ms" if mode == "decode" else "time_ms"]


def check_orders(answers):
    for mode in answers:
        for one, other in [*SLOWER_LINKS, *EQUAL]:
            a, b = (time_of(answers, mode, name) for name in (one, other))
            require(a == b, f"{mode}: {one} {a} ms, {other} {b} ms, expected the same")
        for boards in ASCENDING:
            for slow, fast in zip(boards, boards[1:]):
                a, b = (time_of(answers, mode, name) for name in (slow, fast))
                require(a >= b * 0.999, f"{mode}: {slow} {a} ms, {fast} {b} ms")


def check_links(tool, root):
    """Training on 8 GPUs: buckets of gradients cross the links."""
    pairs = [name for pair in SLOWER_LINKS for name in pair]
    points = bert(tool, root, pairs, "--mode=training", "--gpus=8", "--parallel=ddp")
    for slow, fast in SLOWER_LINKS:
        a, b = points[slow]["time_ms"], points[fast]["time_ms"]
        require(a > b * 1.01, f"8 GPUs: {slow} {a} ms, {fast} {b} ms")


def check_transferred(listed, root):
    """A board that was not measured says so of each group that depends on the die."""
    count = 0
    for target in listed:
        text = (root / "targets" / f"{target['name']}.mlir").read_text()
        if "gpucost.transferred_from" in text:
            count += 1
            for group in ("streaming", "instructions", "power", "runtime", "collectives", "error_bars"):
                require(f"{group} from " in target["transferred"], f"{target['name']}: {group} is not marked as transferred")
    return count


def check_widths(answers):
    """Of two boards with one GPU, the one that was not measured has the wider interval where the GPU is not idle."""
    points = answers["training"]
    for borrowed, measured in [*SLOWER_LINKS, *EQUAL]:
        a, b = (points[name]["time_high_ms"] / points[name]["time_low_ms"] for name in (borrowed, measured))
        require(a > b, f"interval of {borrowed} {a}, of {measured} {b}")


def main():
    tool, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    listed = json.loads(call(tool, "--list-targets", "--report=json"))
    count = check_transferred(listed, root)
    answers = check_answers(tool, root, folder, listed)
    check_orders(answers)
    check_widths(answers)
    check_links(tool, root)
    print(f"{len(listed)} boards answer, {count} with transferred coefficients")


if __name__ == "__main__":
    main()
