# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module in the same state is exported once in a process; after any change, again."""
import gc
import io
import weakref

import gpucost
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")

FACTOR = 2


def activation(x):
    return torch.relu(x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = torch.nn.Linear(64, 64), torch.nn.Linear(64, 32)
        self.drop = torch.nn.Dropout(0.1)
        self.register_buffer("scale", torch.ones(3))
        self.options = {"half": False, "sizes": [1, 2]}

    def forward(self, x):
        return self.last(self.drop(activation(self.first(x)) * FACTOR))


INPUT = torch.zeros(16, 64)


@pytest.fixture
def exports(monkeypatch):
    """The number of exports so far."""
    from gpucost import _torch

    calls, original = [], _torch.exported
    monkeypatch.setattr(_torch, "exported", lambda *arguments: calls.append(1) or original(*arguments))
    return calls


def test_equal_questions_export_once(exports):
    module = Net()
    first = gpucost.export(module, INPUT)
    assert gpucost.export(module, INPUT) == first and len(exports) == 1
    # Other values, settings and functions.
    assert gpucost.export(module, torch.ones(16, 64)) == first
    gpucost.analyze(module, INPUT, target="a100-bf16")
    gpucost.prepare(module, INPUT, target="h100-bf16", mode="training")
    gpucost.sweep(module, {"target": ["a100-bf16", "l4-bf16"]}, inputs=INPUT)
    assert gpucost.export(module, INPUT, name="other").name == "other"
    assert len(exports) == 1
    # Values of parameters.
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    module(torch.randn(16, 64)).sum().backward()
    optimizer.step()
    gpucost.export(module, INPUT)
    assert len(exports) == 1
    gpucost.export(Net(), INPUT)
    assert len(exports) == 2


CHANGES = {
    "mode": lambda module, patch: module.eval(),
    "requires_grad": lambda module, patch: module.first.weight.requires_grad_(False),
    "dtype": lambda module, patch: module.last.double(),
    "child": lambda module, patch: setattr(module, "last", torch.nn.Linear(64, 48)),
    "attribute": lambda module, patch: setattr(module.drop, "p", 0.5),
    "nested": lambda module, patch: module.options["sizes"].append(3),
    "buffer": lambda module, patch: module.scale.add_(1),
    "tied": lambda module, patch: setattr(module, "drop", module.first),
    "hook": lambda module, patch: module.first.register_forward_hook(lambda module, given, result: result * 2),
    "method": lambda module, patch: setattr(module, "forward", lambda x: module.first(x)),
    "class": lambda module, patch: patch.setattr(Net, "forward", lambda self, x: self.first(x)),
    "class attribute": lambda module, patch: patch.setattr(Net, "kind", "other", raising=False),
    "function": lambda module, patch: patch.setitem(globals(), "activation", lambda x: torch.tanh(x)),
    "global": lambda module, patch: patch.setitem(globals(), "FACTOR", 3),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changes_export_again(exports, monkeypatch, change):
    module = Net()
    gpucost.export(module, INPUT)
    CHANGES[change](module, monkeypatch)
    try:
        gpucost.export(module, INPUT)
    except gpucost.GpuCostError:
        pass  # Not every change leaves a module that runs.
    assert len(exports) == 2


def test_other_arguments_export_again(exports):
    module = Net()
    for count, (inputs, options) in enumerate([
            (INPUT, {}), (torch.zeros(8, 64), {}), (INPUT, dict(batch_dim=None)), (INPUT, dict(loss=lambda y: y.mean())),
            (INPUT, dict(loss=lambda y: y.sum())), ({"x": INPUT}, {}), ({"x": INPUT}, dict(dynamic_shapes={"x": {0: "batch"}}))]):
        gpucost.export(module, inputs, **options)
        assert len(exports) == count + 1


def test_state_that_cannot_be_compared(exports):
    module = Net()
    module.random = torch.Generator()
    gpucost.export(module, INPUT)
    gpucost.export(module, INPUT)
    assert len(exports) == 2


def test_modules_are_not_kept_alive():
    module = Net()
    gpucost.export(module, INPUT)
    alive = weakref.ref(module)
    del module
    gc.collect()
    assert alive() is None


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("stream, text", [(Terminal(), "exporting Net with PyTorch: "), (io.StringIO(), "")])
def test_progress(monkeypatch, stream, text):
    import sys

    from gpucost import _progress

    monkeypatch.setattr(_progress, "DELAY", 0.01)
    monkeypatch.setattr(sys, "stderr", stream)
    gpucost.export(Net(), INPUT)
    written = stream.getvalue()
    assert written.startswith("\r" + text) if text else written == ""
    assert not written.split("\r")[-1] and not written.replace(" ", "").endswith("s")
