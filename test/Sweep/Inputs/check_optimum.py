# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `optimize` with the least line of the same sweep.

usage: check_optimum.py TOOL METRIC BOUNDS MODEL FLAG...
"""
import json
import math
import re
import subprocess
import sys

# Bounds without a unit: ms, W, GiB, samples/s.
FIELDS = {"time": lambda p: p["time_ms"], "power": lambda p: p["avg_power_w"],
          "memory": lambda p: p["device_bytes"] / 2**30, "throughput": lambda p: p["samples_per_s"],
          "total_power": lambda p: energy(p) / p["time_ms"] * 1e3, "run_hours": lambda p: p["run_hours"],
          "run_energy": lambda p: p["run_energy_kwh"]}
HOLDS = {"<=": lambda a, b: a <= b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b}


def energy(point):
    """Energy of all GPUs and the node, times the PUE."""
    node = (point.get("node_watts") or 0) * point["time_ms"] * 1e-3
    return (point["energy_j"] * point["world_size"] + node) * (point.get("pue") or 1)


METRICS = {"time": lambda p: p["time_ms"], "energy": energy, "edp": lambda p: energy(p) * p["time_ms"],
           "cost": lambda p: p["money_per_iteration"], "carbon": lambda p: p["co2e_per_iteration_g"],
           "memory": lambda p: p["device_bytes"], "power": lambda p: p["avg_power_w"],
           "total_power": lambda p: p["total_power_w"], "run_hours": lambda p: p["run_hours"],
           "run_energy": lambda p: p["run_energy_kwh"], "run_cost": lambda p: p["run_money"],
           "run_carbon": lambda p: p["run_co2e_kg"]}


def samples(point):
    return point["samples_per_s"] * point["time_ms"] * 1e-3


def main():
    tool, metric, bounds, *space = sys.argv[1:]
    lines = subprocess.run([tool, "sweep", *space], check=True, capture_output=True, text=True).stdout
    points = [point for point in map(json.loads, lines.splitlines()) if point["status"] == "ok"]
    allowed = points
    bound_of = re.compile(r"\s*(\w+)(<=|<|>=)([\d.]+)(\*best)?")
    parsed = [bound_of.fullmatch(bound).groups() for bound in bounds.split(",") if bound]
    for name, relation, number, relative in sorted(parsed, key=lambda bound: bool(bound[3])):
        values = [FIELDS[name](point) for point in allowed]
        best = (max if relation == ">=" else min)(values) if relative else 1
        allowed = [point for point, value in zip(allowed, values) if HOLDS[relation](value, float(number) * best)]
    answer = json.loads(subprocess.run([tool, "optimize", *space, f"--minimize={metric}", f"--subject-to={bounds}",
                                        "--report=json"], check=True, capture_output=True).stdout)
    share = samples if answer["per"] == "sample" else lambda point: 1
    # Energy x time are both divided.
    power = 2 if metric == "edp" else 1 if metric in ("time", "energy", "cost", "carbon") else 0

    def value(point):
        return METRICS[metric](point) / share(point) ** power
    least = min(allowed, key=lambda point: (value(point), point["time_ms"]))
    assert answer["allowed"] == len(allowed) and answer["feasible"] == len(points), \
        (len(allowed), len(points), answer["allowed"], answer["feasible"])
    chosen = answer["choice"]
    # Numbers have seven digits in the sweep.
    assert math.isclose(value(chosen), value(least), rel_tol=1e-6), (chosen, least)
    front = next(front for front in answer["fronts"] if front["metrics"] == ["time", "energy"])["points"]
    for a, b in zip(front, front[1:]):
        assert a["time_ms"] / share(a) < b["time_ms"] / share(b), (a, b)
        assert energy(a) / share(a) > energy(b) / share(b), (a, b)
    for tie in answer["tied_points"]:
        assert value(tie) >= value(chosen) * (1 - 1e-6), tie
    print(f"{len(points)} points, {len(allowed)} allowed")


if __name__ == "__main__":
    main()
