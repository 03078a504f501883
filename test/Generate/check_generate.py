# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_generate.py REPORTS DECODER: sums of the phases, and the network that one GPU runs."""
import json
import math
import pathlib
import sys


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-6)


reports = [json.loads(line) for line in pathlib.Path(sys.argv[1]).read_text().splitlines()]
decoder = json.loads(pathlib.Path(sys.argv[2]).read_text())
assert [(each["context"], each["batch"]) for each in reports] == [
    ("ulysses2.ring2", 1), ("ulysses2.ring2", 2), ("ulysses4", 1), ("ulysses4", 2)]
for each in reports:
    block, last = each["phases"]
    assert each["gpus"] == block["gpus"] == 4 and last["gpus"] == 1
    assert close(each["latency_ms"], block["time_ms"] + last["time_ms"])
    assert close(each["energy_per_output_j"] * each["batch"], block["energy_j"] + last["energy_j"])
    assert block["samples"] == 2 * each["batch"] and last["samples"] == 1 and last["calls"] == each["batch"]
    # 3 copies of 256 x 256 weights, and one.
    assert block["parameter_bytes"] == 3 * 2 * 256 * 256 and last["parameter_bytes"] == 2 * 256 * 256
    assert each["parameter_bytes"] == 4 * 2 * 256 * 256
    assert each["latency_low_ms"] < each["latency_ms"] < each["latency_high_ms"]
