# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects of torch.optim as settings: their kernels and the sizes of their states."""
import pytest

import gpucost

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")

WIDTH, INNER = 64, 256
INPUT = torch.zeros(4, 16, WIDTH)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(WIDTH, INNER), torch.nn.Linear(INNER, WIDTH)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(x)))


def training(module, **settings):
    return gpucost.analyze(module, INPUT, target="a100-bf16", mode="training", **settings)


@pytest.mark.parametrize("make, settings", [
    (lambda p: torch.optim.AdamW(p), dict(optimizer="adamw")),
    (lambda p: torch.optim.AdamW(p, fused=True, lr=1e-5), dict(optimizer="adamw", optimizer_variant="fused")),
    (lambda p: torch.optim.Adam(p, foreach=False), dict(optimizer="adam", optimizer_variant="unfused")),
    (lambda p: torch.optim.SGD(p, lr=0.1), dict(optimizer="sgd")),
    (lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, foreach=True),
     dict(optimizer="sgd-momentum", optimizer_variant="foreach")),
    (lambda p: torch.optim.SGD([{"params": p[:1], "lr": 1.0}, {"params": p[1:]}], lr=0.1), dict(optimizer="sgd")),
    (lambda p: torch.optim.RMSprop(p, momentum=0.9), dict(optimizer="rmsprop")),
    (lambda p: torch.optim.Adadelta, dict(optimizer="adadelta")),
    (lambda p: torch.optim.RMSprop(p), dict(optimizer="rmsprop-no-momentum")),
    (lambda p: torch.optim.RMSprop, dict(optimizer="rmsprop-no-momentum")),
    (lambda p: torch.optim.SGD(p, lr=1, momentum=0.9, nesterov=True), dict(optimizer="sgd-nesterov")),
    (lambda p: torch.optim.Adam(p, amsgrad=True), dict(optimizer="adam-amsgrad")),
    (lambda p: torch.optim.AdamW(p, amsgrad=True, fused=True), dict(optimizer="adamw-amsgrad", optimizer_variant="fused")),
    (lambda p: torch.optim.NAdam(p), dict(optimizer="nadam")),
    (lambda p: torch.optim.RAdam(p), dict(optimizer="radam")),
    (lambda p: torch.optim.Adamax(p), dict(optimizer="adamax")),
    (lambda p: torch.optim.Adagrad(p), dict(optimizer="adagrad")),
    (lambda p: torch.optim.RMSprop(p, centered=True), dict(optimizer="rmsprop-centered-no-momentum")),
    (lambda p: torch.optim.RMSprop(p, centered=True, momentum=0.9), dict(optimizer="rmsprop-centered")),
    (lambda p: torch.optim.Rprop(p), dict(optimizer="rprop")),
    (lambda p: torch.optim.Adafactor(p), dict(optimizer="adafactor", optimizer_variant="unfused")),
    (lambda p: torch.optim.Adafactor(p, foreach=True), dict(optimizer="adafactor", optimizer_variant="foreach")),
    (lambda p: torch.optim.LBFGS(p, history_size=7), dict(optimizer="lbfgs", lbfgs_history=7)),
    (lambda p: torch.optim.LBFGS, dict(optimizer="lbfgs")),
    (lambda p: [torch.optim.AdamW(p[:2], fused=True), torch.optim.AdamW(p[2:], fused=True)],
     dict(optimizer="adamw", optimizer_variant="fused")),
    (lambda p: [torch.optim.Muon([each for each in p if each.dim() == 2]), torch.optim.AdamW([each for each in p if each.dim() < 2])],
     dict(optimizer="muon")),
])
def test_optimizer_objects(make, settings):
    module = Block()
    optimizer = make(list(module.parameters()))
    report = training(module, optimizer=optimizer)
    expected = training(module, **settings)
    assert report.iteration == expected.iteration and report.kernels == expected.kernels


def test_wrong_optimizers():
    module = Block()
    parameters = list(module.parameters())

    class Own(torch.optim.AdamW):
        def step(self, closure=None):
            return None

    for optimizer, message in [
            (torch.optim.ASGD(parameters), "torch.optim.asgd.ASGD, whose kernels are unknown"),
            (Own(parameters), "Own, whose kernels are unknown"),
            (torch.optim.AdamW(parameters[1:]), "lacks 'up.weight', which has requires_grad=True"),
            (torch.optim.AdamW(Block().parameters()), "belongs to another module")]:
        with pytest.raises(gpucost.GpuCostError, match=message):
            training(module, optimizer=optimizer)
    with pytest.raises(gpucost.InvalidArgumentError, match="'optimizer_variant' is 'unfused', but the optimizer is fused"):
        training(module, optimizer=torch.optim.AdamW(parameters, fused=True), optimizer_variant="unfused")


@pytest.mark.parametrize("make", [
    lambda p: torch.optim.Adafactor(p),
    lambda p: torch.optim.RMSprop(p, centered=True),
    lambda p: torch.optim.RMSprop(p, centered=True, momentum=0.9),
    lambda p: torch.optim.Rprop(p),
    lambda p: torch.optim.NAdam(p),
])
def test_states_have_the_size_of_pytorch(make):
    module = Block()
    optimizer = make(list(module.parameters()))
    module(torch.randn(2, WIDTH)).sum().backward()
    optimizer.step()
    size = sum(4 * each.numel() for state in optimizer.state.values() for each in state.values()
               if isinstance(each, torch.Tensor) and each.dim())
    assert training(module, optimizer=optimizer).iteration.optimizer_bytes == size


def test_history_has_the_size_of_pytorch():
    module, x, y = Block(), torch.randn(2, WIDTH), torch.randn(2, WIDTH)
    optimizer = torch.optim.LBFGS(module.parameters(), history_size=3, max_iter=20)

    def closure():
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(module(x), y)
        loss.backward()
        return loss

    optimizer.step(closure)
    state = optimizer.state[next(module.parameters())]
    tensors = [*state["old_dirs"], *state["old_stps"], state["d"], state["prev_flat_grad"]]
    assert len(tensors) == 8
    report = training(module, optimizer=optimizer)
    assert report.iteration.optimizer_bytes == sum(4 * each.numel() for each in tensors)
    assert any("lbfgs: an iteration is one evaluation of the closure" in note for note in report.notes)


def test_muon_for_some_matrices():
    module = Block()
    others = [each for name, each in module.named_parameters() if name != "up.weight"]
    report = training(module, optimizer=[torch.optim.Muon([module.up.weight]), torch.optim.AdamW(others, fused=True)])
    assert report.iteration == training(module, optimizer="muon", muon_parameters="*up*", optimizer_variant="fused").iteration
    # A momentum of the matrix, two states of the others.
    assert report.iteration.optimizer_bytes == 4 * (INNER * WIDTH + 2 * sum(each.numel() for each in others))
    # 10 r r (2 c + r) FLOP for the matrix of INNER x WIDTH.
    update = sum(kernel.count * kernel.flops for kernel in report.kernels if kernel.phase == "optimizer" and kernel.family == "matmul")
    assert update == 10 * WIDTH * WIDTH * (2 * INNER + WIDTH)
    plain = training(module).iteration
    # They are not work of the model.
    assert report.iteration.mfu * report.iteration.time_ms == pytest.approx(plain.mfu * plain.time_ms, rel=1e-3)
    with pytest.raises(gpucost.InvalidArgumentError, match="lacks 'up.bias'.*several optimizers are a list"):
        training(module, optimizer=torch.optim.Muon([module.up.weight, module.down.weight]))
    with pytest.raises(gpucost.UnsupportedError, match="several rules or variants .*'sgd'.*expected one, or Muon and AdamW"):
        training(module, optimizer=[torch.optim.Muon([module.up.weight]), torch.optim.SGD(others)])
    with pytest.raises(gpucost.UnsupportedError, match="ns_steps=3: Muon is modelled with 5"):
        training(module, optimizer=torch.optim.Muon([module.up.weight], ns_steps=3))
    with pytest.raises(gpucost.InvalidArgumentError, match="'optimizer' is a list: expected optimizers of torch.optim"):
        training(module, optimizer=[torch.optim.Muon, torch.optim.AdamW])
