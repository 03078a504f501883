# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the forward pass of a torch module does besides its graph: no_grad, detach, autocast, checkpoints with a policy."""
import functools

import pytest

import gpucost

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
from torch.utils import checkpoint  # noqa: E402

WIDTH = 64
INPUT = torch.zeros(8, 16, WIDTH)
SIZE = WIDTH * WIDTH + WIDTH


class Three(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = (torch.nn.Linear(WIDTH, WIDTH) for _ in range(3))

    def forward(self, x):
        return self.third(self.second(self.first(x)))


class Detached(Three):
    def forward(self, x):
        return self.third(self.second(self.first(x)).detach())


class NoGradient(Three):
    def forward(self, x):
        with torch.no_grad():
            x = self.first(x)
        return self.third(self.second(x))


class Decorated(Three):
    @torch.no_grad()
    def encode(self, x):
        return self.first(x)

    def forward(self, x):
        return self.third(self.second(self.encode(x)))


class Autocast(Three):
    def forward(self, x):
        with torch.autocast("cuda", dtype=torch.float16):
            return super().forward(x)


class Policy(Three):
    def forward(self, x):
        contexts = functools.partial(checkpoint.create_selective_checkpoint_contexts, [torch.ops.aten.addmm.default])
        return checkpoint.checkpoint(super().forward, x, use_reentrant=False, context_fn=contexts)


class Offloaded(Three):
    def forward(self, x):
        with torch.autograd.graph.save_on_cpu():
            return super().forward(x)


def training(module, target="a100-bf16", **settings):
    return gpucost.analyze(module, INPUT, target=target, mode="training", **settings)


@pytest.mark.parametrize("kind, trained", [(Three, 3), (Detached, 1), (NoGradient, 2), (Decorated, 2)])
def test_parameters_without_a_gradient(kind, trained):
    module = kind()
    x = INPUT.clone()
    module(x).sum().backward()
    assert sum(each.grad.numel() for each in module.parameters() if each.grad is not None) == trained * SIZE
    report = training(module)
    # Two states of AdamW.
    assert report.iteration.optimizer_bytes == 2 * 4 * trained * SIZE
    assert any("(requires_grad, no_grad, detach)" in note for note in report.notes) == (trained < 3)
    if trained < 3:
        with pytest.raises(gpucost.InvalidArgumentError, match="contradicts the module: 'first.weight' gets no gradient"):
            training(module, trainable="*")


def test_autocast_of_the_module():
    assert training(Autocast(), target="a100-fp16").time_ms == training(Three(), target="a100-fp16").time_ms
    for target in ("a100-bf16", "a100-fp32"):
        with pytest.raises(gpucost.InvalidArgumentError, match=f"target='{target}' contradicts the module: .*autocast to fp16"):
            training(Autocast(), target=target)
    # PyTorch is as before.
    assert torch.amp.autocast_mode.autocast.__init__.__qualname__ == "autocast.__init__"


def test_double_precision():
    with pytest.raises(gpucost.UnsupportedError, match="training does not support fp64"):
        gpucost.analyze(Three().double(), INPUT.double(), target="a100-bf16", mode="training")


def test_checkpoints_with_a_policy():
    with pytest.raises(gpucost.UnsupportedError, match="'recompute': a checkpoint of the module has a policy"):
        training(Policy())
    assert training(Policy(), recompute="none").time_ms == training(Three()).time_ms


def test_composable_checkpoints():
    composable = pytest.importorskip("torch.distributed._composable")

    class Blocks(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = torch.nn.ModuleList(Three() for _ in range(3))

        def forward(self, x):
            for block in self.blocks:
                x = block(x)
            return x

    module = Blocks()
    expected = training(module, recompute="full")
    for block in module.blocks:
        composable.checkpoint(block)
    report = training(module)
    assert any("recompute=full (checkpoints)" in note for note in report.notes)
    assert report.iteration == expected.iteration


def test_notes():
    assert any("to the host (save_on_cpu" in note for note in training(Offloaded()).notes)
    assert any("in torch.nn.DataParallel is predicted on one GPU" in note
               for note in training(torch.nn.DataParallel(Three())).notes)
    graphs = "CUDA graphs of torch.compile"
    for mode, has in (("reduce-overhead", True), ("default", False)):
        compiled = torch.compile(Three(), mode=mode)
        assert any(graphs in note for note in gpucost.analyze(compiled, INPUT, target="a100-bf16").notes) == has


def test_control_flow():
    """Hooks of the export run inside the branches, which Dynamo traces."""
    class Branches(Three):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda y: self.third(self.second(self.first(y))), lambda y: self.first(y), (x,))

    for mode in ("inference", "training"):
        report = gpucost.analyze(Branches(), INPUT, target="a100-bf16", mode=mode)
        # The more expensive branch is charged.
        assert report.iteration.matrix_flops >= 3 * 2 * 8 * 16 * WIDTH * WIDTH


def test_mappings_at_the_end():
    class Named(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(WIDTH, WIDTH)

        def forward(self, batch):
            return self.linear(batch["x"]) + batch["other"]["y"][0]

    inputs = {"x": torch.zeros(8, WIDTH), "other": {"y": [torch.zeros(8, WIDTH)]}}
    report = gpucost.analyze(Named(), (inputs,), target="a100-bf16")
    assert report.iteration.samples == 8
    assert report.iteration == gpucost.analyze(Named(), {"batch": inputs}, target="a100-bf16").iteration


def test_symbols_without_a_name():
    class Words(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = torch.nn.Embedding(1000, WIDTH)

        def forward(self, tokens):
            return self.embedding(tokens)

    auto = {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}
    report = gpucost.analyze(Words(), {"tokens": torch.zeros(4, 16, dtype=torch.long)}, target="a100-bf16", batch=8, seq=32,
                             export={"dynamic_shapes": {"tokens": auto}})
    assert (report.iteration.samples, report.iteration.tokens) == (8, 256)
