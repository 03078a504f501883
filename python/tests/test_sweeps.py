# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""map() and sweep(), on executors of Python, joblib and Dask."""
import concurrent.futures
import json
import os
import signal

import gpucost
import pytest

SPACE = {"target": ["a100-bf16", "h100-bf16"], "batch": [1, 4], "clock": [None, 1005]}


@pytest.fixture(scope="module")
def expected(bert):
    points = [dict(target=target, batch=batch, clock=clock)
              for target in SPACE["target"] for batch in SPACE["batch"] for clock in SPACE["clock"]]
    return [(point, gpucost.analyze(bert, seq=64, **point)) for point in points]


def same(sweep, expected):
    assert [dict(point.settings) for point in sweep] == [point for point, _ in expected]
    for point, (_, report) in zip(sweep, expected):
        assert point.error is None
        assert point.report.iteration == report.iteration and point.report.kernels == report.kernels


def test_sweep_is_analyze(bert, expected):
    same(gpucost.sweep(bert, SPACE, seq=64), expected)
    same(gpucost.sweep(bert, [point for point, _ in expected], seq=64), expected)
    same(gpucost.sweep(None, {"model": [bert], **SPACE}, seq=64), [
        ({"model": bert, **point}, report) for point, report in expected])


def test_threads_and_processes(bert, expected):
    for kind in (concurrent.futures.ThreadPoolExecutor, concurrent.futures.ProcessPoolExecutor):
        with kind(2) as pool:
            same(gpucost.sweep(bert, SPACE, seq=64, executor=pool), expected)


def test_joblib(bert, expected):
    joblib = pytest.importorskip("joblib")
    from joblib.externals.loky import get_reusable_executor

    reports = joblib.Parallel(n_jobs=2)(
        joblib.delayed(gpucost.analyze)(bert, seq=64, **point) for point, _ in expected[:3])
    assert reports == [report for _, report in expected[:3]]
    executor = get_reusable_executor(2)
    same(gpucost.sweep(bert, SPACE, seq=64, executor=executor), expected)
    executor.shutdown(wait=True)


def test_dask_survives_the_loss_of_a_worker(bert, expected, tmp_path):
    distributed = pytest.importorskip("distributed")

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  local_directory=str(tmp_path)) as cluster, distributed.Client(cluster) as client:
        first = next(iter(client.run(os.getpid).values()))
        cases = [dict(model=bert, seq=64, **point) for point, _ in expected] * 8
        reports = gpucost.map(cases, executor=client.get_executor())
        found = [next(reports)]
        os.kill(first, signal.SIGKILL)
        found += reports
        assert found == [report for _, report in expected] * 8


def test_map_keeps_order_and_errors(bert):
    cases = [dict(model=bert, target="a100-bf16", batch=1, seq=64), dict(model="missing.onnx", target="a100-bf16"),
             dict(model=bert, target="a100-bf16", batch=2, seq=64)]
    found = list(gpucost.map(cases, errors="keep"))
    assert found[0].iteration.samples == 1 and found[2].iteration.samples == 2
    assert isinstance(found[1], gpucost.FileError)
    with pytest.raises(gpucost.FileError, match="missing.onnx"):
        list(gpucost.map(cases))
    with concurrent.futures.ThreadPoolExecutor(2) as pool, pytest.raises(gpucost.FileError):
        list(gpucost.map(cases, executor=pool))
    many = [dict(cases[0], batch=batch) for batch in range(1, 301)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert [report.iteration.samples for report in gpucost.map(many, executor=pool)] == list(range(1, 301))


def test_points_that_are_errors(bert):
    space = {"target": ["a100-bf16", "v100-bf16"], "clock": [1005, -1]}
    with pytest.raises(gpucost.GpuCostError):
        gpucost.sweep(bert, space, batch=1, seq=64)
    points = gpucost.sweep(bert, space, batch=1, seq=64, errors="keep")
    assert [point.error is None for point in points] == [True, False, False, False]
    assert points.best("energy_j") == points[0]
    with pytest.raises(gpucost.InvalidArgumentError):
        points[1:].best()


def test_best_and_table(bert):
    points = gpucost.sweep(bert, {"clock": [1410, 1005, 705]}, target="a100-bf16", batch=8, seq=128)
    assert points.best("time_ms").settings == {"clock": 1410}
    least = min(points, key=lambda point: point.report.energy_j)
    assert points.best("energy_j") == least
    pandas = pytest.importorskip("pandas")
    frame = points.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame["clock"]) == [1410, 1005, 705]
    assert list(frame["time_ms"]) == [point.report.time_ms for point in points]


def test_mistakes(bert):
    with pytest.raises(TypeError, match="did you mean 'batch'"):
        gpucost.sweep(bert, {"batchs": [1]}, target="a100-bf16")
    with pytest.raises(TypeError, match="submit"):
        list(gpucost.map([dict(model=bert)], executor=3))
    with pytest.raises(gpucost.InvalidArgumentError, match="errors"):
        gpucost.sweep(bert, {}, errors="ignore")


def test_a_sweep_is_a_page(bert, tmp_path):
    """The points with their settings and the numbers of their reports; failed points have a reason."""
    found = gpucost.sweep(bert, {"target": ["a100-bf16", "h100-bf16"], "clock": [900, 100000]}, batch=2, seq=64,
                          errors="keep")
    try:
        page = found.to_html(tmp_path / "sweep.html")
    except gpucost.GpuCostError as error:
        pytest.skip(str(error))  # built without D3
    assert (tmp_path / "sweep.html").read_text(encoding="utf-8") == page
    data = page[page.index('data-kind="sweep">') + 18:]
    data = json.loads(data[:data.index("</script>")])
    assert data["settings"] == ["target", "clock"]
    assert [point["status"] for point in data["points"]] == ["ok", "error", "ok", "error"]
    for point, of in zip(data["points"], found):
        assert point["clock"] == of.settings["clock"] and point["target"] == of.settings["target"]
        assert point["energy_j"] == (of.report and of.report.energy_j)
        assert bool(point["reason"]) == (of.report is None)
    assert data["points"][2]["gpu"] == found[2].report.target
    with pytest.raises(gpucost.InvalidArgumentError, match="at most 20000 points"):
        gpucost.Sweep(list(found) * 5001).to_html()
