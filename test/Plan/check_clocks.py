#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clocks that `plan --stage-clocks` chooses: never more energy, never a longer time than the bound, and the numbers of a
full analysis at these clocks.

usage: check_clocks.py TOOL RANKS.json BOUND.json PASSES.json SERIAL.json
"""
import json
import pathlib
import shlex
import subprocess
import sys


def analyzed(tool, command):
    """(ms, J) of the printed command."""
    text = subprocess.run([tool, *shlex.split(command)[1:], "--report=json"], check=True, capture_output=True, text=True).stdout
    return json.loads(text)["iteration"]["time_ms"], json.loads(text)["iteration"]["energy_j"]


def near(a, b):
    return abs(a / b - 1) < 1e-5


def main():
    tool, *paths = sys.argv[1:]
    ranks, bound, passes, serial = (json.loads(pathlib.Path(path).read_text()) for path in paths)
    for answer, latest in ((ranks, 1), (bound, 1.1), (passes, 1), (serial, 1)):
        clocks, choice = answer["plan"]["stage_clocks"], answer["choice"]
        assert near(clocks["usual_time_ms"], choice["time_ms"]) and near(clocks["usual_energy_j"], choice["energy_j"]), clocks
        assert clocks["time_ms"] <= latest * clocks["usual_time_ms"] * (1 + 1e-6), clocks
        assert clocks["energy_j"] <= clocks["usual_energy_j"], clocks
        for rank, usual in zip(clocks["ranks"], clocks["usual_ranks"], strict=True):
            assert rank["forward_mhz"] <= usual["forward_mhz"] and rank["backward_mhz"] <= usual["backward_mhz"]
        time, energy = analyzed(tool, clocks["command"])
        assert near(time, clocks["time_ms"]) and near(energy, clocks["energy_j"]), (time, energy, clocks)
    saved = [1 - each["plan"]["stage_clocks"]["energy_j"] / each["plan"]["stage_clocks"]["usual_energy_j"] for each in (ranks, bound, passes)]
    # One micro-batch passes one rank after the other: nothing waits beside another rank.
    assert serial["plan"]["stage_clocks"]["energy_j"] == serial["plan"]["stage_clocks"]["usual_energy_j"]
    # The last rank also has the head: the others wait.
    assert saved[0] > 0.01 and saved[1] > saved[0] and saved[2] >= saved[0], saved
    print(f"clocks: as expected; saved {', '.join(f'{100 * each:.1f} %' for each in saved)}")


main()
