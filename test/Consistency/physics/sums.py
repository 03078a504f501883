# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Energy is power x time; kernels and gaps make the busy time; phases make the iteration."""
import re

# (H3) A note counts the waits of the host; each adds a copy of a few us to the busy time.
WAITS = re.compile(r"the host waits (?:once|(\d+) times)")
COPY_MS = 1e-2


def waits(report):
    return sum(int(found[1] or 1) for note in report["notes"] if (found := WAITS.match(note)))


def compare(case, report, gap):
    iteration, phases, kernels = report["iteration"], report["phases"], report["kernels"]
    # Sums of rounded numbers.
    near = 3e-6

    def power_times_time(field, part, unit):
        case.require_equal(field, part["energy_j"], part.get("avg_power_w", part.get("power_w", 0)) *
                           part.get("time_ms", part.get("time_us", 0)) * unit, near)

    power_times_time("iteration_energy", iteration, 1e-3)
    for phase in phases:
        # (N4) The time of collectives is only their exposed part: they have no average power.
        if phase["phase"] == "communication":
            case.require("communication_power", phase["avg_power_w"] is None, str(phase["avg_power_w"]))
        else:
            power_times_time("phase_energy", phase, 1e-3)
    for row in kernels:
        power_times_time("kernel_energy", row, 1e-6)
        case.require_equal("kernel_total", row["total_us"], row["count"] * row["time_us"], near)

    # Communication overlaps the kernels: it has a separate busy time.
    for name in ("time_ms", "energy_j", "host_ms"):
        case.require_equal(f"phases_{name}", sum(phase[name] for phase in phases), iteration[name], near)
    case.require_equal("phases_flops", sum(phase["flops"] for phase in phases), iteration["flops"])
    case.require_equal("phases_bytes", sum(phase["bytes"] for phase in phases), iteration["compulsory_bytes"])
    copies, most = 0, waits(report) * (COPY_MS + gap * 1e3)
    for phase in phases:
        rows = [row for row in kernels if row["phase"] == phase["phase"]]
        case.require_equal("phase_kernels", sum(row["count"] for row in rows), phase["kernels"])
        for name in ("flops", "bytes"):
            case.require_equal(f"phase_{name}", sum(row["count"] * row[name] for row in rows), phase[name])
        busy = sum(row["count"] * (row["time_us"] * 1e-3 + gap * 1e3) for row in rows)
        if not most:
            case.require_equal("phase_busy", busy, phase["gpu_busy_ms"], near)
        copies += phase["gpu_busy_ms"] - busy
        case.require_equal("phase_kernel_ms", sum(row["total_us"] * 1e-3 for row in rows), phase["kernel_ms"], near)
        case.require_equal("phase_gaps", phase["kernel_ms"] + phase["gap_ms"], phase["gpu_busy_ms"], near)
        # (H4) Exposed communication is at most all communication.
        if phase["phase"] == "communication":
            case.require("exposed", phase["time_ms"] <= phase["gpu_busy_ms"] * (1 + near), f"{phase['time_ms']} ms")
            case.require_equal("exposed_communication", phase["time_ms"], iteration["exposed_communication_ms"])
            case.require_equal("communication", phase["gpu_busy_ms"], iteration["communication_ms"])
        else:
            case.require_equal("phase_time", phase["gpu_busy_ms"] + phase["host_wait_ms"], phase["time_ms"], near)
    rounded = near * iteration["time_ms"]
    case.require("copies", -rounded <= copies <= most + rounded, f"{copies} ms, at most {most}")
    computing = [phase for phase in phases if phase["phase"] != "communication"]
    for name in ("kernel_ms", "gap_ms", "host_wait_ms"):
        case.require_equal(name, sum(phase[name] for phase in computing), iteration[name], near)
    case.require_equal("parts", sum(iteration[f"{part}_ms"] for part in
                                    ("kernel", "gap", "host_wait", "exposed_communication")), iteration["time_ms"], near)
    case.require_equal("busy", sum(phase["gpu_busy_ms"] for phase in computing), iteration["gpu_busy_ms"], near)
    case.require("time", iteration["time_ms"] >= max(iteration["gpu_busy_ms"], iteration["host_ms"]) * (1 - near),
                 f"{iteration['time_ms']} ms")
    case.require("power", iteration["power_limit_unreachable"] or
                 iteration["avg_power_w"] <= iteration["power_limit_w"] * (1 + near),
                 f"{iteration['avg_power_w']} W of {iteration['power_limit_w']} W")
    for name in ("bound_fractions", "family_fractions"):
        if kernels:
            case.require_equal(name, sum(iteration[name].values()), 1, near)
    case.require_equal("memory", sum(iteration[f"{part}_bytes"] for part in
                                     ("parameter", "activation", "gradient", "optimizer", "workspace")),
                       iteration["peak_memory_bytes"])
    return case
