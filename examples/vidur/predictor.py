# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step times for Vidur, a simulator of serving clusters, from a model file: no GPU, no profiles.

Vidur calls get_execution_time(batch, pipeline_stage) of its predictor for each batch that a
replica schedules, and reads `total_time` and `model_time` of the result, in seconds. A batch
lists its requests; `num_q_tokens` (older versions: `num_tokens`) has the number of tokens per
request that the step computes, and `num_processed_tokens` the tokens in a request's cache.
Tested with vidur 0.0.26.

    predictor = GpuCostPredictor(gpucost.prepare_service("llama.onnx", target="h100-bf16"), "h100-bf16")

is such a predictor; if Vidur is installed, predictor_class() returns one that derives from its
base class. In addition to the time, each step has an energy, which Vidur does not read.
"""
import dataclasses

# Host time between steps that is not in the service: vLLM's loop is part of its steps, unless it is prepared with
# step_gap_us=0.
HOST_SECONDS = 0.0


@dataclasses.dataclass(frozen=True)
class ExecutionTime:
    """The times that Vidur reads from a step, in seconds, and the energy and power of the step."""

    model_time: float
    total_time: float
    energy_j: float
    power_w: float

    @property
    def model_time_ms(self):
        return self.model_time * 1e3

    def to_dict(self):
        return dataclasses.asdict(self)


class GpuCostPredictor:
    """Predicts steps of a replica: all GPUs of `service` run each step together."""

    def __init__(self, prepared, target, host_seconds=HOST_SECONDS):
        self._service = prepared.service(target)
        self._host_seconds = host_seconds
        #: Energy of all steps so far, on all GPUs of the replica.
        self.energy_j = 0.0

    def get_execution_time(self, batch, pipeline_stage):
        if pipeline_stage != 0:
            raise ValueError(f"pipeline stage {pipeline_stage}: the model runs in one stage")
        if hasattr(batch, "batch_mapping"):
            raise ValueError("batches on several groups of GPUs that share the cache of a sequence are not modelled")
        tokens = batch.num_q_tokens if hasattr(batch, "num_q_tokens") else batch.num_tokens
        cost = self._service.step(
            (count, request.num_processed_tokens) for request, count in zip(batch.requests, tokens))
        seconds = cost.time_ms * 1e-3
        self.energy_j += cost.energy_j * self._service.limits.world_size
        return ExecutionTime(model_time=seconds, total_time=seconds + self._host_seconds,
                             energy_j=cost.energy_j, power_w=cost.power_w)


def predictor_class(base=None):
    """GpuCostPredictor as a subclass of `base`, by default Vidur's base class."""
    if base is None:
        from vidur.execution_time_predictor.base_execution_time_predictor import BaseExecutionTimePredictor as base

    # Components of a step are abstract there; the whole step replaces them.
    methods = {name: None for name in getattr(base, "__abstractmethods__", ())}
    return type("GpuCostPredictor", (GpuCostPredictor, base), methods)
