# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Laws of the reports of pipelines: check_pipeline.py TOOL MODEL"""
import json
import subprocess
import sys

tool, model = sys.argv[1:3]
FAULTS = []


def report(*flags):
    command = [tool, model, "--target=a100", "--seq=64", "--report=json", *flags]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def check(holds, text):
    if not holds:
        FAULTS.append(text)


def near(a, b, what, tolerance=1e-9):
    check(abs(a - b) <= tolerance * max(abs(a), abs(b)), f"{what}: {a} is not {b}")


TRAINING = ["--mode=training", "--micro-batch=2", "--optimizer=none"]
WHOLE = report(*TRAINING, "--grad-accum=8")

check("pipeline" not in WHOLE, "a report without stages has no pipeline")

for schedule, more in [("gpipe", []), ("1f1b", []), ("interleaved", []), ("zb-h1", []), ("zb-v", [])]:
    run = report(*TRAINING, "--parallel=pp4" if schedule != "zb-v" else "--parallel=pp2", "--global-batch=16",
                 f"--schedule={schedule}", *more)
    pipeline = run["pipeline"]
    stages, ranks = pipeline["stages"], pipeline["ranks"]
    # The matrix work of the stages is the model's.
    near(sum(s["matrix_flops"] for s in stages), WHOLE["iteration"]["matrix_flops"], schedule + " FLOPs", 0)
    check(sum(s["layers"] for s in stages) == 12, schedule + ": layers")
    check(pipeline["bubble"] >= 0, schedule + ": bubble")
    check(pipeline["micro_batches"] == 8, schedule + ": micro-batches")
    check(run["iteration"]["samples"] == 16, schedule + ": samples")
    check(pipeline["unseen"] == (schedule not in ("1f1b", "interleaved")), schedule + ": unseen")
    check(run["iteration"]["time_low_ms"] is None, schedule + ": an interval without measurements")
    time = run["iteration"]["time_ms"]
    for rank in ranks:
        near(rank["busy_ms"] + rank["transfer_ms"] + rank["waiting_ms"], time, schedule + ": time of a rank", 1e-6)
    near(sum(r["energy_j"] for r in ranks) / len(ranks), run["iteration"]["energy_j"], schedule + ": energy", 1e-6)
    check(max(r["device_bytes"] for r in ranks) == run["iteration"]["device_bytes"], schedule + ": memory")
    for stage in stages:
        passes = 8 * (stage["forward_ms"] + stage["backward_ms"] + stage["weights_ms"]) + stage["tail_ms"]
        check(passes > 0 and passes <= time, schedule + ": passes of a stage")
    check((schedule[:2] == "zb") == any(s["weights_ms"] > 0 for s in stages), schedule + ": separate weights")

# 1F1B keeps 4, 3, 2 and 1 micro-batches, GPipe all of them.
ONE = report(*TRAINING, "--parallel=pp4", "--global-batch=16")["pipeline"]
check([r["micro_batches_in_flight"] for r in ONE["ranks"]] == [4, 3, 2, 1], "in flight, 1f1b")
ALL = report(*TRAINING, "--parallel=pp4", "--global-batch=16", "--schedule=gpipe")["pipeline"]
check([r["micro_batches_in_flight"] for r in ALL["ranks"]] == [8] * 4, "in flight, gpipe")
FIRST = [p["ranks"][0]["peak_memory_bytes"] - p["stages"][0]["saved_bytes"] * n for p, n in [(ONE, 4), (ALL, 8)]]
check(FIRST[0] == FIRST[1], f"memory of rank 0 without saved activations: {FIRST}")

# A pipeline of one rank changes nothing.
BOTH = [report(*TRAINING, f"--parallel={plan}", "--grad-accum=2") for plan in ("dp2", "pp1.dp2")]
check(BOTH[0] == BOTH[1] and "pipeline" not in BOTH[1], "pp1.dp2 is dp2")

# Schedules: GPipe waits as long as 1F1B (but for transfers) and keeps more; more stages on a rank wait less.
SLOTS = {s: report(*TRAINING, "--parallel=pp2", "--global-batch=16", f"--schedule={s}")
         for s in ("gpipe", "1f1b", "interleaved")}
near(SLOTS["gpipe"]["iteration"]["time_ms"], SLOTS["1f1b"]["iteration"]["time_ms"], "time of gpipe", 0.01)
check(SLOTS["gpipe"]["iteration"]["peak_memory_bytes"] > SLOTS["1f1b"]["iteration"]["peak_memory_bytes"],
      "memory of gpipe")
check(SLOTS["interleaved"]["pipeline"]["bubble"] < SLOTS["1f1b"]["pipeline"]["bubble"], "bubble of interleaved")

# Memory grows with the micro-batch; time falls with the bandwidth.
SIZES = [report("--mode=training", f"--micro-batch={b}", "--parallel=pp4", f"--global-batch={b * 8}")
         ["iteration"]["peak_memory_bytes"] for b in (1, 2, 4)]
check(SIZES == sorted(SIZES) and SIZES[0] < SIZES[-1], f"memory by micro-batch: {SIZES}")
TIMES = [report(*TRAINING, "--parallel=pp4", "--global-batch=16", f"--interconnect=mine:{g}:2")
         ["iteration"]["time_ms"] for g in (10, 100, 1000)]
check(TIMES == sorted(TIMES, reverse=True) and TIMES[0] > TIMES[-1], f"time by bandwidth: {TIMES}")

# A stage alone has the same kernels and no waiting.
ALONE = report(*TRAINING, "--parallel=pp4", "--global-batch=16", "--select-stage=1")
check("pipeline" not in ALONE, "a stage alone has no pipeline")
STAGE = ONE["stages"][1]
near(ALONE["iteration"]["matrix_flops"], STAGE["matrix_flops"], "FLOPs of a stage", 0)
near(ALONE["iteration"]["time_ms"], 8 * (STAGE["forward_ms"] + STAGE["backward_ms"]) + STAGE["tail_ms"],
     "time of a stage", 1e-6)

# Energy includes that of waiting: between 20 W and 400 W.
RANK = ONE["ranks"][1]
IDLE = (RANK["energy_j"] - ALONE["iteration"]["energy_j"]) / (RANK["waiting_ms"] + RANK["transfer_ms"]) * 1e3
check(20 < IDLE < 400, f"power while waiting: {IDLE} W")

# Transfers that block the rank are communication that is not hidden.
near(report(*TRAINING, "--parallel=pp4", "--global-batch=16")["iteration"]["exposed_communication_ms"],
     ONE["ranks"][ONE["reported_stage"]]["transfer_ms"], "exposed transfers", 1e-6)

# Inference: the slowest stage sets the pace.
INFER = report("--micro-batch=2", "--parallel=pp4", "--global-batch=16")
LINE = INFER["pipeline"]
SLOWEST = max(s["forward_ms"] for s in LINE["stages"])
TOTAL = sum(s["forward_ms"] + s["send_forward_ms"] for s in LINE["stages"])
near(INFER["iteration"]["time_ms"], TOTAL + 7 * SLOWEST, "inference", 0.05)
near(sum(s["matrix_flops"] for s in LINE["stages"]),
     8 * report("--batch=2")["iteration"]["matrix_flops"], "FLOPs, inference", 0)

# With tensor and data parallelism, on two nodes.
WIDE = report(*TRAINING, "--parallel=tp2.pp2.dp4", "--global-batch=64", "--nodes=2", "--network=100:5")
check(WIDE["iteration"]["world_size"] == 16 and WIDE["iteration"]["samples"] == 64, "tp2.pp2.dp4")
check(WIDE["pipeline"]["stages"][0]["send_forward_ms"] >
      report(*TRAINING, "--parallel=tp2.pp2.dp2", "--global-batch=32")["pipeline"]["stages"][0]["send_forward_ms"],
      "transfers between nodes take longer")

print("\n".join(FAULTS) if FAULTS else "all laws hold")
