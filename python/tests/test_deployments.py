# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""deploy(), generate() and serve(): the subcommands of these names."""
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


def test_files_made_for_the_tool_have_no_folder(found, common):
    for text in (repr(found), found.to_json(), found.to_html(), *found.commands("sglang")):
        assert "llama.json" in text and "gpucost-" not in text
    with pytest.raises(gpucost.InvalidArgumentError, match="^'pipeline.json': 'networks' expects a list"):
        gpucost.generate({"output": "image"}, target=common["target"])


def test_numbers_fit_together(found):
    best, phases = found.choice, found.phases
    assert sum(phases.values()) == pytest.approx(best["latency_ms"], rel=1e-5)
    first = phases["request"] + phases["queue"] + phases["prefill"] + best["answer_ms"]
    assert first == pytest.approx(best["ttft_ms"], rel=1e-5)
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


def test_prompt_steps(common):
    """Chunks before decodes, and the way of a request to the scheduler."""
    same = {"target": common["target"], "users": 16, "input_tokens": 1024, "output_tokens": 128, "tp": 1, "batch_limit": 16,
            "prefill_chunk": 1024, "kind": "aggregated"}
    apart = gpucost.deploy(CONFIG, prompt_steps="separate", request_ms=5, **same)
    assert apart.choice["prompt_steps"] == "separate" and apart.phases["request"] == 5
    assert "--enable-mixed-chunk" not in apart.commands("sglang")[0]
    both = gpucost.deploy(CONFIG, prompt_steps=["mixed", "separate"], **same)
    assert both["candidates"] == 2 and both.phases["request"] == 0


def test_prefix_caches(found, common):
    cached = gpucost.deploy(CONFIG, requests_per_second=40, input_tokens=1024, output_tokens=128, tp=[1, 2], prefix_hit=0.75,
                            subject_to=["ttft<=1s", "tpot<=20ms"], price=3, **common)
    assert cached.choice["prefill_ms"] < found.choice["prefill_ms"]
    assert "--enable-prefix-caching" in cached.commands("vllm")[0] and "prefix" not in found.commands("vllm")[0]


@pytest.mark.parametrize("arguments, error, message", [
    ({"prefix_hit": 1.5}, gpucost.InvalidArgumentError, "--prefix-hit"),
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


@pytest.fixture(scope="module")
def service(common):
    return gpucost.serve(CONFIG, target=common["target"], input_tokens=256, output_tokens=32, batch=4)


def test_one_service(service, common):
    one = service.service
    assert (one["batch"], one["input_tokens"], one["output_tokens"]) == (4, 256, 32)
    # A prefill of all prompts, and a decode step for each further token; each is a report.
    assert one["answer_ms"] == pytest.approx(one["ttft_ms"] + 31 * one["tpot_ms"], rel=1e-6)
    step = gpucost.analyze(CONFIG, target=common["target"], batch=4, seq=1, past=256, runtime="cudagraph", kv_cache="in-place")
    assert one["decode"]["first"]["time_ms"] == pytest.approx(step.time_ms, rel=1e-6)
    assert repr(service).startswith("llama") and "80 % PI" in repr(service)
    copy = pickle.loads(pickle.dumps(service))
    assert isinstance(copy, gpucost.Services) and copy.service == one and repr(copy) == repr(service)
    with pytest.raises(gpucost.UnsupportedError, match="a service has no page"):
        service.to_html()


def test_several_services(service, common):
    found = gpucost.serve(CONFIG, target=common["target"], input_tokens=256, output_tokens=32, batch=[1, 4, 10**6], tpot="1,30")
    assert [point["flags"] for point in found["points"]][1:4] == ["--batch=1 --tpot=30", "--batch=4 --tpot=1", "--batch=4 --tpot=30"]
    assert [point["status"] for point in found["points"]][-1] == "error" and "does not fit" in found["points"][-1]["reason"]
    assert found.services[-1]["tpot_ms"] == service.service["tpot_ms"]
    assert found.best()["batch"] == found.best("tokens_per_s")["batch"] == 4 and found.best("ttft_ms")["batch"] == 1
    for question in (lambda: found.service, lambda: found.best("joy")):
        with pytest.raises(gpucost.InvalidArgumentError, match="points: use services|not a number"):
            question()
    with pytest.raises(gpucost.InvalidArgumentError, match="does not fit"):
        gpucost.serve(CONFIG, target=common["target"], input_tokens=256, output_tokens=32, batch=10**6).service


def test_techniques_of_services(service, common):
    given = dict(target=common["target"], input_tokens=256, output_tokens=32, batch=4)
    cached = gpucost.serve(CONFIG, prefix_hit=0.5, **given).service
    assert cached["prefill"]["tokens"] == 4 * 128 and cached["ttft_ms"] < service.service["ttft_ms"]
    drafted = gpucost.serve(CONFIG, draft_tokens=2, acceptance=0.9, draft={**CONFIG, "num_hidden_layers": 1}, **given)
    assert drafted.service["tpot_ms"] != service.service["tpot_ms"] and "drafts" in repr(drafted)
    plan = gpucost.deploy(CONFIG, users=4, tp=1, input_tokens=256, output_tokens=32, draft_tokens=2, acceptance=0.9,
                          draft={**CONFIG, "num_hidden_layers": 1}, **common)
    assert plan["traffic"]["tokens_per_step"] == pytest.approx(1 + 0.9 + 0.81) and "2 drafts" in str(plan)


@pytest.mark.parametrize("arguments, error, message", [
    ({"nope": 1}, TypeError, "serve.. got an unexpected keyword argument 'nope'"),
    ({"prefix_hit": 2}, gpucost.InvalidArgumentError, "--prefix-hit expects a number from 0 to 1"),
    ({"ttft": True}, gpucost.InvalidArgumentError, "'ttft' is True: expected a number"),
    ({"input_tokens": 1.5}, gpucost.InvalidArgumentError, "'input_tokens' is 1.5"),
    ({"logits": "some"}, gpucost.InvalidArgumentError, "unknown value 'some' of --logits"),
    ({"draft_tokens": 2}, gpucost.InvalidArgumentError, "acceptance"),
])
def test_wrong_services(common, arguments, error, message):
    with pytest.raises(error, match=message):
        gpucost.serve(CONFIG, **{"target": common["target"], **arguments})


def test_modules_as_services(common):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers", minversion="5")
    pytest.importorskip("onnxscript")
    with torch.device("meta"):
        module = transformers.LlamaForCausalLM(transformers.LlamaConfig(
            hidden_size=256, intermediate_size=512, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2))
    given = dict(inputs={"input_ids": torch.zeros(1, 64, dtype=torch.long)}, target=common["target"], input_tokens=128, output_tokens=16)
    found = gpucost.serve(module, batch=[2, 8], **given)
    assert [each["batch"] for each in found.services] == [2, 8]
    assert gpucost.serve(torch.compile(module), batch=2, **given).service["settings"]["runtime"] == "cudagraph"
    assert gpucost.deploy(module, users=4, tp=1, **given).choice["gpus"] == 1


ROUND = {"gpus": 8, "prompts": 32, "samples": 4, "input_tokens": 128, "train": {"parallel": "fsdp"}}


@pytest.fixture(scope="module")
def decoder(root):
    return root / "test" / "PostTrain" / "Inputs" / "config.json"


def test_one_round(decoder, common, root, tmp_path):
    lengths = {100: 50, 400: 40, 3000: 10}
    found = gpucost.post_train(decoder, target=common["target"], output_tokens=lengths, **ROUND)
    file = gpucost.post_train(decoder, target=common["target"], output_tokens=root / "test" / "PostTrain" / "Inputs" / "lengths.csv",
                              **{**ROUND, "train": "parallel=fsdp"})
    assert {**found, "model": ""} == {**file, "model": ""}
    assert found["sequences"] == 128 and found["longest_output_tokens"] == 3000 and found.fits
    assert sum(each["time_ms"] for each in found.phases) == pytest.approx(found["time_ms"], rel=1e-5)
    assert found.time_of("rollout") > found.time_of("reference") == found.phase("old log-probs")["time_ms"]
    low, high = found.interval("energy_j")
    assert low < found["energy_j"] < high
    assert "a round of grpo" in repr(found)
    with pytest.raises(gpucost.InvalidArgumentError, match="unknown phase 'lunch': expected rollout"):
        found.time_of("lunch")
    with pytest.raises(gpucost.InvalidArgumentError, match="expected time_ms, energy_j"):
        found.interval("gpus")
    with pytest.raises(gpucost.UnsupportedError, match="no page"):
        found.to_html(tmp_path / "round.html")


def test_kinds_of_rounds(decoder, common):
    dpo = gpucost.post_train(decoder, target=common["target"], algorithm="dpo", output_tokens=256,
                             **{**ROUND, "samples": None})
    assert [each["name"] for each in dpo.phases] == ["reference", "policy update"] and dpo["rollout"] is None
    ppo = gpucost.post_train(decoder, target=common["target"], algorithm="ppo", output_tokens=256, reward_model=decoder,
                             critic=decoder, **ROUND)
    assert ppo.time_of("critic update") == pytest.approx(ppo.time_of("policy update"))
    apart = gpucost.post_train(decoder, target=common["target"], network="dgx-h100", rollout_gpus=8, train_gpus=8, lag=0,
                               output_tokens=256, **{**ROUND, "gpus": None})
    assert apart["gpus"] == 16 and not apart["shared"] and apart["waiting_energy_j"] > 0


@pytest.mark.parametrize("arguments, error, message", [
    ({"prompt": 8}, TypeError, "prompt"),
    ({"rollout": 3}, gpucost.InvalidArgumentError, "'rollout' is 3"),
    ({"train": {"paralel": "tp2"}}, gpucost.InvalidArgumentError, "unknown setting 'paralel' in --train"),
    ({"software": "vllm"}, gpucost.InvalidArgumentError, "--software is a word of --rollout or --train"),
    ({"output_tokens": {}}, gpucost.InvalidArgumentError, "has no rows"),
    ({"algorithm": "dpo", "samples": 3}, gpucost.InvalidArgumentError, "--samples is 2"),
])
def test_wrong_rounds(decoder, common, arguments, error, message):
    with pytest.raises(error, match=message):
        gpucost.post_train(decoder, target=common["target"], **{**ROUND, **arguments})
