#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares models from configurations with known numbers.

  check.py parameters   parameter counts of configurations.json: those that transformers 5.24 counts on
                        the meta device for the same fields, in every form of the graph
  check.py adapters     parameters of adapters of rank 8: those that peft 0.21 adds on the meta device for "all-linear" to
                        decoders without experts, whose parameters it joins
  check.py flops        matrix FLOPs of the files in models/ with the same sizes
  check.py types        configurations.json has every supported model type
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Configuration, fields that the exported file has otherwise, the file in models/, flags.
TWINS = [
    ("llama-3.1-8b", {}, "llama-3-8b-lm", "--batch=2 --seq=256 --attention=flash"),
    ("llama-3.1-8b", {}, "llama-3-8b-lm", "--batch=2 --seq=256 --attention=flash --mode=training"),
    ("llama-3.1-8b", {}, "llama-3.1-8b-decode", "--batch=4 --seq=1 --past=1000"),
    ("llama-3.1-8b", {}, "llama-3.1-8b-decode", "--batch=1 --seq=512 --past=0"),
    ("llama-3.1-405b", {}, "llama-3.1-405b-decode", "--batch=4 --seq=1 --past=1000"),
    ("tinyllama-1.1b", {}, "tinyllama-1.1b-lm", "--batch=2 --seq=256 --attention=flash"),
    ("qwen2-1.5b", {"architectures": ["Qwen2Model"]}, "qwen2-1.5b-sdpa23", "--batch=2 --seq=256"),
    ("qwen2.5-14b", {}, "qwen2.5-14b-decode", "--batch=4 --seq=1 --past=1000"),
    ("qwen3-8b", {}, "qwen3-8b-decode", "--batch=4 --seq=1 --past=1000"),
    ("gpt2", {"architectures": ["GPT2Model"]}, "gpt2-sdpa23", "--batch=2 --seq=256"),
    ("opt-1.3b", {}, "opt-1.3b-lm", "--batch=2 --seq=256 --attention=flash"),
    ("mpt-7b", {"vocab_size": 50368}, "mpt-7b", "--batch=2 --seq=256"),
    ("mixtral-8x7b", {}, "mixtral-8x7b-decode", "--batch=64 --seq=1 --past=1000"),
    ("mixtral-8x7b", {}, "mixtral-8x7b-decode", "--batch=1 --seq=512 --past=0"),
    ("vit-large", {}, "vit-large-sdpa23", "--batch=2"),
]
# Configurations whose other forms are counted, too: one of each kind of block.
FORMS = ["llama-3.1-8b", "gpt2", "falcon-7b", "gemma-2-9b", "gpt-oss-20b", "qwen1.5-moe-a2.7b",
         "deepseek-v2-lite", "deepseek-v3", "qwen3-next-80b-a3b", "llama-4-maverick", "nemotron-3-nano-30b-a3b",
         "granite-4.0-h-small", "glm-5"]


def read(tool, *arguments):
    run = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(map(str, arguments))}: {run.stderr}")
    return json.loads(run.stdout)


def check_parameters(tool, known, folder):
    faults, count = 0, 0
    for name, entry in known.items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(entry["config"]))
        files = {"configuration": path}
        for form in ("prompt", "training", "cache") if name in FORMS else ():
            files[form] = folder / f"{name}.{form}.onnx"
            subprocess.run([tool, "build", path, f"--form={form}", "-o", files[form]], check=True)
        for form, file in files.items():
            found = read(tool, "inspect", file, "--report=json")
            count += 1
            if found["parameter_count"] != entry["parameters"] or found["uncovered_ops"]:
                print(f"{name}, {form}: {found['parameter_count']} parameters, expected {entry['parameters']}; "
                      f"{found['uncovered_ops']} ops without a cost rule")
                faults += 1
    print(f"{count} graphs, {faults} faults")


def check_adapters(tool, known, folder):
    faults, count = 0, 0
    for name, entry in known.items():
        if "adapters" not in entry:
            continue
        path, file = folder / f"{name}.json", folder / f"{name}.onnx"
        path.write_text(json.dumps(entry["config"]))
        subprocess.run([tool, "build", path, "--lora-rank=8", "-o", file], check=True)
        found = read(tool, "inspect", file, "--report=json")["parameter_count"] - entry["parameters"]
        count += 1
        if found != entry["adapters"]:
            print(f"{name}: {found} parameters of adapters, expected {entry['adapters']}")
            faults += 1
    print(f"{count} graphs, {faults} faults")


def check_flops(tool, known, folder, models):
    faults = 0
    for name, changes, file, flags in TWINS:
        config = {**known[name]["config"], **changes}
        path = folder / "config.json"
        path.write_text(json.dumps(config))
        flops = []
        for model in (path, models / f"{file}.onnx"):
            report = read(tool, model, "--target=h100-bf16", "--report=json", *flags.split())
            flops.append(report["iteration"]["matrix_flops"])
        if flops[0] != flops[1]:
            print(f"{name} {flags}: {flops[0]} matrix FLOPs, {file}.onnx has {flops[1]}")
            faults += 1
    print(f"{len(TWINS)} pairs, {faults} faults")


def check_types(tool, known):
    listed = subprocess.run([tool, "build", "--list-types"], capture_output=True, text=True, check=True).stdout.split()
    tested = {entry["config"]["model_type"] for entry in known.values()}
    missing = sorted(set(listed) - tested)
    print(f"{len(listed)} types, not tested: {' '.join(missing) or 'none'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("what", choices=["parameters", "adapters", "flops", "types"])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--models", type=pathlib.Path)
    arguments = parser.parse_args()
    known = json.loads((HERE / "configurations.json").read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if arguments.what == "parameters":
            check_parameters(arguments.tool, known, folder)
        elif arguments.what == "adapters":
            check_adapters(arguments.tool, known, folder)
        elif arguments.what == "flops":
            check_flops(arguments.tool, known, folder, arguments.models)
        else:
            check_types(arguments.tool, known)


if __name__ == "__main__":
    main()
