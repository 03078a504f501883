#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Analyzes every shipped ONNX file: all modelled, sound totals, known parameters.

usage: check_every_model.py <gpu-cost-opt> <models folder>

The numbers of parameters must equal models/README.md, which check_models.py wrote
from PyTorch.
"""
import json
import pathlib
import re
import subprocess
import sys

# Tensors that look like parameters, or like constants, in a file: exact differences to
# the parameter count of PyTorch.
KNOWN_DIFFERENCES = {
    # Position tables that are not trained and whose names do not show it.
    "transformer-base": 1024 * 512, "transformer-base-lengths": 1024 * 512, "whisper-tiny": 1500 * 384,
    # A factor of one element is written into the file like any small constant.
    "gnmt": -1,
}


def analyze(tool, path):
    imported = subprocess.run([tool, path, "--emit=imported-ir"], capture_output=True, text=True).stdout
    flags = ["--batch=2"] + (["--seq=128"] if re.search(r'"sequence(_length)?"', imported) else [])
    flags += ["--bind=encoder_sequence:128"] if '"encoder_sequence"' in imported else []
    flags += ["--past=64"] if '"past_sequence_length"' in imported else []
    result = subprocess.run([tool, path, "--target=a100-bf16", "--report=json", *flags],
                            capture_output=True, text=True)
    if result.returncode:
        raise ValueError(f"exit {result.returncode}: {result.stderr}")
    return json.loads(result.stdout)


def problems_of(report, parameters):
    iteration, coverage = report["iteration"], report["coverage"]
    for kind in ("fallback", "unmodelled"):
        for entry in coverage[kind]["list"]:
            yield f"{kind}: {entry['count']} x {entry['op']} ({entry['reason']})"
    if iteration["parameter_count"] != parameters:
        yield f"{iteration['parameter_count']} parameters, but expected {parameters}"
    kernels = report["kernels"]
    for total, part in (("flops", "flops"), ("matrix_flops", "matrix_flops"),
                        ("compulsory_bytes", "bytes")):
        added = sum(row["count"] * row[part] for row in kernels)
        if added != iteration[total]:
            yield f"{total} {iteration[total]} is not the sum {added} of its kernels"
    if not 0 < iteration["mfu"] < 1:
        yield f"an MFU of {iteration['mfu']}"
    if iteration["time_ms"] < max(iteration["gpu_busy_ms"], iteration["host_ms"]):
        yield f"{iteration['time_ms']} ms is less than its parts"


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    rows = re.findall(r"^\| `([\w.-]+)\.onnx` \|.*\| ([\d,]+) \| \d+ \|$",
                      (folder / "README.md").read_text(), re.M)
    documented = {name: int(count.replace(",", "")) for name, count in rows}
    models = sorted(folder.glob("*.onnx"))
    failed = set(documented) ^ {path.stem for path in models}
    for name in failed:
        print(f"{name}: in the folder or in README.md, but not in both")
    for path in models:
        parameters = documented.get(path.stem, 0) + KNOWN_DIFFERENCES.get(path.stem, 0)
        try:
            problems = list(problems_of(analyze(tool, path), parameters))
        except ValueError as error:
            problems = [str(error)]
        for problem in problems:
            print(f"{path.name}: {problem}")
            failed.add(path.stem)
    if failed:
        sys.exit(f"{len(failed)} of {len(models)} models failed")
    print(f"{len(models)} models, every op modelled")


if __name__ == "__main__":
    main()
