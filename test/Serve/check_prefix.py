# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a service with a prefix cache against single steps and counts by hand."""
import json
import math
import sys

TOKEN = 2 * 2 * 8 * 128 * 2  # bytes: layers, keys and values, heads, width, bf16


def read(suffix):
    with open(sys.argv[1] + suffix + ".json") as file:
        return json.load(file)


cached, none, step, half = read(""), read(".none"), read(".step"), read(".half")
deploy = read(".deploy")["choice"]

assert cached["cached_tokens"] == 512 and none["cached_tokens"] == 0
assert cached["prefill"]["tokens"] == 1536, cached["prefill"]
assert cached["ttft_ms"] == step["iteration"]["time_ms"], (cached["ttft_ms"], step["iteration"]["time_ms"])
assert cached["tpot_ms"] == none["tpot_ms"]
# The prefill reads the cache of the prefix once.
assert math.isclose(cached["prefill"]["floor"]["cache_bytes"], 512 * TOKEN, rel_tol=1e-3), cached["prefill"]["floor"]
# Four sequences share one prefix.
memory = cached["memory"]
assert memory["shared_prefix_bytes"] == 512 * TOKEN
assert none["memory"]["decode_device_bytes"] - memory["decode_device_bytes"] == 3 * 512 * TOKEN
# A sequence needs 512 of 2050 tokens less, so that at least 2050 / 1538 times as many fit.
ratio = cached["largest_batch"]["value"] / none["largest_batch"]["value"]
assert ratio > 1.1, ratio
# With a cached half, one chunk of two remains: deploy and serve agree on the share of its time.
share = deploy["prefill_ms"] / read(".whole-deploy")["choice"]["prefill_ms"]
expected = half["ttft_ms"] / read(".whole")["ttft_ms"]
assert math.isclose(share, expected, rel_tol=1e-2), (share, expected)
