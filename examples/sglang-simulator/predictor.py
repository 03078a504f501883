# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step times for SGLang's simulator (tools/sglang-simulator), from a model file: no GPU, no profiles.

The simulator runs SGLang's scheduler and calls predict_infer_time(batch) of its predictor for each batch, which returns
seconds. A request of a batch has `extend_length` new tokens and `past_kv_length` tokens in the cache.

    use(gpucost.prepare_service("llama.onnx", target="h100-bf16", software="sglang"), "h100-bf16")

makes the simulator of this process create such a predictor, whatever the section `predictor` of its configuration names;
predictor_class() returns the class. In addition to the time, each step has an energy, which is among the predictor's metrics.
"""


class GpuCostPredictor:
    """Predicts steps of a replica: all GPUs of `service` run each step together."""

    def __init__(self, prepared, target, config=None):
        self._service = prepared.service(target)
        gpus = self._service.limits.world_size
        modelled = getattr(config, "tp_size", gpus) * getattr(config, "pp_size", 1)
        if modelled != gpus:
            raise ValueError(f"the service runs on {gpus} GPUs, but the simulated deployment has {modelled}")
        self.reset_metrics()

    def predict_infer_time(self, batch):
        if not batch.reqs:
            return 0.0
        cost = self._service.step((request.extend_length, request.past_kv_length) for request in batch.reqs)
        self._steps += 1
        self._energy_j += cost.energy_j * self._service.limits.world_size
        return cost.time_ms * 1e-3

    def get_metrics(self):
        """Steps, and their energy on all GPUs of the replica, since the last reset."""
        return {"gpucost_steps": self._steps, "gpucost_energy_j": self._energy_j}

    def reset_metrics(self):
        self._steps, self._energy_j = 0, 0.0


def predictor_class(base=None):
    """GpuCostPredictor as a subclass of `base`, by default the simulator's base class."""
    if base is None:
        from sglang_simulator.time_predictor import InferTimePredictor as base

    class Predictor(GpuCostPredictor, base):
        def __init__(self, prepared, target, model=None, hw=None, config=None):
            base.__init__(self, model, hw, config)
            GpuCostPredictor.__init__(self, prepared, target, config)

    return Predictor


def use(prepared, target, manager=None, base=None):
    """Makes `manager`, by default the simulator's ConfigManager, create this predictor."""
    if manager is None:
        from sglang_simulator.simulation.manager.config import ConfigManager as manager

    predictor = predictor_class(base)

    def create(_, model, hw, config):
        return predictor(prepared, target, model, hw, config)

    manager.get_inference_time_predictor = classmethod(create)
