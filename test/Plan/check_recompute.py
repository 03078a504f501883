# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `plan --recompute=auto` with a search in which each recomputation is a plan: check_recompute.py ALL AUTO.

Both files are JSON whose ranking has all plans that fit.
"""
import collections
import json
import sys

every, automatic = (json.load(open(path)) for path in sys.argv[1:])
fastest = collections.defaultdict(list)
for point in every["plan"]["ranking"]:
    key = tuple(str(point.get(name)) for name in ("parallel", "batch", "virtual_stages"))
    fastest[key].append((point["time_ms"], ["none", "selective", "full"].index(point["recompute"])))
times = [point["time_ms"] for point in automatic["plan"]["ranking"]]
if times != sorted(times) or len(times) != len(fastest):
    sys.exit(f"{len(times)} plans, expected {len(fastest)}: {times}")
kinds = collections.Counter()
for point in automatic["plan"]["ranking"]:
    key = tuple(str(point.get(name)) for name in ("parallel", "batch", "virtual_stages"))
    least = min(fastest.pop(key))
    # Plans that were analyzed in full differ from estimates.
    if abs(point["time_ms"] / least[0] - 1) > 0.03:
        sys.exit(f"{key}: {point['time_ms']} ms, but {least[0]} ms is possible")
    kinds[point["recompute"]] += 1
if fastest or automatic["points"] >= every["points"]:
    sys.exit(f"without {list(fastest)}")
print(f"{len(times)} plans: " + ", ".join(f"{count} {name}" for name, count in sorted(kinds.items())))
