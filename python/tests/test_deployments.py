# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""deploy() and generate(): the searches of `gpu-cost-opt deploy` and `generate`."""
import json
import pathlib
import pickle

import gpucost
import pytest

CONFIG = {"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 2, "num_attention_heads": 8,
          "num_key_value_heads": 8, "intermediate_size": 4096, "vocab_size": 32000, "torch_dtype": "bfloat16"}


@pytest.fixture(scope="module")
def common(root):
    return {"target": str(root / "examples" / "h100.mlir"), "prefill_chunk": 1024, "batch_limit": [8, 32]}


@pytest.fixture(scope="module")
def found(common):
    return gpucost.deploy(CONFIG, requests_per_second=40, input_tokens=1024, output_tokens=128, tp=[1, 2],
                          subject_to=["ttft<=1s", "tpot<=20ms"], price=3, **common)


def test_choice_is_the_least_of_all(found, common, tmp_path):
    best = found.choice
    assert found["minimize"] == "cost" and found["allowed"] <= found["candidates"]
    assert best["requests_per_s"] == pytest.approx(40, rel=1e-4) and best["ttft_ms"] <= 1000 and best["tpot_ms"] <= 20
    # 3 an hour and GPU, for all output tokens of an hour.
    assert best["cost_per_million_tokens"] == pytest.approx(best["gpus"] * 3 / 3600 / best["tokens_per_s"] * 1e6, rel=1e-5)
    assert best["tokens_per_s"] == pytest.approx(40 * 128, rel=1e-4)
    assert all(each["ratio"] >= 1 for each in found.alternatives)
    assert found.fewest_gpus["gpus"] <= best["gpus"]
    front = sorted(found.front, key=lambda each: each["user_rate"])
    assert all(a["gpu_rate"] > b["gpu_rate"] for a, b in zip(front, front[1:]))


def test_numbers_fit_together(found):
    best, phases = found.choice, found.phases
    assert sum(phases.values()) == pytest.approx(best["latency_ms"], rel=1e-5)
    assert phases["queue"] + phases["prefill"] == pytest.approx(best["ttft_ms"], rel=1e-5)
    assert phases["decode"] + phases["transfer"] == pytest.approx(127 * best["tpot_ms"], rel=1e-5)
    for name in ("ttft_ms", "tpot_ms", "energy_per_token_j"):
        low, high = found.interval(name)
        assert low < best[name] < high
    assert found.interval("tpot_ms", found.front[0]) is not None
    with pytest.raises(gpucost.InvalidArgumentError, match="expected ttft_ms, tpot_ms, energy_per_token_j"):
        found.interval("gpus")
    assert len(found.load_curve) == 10
    assert found.load_curve[-1]["total_power_w"] == pytest.approx(best["total_power_w"], rel=1e-3)
    powers = [point["total_power_w"] for point in found.load_curve]
    assert powers == sorted(powers)


def test_commands(found):
    [command] = found.commands("vllm")[:1]
    assert f"--max-num-seqs {found.choice['batch_limit']}" in command and "--max-model-len 1152" in command
    assert found.commands("serve")[0].startswith("gpu-cost-opt serve ")
    with pytest.raises(gpucost.NotFoundError, match="'triton': expected serve, vllm, sglang, tensorrt-llm"):
        found.commands("triton")


def test_text_page_and_copies(found, tmp_path):
    text = repr(found)
    assert text.startswith("least cost of") and "Pareto front" in text
    page = found.to_html(tmp_path / "deploy.html")
    assert page == pathlib.Path(tmp_path / "deploy.html").read_text() and 'data-kind="deployment"' in page
    assert json.loads(found.to_json(tmp_path / "deploy.json"))["choice"] == found.choice
    copy = pickle.loads(pickle.dumps(found))
    assert isinstance(copy, gpucost.Deployments) and copy.choice == found.choice and repr(copy) == text


def test_lengths_load_and_rejections(common):
    found = gpucost.deploy(CONFIG, input_tokens={200: 3, 1000: 1}, load={0: 2, 8: 20, 20: 0}, tp=1, kind="aggregated",
                           subject_to="ttft<=2s", **common)
    assert found["traffic"]["input_tokens"] == 400 and found["traffic"]["requests_per_s"] == 20
    assert [hour["gpus_needed"] for hour in found.hours][2] == 0 and len(found.hours) == 3
    users = gpucost.deploy(CONFIG, users=16, input_tokens=512, output_tokens=64, tp=1, precision=["bf16", "nvfp4"], prefill_chunk=1024,
                           batch_limit=8, target="h100")
    assert users["traffic"]["users"] == 16 and users.choice["format"] == "bf16"
    assert len(users.rejected) == 1 and next(iter(users.rejected.values())) > 0


@pytest.mark.parametrize("arguments, error, message", [
    ({"user": 8}, TypeError, "user"),
    ({"users": 3, "requests_per_second": 2}, gpucost.InvalidArgumentError, "not both"),
    ({"minimize": "joy"}, gpucost.InvalidArgumentError, "joy"),
    ({"tp": [1, 2.5]}, gpucost.InvalidArgumentError, "'tp' is .*expected a number"),
    ({"input_tokens": 2.5}, gpucost.InvalidArgumentError, "'input_tokens' is 2.5: expected a number, a mapping"),
    ({"input_tokens": "missing.csv"}, gpucost.InvalidArgumentError, "missing.csv"),
    ({"batch": 8}, gpucost.InvalidArgumentError, "deploy chooses --batch"),
    ({"load": "day", "users": 2}, gpucost.InvalidArgumentError, "--load states rates"),
    ({"users": 2, "subject_to": "tpot<=1us"}, gpucost.InvalidArgumentError, "no deployment is possible"),
])
def test_wrong_deployments(common, arguments, error, message):
    with pytest.raises(error, match=message):
        gpucost.deploy(CONFIG, **{**common, "input_tokens": 512, "output_tokens": 64, "tp": 1, **arguments})


@pytest.fixture(scope="module")
def pipeline(root):
    folder = root / "test" / "Generate" / "Inputs"
    return {"output": "image", "steps": 10, "guidance": 2, "networks": [
        {"name": "block", "graph": folder / "block.mlir", "per": "step", "copies": 3, "guided": True, "tokens": 1024},
        {"name": "decoder", "graph": str(folder / "block.mlir"), "tokens": 4096, "outputs_per_call": 1, "gpus": "one"}]}


def test_one_pipeline(pipeline, root, common, tmp_path):
    target = common["target"]
    found = gpucost.generate(pipeline, target=target)
    file = gpucost.generate(root / "test" / "Generate" / "Inputs" / "pipeline.json", target=target)
    assert {**found.run, "pipeline": ""} == {**file.run, "pipeline": ""}
    # 10 steps of 3 blocks with 2 samples, and one decoder: the networks by themselves.
    graph = root / "test" / "Generate" / "Inputs" / "block.mlir"
    block = gpucost.analyze(graph, target=target, batch=2, seq=1024)
    decoder = gpucost.analyze(graph, target=target, batch=1, seq=4096)
    assert found.time_of("block") == pytest.approx(30 * block.time_ms, rel=1e-5)
    assert found.time_of("decoder") == pytest.approx(decoder.time_ms, rel=1e-5)
    assert found.run["latency_ms"] == pytest.approx(30 * block.time_ms + decoder.time_ms, rel=1e-5)
    with pytest.raises(gpucost.InvalidArgumentError, match="'vae': expected block, decoder"):
        found.time_of("vae")
    page = found.to_html(tmp_path / "pipeline.html")
    assert 'data-kind="generation"' in page and page == (tmp_path / "pipeline.html").read_text()
    copy = pickle.loads(pickle.dumps(found))
    assert isinstance(copy, gpucost.Generations) and copy.run == found.run and "1 image in 10 steps" in repr(copy)


def test_several_runs(pipeline, common):
    found = gpucost.generate(pipeline, target=common["target"], batch=[1, 2], context=["ulysses2.ring2", "ulysses4"], steps=5)
    assert [(run["context"], run["batch"], run["steps"]) for run in found.runs] == [
        ("ulysses2.ring2", 1, 5), ("ulysses2.ring2", 2, 5), ("ulysses4", 1, 5), ("ulysses4", 2, 5)]
    assert found.best()["latency_ms"] == min(run["latency_ms"] for run in found.runs)
    assert found.best("outputs_per_s")["outputs_per_s"] == max(run["outputs_per_s"] for run in found.runs)
    with pytest.raises(gpucost.InvalidArgumentError, match="4 runs"):
        found.run
    with pytest.raises(gpucost.InvalidArgumentError, match="not a number"):
        found.best("joy")


@pytest.mark.parametrize("arguments, error, message", [
    ({"step": 8}, TypeError, "step"),
    ({"seq": 8}, gpucost.InvalidArgumentError, "generate takes no --seq"),
    ({"batch": 1.5}, gpucost.InvalidArgumentError, "'batch' is 1.5"),
    ({"context": "spiral2"}, gpucost.InvalidArgumentError, "--context expects a plan"),
    ({"host_ring_us": -1}, gpucost.InvalidArgumentError, "--host-ring-us expects"),
])
def test_wrong_pipelines(pipeline, common, arguments, error, message):
    with pytest.raises(error, match=message):
        gpucost.generate(pipeline, target=common["target"], **arguments)


def test_wrong_pipeline_types(common):
    with pytest.raises(TypeError, match="path of a JSON file or a mapping, not int"):
        gpucost.generate(3, target=common["target"])
    with pytest.raises(TypeError, match="path of a model file, not int"):
        gpucost.generate({"networks": [{"name": "x", "graph": 3}]}, target=common["target"])
    with pytest.raises(gpucost.InvalidArgumentError, match="networks"):
        gpucost.generate({"networks": []}, target=common["target"])
