# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of hypothetical GPUs: `same`, `faster` or `elasticity`, and the files to compare."""
import json
import math
import sys


def points(name):
    with open(name) as file:
        return [json.loads(line) for line in file]


def same(real, changed):
    """Equal but for name and intervals."""
    (a,), (b,) = points(real), points(changed)
    assert b["gpu"] == a["gpu"] + " (hypothetical)" and b["time_low_ms"] is None and a["time_low_ms"]
    for name in ("time_ms", "energy_j", "avg_power_w", "mfu", "device_bytes"):
        assert a[name] == b[name], (name, a, b)


def faster(name):
    """Neighbours differ in a fact that grows."""
    rows = points(name)
    assert len(rows) == 16
    for i, (a, b) in enumerate(zip(rows, rows[1:])):
        if i % 4 != 3:
            assert b["time_ms"] <= a["time_ms"] * (1 + 1e-6), (a, b)
    assert rows[3]["time_ms"] < 0.99 * rows[0]["time_ms"]


def elasticity(report, *ends):
    found = {each["name"]: each for each in json.load(open(report))["sensitivities"]}
    low, high, half, twice = (json.load(open(name))["iteration"] for name in ends)
    for name, a, b, ratio in (("dram_bandwidth", low, high, 2242.9 / 1835.1), ("batch", half, twice, 32 / 8)):
        for field, value in (("time", "time_ms"), ("energy", "energy_j")):
            expected = math.log(b[value] / a[value]) / math.log(ratio)
            printed = found[name][f"{field}_elasticity"]
            assert math.isclose(printed, expected, abs_tol=1e-4), (name, field, expected, printed)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
