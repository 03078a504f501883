# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""(H10): the time that the loop of a serving stack adds to a step, by hand.

usage: check_loop.py MODEL TARGET.mlir"""
import json
import math
import re
import subprocess
import sys

CONTEXT = [f"--target-file={sys.argv[2]}", "--target=bf16", "--runtime=cudagraph", "--kv-cache=in-place", "--seq=1", "--past=1000", "--report=json"]


def report(*flags):
    done = subprocess.run(["gpu-cost-opt", sys.argv[1], *CONTEXT, *flags], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def iteration(*flags):
    return report(*flags)["iteration"]


def check(condition, *what):
    if not condition:
        sys.exit("check_loop: " + " ".join(map(str, what)))


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-5)


def main():
    text = open(sys.argv[2]).read()
    step, sequence = (float(re.search(rf"{name} = ([0-9.]+) us", text)[1]) * 1e-3
                      for name in ("loop_step", "loop_sequence"))
    idle = 120.153  # W at 1980 MHz: (P4) with the idle law of the file
    for batch in (1, 8, 64):
        flags = ["--software=vllm", f"--batch={batch}"]
        full, bare = iteration(*flags), iteration(*flags, "--step-gap-us=0")
        added = full["time_ms"] - bare["time_ms"]
        check(close(added, step + sequence * batch), batch, added, "ms")
        check(close(full["gpu_busy_ms"], bare["gpu_busy_ms"]), "the GPU works as long as before")
        check(abs((full["energy_j"] - bare["energy_j"]) / (idle * added * 1e-3) - 1) < 1e-2, "idle power meanwhile")
    notes = report("--software=vllm", "--batch=8")["notes"]
    check(any("the serving loop of vllm" in note for note in notes), notes)
    # The GPUs of a tensor parallel group serve the same sequences.
    plan = ["--software=vllm", "--batch=8", "--gpus=2", "--parallel=tp"]
    added = iteration(*plan)["time_ms"] - iteration(*plan, "--step-gap-us=0")["time_ms"]
    check(close(added, step + sequence * 8), "groups", added)
    # The interval covers the uncertainty of the loop.
    full, bare = iteration("--software=vllm", "--batch=8"), iteration("--software=vllm", "--batch=8", "--step-gap-us=0")
    width = full["time_ms"] / full["time_low_ms"] - 1
    check(0.8 * added / full["time_ms"] < width < 1, "interval", width)
    for software in ("sglang", "tensorrt-llm", "pytorch"):
        flags = [f"--software={software}", "--batch=8"]
        check(iteration(*flags)["time_ms"] == iteration(*flags, "--step-gap-us=0")["time_ms"], software)
    stated = iteration("--batch=8", "--step-gap-us=1500")["time_ms"] - iteration("--batch=8")["time_ms"]
    check(close(stated, 1.5), "stated", stated)


if __name__ == "__main__":
    main()
