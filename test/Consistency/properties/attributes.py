# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report prints the values of the module's attributes."""
import math

from tool import DIGITS, Case, attribute, models, quantity

SETTINGS = [[], ["--power-limit=60"], ["--mode=training"], ["--mode=training", "--gpus=8"],
            ["--runtime=cudagraph"], ["--clock=600"]]
TARGETS = ["a100", "h100-fp8", "l4", "v100", "p4", "t4-fp16", "b200"]
# Summary field -> report field and its unit.
TOTALS = {"time": ("time_ms", 1e-3), "gpu_busy": ("gpu_busy_ms", 1e-3), "host": ("host_ms", 1e-3),
          "energy": ("energy_j", 1), "average_power": ("avg_power_w", 1), "clock": ("clock_mhz", 1e6),
          "kernels": ("launches", 1), "flops": ("matrix_flops", 1), "dram_bytes": ("dram_bytes", 1),
          "peak_memory": ("peak_memory_bytes", 1), "mfu": ("mfu", 1)}
PHASE = {"time": ("time_ms", 1e-3), "gpu_busy": ("gpu_busy_ms", 1e-3), "host": ("host_ms", 1e-3),
         "energy": ("energy_j", 1), "kernels": ("kernels", 1), "flops": ("flops", 1), "bytes": ("bytes", 1)}


def cases(tool):
    for i, path in enumerate(models(every=4)):
        setting, target = SETTINGS[i % len(SETTINGS)], TARGETS[i % len(TARGETS)]
        if "--mode=training" in setting and target.endswith("fp8"):
            target = "h100-bf16"
        flags = [path, f"--target={target}", *tool.sizes(path), *setting]
        yield compare(Case(" ".join([path.stem, target, *setting])), tool.report(*flags),
                      tool.run(*flags, "--emit=ir"))


def compare(case, report, module):
    (summary,) = attribute(module, "gpucost.summary")
    for field, (name, unit) in TOTALS.items():
        held, shown = quantity(summary.get(field, "0")), report["iteration"][name] * unit
        # The attribute has whole bytes.
        case.require_equal(name, held, int(shown) if field == "dram_bytes" and shown < 1e6 else shown)
    case.require_equal("throttled", summary.get("throttled", "false") == "true", report["iteration"]["throttled"])
    phases = attribute("phase = #gpucost.phase" + summary["phases"].replace("<phase", ", phase = #gpucost.phase<phase"),
                       "phase")
    case.require_equal("phases", [phase["phase"] for phase in phases], [phase["phase"] for phase in report["phases"]])
    for phase, printed in zip(phases, report["phases"]):
        for field, (name, unit) in PHASE.items():
            case.require_equal(f"phase_{name}", quantity(phase.get(field, "0")), printed[name] * unit)
    case.differences.update(compare_kernels(report, module))
    return case


def compare_kernels(report, module):
    """Every launch by its time and energy; a row of the report represents equal launches."""
    shown = [(row["time_us"] * 1e-6, row["energy_j"], row["count"]) for row in report["kernels"]]
    held = []
    for line in module.splitlines():
        if " gpucost.kernel " in line and " time = #gpucost.time<" in line:
            (time,), (power,) = attribute(line, "time"), attribute(line, "power")
            count = int(line.split("{count = ")[1].split(" ")[0]) if "{count = " in line else 1
            held.append((quantity(time["total"]), quantity(power["energy"]), count))
    # Launches with one time and energy may be several rows.
    # Launches that differ in the last digits printed may be one row.
    near_digits = 5 * DIGITS
    groups = []
    for sign, launches in ((1, held), (-1, shown)):
        for time, energy, count in launches:
            near = [group for group in groups if math.isclose(group[0], time, rel_tol=near_digits)
                    and math.isclose(group[1], energy, rel_tol=near_digits)]
            if near:
                # Neighbours may be as near as the digits of the report.
                min(near, key=lambda group: abs(group[0] - time) / time + abs(group[1] - energy) / energy)[2] += sign * count
            else:
                groups.append([time, energy, sign * count])
    left = [f"{count:+d} of {time} s, {energy} J" for time, energy, count in groups if count]
    return {"kernels": f"attributes less report: {'; '.join(left)}"} if left else {}
