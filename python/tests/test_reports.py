# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""analyze() and its results."""
import dataclasses
import json
import pathlib
import pickle

import gpucost
import pytest

CASE = dict(target="a100-bf16", batch=8, seq=128)


def test_the_report_is_that_of_the_tool(bert, tool):
    report = gpucost.analyze(bert, **CASE)
    expected = tool.json(bert, "--target=a100-bf16", "--batch=8", "--seq=128")
    assert report.to_dict() == expected
    assert json.loads(report.to_json()) == expected


def test_the_page_holds_the_report(bert):
    try:
        page = gpucost.page(bert, **CASE)
    except gpucost.GpuCostError as error:
        pytest.skip(str(error))  # built without D3
    data = page[page.index('data-kind="report">') + 19:]
    report = json.loads(data[:data.index("</script>")])
    details = report.pop("details")
    assert report == gpucost.analyze(bert, **CASE).to_dict()
    assert len(details["kernels"]) == len(report["kernels"])
    with pytest.raises(gpucost.InvalidArgumentError):
        gpucost.page(bert, target=gpucost.Model("a100-bf16"))


def data_of(page, kind):
    """The data in a page."""
    start = f'data-kind="{kind}">'
    data = page[page.index(start) + len(start):]
    return json.loads(data[:data.index("</script>")])


def page_of(what, *arguments):
    try:
        return what.to_html(*arguments)
    except gpucost.GpuCostError as error:
        pytest.skip(str(error))  # built without D3


def test_a_report_is_a_page(bert, tmp_path):
    """analyze() and a placed model have the same page as the tool; the page of any other report
    contains its JSON."""
    report = gpucost.analyze(bert, **CASE)
    page = page_of(report, tmp_path / "report.html")
    assert page == gpucost.page(bert, **CASE)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
    placed = gpucost.prepare(bert, **CASE).place("h100-bf16")
    slow = placed.evaluate(clock=900)
    data = data_of(slow.to_html(), "report")
    assert data.pop("details")["sms"] == 132
    assert data == slow.to_dict() and data["iteration"]["clock_mhz"] == 900
    again = pickle.loads(pickle.dumps(report))
    assert again == report and data_of(again.to_html(), "report") == report.to_dict()
    assert "_page" not in repr(report) and len(report._repr_html_()) < 30_000 < len(page)


def test_names_in_a_page_stay_text(root):
    text = (root / "models" / "matmul-gelu.mlir").read_text()
    report = gpucost.Report.from_dict(
        gpucost.analyze(text, target="a100-bf16", name="</script><b>\u2028").to_dict())
    page = page_of(report)
    assert data_of(page, "report")["model"] == "</script><b>\u2028" and "</script><b>" not in page


def test_kinds_of_input_give_the_same_numbers(bert):
    expected = gpucost.analyze(bert, **CASE).to_dict()
    expected.pop("model")
    data = pathlib.Path(bert).read_bytes()
    for model in (pathlib.Path(bert), data, bytearray(data), memoryview(data)):
        found = gpucost.analyze(model, **CASE).to_dict()
        found.pop("model")
        assert found == expected


def test_text_of_mlir(root):
    path = root / "models" / "matmul-gelu.mlir"
    by_text = gpucost.analyze(path.read_text(), target="a100-bf16", name="mine.mlir")
    assert by_text.model == "mine.mlir"
    assert by_text.iteration == gpucost.analyze(path, target="a100-bf16").iteration


def test_onnx_model(bert):
    onnx = pytest.importorskip("onnx")
    model = onnx.load(bert, load_external_data=False)
    assert gpucost.analyze(model, **CASE).iteration == gpucost.analyze(bert, **CASE).iteration


def test_onnx_model_with_weights_is_stripped(tmp_path):
    onnx, numpy = pytest.importorskip("onnx"), pytest.importorskip("numpy")
    from gpucost._onnx import serialized

    weight = onnx.numpy_helper.from_array(numpy.ones((2048, 2048), numpy.float32), "w")
    shape = onnx.numpy_helper.from_array(numpy.array([8, -1], numpy.int64), "shape")
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["x", "w"], ["y"]), onnx.helper.make_node("Reshape", ["y", "shape"], ["z"])],
        "g", [value("x", 1, [16, 2048])], [value("z", 1, None)], [weight, shape])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])
    before = model.SerializeToString()
    light = serialized(model)
    assert len(before) > 1 << 24 and len(light) < 1000
    assert model.SerializeToString() == before
    path = tmp_path / "m.onnx"
    path.write_bytes(before)
    report = gpucost.analyze(model, target="a100-fp32")
    assert report.iteration == gpucost.analyze(path, target="a100-fp32").iteration
    # 2 x 16 x 2048 x 2048.
    assert report.iteration.matrix_flops == 134217728


def test_reports_are_frozen_and_pickle(bert, tmp_path):
    report = gpucost.analyze(bert, **CASE)
    assert pickle.loads(pickle.dumps(report)) == report
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.model = "x"
    report.save(tmp_path / "r.json")
    assert gpucost.Report.load(tmp_path / "r.json") == report


def test_records_can_be_hashed(bert):
    report, other = gpucost.analyze(bert, details=True, sensitivities=True, **CASE), gpucost.analyze(bert, **{**CASE, "batch": 4})
    again = pickle.loads(pickle.dumps(report))
    for name in ("iteration", "kernels", "phases", "details", "sensitivities", "accuracy"):
        first, second = getattr(report, name), getattr(again, name)
        assert first == second and hash(first) == hash(second), name
    assert len({report.iteration, again.iteration, other.iteration}) == 2
    assert all(hash(each) == hash(again.coverage[name]) for name, each in report.coverage.items())
    points = gpucost.sweep(bert, {"clock": [1000, 1200]}, **CASE)
    assert len({*points, *pickle.loads(pickle.dumps(points))}) == 2
    assert len({gpucost.device("h100"), gpucost.device("h100"), gpucost.device("a100")}) == 2


def test_what_a_prediction_stands_for(bert, root):
    report = gpucost.analyze(bert, **CASE)
    assert report.provenance() == gpucost.coefficient_groups("a100")
    assert all(group.provenance for group in report.provenance())
    mine = gpucost.Model(gpucost.device("a100").replace(name="mine"), format="bf16", coefficients="a100")
    assert gpucost.analyze(bert, **{**CASE, "target": mine}).provenance() == []
    file = root / "targets" / "coefficients" / "a100-sxm-80gb.mlir"
    assert gpucost.analyze(bert, **CASE, coefficients=file).provenance() == []


def test_groups_and_phases(bert):
    report = gpucost.analyze(bert, **CASE, mode="training", group_by="op")
    assert [phase.phase for phase in report.phases] == ["forward", "backward", "optimizer"]
    assert report.group_by == "op" and report.groups[0].launches > 0
    assert sum(group.launches for group in report.groups) == sum(row.count for row in report.kernels)


def test_pandas(bert):
    pytest.importorskip("pandas")
    report = gpucost.analyze(bert, **CASE)
    frame = report.to_pandas()
    assert list(frame["total_us"]) == [row.total_us for row in report.kernels]
    assert report.to_pandas("iteration")["time_ms"][0] == report.iteration.time_ms
    assert list(report.to_pandas("phases")["phase"]) == ["forward"]
    assert len(report.to_pandas("groups")) == 0
    with pytest.raises(ValueError):
        report.to_pandas("rows")


def test_text_and_html_show_the_same(bert):
    report = gpucost.analyze(bert, **CASE)
    text, html = repr(report), report._repr_html_()
    assert "bert-base.onnx on a100-sxm-80gb, bf16" in text
    for kernel in report.kernels[:10]:
        assert f"{kernel.time_us:.4g}" in text and f"<td>{kernel.time_us:.4g}</td>" in html
    for note in report.notes:
        assert note in text
    assert "<script" not in html


def test_html_escapes(root):
    report = gpucost.analyze((root / "models" / "matmul-gelu.mlir").read_text(), target="a100-bf16", name="<b>x</b>")
    assert "<b>x</b>" not in report._repr_html_() and "&lt;b&gt;x" in report._repr_html_()


def test_records_describe_their_fields():
    for kind in (gpucost.Report, gpucost.Iteration, gpucost.KernelReport, gpucost.PhaseReport):
        for field in dataclasses.fields(kind):
            assert field.name in gpucost.Iteration.__doc__ + gpucost.KernelReport.__doc__ + \
                gpucost.PhaseReport.__doc__ + gpucost._schema.ReportFields.__doc__
