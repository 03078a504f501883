# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks invariants of hybrid sharding and of Ulysses.

  check_sharding.py TOOL FOLDER FLAGS...
"""
import json
import subprocess
import sys

tool, folder, *flags = sys.argv[1:]


def run(*more):
    path = f"{folder}/report.json"
    subprocess.run([tool, *flags, *more, "--report=json", "-o", path], check=True)
    report = json.load(open(path))
    return report["iteration"], report["kernels"]


def check_faster(times):
    assert all(a >= b for a, b in zip(times, times[1:])) and times[0] > times[-1], times


network = ["--network=100:5", "--nodes=4"]
hybrid, kernels = run("--parallel=fsdp4.dp4", *network)
one = run("--parallel=fsdp4")[0]
for name in ("parameter_bytes", "gradient_bytes", "optimizer_bytes", "activation_bytes", "flops"):
    assert hybrid[name] == one[name], name
# The table and the head are 1024 * 256 parameters each, a layer has 4 * 256 * 256 of attention, 3 * 256 * 1024 and 2 norms.
parameters = 2 * 1024 * 256 + 2 * (4 * 256 * 256 + 3 * 256 * 1024 + 2 * 256) + 256
assert hybrid["parameter_count"] == parameters, hybrid["parameter_count"]
# Adam: two numbers in 16 bits of each parameter, a quarter of them on a GPU.
assert abs(hybrid["optimizer_bytes"] / (2 * 2 * parameters / 4) - 1) < 1e-3, hybrid["optimizer_bytes"]
assert run("--parallel=fsdp4.dp1")[0] == one
check_faster([run("--parallel=fsdp4.dp4", "--nodes=4", f"--network={rate}:5")[0]["time_ms"] for rate in (1, 10, 100, 1000)])
print("hybrid sharding: states of a copy; one copy is fsdp; faster with bandwidth")

ring = run("--parallel=cp4")[0]
heads = run("--parallel=cp4", "--context=ulysses")[0]
# A query of a ring reads half of the 512 tokens, a query of Ulysses the tokens before it and itself.
assert 0 <= heads["flops"] - ring["flops"] < ring["flops"] / 512, (ring["flops"], heads["flops"])
assert run("--parallel=cp4", "--context=ring4")[0] == ring
assert ring["parameter_bytes"] == heads["parameter_bytes"]
check_faster([run("--parallel=cp4", "--context=ulysses", f"--interconnect=link:{rate}:2")[0]["time_ms"]
              for rate in (1, 10, 100, 1000)])
print("context: FLOPs of a ring; faster with bandwidth")
