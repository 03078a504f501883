#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times whole processes: start-up, import, passes, report.

  benchmarks/processes.py [--tool build/bin/gpu-cost-opt] [--base OTHER] [--runs 20]

With --base, another build's tool runs the same commands in turn, and each line closes
with the ratio of the medians. Times are milliseconds: wall clock, and CPU (user + system).
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = {
    "start-up alone": ["--version"],
    "one GEMM": ["--kernel=matmul m=4096 n=4096 k=4096", "--target=a100-bf16"],
    "resnet50": ["models/resnet50.onnx", "--target=a100-bf16", "--batch=64"],
    "bert-large": ["models/bert-large.onnx", "--target=a100-bf16", "--batch=16", "--seq=128"],
    "bert-large, training": ["models/bert-large.onnx", "--target=a100-bf16", "--batch=16", "--seq=128",
                             "--mode=training"],
    "qwen2-1.5b": ["models/qwen2-1.5b.onnx", "--target=a100-bf16", "--batch=4", "--seq=1024"],
}


def run(tool, arguments):
    """Wall and CPU seconds of one process."""
    start = time.perf_counter()
    process = subprocess.Popen([tool, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{tool} {' '.join(arguments)}: exit code {process.returncode}")
    return wall, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=str(ROOT / "build/bin/gpu-cost-opt"))
    parser.add_argument("--base")
    parser.add_argument("--runs", type=int, default=20)
    arguments = parser.parse_args()
    tools = [os.path.abspath(tool) for tool in (arguments.tool, arguments.base) if tool]
    for name, command in COMMANDS.items():
        samples = [[] for _ in tools]
        for turn in range(arguments.runs + 1):
            for tool, sample in zip(tools, samples):
                measured = run(tool, command)
                if turn:  # The first run warms the file cache.
                    sample.append(measured)
        medians = [[1e3 * statistics.median(column) for column in zip(*sample)] for sample in samples]
        line = f"{name:22}" + "".join(f"  wall {wall:6.1f} cpu {cpu:6.1f}" for wall, cpu in medians)
        if arguments.base:
            (wall, cpu), (base_wall, base_cpu) = medians
            line += f"  ratio {wall / base_wall:.2f} {cpu / base_cpu:.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
