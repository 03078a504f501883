# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpucost-analyze{...}` in a stock mlir-opt predicts the same as the tool."""
from tool import MODELS, Case, attribute, models

# Options of the pipeline; each is the tool's flag of the same name.
SETTINGS = [
    "", "clock=600", "power-limit=60", "runtime=cudagraph", "runtime=compiled", "attention=flash",
    "attention=eager", "precision-mode=as-is", "channels-last=true", "host-launch-us=30",
    "mode=training", "mode=training gpus=8", "mode=training gpus=4 parallel=fsdp",
    "mode=training gpus=2 parallel=tp", "mode=training optimizer=sgd-momentum grad-accum=4",
    "mode=training precision-mode=cast recompute=full", "mode=training optimizer-variant=fused clip-grad-norm=true",
    "mode=training gpus=16 nodes=2 network=100:5",
]
TARGETS = ["a100", "h100-fp16", "l4", "v100", "p4", "b200-fp8"]


def cases(tool):
    inputs = models(every=3)
    for i, setting in enumerate(SETTINGS):
        path, target = inputs[i % len(inputs)], TARGETS[i % len(TARGETS)]
        if "training" in setting:
            target = target.removesuffix("-fp8")
        if "parallel=tp" in setting:
            path = MODELS / "gpt2-large.onnx"
        yield compare(tool, path, target, setting, tool.sizes(path))
    for path in sorted(MODELS.glob("linalg-*.mlir")):
        yield compare(tool, path, "a100-tf32", "", [])


def compare(tool, path, target, setting, sizes):
    if "runtime" not in setting:  # The defaults differ.
        setting = f"{setting} runtime=eager".strip()
    case = Case(" ".join(filter(None, [path.stem, target, setting])))
    flags = [f"--{option.removesuffix('=true')}" for option in setting.split()]
    imported = path.read_text() if path.suffix == ".mlir" else tool.run(path, "--emit=imported-ir")
    mine = tool.run(path, f"--target={target}", "--emit=ir", *sizes, *flags)
    options = [f"target={target}", *(size.removeprefix("--") for size in sizes), *setting.split()]
    theirs = tool.analyze_in_mlir_opt(imported, " ".join(options))
    (a,), (b,) = attribute(mine, "gpucost.summary"), attribute(theirs, "gpucost.summary")
    for field in sorted(a.keys() | b.keys()):
        case.require_equal(field, a.get(field), b.get(field))
    return case
