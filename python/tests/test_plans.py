# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""plan(): the search of `gpu-cost-opt plan`."""
import json
import pathlib
import pickle
import re

import gpucost
import pytest

# 4 layers, so that pipelines of 2 and 4 ranks exist.
CONFIG = {"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 4, "num_attention_heads": 8,
          "num_key_value_heads": 8, "intermediate_size": 4096, "vocab_size": 32000, "torch_dtype": "bfloat16"}


@pytest.fixture(scope="module")
def settings(root):
    return {"target": str(root / "examples" / "h100.mlir"), "network": "dgx-h100", "software": "megatron", "seq": 1024}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "config.json"
    path.write_text(json.dumps(CONFIG))
    return path


@pytest.fixture(scope="module")
def plans(model, settings):
    return gpucost.plan(model, gpus=[8, 16], global_batch=64, tp=[1, 2], pp="1,2", batch=[1, 2], recompute="auto",
                        against={"parallel": "tp2.pp2.zero1", "batch": 1, "gpus": 16}, top=3, **settings)


def test_same_search(plans, model, settings, tool, tmp_path):
    flags = [f"--{name}={value}" for name, value in settings.items() if name != "target"]
    stated = tool.json("plan", model, f"--target-file={settings['target']}", *flags, "--gpus=8,16", "--global-batch=64",
                       "--tp=1,2", "--pp=1,2", "--batch=1,2", "--recompute=auto", "--top=3",
                       "--against=--parallel=tp2.pp2.zero1 --batch=1 --gpus=16")
    found = plans.to_dict()
    assert found == stated
    assert json.loads(plans.to_json(tmp_path / "plan.json")) == found == json.loads((tmp_path / "plan.json").read_text())


def test_ranking_and_front(plans):
    assert plans.ranking[0] == plans.choice and len(plans.ranking) == 3
    assert [plan["time_ms"] for plan in plans.ranking] == sorted(plan["time_ms"] for plan in plans.ranking)
    assert all(plan["status"] == "ok" and plan["recompute"] == "none" for plan in plans.ranking)
    energies = [plan["energy_j"] * plan["gpus"] for plan in plans.front]
    times = [plan["time_ms"] for plan in plans.front]
    assert plans.choice in plans.front and energies == sorted(energies, reverse=True) and times == sorted(times)
    assert all(plan["time_ms"] >= plans.choice["time_ms"] for plan in plans.ties)
    assert sum(plans.terms.values()) == pytest.approx(plans.choice["time_ms"], rel=0.05)
    assert [point["gpus"] for point in plans.scaling] == [8, 16]
    assert plans.scaling[0]["efficiency"] == 1 > plans.scaling[1]["efficiency"] > 0.3


def test_reasons_and_intervals(plans):
    assert set(plans.why) == {f"{each['property']}={each['chosen']}" for each in plans.alternatives}
    assert "tp" in {each["property"] for each in plans.alternatives} and all(plans.why.values())
    for plan in plans.ranking:
        low, high = plans.interval("time_ms", plan)
        assert low < plan["time_ms"] < high
    low, high = plans.interval("energy_j")
    assert low < plans.choice["energy_j"] < high
    assert plans.interval() == plans.interval("time_ms", plans.choice)
    with pytest.raises(gpucost.InvalidArgumentError, match="expected time_ms or energy_j"):
        plans.interval("mfu")


def test_stated_plan_is_that_of_analyze(plans, settings):
    stated = gpucost.analyze(CONFIG, mode="training", gpus=16, parallel="tp2.pp2.zero1", batch=1, global_batch=64, **settings)
    assert plans.against["status"] == "ok" and plans.against["time_ms"] == pytest.approx(stated.time_ms, rel=1e-5)
    chosen = plans.choice
    again = gpucost.analyze(CONFIG, mode="training", global_batch=64, **settings, **{
        name: chosen[name] for name in ("gpus", "parallel", "batch", "recompute", "schedule", "virtual_stages")
        if chosen[name] != "default"})
    assert again.time_ms == pytest.approx(chosen["time_ms"], rel=1e-5)
    assert plans.command.startswith("gpu-cost-opt ") and f"--parallel={chosen['parallel']}" in plans.command


def test_launch_arguments(plans):
    sizes = re.search(r"tp(\d+)", plans.choice["parallel"])
    tensor = sizes.group(1) if sizes else "1"
    assert f"--tensor-model-parallel-size {tensor}" in plans.launch("megatron")
    assert f"--parallelism.tensor_parallel_degree {tensor}" in plans.launch("torchtitan")
    assert "data.global_batch_size=64" in plans.launch("nemo")
    with pytest.raises(gpucost.NotFoundError, match="'deepspeed': expected megatron, nemo, torchtitan"):
        plans.launch("deepspeed")


def test_text_page_and_copies(plans, tmp_path):
    text = repr(plans)
    assert "the best plan without one property of the choice" in text and "best 3 of" in text
    page = plans.to_html(tmp_path / "plan.html")
    assert page == pathlib.Path(tmp_path / "plan.html").read_text() and page.startswith("<!DOCTYPE html>")
    copy = pickle.loads(pickle.dumps(plans))
    assert isinstance(copy, gpucost.Plans) and copy.choice == plans.choice and repr(copy) == text


def test_bounds_and_lists(settings):
    common = dict(gpus=8, global_batch=64, tp=[1, 2], pp=1, batch="1,2", data=["ddp", "zero1"], **settings)
    free = gpucost.plan(CONFIG, recompute=["none", "full"], **common)
    # Values of `recompute` may contain commas: each is a flag.
    assert free["points"] == 2 * 2 * 2 * 2 and {plan["recompute"] for plan in free.ranking} == {"none", "full"}
    least = min(plan["energy_j"] for plan in free.ranking)
    bound = gpucost.plan(CONFIG, recompute="none", minimize="energy", subject_to=["time<=1.2*best", "memory<=70GiB"], **common)
    assert bound.choice["energy_j"] <= 1.001 * least and [each["broken"] for each in bound["constraints"]][1] == 0
    with pytest.raises(gpucost.InvalidArgumentError, match="no point keeps all bounds"):
        gpucost.plan(CONFIG, subject_to="memory<=0.1", **common)


def test_weak_scaling(settings):
    common = dict(tp=1, pp=1, batch=[1, 2], recompute="none", **settings)
    plans = gpucost.plan(CONFIG, gpus=[8, 16], global_batch=64, weak_scaling=True, **common)
    assert [(each["gpus"], each["global_batch"]) for each in plans.weak_scaling] == [(8, 64), (16, 128)]
    alone = gpucost.plan(CONFIG, gpus=16, global_batch=128, **common)
    assert plans.weak_scaling[1]["point"]["time_ms"] == alone.choice["time_ms"]
    assert plans.scaling[1]["point"] == plans.choice and plans.weak_scaling[1]["efficiency"] > plans.scaling[1]["efficiency"]
    assert gpucost.plan(CONFIG, gpus=[8, 16], global_batch=64, **common).weak_scaling == []
    with pytest.raises(gpucost.InvalidArgumentError, match="--weak-scaling needs several numbers of GPUs"):
        gpucost.plan(CONFIG, gpus=8, global_batch=64, weak_scaling=True, **common)


def test_clocks_of_stages(settings):
    # 5 layers on 2 ranks: one of them waits.
    config = {**CONFIG, "num_hidden_layers": 5}
    common = dict(gpus=2, global_batch=16, tp=1, pp=2, data="ddp", batch=1, recompute="none", schedule="1f1b", **settings)
    plans = gpucost.plan(config, stage_clocks="auto", **common)
    clocks = plans.stage_clocks
    assert clocks["time_ms"] <= clocks["usual_time_ms"] * (1 + 1e-9) == pytest.approx(plans.choice["time_ms"], rel=1e-6)
    assert clocks["energy_j"] <= clocks["usual_energy_j"] == pytest.approx(plans.choice["energy_j"], rel=1e-6)
    assert all(rank["forward_mhz"] == rank["backward_mhz"] for rank in clocks["ranks"])
    stated = ",".join(str(rank["forward_mhz"]) for rank in clocks["ranks"])
    again = gpucost.analyze(config, mode="training", gpus=2, parallel=plans.choice["parallel"], batch=1, global_batch=16,
                            stage_clocks=stated, **settings)
    assert (again.time_ms, again.energy_j) == pytest.approx((clocks["time_ms"], clocks["energy_j"]), rel=1e-5)
    passes = gpucost.plan(config, stage_clocks="auto-passes", subject_to="time<=1.05*best", **common).stage_clocks
    assert passes["energy_j"] < 0.95 * clocks["energy_j"] and passes["time_ms"] <= 1.05 * clocks["usual_time_ms"] * (1 + 1e-9)
    assert plans["plan"]["stage_clocks"] == clocks and gpucost.plan(config, **common).stage_clocks is None
    with pytest.raises(gpucost.InvalidArgumentError, match="--stage-clocks expects auto or auto-passes"):
        gpucost.plan(config, stage_clocks="1980,1500", **common)


def test_workers(model, settings):
    distributed = pytest.importorskip("distributed")
    common = dict(gpus=[8, 16], global_batch=64, tp=[1, 2], pp="1,2", batch=[1, 2], weak_scaling=True, top=3,
                  against={"parallel": "tp2.pp2.zero1", "batch": 1, "gpus": 16}, **settings)
    alone = gpucost.plan(model, **common)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        together = gpucost.plan(model.parent if model.name == "config.json" else model, executor=client.get_executor(), **common)
    found, expected = together.to_dict(), alone.to_dict()
    # The path of the model: a folder instead of its file.
    assert json.dumps(found).replace(str(model), str(model.parent)) == json.dumps(expected).replace(str(model), str(model.parent))
    with pytest.raises(TypeError, match="an executor has submit"):
        gpucost.plan(model, executor=3, **common)


def test_modules(settings):
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnxscript")
    with torch.device("meta"):
        network = torch.nn.Sequential(*[torch.nn.Linear(256, 256) for _ in range(4)])
    inputs = (torch.empty(8, 256),)
    dynamic = {"dynamic_shapes": ({0: torch.export.Dim("batch")},)}
    found = gpucost.plan(network, inputs=inputs, export=dynamic, target=settings["target"], gpus=2, global_batch=64, tp=1, pp=1,
                         data="ddp", recompute="none")
    assert {plan["batch"] for plan in found.ranking} == {1, 2, 4, 8}
    with pytest.raises(gpucost.InvalidArgumentError, match="'batch' is 2, but the batch of the example inputs is 8"):
        gpucost.plan(network, inputs=inputs, target=settings["target"], gpus=2, global_batch=64, batch=2)


@pytest.mark.parametrize("arguments, error, message", [
    ({"gpu": 8}, TypeError, "did you mean 'gpus'"),
    ({"software": "megatronn"}, gpucost.InvalidArgumentError, "unknown value 'megatronn' of --software"),
    ({"minimize": "joy"}, gpucost.InvalidArgumentError, "joy"),
    ({"tp": [1, 2.5]}, gpucost.InvalidArgumentError, "'tp' is .*expected a number"),
    ({"tp": 0}, gpucost.InvalidArgumentError, "--tp"),
    ({"data": "zero4"}, gpucost.InvalidArgumentError, "--data expects ddp, zero1, zero2, fsdp or hsdp, but got 'zero4'"),
    ({"gpus": 64, "network": None}, gpucost.InvalidArgumentError, "64 GPUs need several nodes"),
    ({"mode": "inference"}, gpucost.InvalidArgumentError, "mode='training'"),
    ({"nodes": 2}, gpucost.InvalidArgumentError, "plan chooses --nodes"),
    ({"against": {"parallel": "tp3"}}, gpucost.InvalidArgumentError, "--against"),
    ({"against": "tp8"}, gpucost.InvalidArgumentError, "--against expects flags"),
    ({"recompute": ["auto", "full"]}, gpucost.InvalidArgumentError, "do not state others"),
    ({"global_batch": 63, "tp": 1, "pp": 1}, gpucost.InvalidArgumentError, "no plan is possible"),
    ({"top": 0}, gpucost.InvalidArgumentError, "--top expects"),
])
def test_wrong_calls(settings, arguments, error, message):
    with pytest.raises(error, match=message):
        gpucost.plan(CONFIG, **{**settings, "gpus": 8, "global_batch": 64, **arguments})


def test_missing_arguments(settings):
    with pytest.raises(TypeError, match="global_batch"):
        gpucost.plan(CONFIG, gpus=8, **settings)
    with pytest.raises(gpucost.InvalidArgumentError, match="missing.json"):
        gpucost.plan("missing.json", gpus=8, global_batch=64, **settings)
