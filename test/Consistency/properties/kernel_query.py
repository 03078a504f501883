# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--kernel` predicts the same for a kernel as the report for a model that consists of this kernel."""
import json

from tool import INPUTS, Case, layout_flags

SETTINGS = {"": (), "0.6 of the clock": ("clock", 0.6)}
TARGETS = ["a100-bf16", "a100-fp32", "h100-bf16", "l4-fp16", "v100-fp16", "p100-fp32"]


def flags_of(tool, target, setting):
    """A fraction of the highest clock or power limit, as flags."""
    if not setting:
        return []
    kind, share = setting
    report = tool.report(INPUTS / "one-op.mlir", "--entry=add", f"--target={target}")
    if kind == "clock":
        return [f"--clock={round(report['iteration']['clock_mhz'] * share)}"]
    return [f"--power-limit={round(report['iteration']['power_limit_w'] * share)}"]


def cases(tool, settings=SETTINGS):
    for target in TARGETS:
        for name, setting in settings.items():
            flags = [f"--target={target}", *flags_of(tool, target, setting)]
            queries = (INPUTS / "one-op.csv").read_text().splitlines()
            # Without tensor cores attention is several kernels.
            text = "\n".join(row for row in queries if not (row.startswith("attention") and target.endswith("fp32")))
            for answer in json.loads(tool.run("--kernels=-", "--report=json", *flags, stdin=text + "\n")):
                yield compare(tool, answer, flags, " ".join(filter(None, [answer["id"], target, name])))


def compare(tool, answer, flags, condition):
    # Without gaps and host the iteration consists of only this kernel.
    report = tool.report(INPUTS / "one-op.mlir", f"--entry={answer['id']}", "--runtime=cudagraph",
                         *layout_flags(flags[0]), *flags)
    case, rows, iteration = Case(condition), report["kernels"], report["iteration"]
    if len(rows) != 1 or rows[0]["count"] != 1:
        case.require("kernels", False, f"{len(rows)} rows")
        return case
    row = rows[0]
    for field in ("time_us", "power_w", "energy_j", "tile", "split_k", "waves", "bound", "bytes", "in_calibrated_domain",
                  "time_low_us", "time_high_us"):
        case.require_equal(field, answer[field], row[field])
    for field in ("clock_mhz", "throttled", "power_limit_unreachable"):
        case.require_equal(field, answer[field], iteration[field])
    case.require_equal("iteration_time", row["time_us"], iteration["time_ms"] * 1e3)
    case.require_equal("iteration_energy", row["energy_j"], iteration["energy_j"])
    return case
