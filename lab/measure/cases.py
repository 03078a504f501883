# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel measurement: its name, its work and how to build it."""

import contextlib
from dataclasses import dataclass
from typing import Callable, Optional

import torch

# Storage type of each number format; tf32 is fp32 with a different library
# setting.
TORCH_DTYPES = {
    "fp32": torch.float32, "tf32": torch.float32, "fp16": torch.float16,
    "bf16": torch.bfloat16, "fp8": torch.float8_e4m3fn,
}


def bytes_of(dtype):
    """Bytes per element of a number format."""
    return TORCH_DTYPES[dtype].itemsize


@dataclass
class Case:
    """One kernel to measure.

    `shape` is "name=value ..." with the names of docs/KernelQueries.md. `flops`
    (2 per multiply-add) and `bytes` (every operand once) are per call; 0 if not
    needed. `build(buffers)` allocates one set of operands and returns a
    function without arguments that runs the kernel.
    """

    family: str
    op: str
    dtype: str
    shape: str
    build: Callable
    flops: int = 0
    bytes: int = 0
    layout: str = ""
    variant: str = ""
    count: Optional[int] = None  # launches per iteration, of a model's report
    predicted_us: Optional[float] = None  # of one launch, of a model's report


def shape_text(**sizes):
    """shape_text(m=1, n=2) is "m=1 n=2"."""
    return " ".join(f"{name}={value}" for name, value in sizes.items())


class Buffers:
    """Allocates the operands of a case: random numbers in its format.

    They come from a separate generator, because a failed capture may leave
    PyTorch's default generator unusable.
    """

    def __init__(self, device, dtype):
        self.device = device
        self.dtype = TORCH_DTYPES[dtype]
        self.generator = torch.Generator(device).manual_seed(0)

    def random(self, *shape, dtype=None, grad=False):
        """`grad` for operands that are differentiated."""
        tensor = self.numbers(shape).to(dtype or self.dtype)
        return tensor.requires_grad_() if grad else tensor

    def numbers(self, shape):
        """Normal distribution, in fp32."""
        return torch.randn(shape, device=self.device, generator=self.generator)

    def image(self, *shape, layout="NHWC", grad=False):
        """Four dimensions in the order NCHW, stored in `layout`."""
        tensor = self.random(*shape)
        if layout == "NHWC":
            tensor = tensor.contiguous(memory_format=torch.channels_last)
        return tensor.requires_grad_() if grad else tensor

    def empty(self, *shape, dtype=None):
        return torch.empty(shape, device=self.device, dtype=dtype or self.dtype)

    def integers(self, high, *shape):
        return torch.randint(high, shape, device=self.device,
                             generator=self.generator)


def backward_of(buffers, forward, operands):
    """A function that runs only the backward pass of `forward()`.

    Gradients are computed only for `operands`.
    """
    with torch.enable_grad():
        output = forward()
    gradient = torch.empty_like(output.detach()).normal_(generator=buffers.generator)

    def run():
        return torch.autograd.grad(output, operands, gradient, retain_graph=True)

    return run


@contextlib.contextmanager
def precision(dtype):
    """Allows fp32 matmuls to use tf32 if and only if the format is tf32."""
    matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    saved = matmul.allow_tf32, cudnn.allow_tf32
    matmul.allow_tf32 = cudnn.allow_tf32 = dtype == "tf32"
    try:
        yield
    finally:
        matmul.allow_tf32, cudnn.allow_tf32 = saved
