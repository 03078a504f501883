# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step oracles, and the adapter for Vidur with a stub of its interface."""
import abc
import dataclasses
import gc
import importlib.util
import pathlib
import pickle
import threading
from typing import Any, List

import pytest

import gpucost

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "test" / "Consistency" / "Inputs" / "decode.mlir"


@pytest.fixture(scope="module")
def prepared() -> gpucost.PreparedService:
    return gpucost.prepare_service(MODEL, target="h100-bf16")


@pytest.fixture(scope="module")
def service(prepared: gpucost.PreparedService) -> gpucost.Service:
    return prepared.service("h100-bf16")


@pytest.mark.parametrize("batch, query, cache", [(1, 1, 700), (5, 1, 700), (1, 300, 0), (3, 300, 0), (1, 300, 200),
                                                 (3, 300, 200)])
def test_equal_sequences_are_the_report(service: gpucost.Service, batch: int, query: int, cache: int) -> None:
    report = gpucost.analyze(MODEL, target="h100-bf16", batch=batch, seq=query, past=cache, runtime="cudagraph",
                             kv_cache="in-place")
    step = service.step([(query, cache)] * batch)
    if query == 1:
        assert step.time_ms == pytest.approx(report.time_ms, rel=1e-6)
        assert step.energy_j == pytest.approx(report.energy_j, rel=1e-6)
        assert step.power_w == pytest.approx(report.avg_power_w, rel=1e-6)
    else:  # the logits of the last token alone
        assert 0.2 * report.time_ms < step.time_ms < report.time_ms


def test_mixed_steps(service: gpucost.Service) -> None:
    decodes = [(1, 500 + 10 * i) for i in range(16)]
    alone = service.step(decodes).time_ms
    chunk = service.step([(256, 512)]).time_ms
    both = service.step(decodes + [(256, 512)]).time_ms
    # The weights are read once.
    assert max(alone, chunk) < both < alone + chunk
    assert service.step(list(reversed(decodes)) + [(256, 512)]).time_ms == both
    assert service.step(decodes + [(256, 1512)]).time_ms > both


def test_two_threads_are_an_error(prepared: gpucost.PreparedService) -> None:
    service = prepared.service("h100-bf16")
    steps = [[(1, 100 + i)] * 64 for i in range(8)]
    expected = [service.step(step) for step in steps]
    refused: List[str] = []
    wrong: List[Any] = []
    begin = threading.Barrier(4)

    def run() -> None:
        begin.wait()
        for _ in range(300):
            for step, right in zip(steps, expected):
                try:
                    cost = service.step(step)
                except gpucost.InvalidArgumentError as error:
                    refused.append(str(error))
                else:
                    if cost != right:
                        wrong.append(cost)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert set(refused) <= {"another thread uses the service; create one for each thread"}
    # While a thread holds the buffers of a step.
    with service._lock:
        with pytest.raises(gpucost.InvalidArgumentError, match="another thread uses the service"):
            service.step(steps[0])
    assert service.step(steps[0]) == expected[0]


def test_limits_and_errors(service: gpucost.Service, prepared: gpucost.PreparedService) -> None:
    limits = service.limits
    assert (limits.world_size, limits.cache_tokens) == (1, 8192)
    for sequences in ([], [(0, 5)], [(1, -1)], [(1, limits.cache_tokens + 1)], [(1, 1)] * (limits.sequences + 1)):
        with pytest.raises(gpucost.InvalidArgumentError):
            service.step(sequences)
    with pytest.raises(gpucost.BadDataError):
        gpucost.PreparedService(b"GCO\n")
    with pytest.raises(gpucost.BadDataError):
        gpucost.PreparedService(bytes(prepared)[:-5]).service("h100-bf16")
    with pytest.raises(gpucost.UnsupportedError):
        prepared.service("h100-fp16")
    with pytest.raises(gpucost.InvalidArgumentError, match="no dimension with a known name for .sequence."):
        gpucost.prepare_service(ROOT / "models" / "resnet50.onnx", target="h100-bf16")


def test_bytes(prepared: gpucost.PreparedService, service: gpucost.Service, tmp_path: pathlib.Path) -> None:
    prepared.save(tmp_path / "model.gcs")
    same = gpucost.PreparedService.load(tmp_path / "model.gcs").service("h100-bf16")
    again = pickle.loads(pickle.dumps(service))
    step = [(1, 100), (7, 20)]
    assert same.step(step) == again.step(step) == service.step(step)
    assert prepared.service("h200-bf16").step(step).time_ms < service.step(step).time_ms


def load_example(simulator: str = "vidur") -> Any:
    path = ROOT / "examples" / simulator / "predictor.py"
    spec = importlib.util.spec_from_file_location("predictor", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclasses.dataclass
class Request:
    num_processed_tokens: int


@dataclasses.dataclass
class Batch:
    requests: List[Request]
    num_q_tokens: List[int]


class BasePredictor(abc.ABC):
    """The interface: components of a step are abstract."""

    @abc.abstractmethod
    def _get_attention_rope_execution_time(self, batch: Batch) -> float:
        ...


def test_vidur(prepared: gpucost.PreparedService, service: gpucost.Service) -> None:
    predictor = load_example().predictor_class(BasePredictor)(prepared, "h100-bf16", host_seconds=0.001)
    assert isinstance(predictor, BasePredictor)
    times = []
    for context in range(100, 150):
        batch = Batch([Request(context), Request(256)], [1, 128])
        times.append(predictor.get_execution_time(batch, 0))
    cost = service.step([(1, 149), (128, 256)])
    assert times[-1].model_time == pytest.approx(cost.time_ms * 1e-3)
    assert times[-1].total_time == pytest.approx(cost.time_ms * 1e-3 + 0.001)
    assert predictor.energy_j == pytest.approx(sum(each.energy_j for each in times))
    with pytest.raises(ValueError):
        predictor.get_execution_time(batch, 1)


def test_real_vidur(prepared: gpucost.PreparedService, service: gpucost.Service) -> None:
    """Vidur's own base class, batches and scheduler of a stage."""
    pytest.importorskip("vidur.execution_time_predictor", reason="vidur is not installed")
    from vidur.entities import Batch as RealBatch
    from vidur.entities import Request as RealRequest
    from vidur.execution_time_predictor.base_execution_time_predictor import BaseExecutionTimePredictor
    from vidur.scheduler.replica_stage_scheduler.replica_stage_schduler import ReplicaStageScheduler
    from vidur.types import ReplicaId

    predictor = load_example().predictor_class()(prepared, "h100-bf16", host_seconds=0.001)
    assert isinstance(predictor, BaseExecutionTimePredictor)
    old, new = RealRequest(0.0, 700, 50), RealRequest(0.0, 256, 10)
    old._num_processed_tokens = 710
    batch = RealBatch(ReplicaId(0), [old, new], [1, 128], [710, 0])
    stage = ReplicaStageScheduler(ReplicaId(0), 0, True, predictor)
    stage.add_batch(batch)
    scheduled, batch_stage, answer = stage.on_schedule()
    cost = service.step([(1, 710), (128, 0)])
    assert scheduled is batch
    assert answer.model_time == pytest.approx(cost.time_ms * 1e-3)
    assert batch_stage.execution_time == pytest.approx(cost.time_ms * 1e-3 + 0.001)
    assert batch_stage.model_execution_time == pytest.approx(cost.time_ms * 1e-3)


@dataclasses.dataclass
class ScheduleRequest:
    extend_length: int
    past_kv_length: int


@dataclasses.dataclass
class ScheduleBatch:
    reqs: List[ScheduleRequest]


@dataclasses.dataclass
class SchedulerConfig:
    tp_size: int = 1
    pp_size: int = 1


class InferTimePredictor(abc.ABC):
    """The interface of the predictors of SGLang's simulator."""

    def __init__(self, model: Any, hw: Any, config: Any) -> None:
        self.config = config

    @abc.abstractmethod
    def predict_infer_time(self, batch: Any) -> float:
        ...


def test_sglang_simulator(prepared: gpucost.PreparedService, service: gpucost.Service) -> None:
    class ConfigManager:
        @classmethod
        def get_inference_time_predictor(cls, model: Any, hw: Any, config: Any) -> Any:
            raise AssertionError("replaced by `use`")

    load_example("sglang-simulator").use(prepared, "h100-bf16", ConfigManager, InferTimePredictor)
    predictor: Any = ConfigManager.get_inference_time_predictor(None, None, SchedulerConfig())
    assert issubclass(type(predictor), InferTimePredictor) and predictor.config == SchedulerConfig()
    assert predictor.predict_infer_time(ScheduleBatch([])) == 0
    batch = ScheduleBatch([ScheduleRequest(1, 710), ScheduleRequest(128, 0)])
    cost = service.step([(1, 710), (128, 0)])
    assert predictor.predict_infer_time(batch) == pytest.approx(cost.time_ms * 1e-3)
    predictor.predict_infer_time(batch)
    assert predictor.get_metrics() == {"gpucost_steps": 2, "gpucost_energy_j": pytest.approx(2 * cost.energy_j)}
    predictor.reset_metrics()
    assert predictor.get_metrics() == {"gpucost_steps": 0, "gpucost_energy_j": 0}
    with pytest.raises(ValueError, match="runs on 1 GPUs, but the simulated deployment has 8"):
        ConfigManager.get_inference_time_predictor(None, None, SchedulerConfig(tp_size=4, pp_size=2))


def test_real_sglang_simulator(prepared: gpucost.PreparedService, service: gpucost.Service) -> None:
    """The simulator's own base class and batches."""
    simulator = pytest.importorskip("sglang_simulator.time_predictor", reason="SGLang's simulator is not installed")
    predictor = load_example("sglang-simulator").predictor_class()(prepared, "h100-bf16")
    assert isinstance(predictor, simulator.InferTimePredictor)
    batch = simulator.ScheduleBatch([simulator.ScheduleRequest(1, 710), simulator.ScheduleRequest(128, 0)])
    cost = service.step([(1, 710), (128, 0)])
    assert predictor.predict_infer_time(batch) == pytest.approx(cost.time_ms * 1e-3)
    assert predictor.predict_infer_time(simulator.ScheduleBatch()) == 0


def test_many_steps(service: gpucost.Service) -> None:
    """Steps keep no state: their results repeat and nothing stays in memory."""

    def run(steps: int) -> List[float]:
        return [service.step([(1, 500 + (i * 7 + j * 131) % 3000) for j in range(32)]
                             + [(64 + i % 8, 128 * (i % 5))]).time_ms for i in range(steps)]

    first = run(100)
    gc.collect()
    before = len(gc.get_objects())
    assert run(2000)[:100] == first
    gc.collect()
    assert len(gc.get_objects()) < before + 100
