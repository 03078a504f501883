# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Import, threads, forks, signals, and the program."""
import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import gpucost
import pytest

CASE = dict(target="a100-bf16", batch=2, seq=64)


def python(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, **options)


def test_import_brings_no_other_package():
    result = python("import sys; before = set(sys.modules); import gpucost; "
                    "print(sorted({name.split('.')[0] for name in set(sys.modules) - before} "
                    "- set(sys.stdlib_module_names if hasattr(sys, 'stdlib_module_names') else ())"
                    "& {'gpucost', 'numpy', 'pandas', 'onnx', 'torch', 'triton', 'typing_extensions'}))")
    assert result.stdout.strip() == "['gpucost']", result.stdout + result.stderr


def test_threads_give_the_same_numbers(bert):
    expected = gpucost.analyze(bert, **CASE)
    prepared = gpucost.prepare(bert, **CASE)
    placed = prepared.place("a100")
    model = gpucost.Model("a100-bf16")
    kernels = [model.matmul(64 * size, 512, 512) for size in range(1, 9)]

    def work(_):
        return (gpucost.analyze(bert, **CASE), placed.evaluate().iteration,
                [model.matmul(64 * size, 512, 512) for size in range(1, 9)])

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for report, iteration, costs in pool.map(work, range(24)):
            assert report == expected and iteration == expected.iteration and costs == kernels


def test_the_interpreter_runs_meanwhile(root):
    """The library leaves the GIL: another thread counts while one call runs."""
    stop, counts = threading.Event(), []

    def count():
        while not stop.is_set():
            counts.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.perf_counter()
    gpucost.analyze(root / "models" / "gpt2-large.onnx", target="a100-bf16", batch=2, seq=64, mode="training")
    end = time.perf_counter()
    stop.set()
    thread.join()
    assert sum(begin < each < end for each in counts) >= 3


def in_child(path, queue):
    queue.put((gpucost.analyze(path, **CASE), gpucost.Model("a100-bf16").matmul(512, 512, 512)))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes(bert, method):
    expected = gpucost.analyze(bert, **CASE)  # The parent has used the library before the fork.
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=in_child, args=(bert, queue))
    child.start()
    report, cost = queue.get(timeout=120)
    child.join(60)
    assert child.exitcode == 0
    assert report == expected and cost == gpucost.Model("a100-bf16").matmul(512, 512, 512)


def placed_energy(placed):
    return placed.evaluate(clock=1005).iteration


def test_handles_travel_to_processes(bert):
    placed = gpucost.prepare(bert, **CASE).place("a100")
    assert placed_energy(pickle.loads(pickle.dumps(placed))) == placed_energy(placed)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(placed_energy, [placed] * 2)) == [placed_energy(placed)] * 2


def test_exceptions_travel(bert):
    for error in (gpucost.InvalidArgumentError("m", ), gpucost.FileError("f"), gpucost.NotFoundError("n")):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error) and again.message == error.message


def test_ctrl_c_ends_a_long_call():
    pytest.importorskip("numpy")
    code = ("import gpucost, numpy, sys\n"
            "model = gpucost.Model('h100-bf16')\n"
            "m = numpy.arange(1, 20_000_001)\n"
            "try:\n    print('ready', flush=True)\n    model.estimate_many('matmul', m=m, n=64, k=64)\n"
            "except KeyboardInterrupt:\n    sys.exit(7)\n")
    # A shell starts background commands with the signal ignored.
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert child.stdout.readline() == b"ready\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    try:
        assert child.wait(30) == 7
    finally:
        child.kill()
        child.stdout.close()


def test_program(bert, tool, tmp_path):
    shown = tool.run(bert, "--target=a100-bf16", "--batch=2", "--seq=64")
    assert shown.returncode == 0 and "bert-base.onnx on a100-sxm-80gb, bf16" in shown.stdout
    wrong = tool.run("missing.onnx", "--target=a100-bf16")
    assert wrong.returncode == 1 and "missing.onnx" in wrong.stderr and not wrong.stdout
    stated = tool.run("--version").stdout
    assert stated.startswith(f"gpu-cost-opt {gpucost.__version__}") and stated.endswith(f", version {gpucost.data_version()}\n")
    prepared = tmp_path / "m.gco"
    made = tool.run("prepare", bert, "--target=a100-bf16", "--batch=2", "--seq=64", "-o", prepared)
    assert made.returncode == 0, made.stderr
    assert gpucost.Prepared.load(prepared) == gpucost.prepare(bert, **CASE)


def test_console_script(bert):
    script = os.path.join(os.path.dirname(sys.executable), "gpu-cost-opt")
    if not os.path.exists(script):
        pytest.skip("the package is not installed in this environment")
    result = subprocess.run([script, bert, "--target=a100-bf16", "--batch=2", "--seq=64"], capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0 and "GPU busy" in result.stdout


def test_closed_pipe(bert):
    result = subprocess.run(f"{sys.executable} -m gpucost --list-settings | head -n 1; echo ${{PIPESTATUS[0]}}",
                            shell=True, executable="/bin/bash", capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stderr and result.stderr == ""


def test_no_memory_is_kept(bert):
    """A thousand reports and prepared models leave the process as large as some do."""
    import resource

    def size():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    prepared = gpucost.prepare(bert, **CASE)
    data = bytes(prepared)

    def work(count):
        for _ in range(count):
            gpucost.Prepared(data).place("a100").evaluate()

    work(200)
    before = size()
    work(800)
    assert size() - before < 32 << 20


def test_calibration(root, bert, tmp_path):
    tool = tmp_path / "bin" / "gpu-cost-opt"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m gpucost "$@"\n')
    tool.chmod(0o755)
    script = root / "test" / "Calibration" / "Inputs" / "synthesize.py"
    subprocess.run([sys.executable, script, root / "targets" / "coefficients" / "a100-sxm-80gb.mlir",
                    tmp_path / "m", "--change", "streaming.dram_efficiency=0.9"], check=True, capture_output=True,
                   env={**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}"})
    found = gpucost.calibrate(tmp_path / "m", tmp_path / "mine.mlir", target="a100-bf16", folds=0)
    assert "streaming" in found.text and (tmp_path / "mine.mlir").exists()
    mine = gpucost.analyze(bert, coefficients=found.path, **CASE)
    assert mine.time_ms != gpucost.analyze(bert, **CASE).time_ms
    with pytest.raises(gpucost.GpuCostError, match="missing"):
        gpucost.calibrate(tmp_path / "missing", tmp_path / "x.mlir", target="a100-bf16")


def test_the_program_runs_again_in_a_process():
    result = python("from gpucost.__main__ import main\n"
                    "query = '--kernel=matmul m=512 n=512 k=512'\n"
                    "codes = [main(words) for words in ([query, '--target=h100-bf16', '--report=csv'], ['--help'],\n"
                    "         ['--no-such-flag'], ['nothing.onnx', '--target=a100'], ['sweep', '--help'],\n"
                    "         [query, '--target=h100-bf16', '--report=csv'])]\n"
                    "print('codes', codes)")
    assert "codes [0, 0, 1, 1, 0, 0]" in result.stdout, result.stdout + result.stderr
    first, rest = result.stdout.split("OVERVIEW", 1)
    assert first.count("\n") == 2 and rest.count(first) == 1
    assert "--no-such-flag" in result.stderr and "nothing.onnx" in result.stderr
