# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tool, a C program, analyze(), and prepared models give the same numbers, over models, targets
and settings."""
import json
import os
import pathlib
import shutil
import subprocess

import gpucost
import pytest

SHAPES = {"batch": 4, "seq": 128}
CASES = [
    ("bert-base.onnx", "a100-bf16", SHAPES),
    ("bert-large.onnx", "h100-fp8", SHAPES),
    ("gpt2.onnx", "h100-bf16", {**SHAPES, "mode": "training"}),
    ("gpt2.onnx", "a100-bf16", {**SHAPES, "mode": "training", "gpus": 8, "parallel": "fsdp", "recompute": "full"}),
    ("resnet50.onnx", "v100-fp16", {"batch": 32, "channels_last": True}),
    ("resnet50.onnx", "p100-fp32", {"batch": 8, "mode": "training", "optimizer": "sgd"}),
    ("llama-3-8b.onnx", "h200-bf16", {**SHAPES, "software": "vllm", "attention": "flash"}),
    ("bert-base.onnx", "l4-fp16", {**SHAPES, "runtime": "cudagraph", "power_limit": 60}),
    ("bert-base.onnx", "t4-fp16", {**SHAPES, "clock": 900, "host_launch_us": 3}),
    ("bert-base.onnx", "a100-tf32", {**SHAPES, "runtime": "compiled"}),
    ("bert-base.onnx", "a100-fp16", {**SHAPES, "clock": 1005, "power_limit": 250, "host_launch_us": 0}),
]


CONSUMER = r"""
#include "gpucost-c/gpucost.h"
#include <stdio.h>
static int check(gpucostStatus status) {
  if (status != GPUCOST_OK)
    fprintf(stderr, "%s\n", gpucostLastError());
  return status != GPUCOST_OK;
}
int main(int argc, char **argv) {
  gpucostPrepared *prepared;
  gpucostModel *model;
  gpucostPlaced *placed;
  gpucostReport *report;
  gpucostModelOptions options;
  char *text;
  size_t size;
  GPUCOST_INIT(options);
  if (argc > 3 && check(gpucostEnumValue(GPUCOST_ENUM_SOFTWARE, argv[3], &options.software)))
    return 1;
  if (check(gpucostPreparedLoadFile(argv[1], &prepared)) || check(gpucostModelCreate(argv[2], &options, &model)) ||
      check(gpucostPlace(prepared, model, &placed)) || check(gpucostEvaluate(placed, NULL, &report)) ||
      check(gpucostReportJson(report, NULL, &text, &size)))
    return 1;
  fwrite(text, 1, size, stdout);
  gpucostFree(text);
  gpucostReportFree(report);
  gpucostPlacedFree(placed);
  gpucostModelFree(model);
  gpucostPreparedFree(prepared);
  return 0;
}
"""


@pytest.fixture(scope="module")
def consumer(root, tmp_path_factory):
    """A C program that evaluates a prepared model: its path."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang", "clang-22"))), None)
    if compiler is None:
        pytest.skip("no C compiler")
    from gpucost import _native

    library = pathlib.Path(os.environ.get(_native.FOLDER_VARIABLE) or pathlib.Path(gpucost.__file__).parent / "lib",
                           "libgpucost.so").resolve()
    folder = tmp_path_factory.mktemp("consumer")
    (folder / "libgpucost.so.1").symlink_to(library)
    (folder / "consumer.c").write_text(CONSUMER)
    subprocess.run([compiler, "-std=c99", "-Wall", "-Werror", "-I", root / "include", folder / "consumer.c",
                    folder / "libgpucost.so.1", f"-Wl,-rpath,{folder}", "-o", folder / "consumer"], check=True)
    return folder / "consumer"


@pytest.mark.parametrize("model, target, settings", CASES)
def test_c_program(root, tool, consumer, tmp_path, model, target, settings):
    path = root / "models" / model
    flags = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}") for name, value in settings.items()]
    made = tool.run("prepare", path, f"--target={target}", *flags, "-o", tmp_path / "m.gco")
    assert made.returncode == 0, made.stderr
    found = subprocess.run([consumer, tmp_path / "m.gco", target, *filter(None, [settings.get("software")])],
                           capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    expected = tool.json(path, f"--target={target}", *flags)
    answer = json.loads(found.stdout)
    assert {key: answer[key] for key in ("iteration", "phases", "kernels")} == \
        {key: expected[key] for key in ("iteration", "phases", "kernels")}


@pytest.mark.parametrize("model, target, settings", CASES)
def test_tool_analysis_and_prepared_model(root, tool, model, target, settings):
    path = root / "models" / model
    flags = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}") for name, value in settings.items()]
    expected = tool.json(path, f"--target={target}", *flags)
    report = gpucost.analyze(path, target=target, **settings)
    assert report.to_dict() == expected
    own = {key: settings[key] for key in ("software",) if key in settings}
    prepared = gpucost.prepare(path, target=target, **settings).place(target, **own).evaluate()
    assert prepared.iteration == report.iteration
    assert prepared.kernels == report.kernels
    assert prepared.phases == report.phases


@pytest.mark.parametrize("run", [{"clock": 1005}, {"power_limit": 200}, {"host_launch_us": 0}, {"host_launch_us": 9},
                                 {"step_gap_us": 500}, {"step_gap_us": 0},
                                 {"clock": 1200, "power_limit": 150}])
def test_operating_points(bert, run):
    case = dict(target="a100-bf16", **SHAPES)
    placed = gpucost.prepare(bert, **case).place("a100-bf16")
    assert placed.evaluate(**run).iteration == gpucost.analyze(bert, **case, **run).iteration


@pytest.mark.parametrize("target", ["h100-bf16", "l40s-bf16", "b200-bf16", "a100-sxm-40gb"])
def test_prepared_models_do_not_depend_on_the_gpu(bert, target):
    prepared = gpucost.prepare(bert, target="a100-bf16", **SHAPES)
    expected = gpucost.analyze(bert, target=target if "-bf16" in target else target + "-bf16", **SHAPES)
    assert prepared.place(target).evaluate().iteration == expected.iteration


def test_runtimes(bert):
    case = dict(target="a100-bf16", **SHAPES)
    placed = gpucost.prepare(bert, **case).place("a100")
    assert placed.evaluate(runtime="cudagraph").iteration == gpucost.analyze(bert, **case, runtime="cudagraph").iteration
    with pytest.raises(gpucost.InvalidArgumentError, match="prepare it with runtime='compiled'"):
        placed.evaluate(runtime="compiled")
    compiled = gpucost.prepare(bert, **case, runtime="compiled").place("a100")
    assert compiled.evaluate(runtime="compiled").iteration == \
        gpucost.analyze(bert, **case, runtime="compiled").iteration
    with pytest.raises(gpucost.InvalidArgumentError, match="runtime='eager'"):
        compiled.evaluate(runtime="eager")


def test_many_operating_points_are_the_single_ones(bert):
    numpy = pytest.importorskip("numpy")
    placed = gpucost.prepare(bert, target="a100-bf16", **SHAPES).place("a100")
    totals = placed.evaluate_many(clock=numpy.array([1410, 1005, 600]), power_limit=300)
    assert totals.shape == (3,)
    for row, clock in zip(totals, (1410, 1005, 600)):
        report = placed.evaluate(clock=clock, power_limit=300)
        assert float(f"{row['time'] * 1e3:.7g}") == report.time_ms
        assert float(f"{row['energy']:.7g}") == report.energy_j
        assert row["device_bytes"] == report.device_bytes


def test_kernels_are_those_of_the_tool(tool):
    model = gpucost.Model("h100-bf16")
    for words, cost in [
        ("matmul m=4096 n=1024 k=512", model.matmul(4096, 1024, 512)),
        ("matmul m=64 n=64 k=64 batch=128", model.matmul(64, 64, 64, batch=128)),
        ("conv2d n=8 c=64 h=56 w=56 oc=64 kh=3 kw=3 pad=1",
         model.conv2d(n=8, c=64, h=56, w=56, oc=64, kh=3, kw=3, pad=1)),
        ("attention heads=16 q_len=512 kv_len=512 head_dim=64 batch=4 causal=1",
         model.attention(heads=16, q_len=512, kv_len=512, head_dim=64, batch=4, causal=True)),
        ("attention heads=16 kv_heads=4 q_len=1 kv_len=4096 head_dim=128 window=512",
         model.attention(heads=16, kv_heads=4, q_len=1, kv_len=4096, head_dim=128, window=512)),
        ("attention heads=16 q_len=1 kv_len=4096 head_dim=128 kv_dtype=fp8",
         model.attention(heads=16, q_len=1, kv_len=4096, head_dim=128, kv_format="fp8")),
        ("softmax rows=4096 cols=1024", model.softmax(4096, 1024)),
        ("layernorm rows=4096 cols=1024", model.layernorm(4096, 1024)),
        ("elementwise op=gelu elements=1048576", model.elementwise("gelu", 1 << 20)),
        ("collective op=all_reduce gpus=8 message_bytes=1048576",
         model.collective("all_reduce", gpus=8, message_bytes=1 << 20)),
        ("matmul m=4096 n=4096 k=4096 tile_m=128 tile_n=128 tile_k=64 warps=8 stages=3",
         model.matmul(4096, 4096, 4096, tile=(128, 128, 64), warps=8, stages=3)),
        ("matmul m=512 n=512 k=512 clock_mhz=1200 power_limit_w=300",
         model.at(clock=1200, power_limit=300).matmul(512, 512, 512)),
        ("matmul m=512 n=512 k=512 protocol=benchmark toggle_rate=0.7",
         model.at(protocol="benchmark", toggle_rate=0.7).matmul(512, 512, 512)),
    ]:
        row = tool.json("--target=h100-bf16", f"--kernel={words}")[0]
        for name in ("time_us", "power_w", "energy_j", "time_low_us", "time_high_us", "clock_mhz"):
            value = getattr(cost, name)
            assert row[name] == (None if value is None else pytest.approx(value, rel=1e-6)), (words, name)
        assert (row["flops"], row["bytes"], row["bound"]) == (cost.flops, cost.bytes, cost.bound)
        assert row["in_calibrated_domain"] == cost.in_calibrated_domain
        assert row["tile"] == (None if cost.tile is None else f"{cost.tile[0]}x{cost.tile[1]}")
