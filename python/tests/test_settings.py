# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings as keyword arguments."""
import inspect
import io
import pathlib

import gpucost
import pytest
from gpucost import enums


def test_every_setting_is_an_argument(bert):
    names = [setting.name for setting in gpucost.settings()]
    for function in (gpucost.analyze, gpucost.prepare):
        parameters = inspect.signature(function).parameters
        assert set(names) <= set(parameters) and "settings" not in parameters
        for name in set(names) - {"target"}:
            assert f"        {name} (" in function.__doc__
    report = gpucost.analyze(bert, target="a100-bf16", batch=2, seq=16)
    assert set(report.settings) == {*names, "given"}


def test_each_choice_is_a_setting_of_the_tool(bert):
    """Each choice is accepted, or rejected for its meaning: never as unknown."""
    for setting in gpucost.settings():
        if setting.kind != "choice":
            continue
        kind = getattr(enums, "".join(part.capitalize() for part in setting.name.split("_")))
        assert [case.value for case in kind] == list(setting.choices)
        for case in kind:
            try:
                report = gpucost.analyze(bert, target="a100-bf16", batch=2, seq=16, **{"mode": "training",
                                                                                     setting.name: case})
                assert report.settings[setting.name] in (case.value, None)
            except gpucost.GpuCostError as error:
                assert "expected" not in str(error), error


def test_values_of_numpy_and_paths(bert, root):
    numpy = pytest.importorskip("numpy")
    report = gpucost.analyze(bert, target="a100-bf16", batch=numpy.int64(2), seq=numpy.int32(16),
                             clock=numpy.float64(1005))
    assert report.settings["batch"] == 2 and report.iteration.clock_mhz == 1005
    mine = root / "targets" / "a100-sxm-80gb.mlir"
    assert gpucost.analyze(bert, target=mine, batch=2, seq=16).target == "a100-sxm-80gb"
    assert gpucost.analyze(bert, target="bf16", target_file=pathlib.Path(mine), batch=2, seq=16).format == "bf16"


def test_symbols(bert):
    by_names = gpucost.analyze(bert, target="a100-bf16", bind={"batch": 2, "sequence": 16})
    assert by_names.bindings == {"batch": 2, "sequence": 16}
    assert gpucost.analyze(bert, target="a100-bf16", bind="batch:2,sequence:16").iteration == by_names.iteration


@pytest.mark.parametrize("settings, kind, words", [
    ({"optimiser": "sgd"}, TypeError, "did you mean 'optimizer'"),
    ({"batchsize": 2}, TypeError, "batchsize"),
    ({"mode": "trainin"}, gpucost.InvalidArgumentError, "training"),
    ({"target": "a1000"}, gpucost.GpuCostError, "a1000"),
    ({"target": "p100-bf16"}, gpucost.GpuCostError, "bf16"),
    ({"batch": -1}, gpucost.InvalidArgumentError, "batch"),
    ({"batch": 2.5}, gpucost.InvalidArgumentError, "batch"),
    ({"batch": "many"}, gpucost.InvalidArgumentError, "batch"),
    ({"batch": object()}, gpucost.InvalidArgumentError, "batch"),
    ({"clock": 0}, gpucost.InvalidArgumentError, "clock"),
    ({"clock": float("nan")}, gpucost.InvalidArgumentError, "clock"),
    ({"bind": {"nothing": 3}}, gpucost.GpuCostError, "nothing"),
    ({"group_by": "kernel"}, gpucost.GpuCostError, "kernel"),
])
def test_mistakes(bert, settings, kind, words):
    with pytest.raises(kind, match=words):
        gpucost.analyze(bert, **{"target": "a100-bf16", "batch": 2, "seq": 16, **settings})


def test_missing_values_are_named(bert):
    with pytest.raises(gpucost.GpuCostError, match="batch"):
        gpucost.analyze(bert, target="a100-bf16")
    with pytest.raises(gpucost.GpuCostError, match="target"):
        gpucost.analyze(bert, batch=2, seq=16)


@pytest.mark.parametrize("model, kind, words", [
    ("missing.onnx", FileNotFoundError, "missing.onnx"),
    ("", Exception, "."),
    (b"", gpucost.GpuCostError, "."),
    (b"not a model", gpucost.GpuCostError, "."),
    ("module {", gpucost.GpuCostError, "."),
    ("no module\nat all", gpucost.GpuCostError, "."),
    (3, TypeError, "int"),
    (None, TypeError, "NoneType"),
    (pathlib.Path("/"), gpucost.GpuCostError, "/"),
])
def test_no_models(model, kind, words):
    with pytest.raises(kind, match=words) as caught:
        gpucost.analyze(model, target="a100-bf16")
    assert str(caught.value).strip()


def test_inputs_without_a_module(bert):
    with pytest.raises(gpucost.InvalidArgumentError, match="torch.nn.Module, not to a str"):
        gpucost.analyze(bert, (1,), target="a100-bf16")
    with pytest.raises(gpucost.InvalidArgumentError, match="class Tool: give an instance"):
        gpucost.analyze(type("Tool", (), {}), (1,), target="a100-bf16")


def test_open_files(bert):
    settings = {"target": "a100-bf16", "batch": 2, "seq": 16}
    with open(bert, "rb") as file:
        report = gpucost.analyze(file, **settings)
    assert report.model == bert and report.iteration == gpucost.analyze(bert, **settings).iteration
    text = io.StringIO("no module")
    with pytest.raises(gpucost.GpuCostError):
        gpucost.analyze(text, target="a100-bf16")


def test_bytes_of_other_things(bert):
    for data in (b"", b"x", b"GCO", pathlib.Path(bert).read_bytes()):
        with pytest.raises(gpucost.BadDataError):
            gpucost.Prepared(data)
    data = bytes(gpucost.prepare(bert, target="a100-bf16", batch=2, seq=16))
    for cut in (10, len(data) // 2, len(data) - 1):
        with pytest.raises(gpucost.BadDataError):
            gpucost.Prepared(data[:cut])
    with pytest.raises(OSError, match="missing.gco"):
        gpucost.Prepared.load("missing.gco")


def test_prepared_models(bert, tmp_path):
    prepared = gpucost.prepare(bert, target="a100-bf16", batch=2, seq=16)
    info = prepared.info
    assert (info.model, info.format, info.training, info.world_size) == (bert, "bf16", False, 1)
    assert info.samples == 2 and info.tokens == 32
    prepared.save(tmp_path / "m.gco")
    assert gpucost.Prepared.load(tmp_path / "m.gco") == prepared
    with pytest.raises(gpucost.GpuCostError, match="format|fp16"):
        prepared.place("a100-fp16")
    with pytest.raises(gpucost.GpuCostError):
        prepared.place("v100")
    with pytest.raises(gpucost.InvalidArgumentError, match="clock"):
        prepared.place("a100").evaluate(clock=-1)
    with pytest.raises(TypeError):
        prepared.place("a100").evaluate(clocks=1)
