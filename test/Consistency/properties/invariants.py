# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Physics that holds for every model, target and setting, on a seeded sample.

A step up in batch or sequence is never faster and never smaller, a lower clock or power limit never faster; graphs and
compiled code are never slower than eager execution; no kernel, phase or iteration draws more than the limit; time is
at least that of the matrix FLOPs at the peak and of the DRAM bytes at the bandwidth; DRAM gives at least what L2 cannot
keep of the parameters."""
import random
import re

from tool import MODELS, Case, models

SAMPLE = 90
ROOT = MODELS.parent
# Sums of rounded numbers.
NEAR = 1e-5


def l2_bytes(name):
    text = (ROOT / "targets" / f"{name}.mlir").read_text()
    return float(re.search(r"l2_capacity = ([\d.]+) MiB", text)[1]) * 2**20


def cases(tool):
    draw = random.Random(14)
    targets = [f"{name}-{kind}" for name, kinds in tool.targets().items() for kind in kinds]
    paths = models()
    seen = set()
    while len(seen) < SAMPLE:
        path, target = draw.choice(paths), draw.choice(targets)
        training = draw.random() < 0.3 and not target.endswith(("fp8", "int8"))
        batch, length = draw.choice([1, 2, 3, 8, 16]), draw.choice([64, 128, 256])
        key = (path.stem, target, training)
        if key in seen or path.stat().st_size > 2_000_000:
            continue
        seen.add(key)
        mode = ["--mode=training"] if training else []
        yield check(tool, Case(" ".join([path.stem, target, *mode])), path, [f"--target={target}", *mode], batch, length)


def check(tool, case, path, flags, batch, length):
    def run(*more, batch=batch, length=length):
        return tool.report(path, *flags, *tool.sizes(path, batch=batch, length=length), *more)

    base = run()
    now = base["iteration"]

    def require(field, holds, text):
        case.require(field, holds, text)

    def slower(field, other, than=now, slack=1e-6):
        a, b = than["time_ms"], other["iteration"]["time_ms"]
        require(field, b >= a * (1 - slack), f"{a} ms, then {b} ms")

    larger = run(batch=2 * batch)
    if tool.sizes(path, batch=7) != tool.sizes(path, batch=8):
        slower("batch", larger)
        require("memory_batch", larger["iteration"]["peak_memory_bytes"] >= now["peak_memory_bytes"], "less memory")
    if any(size.startswith("--seq") for size in tool.sizes(path)):
        longer = run(length=2 * length)
        slower("sequence", longer)
        require("memory_sequence", longer["iteration"]["peak_memory_bytes"] >= now["peak_memory_bytes"], "less memory")
    slower("clock", run(f"--clock={int(now['clock_mhz'] * 0.8)}"))
    slower("power_limit", run(f"--power-limit={int(now['power_limit_w'] * 0.7)}"))
    for runtime in ("cudagraph", "compiled"):
        other = run(f"--runtime={runtime}")["iteration"]
        # At the power limit shorter gaps are more power: the next clock of the grid may cost more than the gaps.
        slack = now["clock_mhz"] / other["clock_mhz"] if other["throttled"] else 1
        require(runtime, other["time_ms"] <= now["time_ms"] * slack * (1 + 1e-6),
                f"{now['time_ms']} ms eager, {other['time_ms']} ms")

    limit = now["power_limit_w"] * (1 + NEAR)
    require("power", now["avg_power_w"] <= limit, f"{now['avg_power_w']} W")
    for part in base["phases"]:
        require("phase_power", (part["avg_power_w"] or 0) <= limit, f"{part['avg_power_w']} W")
    for row in base["kernels"]:
        require("kernel_power", row["power_w"] <= limit, f"{row['label']}: {row['power_w']} W")
    seconds = now["time_ms"] * 1e-3
    dram = now["dram_bytes"] / now["dram_bandwidth_bytes_per_s"]
    require("dram_floor", seconds >= dram * (1 - NEAR), f"{seconds} s, {dram} s of DRAM traffic")
    # Winograd's F(4x4, 3x3) in fp32 multiplies 4 times less often than the convolution whose FLOPs count.
    winograd = any(row["family"] == "convolution" and row["format"] == "fp32" for row in base["kernels"])
    require("mfu", now["mfu"] <= (4 if winograd else 1), f"MFU {now['mfu']}")
    # Of a table only some rows are read.
    if not any(row["family"] == "embedding" for row in base["kernels"]):
        least = now["parameter_bytes"] - l2_bytes(base["target"])
        require("dram_bytes", now["dram_bytes"] >= least, f"{now['dram_bytes']} of at least {least} B")
    return case
