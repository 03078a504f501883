# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradient accumulation: a pass is never longer than without it, and the one all-reduce of DDP stays hidden."""
import random

from tool import MODELS, Case

NETWORKS = [("mpt-350m", 512), ("mpt-1b", 2048), ("bert-large", 128), ("gpt2", 512), ("resnet50", None),
            ("vit-large", None), ("llama-3-8b", 2048)]
TARGETS = ["a100", "h100", "a10", "a100-pcie-80gb"]
PLANS = ["", "ddp", "fsdp", "tp", "tp2.dp4"]
SAMPLE = 12
COUNTS = [1, 2, 4, 8]
# One kernel per parameter adds to the sum. Without FSDP the update that a pass saves takes longer; of its eighth on
# each GPU of FSDP that need not be so: 161 kernels of a small network are 6 % of a pass.
SLACK = {"fsdp": 1.07}


def cases(tool):
    every = [(network, target, plan) for network in NETWORKS for target in TARGETS for plan in PLANS
             if not (plan.startswith("tp") and network[0] in ("resnet50", "gpt2"))]
    fixed = [(("llama-3-8b", 2048), "a100-pcie-80gb", "ddp"), (("mpt-350m", 512), "a10", "ddp"),
             (("mpt-350m", 512), "a100-pcie-80gb", "fsdp")]
    for (name, length), target, plan in fixed + random.Random(7).sample(every, SAMPLE):
        flags = [MODELS / f"{name}.onnx", f"--target={target}", "--mode=training", "--batch=8",
                 *([f"--seq={length}"] if length else []),
                 *(["--gpus=8", f"--parallel={plan}"] if plan else [])]
        case = Case(" ".join(filter(None, [name, target, plan])))
        found = [tool.report(*flags, f"--grad-accum={count}")["iteration"] for count in COUNTS]
        times = [step["time_ms"] / count for step, count in zip(found, COUNTS)]
        exposed = [step["exposed_communication_ms"] for step in found]
        slack = SLACK.get(plan, 1.002)
        case.require("time", all(time <= times[0] * slack for time in times), f"{times} ms for each pass")
        # Passes of FSDP and tensor parallelism communicate alike; DDP once.
        repeats = COUNTS if plan not in ("", "ddp") else [1] * len(COUNTS)
        case.require("exposed", all(step <= exposed[0] * count * 1.05 + 0.05 for step, count in zip(exposed, repeats)),
                     f"{exposed} ms")
        yield case
