# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More clock is never slower, more batch never faster, more power never slower."""
from tool import MODELS, Case

SAMPLE = [("resnet50", "a100"), ("bert-base", "h100"), ("gpt2", "v100"), ("vit-large", "l4"), ("vgg16", "p4"),
          ("whisper-tiny", "b200"), ("efficientnet-b0", "t4"), ("llama-3-8b", "h200-fp8"), ("u-net", "p100")]
MODES = {"": [], "training": ["--mode=training"]}
STEPS = 4


def times(tool, flag, values, *flags):
    return [(value, tool.report(*flags, f"--{flag}={value}")["iteration"]["time_ms"]) for value in values]


def require_order(case, field, found, rising):
    for (a, before), (b, after) in zip(found, found[1:]):
        case.require(field, after >= before * (1 - 1e-6) if rising else after <= before * (1 + 1e-6),
                     f"{before} ms at {a}, {after} ms at {b}")


def cases(tool):
    for i, (name, target) in enumerate(SAMPLE):
        mode = list(MODES)[i % 2] if not target.endswith("fp8") else ""
        path, flags = MODELS / f"{name}.onnx", [f"--target={target}", *MODES[mode]]
        case = Case(" ".join(filter(None, [name, target, mode])))
        sizes = tool.sizes(path, batch=8)
        top = tool.report(path, *flags, *sizes, "--power-limit=10000")["iteration"]["clock_mhz"]
        limit = tool.report(path, *flags, *sizes)["iteration"]["power_limit_w"]
        clocks = [round(top * (0.5 + 0.5 * step / STEPS)) for step in range(STEPS)] + [int(top)]
        limits = [round(limit * (0.3 + 0.7 * step / STEPS)) for step in range(STEPS + 1)]
        require_order(case, "clock", times(tool, "clock", clocks, path, *flags, *sizes, "--power-limit=10000"), False)
        require_order(case, "power_limit", times(tool, "power-limit", limits, path, *flags, *sizes), False)
        length = [flag for flag in sizes if flag.startswith("--seq")]
        require_order(case, "batch", times(tool, "batch", [1, 2, 7, 8, 33, 64], path, *flags, *length), True)
        yield case
