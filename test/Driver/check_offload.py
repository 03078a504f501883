# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks invariants of activations in host memory.

  check_offload.py TOOL FOLDER FLAGS...
"""
import json
import subprocess
import sys

tool, folder, *flags = sys.argv[1:]


def run(*more):
    path = f"{folder}/report.json"
    subprocess.run([tool, *flags, *more, "--report=json", "-o", path], check=True)
    return json.load(open(path))["iteration"]


def offload(rate, *more):
    return run("--offload-activations", f"--host-link={rate}", *more)


for more in ([], ["--grad-accum=4"], ["--recompute=full"], ["--gpus=4", "--parallel=fsdp"], ["--gpus=2", "--parallel=pp2", "--grad-accum=4"]):
    plain, fast, slow = run(*more), offload(1e9, *more), offload(10, *more)
    # Without time for copies: as fast as without them, but with less memory.
    assert abs(fast["time_ms"] / plain["time_ms"] - 1) < 1e-3, (more, fast["time_ms"], plain["time_ms"])
    # With full recomputation, memory peaks while the first layer is recomputed and all gradients are held.
    saved = plain["activation_bytes"] - fast["activation_bytes"]
    assert saved >= 0 if "--recompute=full" in more else saved > 0, (more, saved)
    assert fast["flops"] == plain["flops"]
    assert slow["time_ms"] > 1.01 * plain["time_ms"], (more, slow["time_ms"], plain["time_ms"])
    assert slow["activation_bytes"] == fast["activation_bytes"]
times = [offload(rate)["time_ms"] for rate in (5, 10, 25, 50, 100)]
assert all(a >= b for a, b in zip(times, times[1:])), times
print("less memory; no time without copies; faster with bandwidth")
