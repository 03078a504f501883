# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_rounds.py PREFIX LENGTHS: sums, bounds and orders of rounds, and the reports of their parts."""
import csv
import json
import math
import sys

prefix, lengths = sys.argv[1:]


def read(name):
    with open(f"{prefix}.{name}.json") as file:
        return json.load(file)


def phases(report):
    return {each["name"]: each for each in report["phases"]}


def close(a, b, tolerance=1e-5):
    return math.isclose(a, b, rel_tol=tolerance)


names = ("shared", "slots", "prompts", "padded", "updates", "bare", "offload", "overlapped", "turns", "more", "dpo", "ppo",
         "pipeline")
all_reports = {name: read(name) for name in names}
with open(lengths) as file:
    rows = [(int(row["tokens"]), int(row["requests"])) for row in csv.DictReader(file)]
total = sum(count for _, count in rows)
mean = sum(tokens * count for tokens, count in rows) / total
square = sum(tokens * tokens * count for tokens, count in rows) / total

for name, report in all_reports.items():
    own = phases(report)
    after = own["weights"]["time_ms"] if "weights" in own else 0
    engines = sum(each["time_ms"] for each in report["phases"] if each["on_engines"])
    training = sum(each["time_ms"] for each in report["phases"] if not each["on_engines"]) - after
    # (V17) Shared GPUs run the phases one after another; otherwise the longer side decides.
    expected = max(engines, training) + after if report["lag"] else engines + training + after
    assert close(report["time_ms"], expected), name
    assert close(report["energy_j"], sum(each["energy_j"] for each in report["phases"]) + report["waiting_energy_j"], 1e-4), name
    assert close(report["power_per_gpu_w"] * report["gpus"] * report["time_ms"] / 1e3, report["energy_j"], 1e-4), name
    assert report["time_low_ms"] < report["time_ms"] < report["time_high_ms"], name
    assert report["energy_low_j"] < report["energy_j"] < report["energy_high_j"], name
    assert report["fits"] and all(each["fits"] for each in report["phases"]), name
    assert report["sequences"] == report["prompts"] * report["samples"]
    assert close(report["output_tokens"], mean)
    assert not report["time_is_lower_bound"], name
    for each in report["phases"]:
        # No GPU is below an idle power of 50 W or above its limit and 1 %.
        assert each["time_ms"] == 0 or 50 < each["power_per_gpu_w"] < 707, (name, each)
    rollout = report["rollout"]
    assert (rollout is None) == (name == "dpo")
    if rollout:
        # (V14) The longest answer alone is a floor; the tail is a part; the others end earlier.
        assert own["rollout"]["time_ms"] > rollout["floor_ms"] > 0, name
        assert rollout["tail_ms"] < own["rollout"]["time_ms"]
        assert rollout["typical_engine_ms"] <= own["rollout"]["time_ms"] * (1 + 1e-9)
        assert rollout["running"] <= min(rollout["slots"], rollout["sequences"])
        assert rollout["engines"] * rollout["sequences"] >= report["sequences"]

shared = all_reports["shared"]
parts = phases(shared)
assert shared["waiting_energy_j"] == 0 and shared["shared"] and shared["longest_output_tokens"] == 3000
# (V14) 8 prompts of an engine are computed once, or once for each of 64 answers.
assert shared["rollout"]["prompt_tokens"] == 8 * 256 and all_reports["prompts"]["rollout"]["prompt_tokens"] == 64 * 256
assert phases(all_reports["prompts"])["rollout"]["time_ms"] > parts["rollout"]["time_ms"]
# The floor is the decode of a service with one answer.
serve = read("serve")
decode = (3000 - 1) * serve["decode"]["time_ms"]
assert close(shared["rollout"]["floor_ms"], decode, 5e-3), (shared["rollout"]["floor_ms"], decode)
# (V14) 16 slots run the 64 answers of an engine in turns.
slots = all_reports["slots"]
assert slots["rollout"]["running"] == 16 and phases(slots)["rollout"]["time_ms"] > parts["rollout"]["time_ms"]

# (V13) E[L^2] / E[L] of 256 + L, in multiples of 64, and the passes of 8 GPUs.
length = (256**2 + 2 * 256 * mean + square) / (256 + mean)
update = shared["update"]
assert update["sequence_tokens"] == math.ceil(length / 64) * 64 == 1728
count = 512 * (256 + mean) / update["sequence_tokens"]
assert update["micro_batch"] == round((256 + 3000) / 1728) == 2
assert update["passes"] == math.ceil(count / 8 / 2) == 15
assert close(parts["policy update"]["tokens"], 512 * (256 + mean))
# 16 x 2 x 8 = 256 sequences: this iteration has one pass more.
train = read("train")["iteration"]
assert close(train["time_ms"] / update["time_ms"], 16 / 15, 0.02)
padded = all_reports["padded"]
assert padded["update"]["sequence_tokens"] == 3256 and phases(padded)["policy update"]["time_ms"] > parts["policy update"]["time_ms"]

# (V15) A forward pass is a part of an update, and both have the same one.
assert parts["old log-probs"]["time_ms"] == parts["reference"]["time_ms"]
assert 0.2 < parts["reference"]["time_ms"] / parts["policy update"]["time_ms"] < 0.4
bare = phases(all_reports["bare"])
assert set(parts) - set(bare) == {"old log-probs", "reference"}
assert close(shared["time_ms"] - all_reports["bare"]["time_ms"], 2 * parts["reference"]["time_ms"])

# 4 mini-batches, twice.
updates = all_reports["updates"]
assert updates["update"]["updates"] == 8 and updates["update"]["passes"] == math.ceil(count / 4 / 8 / 2)
assert close(phases(updates)["policy update"]["time_ms"], 8 * updates["update"]["time_ms"])

# Optimizer states and parameters leave the GPU and come back, the reference only comes: at 50 GB/s.
offload = all_reports["offload"]
own = phases(offload)
assert own["offload"]["time_ms"] > 0 and close(own["offload"]["time_ms"], offload["offload_bytes"] / 50e9 * 1e3)
assert own["rollout"]["device_bytes"] < parts["rollout"]["device_bytes"]
assert own["reward"]["time_ms"] == 500
hours = offload["time_ms"] / 3.6e6
assert close(offload["money"], 8 * 2 * hours) and close(offload["co2e_kg"], offload["energy_j"] / 3.6e6 * 0.4)

# (V17) Separate GPUs: the same phases, overlapped or in turn, with waiting; more engines never take longer.
overlapped, turns, more = (all_reports[name] for name in ("overlapped", "turns", "more"))
assert overlapped["gpus"] == 16 and overlapped["lag"] == 1 and turns["lag"] == 0 and not overlapped["shared"]
assert close(phases(overlapped)["rollout"]["time_ms"], parts["rollout"]["time_ms"], 1e-3)
assert overlapped["time_ms"] < turns["time_ms"] and 0 < overlapped["waiting_energy_j"] < turns["waiting_energy_j"]
assert phases(more)["rollout"]["time_ms"] < phases(overlapped)["rollout"]["time_ms"]
assert more["rollout"]["engines"] == 16 and more["rollout"]["sequences"] == 32
# (V16) The broadcast to other nodes comes on top.
assert phases(overlapped)["weights"]["time_ms"] > parts["weights"]["time_ms"] > 0

# Pairs of given answers: no rollout and no new weights.
dpo = all_reports["dpo"]
assert set(phases(dpo)) == {"reference", "policy update"} and dpo["rollout_gpus"] == 0 and dpo["samples"] == 2
# A critic of the same size has the same passes; the reward model one.
ppo = phases(all_reports["ppo"])
assert set(ppo) == set(parts) | {"reward model", "values", "critic update"}
assert ppo["critic update"]["time_ms"] == ppo["policy update"]["time_ms"]
assert close(ppo["values"]["time_ms"], ppo["reward model"]["time_ms"])
assert ppo["policy update"]["device_bytes"] > parts["policy update"]["device_bytes"]

# Engines of two GPUs; a pipeline: the forward passes of 2 ranks take longer than a rank's part and less than the update.
pipeline = all_reports["pipeline"]
own = phases(pipeline)
assert pipeline["rollout"]["parallel"] == "tp2" and pipeline["rollout"]["engines"] == 4
assert 0.2 < own["reference"]["time_ms"] / own["policy update"]["time_ms"] < 0.45
