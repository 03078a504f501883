# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Effects of settings on a service."""
import json
import sys

NAMES = ("base", "kv", "int4", "vllm", "tp", "paged", "chunk", "two", "all", "one")
R = {}
for name in NAMES:
    with open(f"{sys.argv[1]}.{name}.json") as file:
        R[name] = json.load(file)
base = R["base"]
faults = []


def check(condition, what):
    if not condition:
        faults.append(what)


def cache(name):
    return R[name]["memory"]["cache_bytes_per_token"]


check(cache("kv") * 2 == cache("base"), "an fp8 cache has half the bytes")
check(cache("tp") * 2 == cache("base"), "two GPUs share the heads of the cache")
check(R["kv"]["tpot_ms"] < base["tpot_ms"], "an fp8 cache is read faster")
# The LM head, 128256 x 4096, stays in 16 bits; two layers have 436 million weights.
check(R["int4"]["tpot_ms"] < 0.85 * base["tpot_ms"], "weights of 4 bits are read faster")
check(R["int4"]["decode"]["floor"]["weight_bytes"] < 0.7 * base["decode"]["floor"]["weight_bytes"], "and are smaller")
check(R["vllm"]["settings"]["software"] == "vllm", "software")
check(R["vllm"]["ttft_ms"] != base["ttft_ms"] or R["vllm"]["tpot_ms"] != base["tpot_ms"], "stacks differ")
check(R["tp"]["gpus"] == 2 and R["tp"]["tpot_ms"] < base["tpot_ms"], "two GPUs are faster")
check(R["paged"]["tpot_ms"] >= base["tpot_ms"], "a table of blocks is read, too")
# 1000 tokens in 256 + 256 + 256 + 232: the weights are read four times.
check(R["chunk"]["ttft_ms"] > base["ttft_ms"], "chunks read the weights again")
check(R["chunk"]["prefill"]["tokens"] == base["prefill"]["tokens"] == 8000, "all tokens are computed")
ratio = R["chunk"]["prefill"]["floor"]["weight_bytes"] / base["prefill"]["floor"]["weight_bytes"]
check(3.5 < ratio < 4.1, f"four chunks, {ratio}")
check(R["chunk"]["memory"]["prefill_device_bytes"] < base["memory"]["prefill_device_bytes"], "chunks need less memory")
check(R["two"]["ttft_ms"] < base["ttft_ms"] and R["two"]["prefill"]["tokens"] == 2000, "two prompts are faster than eight")
check(R["two"]["answer_ms"] > 3 * R["two"]["ttft_ms"], "the other prompts take their time")
check(R["all"]["ttft_ms"] > base["ttft_ms"], "logits of all tokens take longer")
check(R["all"]["tpot_ms"] == base["tpot_ms"], "a decode step has one position")
check(R["one"]["decode"]["energy_per_token_j"] > base["decode"]["energy_per_token_j"], "a batch shares the weights")
check(R["one"]["tpot_ms"] < base["tpot_ms"] and R["one"]["largest_batch"] == base["largest_batch"], "of any batch")
if faults:
    sys.exit("check_settings: " + "; ".join(faults))
