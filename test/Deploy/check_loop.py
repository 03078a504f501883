# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steady states of deploy against played loops of serve: check_loop.py loops.jsonl users.csv..."""
import csv
import json
import pathlib
import sys

# The default of each stack, and how far its round may be from the played loop: time to the first token, per output token, rate.
STEPS = {"vllm": "mixed", "sglang": "separate", "tensorrt-llm": "whole"}
LIMITS = {1: (0.02, 0.01, 0.02), 8: (0.1, 0.02, 0.05), 48: (0.2, 0.08, 0.06)}

loops = {}
for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
    report = json.loads(line)["report"]
    loops[report["settings"]["software"], report["loop"]["users"]] = report["loop"]
seen = set()
for path in sys.argv[2:]:
    users = int(pathlib.Path(path).name.split(".")[-2])
    for row in csv.DictReader(pathlib.Path(path).open()):
        software = next(flag.split("=")[1] for flag in row["flags"].split() if flag.startswith("--software="))
        if row["prompt_steps"] != STEPS[software]:
            continue
        loop = loops[software, users]
        for name, limit in zip(("ttft_ms", "tpot_ms", "tokens_per_s"), LIMITS[users]):
            error = float(row[name]) / loop[name] - 1
            assert abs(error) <= limit, f"{software}, {users} users: {name} {row[name]}, loop {loop[name]}, {100 * error:+.1f} %"
        # The host is part of both.
        assert float(row["request_ms"]) == loop["request_ms"] > 0, row["request_ms"]
        seen.add((software, users))
assert len(seen) == len(loops) == 9, seen
