# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a plan search with a full analysis of every plan.

  check_plans.py TOOL FOLDER [--difference=X] MODEL FLAGS...

Prints the largest differences of time, energy and memory between the plans of the search's page,
composed of stages, and the points of a sweep, analyzed one by one, and whether the search chose
the fastest one. The search must report as many plans as the sweep can evaluate.
"""
import json
import re
import subprocess
import sys

tool, folder, *flags = sys.argv[1:]
page, lines = f"{folder}.html", f"{folder}.jsonl"
subprocess.run([tool, "plan", *flags, "-o", page], check=True)
data = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', open(page).read(), re.S)
plans = json.loads(data.group(1))
composed = {}
keys = ("parallel", "batch", "recompute", "virtual_stages", "gpus")
for point in plans["all_points"]:
    composed[tuple(point.get(key) for key in keys)] = point

# The same plans, each as one point of a sweep.
worst = {"time_ms": 0.0, "energy_j": 0.0, "device_bytes": 0.0}
best = None
for key, point in composed.items():
    if point["status"] != "ok":
        continue
    stated = dict(zip(keys, key))
    swept = [flag for flag in flags if flag.split("=")[0] not in
             ("--tp", "--pp", "--cp", "--ep", "--data", "--gpus", "--batch", "--recompute", "--virtual-stages",
              "--schedule")]
    if stated["virtual_stages"]:
        swept.append("--schedule=interleaved")
    swept += [f"--{name.replace('_', '-')}={value}" for name, value in stated.items() if value is not None]
    gpus = stated["gpus"] or next(f for f in flags if f.startswith("--gpus")).split("=")[1]
    swept += ["--mode=training", f"--gpus={gpus}", "--restart", "-o", lines]
    subprocess.run([tool, "sweep", *dict.fromkeys(swept)], check=True, stderr=subprocess.DEVNULL)
    exact = json.loads(open(lines).readline())
    if exact["status"] != "ok":
        sys.exit(f"{key}: {exact['status']} {exact['reason']}")
    for name in worst:
        worst[name] = max(worst[name], abs(point[name] / exact[name] - 1))
    if best is None or exact["time_ms"] < best:
        best = exact["time_ms"]
for name, value in worst.items():
    print(f"{name} within {max(1, round(100 * value + 0.5))} %")
chosen = plans["choice"]["time_ms"]
print("chose the fastest" if chosen <= best * 1.0001 else f"chose {chosen}, but {best} is possible")
