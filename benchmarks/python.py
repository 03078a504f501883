#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the Python package: import, first call, sweep, and growth of memory.

  benchmarks/python.py [--runs 20] [--growth]

Runs with the package that `import gpucost` finds: an installed one, or a build by PYTHONPATH=python and
GPUCOST_LIBRARY_DIR=build/lib. CPU times (user + system) are medians of processes with a warm page cache, in
milliseconds, each beside its limit. --growth also runs 10^6 operating points, 10^6 service steps and 10^3
analyses (minutes) and prints how far resident memory grows, in MiB. Exit code 1: a limit is broken.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BERT = "'models/bert-large.onnx', target='a100-bf16', batch=16, seq=128"
CLOCKS = "clock='615..1410:8.03', power_limit='200..398:2'"
# Name, limit in ms, statement.
TIMES = {
    "import gpucost": (2, "import gpucost"),
    "first analyze of BERT-large": (150, f"import gpucost; gpucost.analyze({BERT})"),
    "sweep of 10^4 clocks and limits": (200, "import gpucost; assert len(gpucost.sweep('models/bert-large.onnx', "
                                        f"dict({CLOCKS}), target='a100-bf16', batch=16, seq=128)) == 10_000"),
}
RESIDENT = """
import gc, resource, gpucost
def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20
"""
GROWTH = {
    "10^6 points of evaluate_many": """
import numpy
placed = gpucost.prepare("models/bert-base.onnx", target="a100-bf16", batch=1, seq=64).place("a100")
clocks = numpy.linspace(600, 1400, 10_000)
def work(count):
    for _ in range(count): placed.evaluate_many(clock=clocks)
warm, count = 3, 100
""",
    "10^6 steps of a service": """
service = gpucost.prepare_service("examples/llama-3.1-8b", target="h100-bf16").service("h100-bf16")
def work(count):
    for step in range(count): service.step([(1, 500 + step % 64)] * 4 + [(64, step % 512)])
warm, count = 20_000, 1_000_000
""",
    "10^3 analyses": """
def work(count):
    for _ in range(count): gpucost.analyze("models/bert-base.onnx", target="a100-bf16", batch=1, seq=64)
warm, count = 30, 1000
""",
}
GROWTH_LIMIT = 1.0


def python(statement):
    """What a new process prints."""
    return subprocess.run([sys.executable, "-c", statement], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def milliseconds(statement):
    """CPU time of a statement in a new process."""
    return 1e3 * float(python(f"import time; begin = time.process_time(); {statement}\n"
                              "print(time.process_time() - begin)"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--growth", action="store_true")
    arguments = parser.parse_args()
    broken = False
    for name, (limit, statement) in TIMES.items():
        milliseconds(statement)
        found = statistics.median(milliseconds(statement) for _ in range(arguments.runs))
        broken |= found > limit
        print(f"{name:34}{found:8.1f} ms, limit {limit}", flush=True)
    for name, statement in GROWTH.items() if arguments.growth else ():
        found = float(python(f"{RESIDENT}{statement}\nwork(warm); before = resident(); work(count)\n"
                             "print(resident() - before)"))
        broken |= found > GROWTH_LIMIT
        print(f"{name:34}{found:8.2f} MiB, limit {GROWTH_LIMIT:g}", flush=True)
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
