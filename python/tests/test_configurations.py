# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models from the config.json of a repository."""
import json

import gpucost
import pytest

# 2 layers of 64 with 4 heads of 16, 2 of them for keys and values; feed-forward layers of 96; 100 words.
CONFIG = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
          "num_key_value_heads": 2, "intermediate_size": 96, "vocab_size": 100, "torch_dtype": "bfloat16"}
# Embedding and logits; in a layer q and o, k and v, three products, two norms; the last norm.
PARAMETERS = 2 * 100 * 64 + 2 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 96 + 2 * 64) + 64
SETTINGS = {"target": "a100-bf16", "batch": 2, "seq": 8}


def test_forms_of_a_configuration(tmp_path):
    text = json.dumps(CONFIG)
    (tmp_path / "config.json").write_text(text)
    reports = [gpucost.analyze(model, name="m", **SETTINGS)
               for model in (CONFIG, text, text.encode(), tmp_path, tmp_path / "config.json",
                             gpucost.from_config(CONFIG), gpucost.from_config(tmp_path))]
    assert {report.iteration.time_ms for report in reports} == {reports[0].iteration.time_ms}
    assert reports[0].iteration.parameter_count == PARAMETERS


def test_graph_follows_the_settings():
    model = gpucost.from_config(CONFIG)
    assert model.name == "llama"
    prompt, step, training = (gpucost.analyze(model, **{**SETTINGS, **more})
                              for more in ({}, {"seq": 1, "past": 7}, {"mode": "training"}))
    assert prompt.iteration.parameter_count == step.iteration.parameter_count == training.iteration.parameter_count
    # Per token: weights of matmuls; pairs of queries and keys times both products of all heads.
    weights = 2 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 96) + 64 * 100
    assert prompt.iteration.matrix_flops == 2 * 16 * weights + 2 * 2 * (8 * 9 // 2) * 4 * 64
    assert step.iteration.matrix_flops == 2 * 2 * weights + 2 * 2 * 8 * 4 * 64
    assert training.iteration.matrix_flops > 2.9 * prompt.iteration.matrix_flops


def test_files(tmp_path):
    model = gpucost.from_config(CONFIG)
    path = tmp_path / "model.onnx"
    model.save(path, form="cache")
    saved = gpucost.analyze(path, target="a100-bf16", batch=2, seq=1, past=7)
    direct = gpucost.analyze(model, target="a100-bf16", batch=2, seq=1, past=7)
    assert saved.iteration.time_ms == direct.iteration.time_ms
    with pytest.raises(gpucost.InvalidArgumentError, match="unknown form 'other'"):
        model.onnx("other")


def test_quantisation_beside(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    (tmp_path / "quantize_config.json").write_text(json.dumps({"quant_method": "gptq", "bits": 4, "group_size": 64}))
    for model in (tmp_path, gpucost.from_config(tmp_path)):
        report = gpucost.analyze(model, **SETTINGS)
        assert report.settings["weights"] == "int4"
        assert report.settings["weight_group"] == 64
    assert gpucost.analyze(tmp_path, weights="int8", **SETTINGS).settings["weights"] == "int8"


@pytest.mark.parametrize("text, message", [("[1]", "expected a JSON object"), ("{", "no JSON"), ("[" * 100000, "no JSON")])
def test_bad_file_beside(tmp_path, text, message):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    (tmp_path / "quantize_config.json").write_text(text)
    with pytest.raises(gpucost.InvalidArgumentError, match=message):
        gpucost.from_config(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[1]", "[" * 100000, '{"model_type": "llama"'])
def test_bad_text(tmp_path, text):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(gpucost.InvalidArgumentError):
        gpucost.from_config(tmp_path)


def test_services_and_sweeps():
    # More words than a step has tokens: each token reads another row of the table.
    words = {**CONFIG, "vocab_size": 50000, "max_position_embeddings": 8192}
    service = gpucost.prepare_service(words, target="h100-bf16").service("h100-bf16")
    assert service.step([(1, 500)]).time_ms > 0
    points = gpucost.sweep(gpucost.from_config(CONFIG), {"target": ["a100-bf16"], "batch": [1, 2]}, seq=8)
    assert len(list(points)) == 2


@pytest.mark.parametrize("change, message", [
    ({"model_type": "foo"}, "model type 'foo' is not supported"),
    ({"hidden_size": None}, "field 'hidden_size' is missing"),
    ({"hidden_size": -1}, "field 'hidden_size': expected a number"),
    ({"num_key_value_heads": 3}, "not a multiple"),
])
def test_errors(change, message):
    with pytest.raises(gpucost.InvalidArgumentError, match=message):
        gpucost.from_config({**CONFIG, **change})


def test_missing_file(tmp_path):
    with pytest.raises(gpucost.MissingFileError):
        gpucost.from_config(tmp_path / "none.json")
    with pytest.raises(TypeError, match="a configuration is the path"):
        gpucost.from_config(7)


def test_adapters(tmp_path):
    settings = {**SETTINGS, "mode": "training", "lora_rank": 4}
    report = gpucost.analyze(CONFIG, **settings)
    # A and B of q and o, k and v, gate and up, down.
    adapters = 2 * 4 * (2 * (64 + 64) + 2 * (64 + 32) + 2 * (64 + 96) + (96 + 64))
    assert report.iteration.parameter_count == PARAMETERS + adapters
    # Two AdamW states in bf16.
    assert report.iteration.optimizer_bytes == 2 * 2 * adapters
    assert gpucost.analyze(gpucost.from_config(CONFIG), name="m", **settings).iteration.time_ms == report.iteration.time_ms
    narrow = gpucost.analyze(CONFIG, lora_base="nf4", **settings)
    assert narrow.iteration.parameter_count == PARAMETERS + adapters
    assert any("unseen" in note for note in narrow.notes) and not any("unseen" in note for note in report.notes)
    some = gpucost.analyze(CONFIG, lora_modules="q_proj,v_proj", **settings)
    assert some.iteration.optimizer_bytes == 2 * 2 * 2 * 4 * (64 + 64 + 64 + 32)
    with pytest.raises(gpucost.GpuCostError, match="the model has no linear 'c_attn'; it has q_proj, k_proj"):
        gpucost.analyze(CONFIG, lora_modules="c_attn", **settings)
    with pytest.raises(gpucost.GpuCostError, match="--lora-rank needs --mode=training"):
        gpucost.analyze(CONFIG, lora_rank=4, **SETTINGS)


@pytest.mark.parametrize("modules, targets", [("all-linear", "all-linear"), ("q_proj,down_proj", ["q_proj", "down_proj"]),
                                              ("attention", ["q_proj", "k_proj", "v_proj", "o_proj"])])
def test_adapters_have_the_parameters_of_peft(modules, targets):
    peft = pytest.importorskip("peft")
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    fields = {key: value for key, value in CONFIG.items() if key not in ("model_type", "torch_dtype")}
    with torch.device("meta"):
        network = transformers.LlamaForCausalLM(transformers.LlamaConfig(**fields))
        adapted = peft.get_peft_model(network, peft.LoraConfig(r=4, target_modules=targets, task_type="CAUSAL_LM"))
    trained, everything = adapted.get_nb_trainable_parameters()
    report = gpucost.analyze(CONFIG, mode="training", lora_rank=4, lora_modules=modules, **SETTINGS)
    assert report.iteration.parameter_count == everything
    assert report.iteration.optimizer_bytes == 2 * 2 * trained
