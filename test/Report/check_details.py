# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The details of JSON reports add up to the values of the reports.

usage: check_details.py REPORT.json...
"""
import json
import pathlib
import sys
from collections import Counter

NORM = [name + "_us" for name in ("compute", "l2", "issue", "rows", "dram", "power_roof")]
SUM = [name + "_us" for name in ("exposed", "serial", "fixed")]


def close(a, b, tolerance=1e-5):
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def check(path):
    report = json.loads(pathlib.Path(path).read_text())
    details, kernels, iteration = report["details"], report["kernels"], report["iteration"]
    assert len(details["kernels"]) == len(kernels)
    for kernel, parts in zip(kernels, details["kernels"]):
        terms = parts["time"]
        # (W1), with the printed terms.
        time = sum(terms[name] ** terms["norm"] for name in NORM) ** (1 / terms["norm"]) + sum(terms[name] for name in SUM)
        assert close(time, kernel["time_us"]), (kernel["label"], time, kernel["time_us"])
        # (P5): idle power all the time; (P8) moves energy between kernels only at the limit.
        energy = parts["energy"]
        assert close(energy["idle_j"], details["idle_power_w"] * kernel["time_us"] * 1e-6)
        drawn = sum(energy.values()) / (kernel["time_us"] * 1e-6)
        # Limiters hold the limit, before Ampere 97.5 % of it (P9).
        most = max(k["power_w"] for k in kernels) / iteration["power_limit_w"]
        if not iteration["throttled"] and most < 0.999 and not close(most, 0.975, 1e-3):
            assert close(drawn, kernel["power_w"]), (kernel["label"], drawn, kernel["power_w"])
        # The DRAM traffic of a kernel takes at most the time of the kernel.
        assert parts["dram_bytes"] / (kernel["time_us"] * 1e-6) <= iteration["dram_bandwidth_bytes_per_s"] * 1.001, kernel["label"]
        assert parts["coefficients"] or kernel["family"] == "collective", kernel["label"]
    launches = details["launches"]
    counts = Counter()
    for kernel, node, count in zip(launches["kernel"], launches["node"], launches["count"]):
        assert 0 <= node < len(details["nodes"]) == len(details["scopes"])
        counts[kernel] += count
    assert [counts[k] for k in range(len(kernels))] == [kernel["count"] for kernel in kernels]
    # The peak consists of temporary buffers, persistent buffers, and gradients that several GPUs or passes share.
    most = max(launches["live_bytes"])
    stays = iteration["parameter_bytes"] + iteration["optimizer_bytes"] + iteration["workspace_bytes"]
    kept = iteration["peak_memory_bytes"] - stays - most
    alone = report["settings"]["grad_accum"] == 1 and iteration["world_size"] == 1
    assert 0 <= kept <= (0 if alone else iteration["gradient_bytes"]), (kept, iteration["gradient_bytes"])
    known = sum(1 for scope in details["scopes"] if scope)
    print(f"{pathlib.Path(path).name}: {len(kernels)} kernels, {len(launches['kernel'])} launch sites, "
          f"{known} of {len(details['nodes'])} nodes with a module: the details add up")


for name in sys.argv[1:]:
    check(name)
