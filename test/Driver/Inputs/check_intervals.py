# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Without arguments: every interval of the JSON report on standard input holds its value.
With two reports: which one's time is surer."""
import json
import sys


def width(path):
    with open(path) as file:
        iteration = json.load(file)["iteration"]
    return iteration["time_high_ms"] / iteration["time_ms"]


if len(sys.argv) == 3:
    print("first is narrower" if width(sys.argv[1]) < width(sys.argv[2]) else "first is wider")
    sys.exit(0)
report = json.load(sys.stdin)
iteration = report["iteration"]
for name in ("time_{}ms", "energy_{}j", "avg_power_{}w"):
    low, value, high = (iteration[name.format(end)] for end in ("low_", "", "high_"))
    assert 0 < low < value < high, (name, low, value, high)
    assert high / value < 2, (name, high / value)
assert 0 <= iteration["calibrated_fraction"] <= 1
print("iteration ok")
busy = sum(k["total_us"] for k in report["kernels"])
validated = sum(k["total_us"] for k in report["kernels"] if k["in_calibrated_domain"])
assert abs(validated / busy - iteration["calibrated_fraction"]) < 1e-5
for kernel in report["kernels"]:
    assert kernel["time_low_us"] < kernel["time_us"] < kernel["time_high_us"], kernel
print("kernels ok")
