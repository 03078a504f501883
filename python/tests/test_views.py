# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules, tables, timelines, comparisons, optima and profiles."""
import json
import pickle
import subprocess
import sys

import gpucost
import pytest
from gpucost._render import scaled

BERT = dict(target="a100-bf16", batch=2, seq=64)


@pytest.fixture(scope="module")
def report(bert):
    return gpucost.analyze(bert, **BERT)


@pytest.fixture(scope="module")
def network():
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnxscript")
    layer = torch.nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
    net = torch.nn.Sequential(torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), torch.nn.Linear(256, 8))
    return net.eval(), (torch.zeros(4, 64, 256),)


def test_modules_are_those_of_torch(network):
    net, inputs = network
    report = gpucost.analyze(net, inputs, target="a100-bf16")
    tree = report.modules()
    assert tree.parameters == sum(each.numel() for each in net.parameters()) == report.iteration.parameter_count
    for path in ("0.layers.0", "0.layers.1.linear1", "1"):
        assert tree.find(path).parameters == sum(each.numel() for each in net.get_submodule(path).parameters())
    # 2 x rows x inputs x outputs; the bias is one more per element where it is an epilogue.
    rows, products = 4 * 64, 2 * 4 * 64 * 256 * 1024
    assert products <= tree.find("0.layers.0.linear1").flops <= products + 3 * rows * 1024
    assert tree.flops == sum(row.flops * row.count for row in report.kernels) == report.iteration.flops
    assert tree.launches == sum(row.count for row in report.kernels)
    assert tree.time_us == pytest.approx(sum(row.total_us for row in report.kernels), rel=1e-5)
    for _, module in tree.walk():
        inner = sum(child.time_us for child in module.children)
        assert inner <= module.time_us * (1 + 1e-9)
    assert tree.live_bytes == max(module.live_bytes for _, module in tree.walk())
    assert "linear1" in repr(tree) and "linear1" not in repr(report.modules(depth=2))
    assert len(repr(report.modules(depth=1)).splitlines()) == 2 + len(tree.children)
    frame = pytest.importorskip("pandas") and tree.to_pandas()
    assert frame["parameters"][0] == tree.parameters and len(frame) == len(list(tree.walk()))
    with pytest.raises(KeyError):
        tree.find("0.layers.7")


def test_modules_of_files_and_of_loaded_reports(report, tmp_path):
    tree = report.modules()
    assert tree.launches == report.iteration.launches and tree.flops == report.iteration.flops
    report.save(tmp_path / "report.json")
    loaded = gpucost.Report.load(tmp_path / "report.json")
    for view in (loaded.modules, loaded.trace, pickle.loads(pickle.dumps(report)).memory_timeline):
        with pytest.raises(gpucost.InvalidArgumentError, match="needs the model"):
            view()
    assert loaded.times is None and loaded == report


def test_tables_are_sorted(report):
    lines = report.table(sort_by="energy", row_limit=3).splitlines()
    least = sorted(report.kernels, key=lambda row: -row.energy_j * row.count)
    assert [line.split("  ")[0] for line in lines[3:6]] == [row.label for row in least[:3]]
    assert f"{len(report.kernels) - 3} other kernels" in lines
    assert report.table().splitlines()[3].startswith(report.kernels[0].label)
    with pytest.raises(gpucost.InvalidArgumentError, match="sort_by"):
        report.table(sort_by="cuda_time")
    with pytest.raises(gpucost.InvalidArgumentError, match="row_limit"):
        report.table(row_limit=0)


def test_timelines(report, bert, tool, tmp_path):
    text = report.trace(tmp_path / "trace.json")
    assert tool.run(bert, "--target=a100-bf16", "--batch=2", "--seq=64", f"--trace={tmp_path / 'tool.json'}").returncode == 0
    assert text == (tmp_path / "tool.json").read_text() == (tmp_path / "trace.json").read_text()
    uses = report.memory_timeline()
    assert max(use.bytes for use in uses) == report.iteration.peak_memory_bytes
    assert [use.time_us for use in uses] == sorted(use.time_us for use in uses)
    assert 0 < uses[-1].time_us <= 1e3 * report.time_ms * (1 + 1e-5)  # times of uses have six digits
    training = dict(BERT, mode="training", optimizer="adamw", grad_accum=2)
    step = gpucost.analyze(bert, **training)
    assert len(step.trace(collapse_loops=True)) < len(step.trace())
    with pytest.raises(gpucost.GpuCostError, match="select_stage"):
        gpucost.analyze(bert, parallel="pp2", gpus=2, mode="training", target="a100-bf16", batch=4, seq=64).trace()


def test_details_and_sensitivities(bert, tool):
    found = gpucost.analyze(bert, details=True, sensitivities=True, **BERT)
    stated = tool.json(bert, "--target=a100-bf16", "--batch=2", "--seq=64", "--details", "--sensitivities")
    assert found.details.to_dict() == stated["details"]
    assert [row.to_dict() for row in found.sensitivities] == stated["sensitivities"]
    plain = gpucost.analyze(bert, **BERT)
    assert plain.details is None and not plain.sensitivities
    with pytest.raises(gpucost.InvalidArgumentError, match="details"):
        gpucost.analyze(bert, target=gpucost.Model("a100-bf16"), batch=2, seq=64, details=True)


def test_times(report):
    times = report.times
    steps = (times.import_s, times.prepare_s, times.place_s, times.evaluate_s)
    assert all(step > 0 for step in steps) and sum(steps) <= times.total_s < 60 and times.export_s == 0


def test_comparisons(report, bert, tool, tmp_path):
    other = gpucost.analyze(bert, target="h100-bf16", batch=2, seq=64)
    found = report.compare(other)
    assert found["totals"]["time_ms"]["before"] == report.time_ms
    assert found["totals"]["energy_j"]["after"] == other.energy_j
    report.save(tmp_path / "before.json"), other.save(tmp_path / "after.json")
    stated = tool.json("compare", tmp_path / "before.json", tmp_path / "after.json")
    assert {**found, "before": 0, "after": 0} == {**stated, "before": 0, "after": 0}
    assert "h100" in repr(found) and found.to_dict()["same"] is False
    assert gpucost.compare(bert, against={"target": "h100-bf16"}, **BERT)["totals"] == found["totals"]
    assert gpucost.compare(report, bert, target="h100-bf16")["totals"] == found["totals"]
    assert pickle.loads(pickle.dumps(found))["totals"] == found["totals"]
    (tmp_path / "budget.json").write_text(json.dumps({"time_ms": 0.001}))
    with pytest.raises(gpucost.InvalidArgumentError, match="budget"):
        gpucost.compare(report, other, budget=tmp_path / "missing-budget.json")
    for arguments in ((report,), (report, other)):
        with pytest.raises(gpucost.InvalidArgumentError):
            gpucost.compare(*arguments, against={"batch": 3} if len(arguments) == 2 else None)


def test_optima(bert, tool):
    found = gpucost.optimize(bert, {"clock": [705, 1005, 1410], "batch": [1, 2]}, target="a100-bf16", seq=64,
                             minimize="energy", subject_to=["time<=2*best"], per="sample")
    points = gpucost.sweep(bert, {"clock": [705, 1005, 1410], "batch": [1, 2]}, target="a100-bf16", seq=64)
    fastest = min(point.time_ms / point.settings["batch"] for point in points)
    allowed = [point for point in points if point.time_ms / point.settings["batch"] <= 2 * fastest]
    assert found["choice"]["energy_per_sample_j"] == min(point.energy_per_sample_j for point in allowed)
    assert found["points"] == 6 and found["per"] == "sample" and "choice" in repr(found)
    stated = tool.json("optimize", bert, "--clock=705,1005,1410", "--batch=1,2", "--target=a100-bf16", "--seq=64",
                       "--minimize=energy", "--subject-to=time<=2*best", "--per=sample")
    assert found.to_dict() == stated
    with pytest.raises(gpucost.InvalidArgumentError, match="minimize"):
        gpucost.optimize(bert, target="a100-bf16", seq=64, batch=1, minimize="joy")
    with pytest.raises(TypeError, match="did you mean 'batch'"):
        gpucost.optimize(bert, target="a100-bf16", batchs=1, minimize="time")
    with pytest.raises(gpucost.InvalidArgumentError, match="target"):
        gpucost.optimize(bert, target=gpucost.Model("a100-bf16"), batch=1, minimize="time")


def test_optima_of_modules(network):
    net, inputs = network
    found = gpucost.optimize(net, inputs=inputs, target="a100-bf16", minimize="energy")
    default = gpucost.analyze(net, inputs, target="a100-bf16")
    assert found["default"]["energy_j"] == default.energy_j and found["choice"]["energy_j"] <= default.energy_j


def test_profiles_of_a_gpu(bert, root, tool, tmp_path):
    """A stored trace in which softmax takes twice its predicted time, with idle gaps."""
    target = str(root / "examples" / "a100.mlir")
    flags = (f"--target-file={target}", "--batch=8", "--seq=128")
    assert tool.run(bert, *flags, "--emit=ir", "-o", tmp_path / "module.mlir").returncode == 0
    trace = tmp_path / "trace.json.gz"
    subprocess.run([sys.executable, root / "test" / "Transfer" / "Inputs" / "make_trace.py", tmp_path / "module.mlir", trace,
                    "--scale", "softmax=2", "--gap", "20"], check=True)
    found = gpucost.transfer(trace, bert, target=target, batch=8, seq=128,
                             to=["target-file=" + str(root / "examples" / "h100.mlir"), {"clock": 900}])
    stated = tool.json("transfer", f"--measured={trace}", bert, *flags,
                       "--to=target-file=" + str(root / "examples" / "h100.mlir"), "--to=clock=900")
    assert found.to_dict() == stated and "clock=900" in repr(found)


def test_profiles_of_the_cpu(network, tmp_path):
    """A real run of torch.profiler; without kernels of a GPU it cannot be carried."""
    net, inputs = network
    with gpucost.record() as run:
        for _ in range(2):
            net(*inputs)
            run.step()
        with pytest.raises(gpucost.InvalidArgumentError, match="no trace yet"):
            run.export_chrome_trace(tmp_path / "trace.json")
    run.export_chrome_trace(tmp_path / "trace.json")
    names = {event["name"] for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"]}
    assert "aten::addmm" in names
    assert {name for name in names if name.startswith("ProfilerStep")} == {"ProfilerStep#0", "ProfilerStep#1"}
    with pytest.raises(gpucost.InvalidArgumentError, match="no kernels of a GPU"):
        run.transfer(net, inputs, target="a100-bf16", to="h100-bf16")
    with pytest.raises(TypeError, match="torch.profiler.profile"):
        gpucost.transfer(3, net, inputs, target="a100-bf16")


def test_plots(report):
    try:
        import matplotlib
    except ImportError:
        with pytest.raises(ImportError, match="pip install matplotlib"):
            report.plot()
        return
    matplotlib.use("Agg")
    axes = report.plot("kernels", top=4)
    assert [bar.get_width() for bar in axes.patches] == [row.total_us * 1e-3 for row in report.kernels[:4]]
    assert max(report.plot("memory").lines[0].get_ydata()) == report.iteration.peak_memory_bytes / 2**20
    assert len(report.plot("phases").patches) == len(report.phases) and report.plot("families").get_title()
    with pytest.raises(gpucost.InvalidArgumentError, match="kind"):
        report.plot("pie")


def test_notebooks(report):
    it = report.iteration
    fragment = report._repr_html_()
    assert "linear-gradient" in fragment and "<script" not in fragment
    for text in (repr(report), fragment):
        for low, high, unit, base in ((it.time_low_ms * 1e-3, it.time_high_ms * 1e-3, "s", 1000),
                                      (it.avg_power_low_w, it.avg_power_high_w, "W", 1000),
                                      (it.energy_low_j, it.energy_high_j, "J", 1000),
                                      (it.device_low_bytes, it.device_high_bytes, "B", 1024)):
            assert f"{scaled(low, unit, base)} to {scaled(high, unit, base)}" in text
    if not pytest.importorskip("IPython"):
        return
    try:
        shown = report.show(300).data
    except gpucost.GpuCostError as error:
        pytest.skip(str(error))  # built without D3
    assert shown.startswith('<iframe title="report" srcdoc=') and 'height="300"' in shown
