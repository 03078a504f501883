#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads traces with HolisticTraceAnalysis and compares its results with the report.

  check_hta.py --tool build/bin/gpu-cost-opt --models models

Needs the package HolisticTraceAnalysis. Its rounding to microseconds is off, since most
predicted kernels take less than a few microseconds.
"""

import argparse
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"
logging.disable(logging.WARNING)

from hta.trace_analysis import TraceAnalysis  # noqa: E402

TESTS = pathlib.Path(__file__).resolve().parents[1]
RUNS = {
    "inference": "bert-large.onnx --target=a100-bf16 --batch=16 --seq=128",
    "training": "bert-base.onnx --target=a100 --mode=training --batch=8 --seq=128 --gpus=8",
    "graph": "gpt2.onnx --target=h100-bf16 --batch=2 --seq=64 --runtime=cudagraph",
}


def same(what, got, want, tolerance=1e-3):
    if abs(got - want) > tolerance * abs(want) + 1e-3:
        sys.exit(f"{what}: HolisticTraceAnalysis finds {got}, the report has {want}")


def check(name, flags, tool, models, folder):
    trace, report = folder / f"{name}.json", folder / f"{name}-report.json"
    model, *rest = flags.split()
    command = [tool, str(models / model), *rest, f"--trace={trace}", "--report=json", "-o", str(report)]
    subprocess.run(command, check=True)
    iteration = json.loads(report.read_text())
    analysis = TraceAnalysis(trace_files={0: str(trace)}, trace_dir=str(folder))
    phases = iteration["phases"]
    computing = sum(p["kernel_ms"] for p in phases if p["phase"] != "communication") * 1e3
    links = sum(p["kernel_ms"] for p in phases if p["phase"] == "communication") * 1e3

    times = analysis.get_temporal_breakdown(visualize=False).iloc[0]
    same(f"{name}: computation", times["compute_time(us)"], computing)
    # The time between the start of the first kernel and the end of the last one.
    busy = times["compute_time(us)"] + times["non_compute_time(us)"] + times["idle_time(us)"]
    if busy > iteration["iteration"]["time_ms"] * 1e3 * 1.001:
        sys.exit(f"{name}: the trace is longer than the iteration")

    # As its parser has the kernels.
    frame = analysis.t.get_trace(0)
    names = analysis.t.symbol_table.get_sym_table()
    on_gpu = frame[frame["stream"] >= 0]
    collective = on_gpu["name"].map(lambda symbol: names[symbol].startswith("nccl"))
    same(f"{name}: kernels", on_gpu[~collective]["dur"].sum(), computing)
    same(f"{name}: collectives", on_gpu[collective]["dur"].sum(), links)
    kinds, kernels = analysis.get_gpu_kernel_breakdown(visualize=False)
    found = " ".join(kinds["kernel_type"])
    if "COMPUTATION" not in found or ("COMMUNICATION" in found) != (links > 0):
        sys.exit(f"{name}: HolisticTraceAnalysis finds kernels of type {found}")
    if links:
        overlap = analysis.get_comm_comp_overlap(visualize=False).iloc[0]["comp_comm_overlap_pctg"]
        exposed = iteration["iteration"]["exposed_communication_ms"] * 1e3
        print(f"{name}: {overlap:.1f} % of communication overlaps, {exposed:.0f} us exposed")
    if name != "graph":
        # Launches of kernels that each have one.
        launched = analysis.get_cuda_kernel_launch_stats(ranks=[0], visualize=False)[0]
        if len(launched) < iteration["iteration"]["launches"] * 0.9:
            sys.exit(f"{name}: {len(launched)} launches")
        if (launched["launch_delay"] < 0).any():
            sys.exit(f"{name}: kernels before their launches")
    print(f"{name}: {len(kernels)} kernels, {computing:.0f} us of computation, loaded")


def check_beside_measured(tool, models, folder):
    """A trace in the shape of PyTorch's profiler, whose products take 1.5 times as long, and the predicted one of
    the same model, as ranks of one folder."""
    command = [tool, str(models / "bert-base.onnx"), "--target=a100-bf16", "--batch=8", "--seq=128"]
    subprocess.run([*command, f"--trace={folder / 'predicted.json'}", "--report=json", "-o", str(folder / "report.json")], check=True)
    subprocess.run([*command, "--emit=ir", "-o", str(folder / "module.mlir")], check=True)
    subprocess.run([sys.executable, str(TESTS / "Transfer" / "Inputs" / "make_trace.py"), str(folder / "module.mlir"),
                    str(folder / "measured.json"), "--scale", "matmul=1.5", "--steps=1"], check=True)
    measured = json.loads((folder / "measured.json").read_text())
    kernels = [event["dur"] for event in measured["traceEvents"] if event.get("cat") == "kernel"]
    report = json.loads((folder / "report.json").read_text())
    predicted = sum(phase["kernel_ms"] for phase in report["phases"]) * 1e3

    analysis = TraceAnalysis(trace_files={0: str(folder / "measured.json"), 1: str(folder / "predicted.json")},
                             trace_dir=str(folder))
    times = analysis.get_temporal_breakdown(visualize=False).set_index("rank")["compute_time(us)"]
    same("measured: computation", times[0], sum(kernels))
    same("next to measured: computation", times[1], predicted)
    products = sum(row["total_us"] for row in report["kernels"] if row["family"] == "matmul")
    same("matmuls that take longer", times[0] - times[1], 0.5 * products, tolerance=5e-3)
    kinds, metrics = analysis.get_gpu_kernel_breakdown(visualize=False)
    if set(metrics["rank"]) != {0, 1} or list(kinds["kernel_type"]) != ["COMPUTATION"]:
        sys.exit(f"kernels have the ranks {set(metrics['rank'])} and the types {list(kinds['kernel_type'])}")
    same("both: kernels", metrics["sum (us)"].sum(), sum(kernels) + predicted)
    print(f"next to a measured trace: {times[0]:.0f} us measured, {times[1]:.0f} us predicted, loaded together")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in RUNS.items():
            check(name, flags, options.tool, options.models, pathlib.Path(folder))
        check_beside_measured(options.tool, options.models, pathlib.Path(folder))


if __name__ == "__main__":
    main()
