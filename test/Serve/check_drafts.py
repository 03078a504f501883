# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a service with draft tokens against single steps and counts by hand."""
import json
import math
import sys


def read(suffix):
    with open(sys.argv[1] + suffix + ".json") as file:
        return json.load(file)


def same(a, b, what, tolerance=1e-6):
    assert math.isclose(a, b, rel_tol=tolerance), (what, a, b)


report, none = read(""), read(".none")
verify, draft = (read(name)["iteration"] for name in (".verify", ".draft"))
drafts, decode = report["speculation"], report["decode"]

tokens = 1 + 0.8 + 0.8**2 + 0.8**3  # Three drafts; each needs those before it.
same(drafts["tokens_per_step"], tokens, "tokens")
same(drafts["verify_ms"], verify["time_ms"], "verify")
same(drafts["drafts_ms"], 3 * draft["time_ms"], "drafts")
same(decode["first"]["time_ms"], verify["time_ms"] + 3 * draft["time_ms"], "step")
same(decode["first"]["energy_j"], verify["energy_j"] + 3 * draft["energy_j"], "energy of a step")
same(report["tpot_ms"], decode["time_ms"] / tokens, "time per token")
same(report["tokens_per_s_per_user"], 1e3 / report["tpot_ms"], "rate of a user")
same(report["answer_ms"], report["ttft_ms"] + 511 * report["tpot_ms"], "answer")
same(report["tokens_per_s"], 8 * 512 / report["answer_ms"] * 1e3, "rate")
same(decode["energy_per_token_j"], decode["energy_j"] / (8 * tokens), "energy of an output token")
energy = report["prefill"]["energy_j"] + 511 / tokens * decode["energy_j"]
same(report["energy_per_token_j"], energy / (8 * 512), "energy")

# The draft model is the model: twice its prompt (with the logits of 4 positions instead of 1), weights and caches.
same(report["ttft_ms"], 2 * none["ttft_ms"], "prompt", 1e-2)
assert drafts["draft_bytes"] == none["memory"]["parameter_bytes"], drafts
grown = report["memory"]["decode_device_bytes"] - none["memory"]["decode_device_bytes"]
same(grown, drafts["draft_bytes"] + 8 * none["memory"]["cache_bytes_per_sequence"], "memory", 2e-2)

# One layer with experts, without the embedding and the LM head.
module = read(".module")
assert module["speculation"]["tokens_per_step"] == 2 and module["speculation"]["draft"] == ""
hidden, inner, experts = 1024, 512, 8
attention = 2 * hidden * 1024 + 2 * hidden * 256
feed = 3 * hidden * inner * (experts + 1) + experts * hidden
join = 2 * hidden * hidden
by_hand = 2 * (attention + feed + join + 5 * hidden)
assert by_hand <= module["speculation"]["draft_bytes"] <= by_hand + 2 * 8192 * 128 * 2, (module["speculation"], by_hand)
