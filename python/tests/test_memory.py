# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fits(), largest_batch() and memory()."""
import re
import subprocess
import sys

import gpucost
import pytest

GPT2 = dict(target="a100-bf16", seq=1024, mode="training")


@pytest.fixture(scope="module")
def gpt2(root):
    return str(root / "models" / "gpt2.onnx")


def test_largest_batch_is_that_of_the_tool(gpt2):
    found = gpucost.largest_batch(gpt2, **GPT2)
    run = subprocess.run([sys.executable, "-m", "gpucost", gpt2, "--target=a100-bf16", "--seq=1024", "--mode=training",
                          "--max-batch"], capture_output=True, text=True, check=True)
    assert int(re.search(r"largest batch that fits: (\d+)", run.stdout)[1]) == found.batch
    assert found.report == gpucost.analyze(gpt2, batch=found.batch, **GPT2)
    assert gpucost.fits(gpt2, batch=found.batch, **GPT2) and not gpucost.fits(gpt2, batch=found.batch + 1, **GPT2)
    # The upper bound of the prediction fits with fewer.
    assert found.certain < found.batch
    assert gpucost.fits(gpt2, batch=found.certain, **GPT2).verdict == "fits"
    fit = gpucost.fits(gpt2, batch=found.certain + 1, **GPT2)
    assert fit.verdict == "may-not-fit" and fit.device_high_bytes > fit.usable_bytes >= fit.device_bytes
    assert repr(found).startswith(f"<largest batch that fits: {found.batch}; for certain {found.certain}; ")


def test_settings_change_the_largest_batch(gpt2):
    full = gpucost.largest_batch(gpt2, recompute="full", **GPT2).batch
    assert full > gpucost.largest_batch(gpt2, **GPT2).batch


def test_mistakes(gpt2):
    for name in ("batch", "micro_batch", "global_batch"):
        with pytest.raises(gpucost.InvalidArgumentError, match=f"leave out '{name}'"):
            gpucost.largest_batch(gpt2, **GPT2, **{name: 4})
    with pytest.raises(gpucost.InfeasibleError, match="does not fit with a batch of 1: .* does NOT fit in"):
        gpucost.largest_batch(gpt2, **{**GPT2, "seq": 10**6})
    with pytest.raises(gpucost.InvalidArgumentError, match="target='a100' without a format"):
        gpucost.memory(gpt2, target="a100-bf16", seq=64)
    with pytest.raises(gpucost.InvalidArgumentError, match="leave out 'weights'"):
        gpucost.memory(gpt2, target="a100", seq=64, weights="int8")
    with pytest.raises(gpucost.InvalidArgumentError, match="needs the name of a GPU"):
        gpucost.memory(gpt2)


def test_memory_of_a_file(gpt2):
    table = gpucost.memory(gpt2, target="a100-sxm-40gb", batch=2, seq=128)
    assert [row.format for row in table] == ["fp32", "amp", "bf16"]
    count = gpucost.analyze(gpt2, target="a100-bf16", batch=1, seq=8).iteration.parameter_count
    # Weights, and two states of AdamW.
    for row, size in zip(table, (4, 4, 2)):
        assert (row.weights_bytes, row.optimizer_bytes) == (size * count, 2 * size * count)
        assert row.device_low_bytes <= row.device_bytes <= row.device_high_bytes
    assert "activations" in repr(table) and repr(table).count("\n") == 4
    assert "<td>amp</td>" in table._repr_html_() and table["amp"] is table[1]
    sizes = [row.weights_bytes for row in gpucost.memory(gpt2, target="t4", mode="inference", batch=2, seq=128)]
    assert sizes[0] == 2 * sizes[1] > sizes[2] > sizes[3]


def test_modules():
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnxscript")
    module = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.GELU(), torch.nn.Linear(2048, 512))
    count = 2 * 512 * 2048 + 512 + 2048
    settings = dict(target="l4-bf16", mode="training", optimizer=torch.optim.SGD(module.parameters(), lr=1))
    found = gpucost.largest_batch(module, torch.zeros(1, 1024, 512), **settings)
    assert found.report.iteration.optimizer_bytes == 0 and found.report.iteration.samples == found.batch
    exact = gpucost.analyze(module, torch.zeros(found.batch, 1024, 512, device="meta"), **settings)
    assert exact.device_bytes == found.fit.device_bytes
    embedding = torch.nn.EmbeddingBag(1000, 64)
    assert gpucost.largest_batch(embedding, torch.zeros(2, 16, dtype=torch.long), target="l4-bf16").batch > 1000
    with pytest.raises(gpucost.InvalidArgumentError, match="no batch that can vary"):
        gpucost.largest_batch(module, torch.zeros(4, 512), batch_dim=None, **settings)
    with pytest.raises(gpucost.InvalidArgumentError, match="no batch that can vary: batch unknown: the inputs differ"):
        gpucost.largest_batch(torch.nn.Bilinear(8, 8, 8), (torch.zeros(4, 8), torch.zeros(6, 8)), target="l4-bf16")

    class Fixed(torch.nn.Module):
        def forward(self, x):
            return x.view(4, 64) * 2

    with pytest.raises(gpucost.GpuCostError, match="cannot export|fixes its batch"):
        gpucost.largest_batch(Fixed(), torch.zeros(4, 64), target="l4-bf16")
    for dtype, formats in ((torch.float32, ["fp32", "amp", "bf16"]), (torch.bfloat16, ["fp32", "bf16"])):
        table = gpucost.memory(module.to(dtype), torch.zeros(8, 512, dtype=dtype), target="l4")
        assert [row.format for row in table] == formats
        assert table["bf16"].weights_bytes == 2 * count and table["fp32"].weights_bytes == 4 * count
