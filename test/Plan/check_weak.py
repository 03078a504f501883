#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weak scaling of `plan`: each point is the choice of a search with its GPUs and its global batch, and the choice of the
whole search is that without --weak-scaling.

usage: check_weak.py WITH.json WITHOUT.json GPUS.json...
"""
import json
import pathlib
import sys


def main():
    weak, strong, *alone = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
    assert strong["plan"]["weak_scaling"] == []
    for key in ("value", "feasible", "allowed", "points"):
        assert weak[key] == strong[key], (key, weak[key], strong[key])
    for key in ("parallel", "gpus", "time_ms", "energy_j"):
        assert weak["choice"][key] == strong["choice"][key], key
    assert weak["plan"]["plans"] == strong["plan"]["plans"]
    curve, first = weak["plan"]["weak_scaling"], weak["plan"]["scaling"][0]
    assert curve[0]["point"]["time_ms"] == first["point"]["time_ms"] and curve[0]["efficiency"] == first["efficiency"] == 1
    assert len(curve) == len(alone)
    for point, search in zip(curve, alone):
        found, choice = point["point"], search["choice"]
        assert (found["gpus"], found["parallel"], found["time_ms"]) == (choice["gpus"], choice["parallel"], choice["time_ms"])
        rate = choice["samples_per_s"] / choice["gpus"] / (first["point"]["samples_per_s"] / first["gpus"])
        assert abs(point["efficiency"] / rate - 1) < 1e-6
        assert point["global_batch"] * curve[0]["gpus"] == curve[0]["global_batch"] * point["gpus"]
    print(len(curve), "points, the last one", f"{curve[-1]['gpus']} GPUs with {curve[-1]['global_batch']} samples")


main()
