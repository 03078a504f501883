# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of `serve --users`: check_closed_loop.py one.json eight.json stack.json."""
import json
import math
import pathlib
import sys

one, eight, stack = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])


def near(value, expected, tolerance=1e-4):
    assert math.isclose(value, expected, rel_tol=tolerance), (value, expected)


# (V12) A single user waits for the request, the prompt, and the decode step that begins before the first token is sent.
loop = one["loop"]
assert (loop["users"], loop["requests"], loop["slots"], loop["step_tokens"]) == (1, 10, 1, 8192), loop
near(loop["ttft_ms"], 5 + one["prefill"]["time_ms"] + loop["tpot_ms"])
near(loop["ttft_median_ms"], loop["ttft_ms"])
near(loop["ttft_p99_ms"], loop["ttft_ms"])
near(loop["tpot_ms"], one["decode"]["time_ms"], 0.01)
near(loop["latency_ms"], 5 + one["prefill"]["time_ms"] + 63 * loop["tpot_ms"])
near(loop["duration_ms"], 10 * loop["latency_ms"])
near(loop["tokens_per_s"], 10 * 64 / loop["duration_ms"] * 1e3)

# Eight users wait for each other; by Little's law they are mostly present.
more = eight["loop"]
assert (more["users"], more["requests"]) == (8, 80) and eight["batch"] == 8, more
assert more["ttft_ms"] > loop["ttft_ms"] and more["ttft_p99_ms"] > more["ttft_median_ms"] and more["tpot_ms"] > loop["tpot_ms"]
present = more["requests"] * more["latency_ms"] / more["duration_ms"]
assert 7 < present <= 8, present
near(more["tokens_per_s"], 80 * 64 / more["duration_ms"] * 1e3)

# The host of a stack: a request takes time, and the host launches the kernels of prompts.
host = stack["loop"]
assert host["request_ms"] > 0, host
assert host["ttft_ms"] > host["request_ms"] + stack["prefill"]["time_ms"], (host, stack["prefill"])
