# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a deployment with draft tokens against a service with the same batch."""
import json
import math
import sys


def read(suffix):
    with open(sys.argv[1] + suffix) as file:
        return json.load(file)


def same(a, b, what, tolerance):
    assert math.isclose(a, b, rel_tol=tolerance), (what, a, b)


found, none, service = read(".json"), read(".none.json"), read(".serve.json")
traffic, choice = found["traffic"], found["choice"]
tokens = 1 + 0.8 + 0.8**2 + 0.8**3  # Three drafts; each needs those before it.
same(traffic["tokens_per_step"], tokens, "tokens", 1e-6)
assert (traffic["draft_tokens"], traffic["acceptance"]) == (3, 0.8), traffic
assert none["traffic"]["tokens_per_step"] == 1 and none["traffic"]["acceptance"] is None, none["traffic"]
# One user at a time: the steps at the mean context, where the service has a mean over contexts.
same(choice["tpot_ms"], service["tpot_ms"], "time per token", 5e-3)
first = choice["ttft_ms"] - choice["answer_ms"]
same(choice["latency_ms"] - first, 511 * choice["tpot_ms"], "steps", 1e-6)
# Prompts are computed by both models.
same(first, service["ttft_ms"], "prompt", 2e-2)
# Weights and caches of both models, each once for the step with 4 new tokens.
same(choice["device_bytes"], service["memory"]["decode_device_bytes"], "memory", 2e-3)
assert choice["device_bytes"] > none["choice"]["device_bytes"] + service["speculation"]["draft_bytes"]
# More sequences than the shapes that steps of several new tokens are learned from.
many, service = read(".many.json")["choice"], read(".manyserve.json")
same(many["device_bytes"], service["memory"]["decode_device_bytes"], "memory of many", 1e-2)  # a line through the memory of few
assert many["batch_limit"] == 200 <= many["largest_batch"] and many["tpot_low_ms"] < many["tpot_ms"], many
assert service["tpot_ms"] < many["tpot_ms"] < 1.5 * service["tpot_ms"], (many, service["tpot_ms"])
