#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of every shipped ONNX file against their forward pass.

usage: check_training.py <gpu-cost-opt> <models folder> <part>/<parts>

Every matmul has two gradients with the same FLOPs, fused attention has five matmuls instead
of two; a matmul that reads data only has a weight gradient. Without an update
(--optimizer=none) the backward pass has no other matmuls.
"""
import json
import pathlib
import subprocess
import sys

BATCH, LENGTH = 2, 128
# Multiply-adds of the layer that reads data, one item: output channels x positions x
# taps. Others start with a lookup, whose gradient multiplies nothing.
DATA_LAYERS = {
    "dcgan-discriminator": 64 * 32**2 * 3 * 4**2,
    "dcgan-generator": 512 * 4**2 * 100,  # transposed: 100 numbers of noise
    "efficientnet-b0": 32 * 112**2 * 3 * 3**2, "efficientnet-widese-b0": 32 * 112**2 * 3 * 3**2,
    "efficientnet-b4": 48 * 190**2 * 3 * 3**2, "efficientnet-widese-b4": 48 * 190**2 * 3 * 3**2,
    "inception-v3": 32 * 149**2 * 3 * 3**2,
    "mobilevit-small": 16 * 128**2 * 3 * 3**2, "mobilevit-small-ts17": 16 * 128**2 * 3 * 3**2,
    "resnet50": 64 * 112**2 * 3 * 7**2, "resnet50-ts17": 64 * 112**2 * 3 * 7**2,
    "resnet50-244": 64 * 122**2 * 3 * 7**2,
    "resnet101": 64 * 112**2 * 3 * 7**2, "resnet152": 64 * 112**2 * 3 * 7**2,
    "convnext-large": 192 * 56**2 * 3 * 4**2, "regnet-y-128gf": 32 * 112**2 * 3 * 3**2,
    "resnext101-32x4d": 64 * 112**2 * 3 * 7**2,
    "se-resnext101-32x4d": 64 * 112**2 * 3 * 7**2,
    "u-net": 64 * 512**2 * 3**2,
    "vgg16": 64 * 224**2 * 3 * 3**2,
    "vit-large": 1024 * 14**2 * 3 * 16**2, "vit-large-ts17": 1024 * 14**2 * 3 * 16**2,
    "vit-large-sdpa": 1024 * 14**2 * 3 * 16**2, "vit-large-sdpa23": 1024 * 14**2 * 3 * 16**2,
    "whisper-tiny-audio-sdpa23": 384 * 3000 * 80 * 3, "whisper-tiny": 384 * 3000 * 80 * 3,  # spectra of 80 bands
}


def analyze(tool, path, *flags):
    result = subprocess.run([tool, path, "--target=a100-bf16", "--report=json", *flags],
                            capture_output=True, text=True)
    if result.returncode:
        raise ValueError(f"exit {result.returncode}: {result.stderr}")
    return json.loads(result.stdout)


def sizes_of(tool, path):
    imported = subprocess.run([tool, path, "--emit=imported-ir"], capture_output=True, text=True).stdout
    return ([f"--batch={BATCH}"] + ([f"--seq={LENGTH}"] if '"sequence"' in imported else [])
            + ([f"--bind=encoder_sequence:{LENGTH}"] if '"encoder_sequence"' in imported else []))


def matrix_flops(report, phase, family=None):
    return sum(row["count"] * row["matrix_flops"] for row in report["kernels"]
               if row["phase"] == phase and family in (None, row["family"]))


def problems_of(tool, path):
    sizes = sizes_of(tool, path)
    inference = analyze(tool, path, *sizes)
    report = analyze(tool, path, *sizes, "--mode=training", "--optimizer=none")
    for kind in ("fallback", "unmodelled"):
        for entry in report["coverage"][kind]["list"]:
            yield f"{kind}: {entry['count']} x {entry['op']} ({entry['reason']})"
    phases = [phase["phase"] for phase in report["phases"]]
    if phases != ["forward", "backward"]:
        yield f"phases {phases}"
    forward, backward = matrix_flops(report, "forward"), matrix_flops(report, "backward")
    if forward != inference["iteration"]["matrix_flops"]:
        yield f"{forward} FLOP forward, but {inference['iteration']['matrix_flops']} in inference"
    fused = matrix_flops(report, "forward", "attention")
    data = 2 * BATCH * DATA_LAYERS.get(path.stem, 0)
    expected = 2 * (forward - fused) + 5 * fused // 2 - data
    if backward != expected:
        yield f"{backward} FLOP backward, but expected {expected}"
    memory = report["iteration"]["peak_memory_bytes"]
    if memory <= inference["iteration"]["peak_memory_bytes"]:
        yield f"{memory} bytes are not more than in inference"
    if report["iteration"]["parameter_count"] != inference["iteration"]["parameter_count"]:
        yield f"{report['iteration']['parameter_count']} parameters, other than in inference"


def shares_parameters(tool, folder):
    """12 layers with one set of weights cost as much as 12 layers, but have the parameters of one."""
    flags = ("--batch=8", "--seq=128", "--mode=training")
    albert, distilbert = (analyze(tool, folder / f"{name}.onnx", *flags)["iteration"]
                          for name in ("albert-base", "distilbert"))
    for less, more, field in ((albert, distilbert, "parameter_count"),
                              (albert, distilbert, "optimizer_bytes"),
                              (distilbert, albert, "activation_bytes"),
                              (distilbert, albert, "time_ms")):
        if not less[field] < more[field]:
            yield f"{field} is {albert[field]}, of distilbert {distilbert[field]}"


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    part, parts = map(int, sys.argv[3].split("/"))
    # Files that take a cache support only inference.
    models = [path for path in sorted(folder.glob("*.onnx")) if not path.stem.endswith("-decode")][part - 1::parts]
    failed = {name for name in DATA_LAYERS if not (folder / f"{name}.onnx").is_file()}
    for name in failed:
        print(f"{name}: no such file")
    for path in models:
        try:
            problems = list(problems_of(tool, path))
        except ValueError as error:
            problems = [str(error)]
        for problem in problems:
            print(f"{path.name}: {problem}")
            failed.add(path.stem)
    if folder / "albert-base.onnx" in models:
        for problem in shares_parameters(tool, folder):
            print(f"albert-base.onnx: {problem}")
            failed.add("albert-base")
    if failed:
        sys.exit(f"{len(failed)} of {len(models)} models failed")
    print(f"{len(models)} models, every gradient modelled")


if __name__ == "__main__":
    main()
