# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the points of a sweep with single reports, and their costs with arithmetic.

usage: check_points.py TOOL SWEEP.jsonl
"""
import json
import math
import sys

import subprocess

SETTINGS = ("batch", "target", "clock", "samples", "epochs", "price", "grid")
SAME = ("time_ms", "time_low_ms", "time_high_ms", "energy_j", "energy_low_j", "energy_high_j", "avg_power_w",
        "clock_mhz", "mfu", "samples_per_s", "energy_per_sample_j", "peak_memory_bytes", "device_bytes", "throttled")


def close(a, b):
    return a == b or math.isclose(a, b, rel_tol=2e-6)


def main():
    for line in open(sys.argv[2]):
        point = json.loads(line)
        flags = [f"--{name}={point[name]}" for name in SETTINGS]
        report = json.loads(subprocess.run([sys.argv[1], point["model"], *flags, "--report=json"], check=True,
                                           capture_output=True).stdout)
        wrong = [name for name in SAME if not close(point[name], report["iteration"][name])]
        # 90 epochs of 1281167 images, the last step not full.
        steps = math.ceil(1281167 * 90 / point["batch"])
        hours = steps * point["time_ms"] / 3.6e6
        kilowatt_hours = steps * point["energy_j"] / 3.6e6
        price = {"a100": 1.5, "h100": 3}[point["target"].split("-")[0]]
        costs = {"hours": hours, "energy_kwh": kilowatt_hours, "money": hours * price, "co2e_kg": 0.35 * kilowatt_hours}
        for name, value in costs.items():
            if not close(point[f"run_{name}"], value) or not close(report["run"]["total"][name], value):
                wrong.append(f"run_{name}: {point[f'run_{name}']} is not {value}")
        if point["run_iterations"] != steps:
            wrong.append("run_iterations")
        if wrong:
            sys.exit(f"point {point['point']}: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
