# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""map() and sweep(), on executors of Python, joblib and Dask."""
import concurrent.futures
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

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
    assert points.best("launches").report.iteration.launches == points[0].report.iteration.launches
    with pytest.raises(gpucost.InvalidArgumentError, match="no quantity 'nonsense'"):
        points.best("nonsense")


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
    assert [point["status"] for point in data["points"]] == ["ok", "refused", "ok", "refused"]
    for point, of in zip(data["points"], found):
        assert point["clock"] == of.settings["clock"] and point["target"] == of.settings["target"]
        assert point.get("energy_j") == (of.report and of.report.energy_j)
        assert bool(point["reason"]) == (of.report is None)
    assert data["points"][2]["gpu"] == found[2].report.target
    with pytest.raises(gpucost.InvalidArgumentError, match="at most 20000 points"):
        gpucost.Sweep(list(found) * 5001).to_html()


RANGES = {"batch": "1..4x2", "clock": [1005, "1200..1400:100"]}
FLAGS = ("--target=a100-bf16", "--seq=64", "--batch=1..4x2", "--clock=1005,1200..1400:100")


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_files_are_those_of_the_tool(bert, tool, tmp_path):
    """Python continues a file of the command line and the other way round, wherever the model is."""
    whole = tmp_path / "whole.jsonl"
    assert tool.run("sweep", bert, *FLAGS, "-o", whole).returncode == 0
    part = tmp_path / "part.jsonl"
    kept = whole.read_bytes()[:2000]
    part.write_bytes(kept)
    found = gpucost.sweep(bert, RANGES, target="a100-bf16", seq=64, file=part)
    assert part.read_bytes() == whole.read_bytes()
    assert [tuple(point.settings.values()) for point in found] == [
        (batch, clock) for batch in (1, 2, 4) for clock in (1005, 1200, 1300, 1400)]
    assert [point.time_ms for point in found] == [line["time_ms"] for line in lines(whole)]
    assert found[5].report.time_ms == found[5].time_ms
    moved = tmp_path / "other.onnx"
    moved.write_bytes(open(bert, "rb").read())
    part.write_bytes(kept)
    gpucost.sweep(str(moved), RANGES, target="a100-bf16", seq=64, file=part)
    assert [line["energy_j"] for line in lines(part)] == [line["energy_j"] for line in lines(whole)]
    with pytest.raises(gpucost.InvalidArgumentError, match="result of another sweep"):
        gpucost.sweep(bert, RANGES, target="a100-bf16", seq=32, file=part)
    again = gpucost.sweep(bert, {"batch": [8]}, target="a100-bf16", seq=32, file=part, resume=False)
    assert len(again) == 1 and len(lines(part)) == 1
    loaded = gpucost.Sweep.load(whole)
    assert [dict(point.fields) for point in loaded] == [dict(point.fields) for point in found]
    assert loaded[3].report == found[3].report


def test_shards_are_parts(bert, tmp_path):
    parts = [gpucost.sweep(bert, RANGES, target="a100-bf16", seq=64, shard=f"{part}/5", file=tmp_path / f"{part}.jsonl")
             for part in range(1, 6)]
    whole = gpucost.sweep(bert, RANGES, target="a100-bf16", seq=64)
    assert [dict(point.settings) for part in parts for point in part] == [dict(point.settings) for point in whole]
    (tmp_path / "all.jsonl").write_bytes(b"".join((tmp_path / f"{part}.jsonl").read_bytes() for part in range(1, 6)))
    assert len(gpucost.Sweep.load(tmp_path / "all.jsonl")) == len(whole) == 12
    for wrong in ("0/2", "3/2", "x", "1"):
        with pytest.raises(gpucost.InvalidArgumentError, match="shard"):
            gpucost.sweep(bert, RANGES, target="a100-bf16", seq=64, shard=wrong)


def test_values_are_lists_ranges_and_repetitions(bert):
    found = gpucost.sweep(bert, {"clock": [1005, 705, 1005], "batch": "2,1"}, target="a100-bf16", seq=64)
    assert [(point.settings["clock"], point.settings["batch"]) for point in found] == [
        (1005, 2), (1005, 1), (705, 2), (705, 1), (1005, 2), (1005, 1)]
    assert found[0] == found[4] and found[0] != found[2]
    assert all(point.report.iteration.samples == point.settings["batch"] for point in found)
    constant = gpucost.sweep(bert, {"clock": [1005]}, target="a100-bf16", seq=64, batch="1..2")
    assert [point.settings["batch"] for point in constant] == [1, 2]
    listed = [dict(clock=clock, power_limit=watts) for clock, watts in [(705, 200), (1005, 300), (1005, 200)]]
    found = gpucost.sweep(bert, listed, target="a100-bf16", seq=64, batch=1)
    assert [dict(point.settings) for point in found] == listed
    assert [point.time_ms for point in found] == [point.report.time_ms for point in found]
    assert gpucost.sweep(bert, {"bind": [{"batch": 2, "sequence": 32}]}, target="a100-bf16")[0].report.iteration.samples == 2


def test_iterators_give_points_as_they_come(bert, expected):
    found = list(gpucost.iter_sweep(bert, SPACE, seq=64))
    assert sorted((point.settings["target"], point.settings["batch"], point.energy_j) for point in found) == sorted(
        (settings["target"], settings["batch"], report.energy_j) for settings, report in expected)
    listed = gpucost.iter_sweep(bert, [settings for settings, _ in expected], seq=64)
    assert sorted(point.time_ms for point in listed) == sorted(report.time_ms for _, report in expected)
    first = gpucost.iter_sweep(bert, {"clock": "210..1410:0.02"}, target="a100-bf16", batch=1, seq=64)
    assert next(first).settings["clock"] == 210
    before = threading.active_count()
    first.close()
    assert threading.active_count() < before


def test_sweeps_are_small_and_can_be_pickled(bert):
    """Points keep a line, not a report."""
    found = gpucost.sweep(bert, {"clock": "600..1400:2"}, target="a100-bf16", batch=1, seq=64)
    copy = pickle.loads(pickle.dumps(found))
    assert list(copy) == list(found) and copy[7].report == found[7].report
    assert len(pickle.dumps(found)) < 1000 * len(found)


def test_custom_gpus(bert):
    model = gpucost.Model("a100-bf16")
    found = gpucost.sweep(bert, {"target": [model, "a100-bf16"], "batch": [1, 2]}, seq=64)
    assert [point.time_ms for point in found[:2]] == [point.time_ms for point in found[2:]]
    with pytest.raises(gpucost.InvalidArgumentError, match="targets by their name"):
        gpucost.sweep(bert, {"target": [model]}, batch=1, seq=64, file="x.jsonl")


# Enough points for several seconds: the signal must arrive before the end, however busy the machine is. A shell that
# starts the tests in the background makes them ignore SIGINT, and children inherit that.
SCRIPT = """
import signal, gpucost
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
gpucost.sweep({bert!r}, {{"clock": "210..1410:0.02", "power_limit": "250..400:10"}}, target="a100-bf16", batch=1, seq=64,
              file={file!r}, jobs=1)
"""


def test_ctrl_c_keeps_what_was_done(bert, tmp_path):
    file = tmp_path / "sweep.jsonl"
    with subprocess.Popen([sys.executable, "-c", SCRIPT.format(bert=bert, file=str(file))], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        while not file.exists() or file.stat().st_size < 100_000:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=30)[1]
    done = gpucost.Sweep.load(file)
    assert 100 <= len(done) < 960_016
    assert done[99].time_ms == gpucost.analyze(**done[99].settings).time_ms


def die():
    os.kill(os.getpid(), signal.SIGKILL)


class Deadly(concurrent.futures.ProcessPoolExecutor):
    """A worker is killed by the fifth task."""

    tasks = 0

    def submit(self, function, *arguments):
        self.tasks += 1
        return super().submit(die) if self.tasks == 5 else super().submit(function, *arguments)


def test_a_dead_process_keeps_what_was_done(bert, tmp_path):
    """A killed worker breaks Python's pool: the exception and the file have the finished points, and the same call
    goes on."""
    space = {"batch": list(range(1, 33)), "clock": "1000..1400:1"}
    file = tmp_path / "sweep.jsonl"
    with Deadly(2) as pool, pytest.raises(concurrent.futures.process.BrokenProcessPool) as broken:
        gpucost.sweep(bert, space, target="a100-bf16", seq=64, file=file, executor=pool)
    partial = broken.value.partial
    assert 0 < len(partial) < 32 * 401 and len(gpucost.Sweep.load(file)) == len(partial)
    before = file.read_bytes()
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        whole = gpucost.sweep(bert, space, target="a100-bf16", seq=64, file=file, executor=pool)
    assert file.read_bytes().startswith(before) and len(whole) == 32 * 401
    serial = gpucost.sweep(bert, space, target="a100-bf16", seq=64)
    assert list(whole[::97]) == list(serial[::97])


def test_dask_goes_on_when_a_worker_dies(bert, tmp_path):
    distributed = pytest.importorskip("distributed")

    file = tmp_path / "sweep.jsonl"
    space = {"batch": list(range(1, 17)), "clock": "1000..1400:1"}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  local_directory=str(tmp_path)) as cluster, distributed.Client(cluster) as client:
        first = next(iter(client.run(os.getpid).values()))

        def kill():
            while not file.exists() or not file.stat().st_size:
                time.sleep(0.005)
            os.kill(first, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        found = gpucost.sweep(bert, space, target="a100-bf16", seq=64, file=file, executor=client.get_executor())
        killer.join()
    assert len(found) == 16 * 401 == len(lines(file))
    assert found.best("energy_j").energy_j == min(line["energy_j"] for line in lines(file))


def test_progress(bert, capsys, monkeypatch):
    from gpucost import _progress

    gpucost.sweep(bert, {"clock": [1005, 705]}, target="a100-bf16", batch=1, seq=64)
    assert capsys.readouterr().err == ""  # No terminal.
    monkeypatch.setattr(_progress, "DELAY", 0.0)
    monkeypatch.setattr(_progress, "INTERVAL", 0.0)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    gpucost.sweep(bert, {"clock": [1005, 705]}, target="a100-bf16", batch=1, seq=64, progress=True)
    assert "2/2 points" in capsys.readouterr().err
    gpucost.sweep(bert, {"clock": [1005, 705]}, target="a100-bf16", batch=1, seq=64, progress=False)
    assert capsys.readouterr().err == ""


def test_mistakes_of_files(bert, tmp_path):
    with pytest.raises(gpucost.InvalidArgumentError, match="JSON Lines"):
        gpucost.sweep(bert, {"clock": [1005]}, target="a100-bf16", file=tmp_path / "a.csv")
    with pytest.raises(gpucost.InvalidArgumentError, match="'resume' is about 'file'"):
        gpucost.sweep(bert, {"clock": [1005]}, target="a100-bf16", resume=False)
    with pytest.raises(gpucost.InvalidArgumentError, match="jobs"):
        gpucost.sweep(bert, {"clock": [1005]}, target="a100-bf16", jobs=0)
    with pytest.raises(gpucost.MissingFileError):
        gpucost.sweep("missing.onnx", {"clock": [1005]}, target="a100-bf16")
    with pytest.raises(gpucost.GpuCostError, match="no GPU called|unknown|no target"):
        gpucost.sweep(bert, {"target": ["b1000"]}, batch=1, seq=64)
    with pytest.raises(gpucost.MissingFileError):
        gpucost.Sweep.load(tmp_path / "missing.jsonl")
    (tmp_path / "text.jsonl").write_text("hello\n")
    with pytest.raises(gpucost.BadDataError, match="no lines of a sweep"):
        gpucost.Sweep.load(tmp_path / "text.jsonl")
    keep = gpucost.sweep(bert, {"target": ["b1000", "a100-bf16"]}, batch=1, seq=64, errors="keep")
    assert [point.error is None for point in keep] == [False, True] and keep[0].report is None


def test_batches_of_a_module():
    """Sizes of static inputs are no limit if the batch varies."""
    torch = pytest.importorskip("torch")
    module, inputs = torch.nn.Linear(64, 64), torch.empty(12, 64)
    sweep = gpucost.sweep(module, {"batch": [1, 4, 12]}, inputs=inputs, target="a100-bf16")
    alone = [gpucost.analyze(module, torch.empty(batch, 64), target="a100-bf16") for batch in (1, 4, 12)]
    assert [point.time_ms for point in sweep] == [report.iteration.time_ms for report in alone]
    assert sweep[1].report.iteration.samples_per_s == alone[1].iteration.samples_per_s
    for batches in ([1, 4, 12], "1,4,12"):
        best = gpucost.optimize(module, {"batch": batches, "clock": 1410}, inputs=inputs, target="a100-bf16", minimize="energy",
                                per="sample")
        assert best["choice"]["batch"] == 12 and best["choice"]["time_ms"] == alone[2].iteration.time_ms
    cases = [dict(batch=batch) for batch in (2, 8)]
    assert [point.settings["batch"] for point in gpucost.sweep(module, cases, inputs=inputs, target="a100-bf16")] == [2, 8]
    with pytest.raises(gpucost.InvalidArgumentError, match="a state_dict has weights, but no graph"):
        gpucost.analyze(module.state_dict(), target="a100-bf16")
