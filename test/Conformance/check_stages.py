# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tiled program costs the same at each stage of upstream's GPU pipelines.

check_stages.py MLIR_OPT PLUGIN PROGRAM...

Each program is a function with transform scripts: @tile tiles it, @lower (optional) rewrites ops that
upstream cannot bufferize, @launch maps its loops to launches, and @vectors vectorizes it. stage_programs.py
writes those with several ops. Upstream's
passes lower it; the cost at each stage is compared with the tiled ops on tensors. The ops before tiling
are compared too, where tiling neither fuses them nor takes tensor cores from them. Prints stages that
differ and the number of stages by result.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

TOLERANCE = 0.1
# The library's convolution, as which the op is priced before tiling, is another program than a product of columns.
OTHER_PROGRAM = {("convolution-columns.mlir", "untiled"): 0.2}

TILE = "transform-interpreter{entry-point=tile}"
LOWER = "transform-interpreter{entry-point=lower}"
LAUNCH = "transform-interpreter{entry-point=launch}"
VECTORS = "transform-interpreter{entry-point=vectors}"
CLEAN = "canonicalize,cse"
BUFFERS = ("one-shot-bufferize{bufferize-function-boundaries=1 "
           "function-boundary-type-conversion=identity-layout-map}")
PARALLEL = "func.func(scf-forall-to-parallel)"

# Upstream maps loops without a mapping, the outermost ones to workgroups.
UNMAPPED = "unmapped"
MAP = "func.func(gpu-map-parallel-loops)"
CONVERT = "convert-parallel-loops-to-gpu"
OUTLINE = "gpu-kernel-outlining"
LOOPS = "convert-linalg-to-loops"

STAGES = {
    "tiled": [TILE],
    "untiled": [],
    "canonical": [TILE, CLEAN],
    "generalized": [TILE, "linalg-generalize-named-ops", CLEAN],
    "without unit dims": [TILE, "linalg-fold-unit-extent-dims"],
    "bufferized": [TILE, LOWER, BUFFERS],
    "bufferized canonical": [TILE, LOWER, BUFFERS, CLEAN],
    "parallel": [TILE, LOWER, BUFFERS, PARALLEL],
    "parallel canonical": [TILE, LOWER, BUFFERS, PARALLEL, CLEAN],
    "mapped": [UNMAPPED, TILE, LOWER, BUFFERS, PARALLEL, MAP],
    "converted": [UNMAPPED, TILE, LOWER, BUFFERS, CLEAN, PARALLEL, MAP, CONVERT],
    "converted canonical": [UNMAPPED, TILE, LOWER, BUFFERS, PARALLEL, MAP, CONVERT, CLEAN],
    "launch": [TILE, LOWER, BUFFERS, LAUNCH],
    "launch canonical": [TILE, LOWER, BUFFERS, LAUNCH, CLEAN],
    "launch outlined": [TILE, LOWER, BUFFERS, LAUNCH, CLEAN, OUTLINE],
    "loops": [TILE, LOWER, BUFFERS, LOOPS],
    "affine loops": [TILE, LOWER, BUFFERS, CLEAN, "convert-linalg-to-affine-loops", CLEAN],
    "launch loops": [TILE, LOWER, BUFFERS, LAUNCH, LOOPS, CLEAN, OUTLINE],
    "vectors": [TILE, LOWER, VECTORS],
    "vectors canonical": [TILE, LOWER, VECTORS, CLEAN],
    "vectors bufferized": [TILE, LOWER, VECTORS, BUFFERS],
    "vectors launch": [TILE, LOWER, VECTORS, BUFFERS, LAUNCH, CLEAN],
    "vectors hoisted": [TILE, LOWER, VECTORS, "loop-invariant-code-motion", "loop-invariant-subset-hoisting", CLEAN],
    "vectors converted": [UNMAPPED, TILE, LOWER, VECTORS, BUFFERS, PARALLEL, MAP, CONVERT, CLEAN],
}


def run(tool, plugin, path, stage):
    """Coverage, microseconds, launches and reason of the function; None if a pass of upstream fails."""
    with open(path, encoding="utf-8") as file:
        program = file.read()
    steps = [step for step in STAGES[stage] if step != LOWER or "@lower(" in program]
    if UNMAPPED in steps:
        steps.remove(UNMAPPED)
        program = re.sub(r" \(mapping = \[#gpu.block[^)]*\)", "", program)
    passes = ",".join([*steps, "gpucost-annotate{target=h100-bf16 runtime=as-written}"])
    result = subprocess.run(
        [tool, f"--load-dialect-plugin={plugin}", f"--pass-pipeline=builtin.module({passes})", "-"],
        input=program, text=True, capture_output=True, timeout=300)
    found = re.search(r"func\.func @main.*?coverage = (\w+), time = ([\d.]+) (\w+)(.*)", result.stdout)
    if result.returncode or not found:
        return None, 0, 0, result.stderr.strip().split("\n")[0]
    scale = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[found[3]]
    reason = re.search(r'reason = "([^"]*)"', found[4])
    launches = int(re.search(r"launches = (\d+)", found[4])[1])
    if stage == "untiled" and "#gpu.thread" in program:
        launches = 0
    return found[1], float(found[2]) * scale, launches, reason[1] if reason else ""


def main():
    tool, plugin, *programs = sys.argv[1:]
    jobs = [(path, name) for path in programs for name in STAGES]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(jobs, pool.map(
            lambda job: run(tool, plugin, *job), jobs)))
    equal = bounds = wrong = 0
    for (path, name), (coverage, time, launches, reason) in results.items():
        _, expected, tiled_launches, _ = results[path, "tiled"]
        if name == "tiled" and coverage == "modelled" or name == "untiled" and launches != tiled_launches:
            continue
        where = f"{os.path.basename(path)}, {name}"
        tolerance = OTHER_PROGRAM.get((os.path.basename(path), name), TOLERANCE)
        if coverage == "modelled" and abs(time / expected - 1) <= tolerance:
            equal += 1
        elif coverage == "fallback" and reason and time <= expected:
            bounds += 1
            print(f"{where}: at least {time:.2f} us: {reason}")
        else:
            wrong += 1
            print(f"{where}: {coverage}, {time:.2f} us instead of {expected:.2f} us {reason}")
    print(f"{equal + bounds + wrong} stages, {equal} equal, {bounds} bounds, {wrong} wrong")


if __name__ == "__main__":
    main()
