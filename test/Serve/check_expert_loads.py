# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Skewed loads and copies of experts (X29): check_expert_loads.py even.json skewed.json placed.json copied.json whole.json shared.json."""
import json
import pathlib
import sys

even, skewed, placed, copied, whole, shared = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
# 2 layers of 8 experts with 3 x 512 x 1024 weights: a fourth on each GPU, or of 12 copies.
expert = 3 * 512 * 1024 * 2
for some, more in ((even, copied), (whole, shared)):
    added = more["memory"]["parameter_bytes"] - some["memory"]["parameter_bytes"]
    assert added == 2 * expert, added / expert
assert skewed["memory"]["parameter_bytes"] == placed["memory"]["parameter_bytes"] == even["memory"]["parameter_bytes"]
# A prompt waits for the rows of the busiest GPU: placing the experts helps, and copies help more.
times = [each["ttft_ms"] for each in (even, copied, placed, skewed)]
assert times == sorted(times) and times[3] > 1.1 * times[0], times
