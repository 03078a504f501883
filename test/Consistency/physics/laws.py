# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Laws for one report: sums, energy, and floors of bandwidth, DRAM traffic and FLOPs."""
from physics import closed_forms, sums

# Sums of rounded numbers.
NEAR = 1e-5


def check_sums(world, case, configuration, report):
    sums.compare(case, report, world.kernel_gap(configuration, report))


def check_power(world, case, configuration, report):
    if report["iteration"]["power_limit_unreachable"]:
        return
    limit = report["iteration"]["power_limit_w"] * (1 + NEAR)
    for part in report["phases"]:
        case.require("phase_power", (part["avg_power_w"] or 0) <= limit, f"{part['phase']}: {part['avg_power_w']} W")
    highest = max((row["power_w"] for row in report["kernels"]), default=0)
    case.require("kernel_power", highest <= limit, f"{highest} W of {limit} W")


def check_floors(world, case, configuration, report):
    now = report["iteration"]
    seconds = now["time_ms"] * 1e-3
    dram = now["dram_bytes"] / now["dram_bandwidth_bytes_per_s"]
    case.require("bandwidth_floor", seconds >= dram * (1 - NEAR), f"{seconds} s, {dram} s of DRAM traffic")
    clock = now["clock_mhz"] / configuration.gpu.max_clock
    case.require("flop_floor", world.permits("flop_floor", now["mfu"] / clock, configuration, report),
                 f"MFU {now['mfu']} at {clock} of the clock")
    # The report states the peak of one format.
    peak = now["peak_flops_per_s"] * clock
    rates = {row["matrix_flops"] / (row["time_us"] * 1e-6): row for row in report["kernels"]
             if row["format"] == now["matrix_format"] and row["time_us"]}
    if rates:
        case.require("kernel_flop_floor", world.permits("flop_floor", max(rates) / peak, configuration, report),
                     f"{rates[max(rates)]['shape']}: {max(rates)} of {peak} FLOP/s")


def check_dram(world, case, configuration, report):
    """Parameters, caches and inputs that do not fit in L2 are read from DRAM."""
    now, network = report["iteration"], configuration.network
    # Lookup tables stay in 16 bit if matmuls have 8 or 4.
    width = 2 if configuration.quantised else now["parameter_bytes"] / max(now["parameter_count"], 1)
    parameters = now["parameter_bytes"] - network.lookup_elements * width
    shards = configuration.get("gpus") if configuration.tensor_parallel else 1
    read = max(parameters, 0) + network.input_bytes(configuration) / shards
    least = read - configuration.gpu.l2_bytes
    case.require("dram_floor", now["dram_bytes"] >= least * (1 - NEAR),
                 f"{now['dram_bytes']} of at least {least} B")


def check_flops(world, case, configuration, report):
    expected = closed_forms.flops(configuration, report)
    if expected is not None:
        case.require_equal("closed_form", report["iteration"]["matrix_flops"], expected, 0)


def check_intervals(world, case, configuration, report):
    now = report["iteration"]
    for name in ("time_ms", "energy_j", "avg_power_w"):
        stem, unit = name.rsplit("_", 1)
        low, high = now[f"{stem}_low_{unit}"], now[f"{stem}_high_{unit}"]
        if low is not None:
            case.require(f"{stem}_interval", low <= now[name] * (1 + NEAR) and now[name] <= high * (1 + NEAR),
                         f"{low} to {high} around {now[name]}")


# Every report must satisfy these.
LAWS = [check_sums, check_power, check_floors, check_dram, check_flops, check_intervals]
