# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters, buffers, complex tensors and views of exported modules."""
import gpucost
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")


class Small(torch.nn.Module):
    """Parameters and buffers of few elements, and a parameter that nothing reads."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(64, 64)
        self.gain = torch.nn.Parameter(torch.ones(()))
        self.rows = torch.nn.Parameter(torch.ones(8, 1))
        self.mask_token = torch.nn.Parameter(torch.zeros(768))
        self.register_buffer("offset", torch.ones(1, 64))
        self.register_buffer("scale", torch.ones(()))

    def forward(self, x):
        return (self.layer(x) * self.gain + self.offset * self.scale) * self.rows


READ = 64 * 64 + 64 + 1 + 8
UNREAD = 768


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_parameters_are_counted_exactly(device):
    with torch.device(device):
        module = Small()
    inference, training = (gpucost.analyze(module, torch.zeros(8, 64), target="a100-bf16", mode=mode).iteration
                           for mode in ("inference", "training"))
    assert inference.parameter_count == training.parameter_count == READ + UNREAD
    # Only parameters that are read have gradients (fp32) and states of AdamW.
    assert 4 * READ <= training.gradient_bytes < 4 * (READ + UNREAD)
    assert 8 * READ <= training.optimizer_bytes < 8 * (READ + UNREAD)


class Rotary(torch.nn.Module):
    """Rotary embedding as a product of complex numbers."""

    def __init__(self):
        super().__init__()
        self.register_buffer("angles", torch.zeros(512, 32), persistent=False)

    def forward(self, x):
        turns = torch.polar(torch.ones_like(self.angles), self.angles).unsqueeze(1)
        y = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(y * turns).flatten(3).type_as(x)


def test_complex_products_are_one_kernel():
    report = gpucost.analyze(Rotary(), torch.zeros(4, 512, 16, 64), target="a100-bf16", precision_mode="as-is")
    product, = [kernel for kernel in report.kernels if kernel.label == "Mul"]
    assert product.shape == f"n={4 * 512 * 16 * 64}" and product.count == 1
    assert report.iteration.parameter_count == 0


class Squeeze(torch.nn.Module):
    def forward(self, x, y):
        return x.squeeze(1) + 1, y.squeeze(1) + 1


def test_squeeze_of_other_sizes_does_nothing():
    report = gpucost.analyze(Squeeze(), (torch.zeros(8, 64, 32), torch.zeros(8, 1, 32)), target="a100-bf16")
    assert {kernel.shape for kernel in report.kernels} == {f"n={8 * 64 * 32}", f"n={8 * 32}"}
