# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions to laws and orders, with the reason. The full run prints how often each was needed."""
import dataclasses
import re

from physics.configurations import BATCH


@dataclasses.dataclass
class Allowed:
    """`factor(world, configuration, *reports)` is how far each of `what` may be passed; 1 where the reason does not
    apply."""
    what: tuple
    reason: str
    factor: object
    used: int = 0


def winograd(world, configuration, report):
    return 4 if any(row["family"] == "convolution" and row["format"] == "fp32" for row in report["kernels"]) else 1


def wide_attention(world, configuration, report):
    """A100 has the widest gap: 156 / 3 TFLOP/s of TF32 over 19.5 are 2.7."""
    return 3 if any(row["family"] == "attention" and row["format"] == "fp32" for row in report["kernels"]) else 1


def lower_clock(power):
    def factor(world, configuration, before, after):
        a, b = before["iteration"], after["iteration"]
        return max(1, a["clock_mhz"] / b["clock_mhz"])**power if b["throttled"] else 1
    return factor


def below_full_clock(world, configuration, before, after):
    """t(1) of the one is at most t(1) of the other, and no time grows by more than the clock falls."""
    return configuration.gpu.max_clock / before["iteration"]["clock_mhz"]


def time_of(report, family):
    return sum(row["total_us"] for row in report["kernels"] if row["family"] == family) * 1e-3


def whole_splits(world, configuration, before, after):
    """At least two blocks a split: three instead of two and a bit are a third more."""
    share = time_of(before, "attention") / before["iteration"]["gpu_busy_ms"]
    return 1 / (1 - share / 3)


def idle_sms(world, configuration, before, after):
    """The time that fused attention would save on all SMs."""
    idle = sum(row["total_us"] * (1 - row["sm_utilization"]) for row in after["kernels"]
               if row["family"] == "attention") * 1e-3
    return 1 + idle / before["iteration"]["gpu_busy_ms"]


def three_products(world, configuration, before, after):
    """Two thirds of the time of fused attention, for TF32."""
    if not configuration.get("target").endswith("-tf32"):
        return 1
    attention = sum(row["total_us"] for row in after["kernels"] if row["family"] == "attention") * 1e-3
    return 1 + 2 / 3 * attention / before["iteration"]["gpu_busy_ms"]


def moved_collectives(world, configuration, before, after):
    """The time that the GPU waits for the host, where collectives are exposed."""
    phases = {phase["phase"]: phase for phase in before["phases"]}
    if not phases.pop("communication", {"time_ms": 0})["time_ms"]:
        return 1
    waits = sum(phase["time_ms"] - phase["gpu_busy_ms"] for phase in phases.values())
    return 1 + waits / before["iteration"]["time_ms"]


def cheaper_wait(world, configuration, before, after):
    """By as much as the power during exposed communication falls."""
    def waiting(report):
        phases = [phase for phase in report["phases"] if phase["phase"] == "communication" and phase["time_ms"]]
        return sum(phase["energy_j"] for phase in phases), sum(phase["time_ms"] for phase in phases)
    (energy, time), (later_energy, later_time) = waiting(before), waiting(after)
    if not time or not later_time:
        return 1
    fall = 1 - later_energy / later_time / (energy / time)
    return 1 / (1 - max(0, fall) * energy / before["iteration"]["energy_j"])


def longer_way(world, configuration, before, after):
    """At most half of the traffic in fused norms that wait for DRAM."""
    fused = sum(row["total_us"] for row in after["kernels"]
                if row["family"] == "norm" and "+" in row["label"] and row["bound"] == "dram") * 1e-3
    return 1 / (1 - fused / 2 / after["iteration"]["gpu_busy_ms"])


def separate_bias(world, configuration, before, after):
    """As many of the longest elementwise kernel as there are more kernels, with their gaps."""
    longest = max((row["time_us"] for row in after["kernels"] if row["family"] == "elementwise"), default=0)
    first, second = (sum(row["count"] for row in report["kernels"] if row["family"] != "collective")
                     for report in (before, after))
    each = longest * 1e-6 + world.kernel_gap(configuration, after)
    return 1 + max(0, second - first) * each / (before["iteration"]["gpu_busy_ms"] * 1e-3)


def unaligned_shards(world, configuration, before, after):
    """In addition to the bias, the matmuls whose rows are not a multiple of 16 bytes any more."""
    def odd(report):
        shapes = [(re.match(r"m=\d+ n=(\d+) ", row["shape"]), row) for row in report["kernels"]]
        return sum(row["total_us"] for match, row in shapes if match and int(match[1]) % 8) * 1e-3
    grown = max(0, odd(after) - odd(before))
    return separate_bias(world, configuration, before, after) + grown / before["iteration"]["gpu_busy_ms"]


def captured_steps(world, configuration, before, after):
    """By as much as the update takes longer."""
    first, second = (sum(phase["gpu_busy_ms"] for phase in report["phases"] if phase["phase"] == "optimizer")
                     for report in (before, after))
    return 1 + max(0, second - first) / before["iteration"]["gpu_busy_ms"]


def gathers(report):
    """Result size of an all-gather -> how often."""
    found = [(re.fullmatch(r"all_gather bytes=(\d+) .*", row["shape"]), row["count"]) for row in report["kernels"]]
    return {int(match[1]): count for match, count in found if match}


def gathered_twice(world, configuration, before, after):
    """The shard of each GPU in addition to the gathered tensor."""
    largest = max(gathers(after), default=0)
    return 1 + largest / configuration.get("gpus") / before["iteration"]["peak_memory_bytes"]


def one_unit(world, configuration, before, after):
    """The parameters that most all-gathers of FSDP bring."""
    sizes = gathers(after)
    if configuration.get("parallel") != "fsdp":
        return 1
    return 1 + max(sizes, key=sizes.get, default=0) / before["iteration"]["peak_memory_bytes"]


def recomputed_whole(world, configuration, before, after):
    """An input of a block that is smaller than the tensors in the report's list at the peak."""
    if not any("Recurrent" in row["op"] for row in before["kernels"]):
        return 1
    memory = after["iteration"]
    return 1 + memory["peak_tensors"][-1]["bytes"] / memory["peak_memory_bytes"]


def later_copies(world, configuration, before, after):
    """The ratio of the launches."""
    alone = 1 in (before["bindings"].get(name) for name in BATCH)
    return before["iteration"]["launches"] / after["iteration"]["launches"] if alone else 1


EXCEPTIONS = [
    Allowed(("flop_floor",),
            "Winograd's F(4x4, 3x3) in fp32 multiplies 4 times less often than the convolution whose FLOPs count",
            winograd),
    Allowed(("flop_floor",),
            "fused attention of fp32 tensors runs as three TF32 products, its FLOPs are compared with the CUDA cores",
            wide_attention),
    Allowed(("cudagraph time", "cudagraph busy", "compiled time", "compiled busy", "fsdp busy"),
            "at the power limit shorter gaps, and less waiting for collectives, are more power: the next clock of the "
            "board's grid may cost more than they did", lower_clock(1)),
    Allowed(("batch time", "batch busy", "sequence time", "sequence busy", "past time", "past busy"),
            "libraries choose the tile of a matmul for the full clock (G8): at a lower one the tile of the larger "
            "problem may be faster", below_full_clock),
    Allowed(("batch energy", "sequence energy", "past energy"),
            "a step of the clock down at the power limit lowers the voltage: energy falls with its square and more, "
            "while the work grows little", lower_clock(3)),
    Allowed(("batch energy", "sequence energy"),
            "while only the links work the GPU consumes a fraction of its average kernel power (N2), which falls "
            "where the last wave of a larger problem leaves SMs idle", cheaper_wait),
    Allowed(("past time", "past busy", "past energy"),
            "splits of the cache are whole (D1): of 65 blocks on 32 splits the longest has three, of 66 on 33 two",
            whole_splits),
    Allowed(("flash time", "flash busy"),
            "fused attention of few heads and queries has fewer blocks than SMs, separate kernels split the scores",
            idle_sms),
    Allowed(("flash time", "flash busy"),
            "fused attention of fp32 tensors computes each product in three of TF32 (A11), separate kernels in one",
            three_products),
    Allowed(("batch time", "sequence time", "clock time", "power limit time", "flash time"),
            "a phase that the host holds up is stretched evenly (N3): with other shares of its kernels a collective "
            "may start earlier", moved_collectives),
    Allowed(("compiled time", "compiled busy"),
            "a sum fused with its norm passes four tensors through L2 between a result and its reader, a separate norm "
            "passes two: if L2 holds two, but not four, the parts leave more of their results there (M12)", longer_way),
    Allowed(("tp busy",),
            "the bias of a matmul that is split by rows is added once, after the all-reduce: a separate kernel, not an "
            "epilogue; small matmuls do not take less time when they are sharded", separate_bias),
    Allowed(("tp busy",),
            "a vocabulary shard that is not a multiple of 16 bytes takes kernels with narrow loads (G2); frameworks "
            "pad the vocabulary", unaligned_shards),
    Allowed(("cudagraph time", "cudagraph busy"),
            "in a graph the bias corrections of Adam are tensors on the GPU: it divides once more, parameter by "
            "parameter (O13)", captured_steps),
    Allowed(("tp memory",), "all-gathered logits exist in addition to the shard of each GPU", gathered_twice),
    Allowed(("recompute memory",),
            "a block is recomputed between two values that all later results need, a unit of FSDP ends at an "
            "attention: recomputing gathers a unit before the gradients of the last but one are scattered", one_unit),
    Allowed(("recompute memory",),
            "each layer of GNMT's decoder reads the whole encoder: the decoder is one block, whose peak is the same when "
            "it runs again, plus the input that checkpointing keeps until its gradients are done", recomputed_whole),
    Allowed(("batch time",),
            "with one item a reshape of permuted values is a view, and each matmul that reads it makes a copy; with "
            "more items the reshape is one copy for all of them (L2)", later_copies),
]
