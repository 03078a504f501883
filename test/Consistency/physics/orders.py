# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantities that grow or fall along a chain of configurations that differ in one setting."""
import dataclasses

from physics.configurations import LENGTHS

UP, DOWN = 1, -1


def of_iteration(field):
    return lambda report: report["iteration"][field]


# Host time depends on the server, not only on the GPU: orders compare both the total time and the GPU's busy time.
QUANTITIES = {
    "time": of_iteration("time_ms"), "busy": of_iteration("gpu_busy_ms"), "memory": of_iteration("peak_memory_bytes"),
    "flops": of_iteration("flops"), "energy": of_iteration("energy_j"), "power": of_iteration("avg_power_w"),
    "dram": of_iteration("dram_bytes"), "communication": of_iteration("communication_ms"),
    "parameters": of_iteration("parameter_bytes"), "rate": of_iteration("samples_per_s"),
}


@dataclasses.dataclass(frozen=True)
class Order:
    """`chain` returns the configurations, or None; the first one is a small change of the base."""
    name: str
    chain: object
    rules: dict


def vary(setting, *values):
    return lambda base: [base.but(**{setting: value}) for value in values]


def batches(base):
    batch = base.get("batch")
    return batch and [base.but(batch=value) for value in (batch, batch + 1, 2 * batch, 4 * batch)]


def lengths(base):
    length = base.get("seq")
    return [base.but(seq=value) for value in sorted({length, length + 32, 2 * length})] if length in LENGTHS else None


def pasts(base):
    past = base.get("past")
    return past and [base.but(past=value) for value in (0, past, past + 64, 2 * past)]


def clocks(base):
    return [base.but(clock=base.gpu.clock(part / 4)) for part in range(5)]


def limits(base):
    return [base.but(power_limit=int(base.gpu.power_limit * percent / 100)) for percent in (40, 55, 70, 85, 100)]


def attentions(base):
    if not base.network.has_attention or base.network.has_past or not base.gpu.has_fused_attention:
        return None
    if base.network.has_length:
        base = base.but(seq=2 * max(LENGTHS))
    return vary("attention", "eager", "flash")(base)


def gpus(plan):
    def chain(base):
        if plan == "tp":
            if not (base.network.has_attention and base.network.has_length):
                return None
            first = [base.but(gpus=None, parallel=None)]
        else:
            if not base.training:
                return None
            first = []
        return first + [base.but(gpus=count, parallel=plan) for count in base.gpu.counts()]
    return chain


def only(condition, chain):
    return lambda base: chain(base) if condition(base) else None


def is_training(base):
    return base.training


def can_quantise(base):
    return not base.training and base.format in ("fp16", "bf16")


def has_cache(base):
    return base.network.has_past


WORK = {"time": UP, "busy": UP, "memory": UP, "flops": UP, "dram": UP, "energy": UP}
SPEED = {"time": DOWN, "busy": DOWN}
ORDERS = [
    Order("batch", batches, WORK),
    Order("sequence", lengths, WORK),
    Order("past", pasts, WORK),
    Order("clock", clocks, SPEED | {"power": UP}),
    Order("power limit", limits, SPEED | {"power": UP}),
    Order("cudagraph", vary("runtime", "eager", "cudagraph"), SPEED),
    # Not in memory: a fused kernel holds its operands and all its results at once.
    Order("compiled", vary("runtime", "eager", "compiled"), SPEED),
    Order("flash", attentions, SPEED | {"memory": DOWN}),
    # Each GPU processes a separate batch: with more GPUs its work is the same, except for its shard of the update.
    Order("ddp", gpus("ddp"), {"rate": UP, "communication": UP}),
    Order("fsdp", gpus("fsdp"), {"busy": DOWN, "memory": DOWN, "rate": UP, "communication": UP}),
    Order("tp", gpus("tp"), {"busy": DOWN, "memory": DOWN, "communication": UP}),
    Order("recompute", only(is_training, vary("recompute", "none", "full")), {"busy": UP, "memory": DOWN}),
    Order("weights", only(can_quantise, vary("weights", "as-is", "int8", "int4")), {"parameters": DOWN}),
    Order("kv-cache", only(has_cache, vary("kv_cache", "concat", "in-place")), SPEED | {"memory": DOWN}),
]
