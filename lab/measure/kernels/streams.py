# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise kernels, copies and casts."""

import torch
from torch.nn import functional

from cases import TORCH_DTYPES, Case, backward_of, bytes_of, shape_text

ELEMENTS = (
    3145728, 25690112, 268435456, 98304, 786432, 6422528, 12582912, 1605632, 1048576,
    100663296, 393216, 1024, 50331648, 16777216, 196608, 2359296, 65536, 401408,
    536870912, 12288,
)
TINY = (64,)

# Op -> (number of arrays read, function).
OPS = {
    "add": (2, torch.add), "mul": (2, torch.mul), "sub": (2, torch.sub),
    "div": (2, torch.div), "addu": (1, lambda x: x + 1.5),
    "mulu": (1, lambda x: x * 1.5), "divu": (1, lambda x: x / 1.5),
    "powu": (1, lambda x: torch.pow(x, 3.0)), "sqrt": (1, torch.sqrt),
    "rsqrt": (1, torch.rsqrt), "exp": (1, torch.exp), "log": (1, torch.log),
    "erf": (1, torch.erf), "neg": (1, torch.neg), "trig": (1, torch.cos),
    "gelu": (1, functional.gelu), "relu": (1, functional.relu),
    "silu": (1, functional.silu), "tanh": (1, torch.tanh),
    "sigmoid": (1, torch.sigmoid),
    "gelu_tanh": (1, lambda x: functional.gelu(x, approximate="tanh")),
}
DIFFERENTIATED = ("gelu", "relu", "silu", "tanh", "sigmoid", "gelu_tanh")


def elementwise(op, dtype, elements, backward=False, **more):
    inputs, function = OPS[op]

    def build(buffers):
        operands = [buffers.random(elements, grad=backward) for _ in range(inputs)]

        def forward():
            return function(*operands)

        return backward_of(buffers, forward, operands) if backward else forward

    passes = 3 if backward else inputs + 1
    return Case("elementwise", op + "_backward" * backward, dtype,
                shape_text(elements=elements), build, 0,
                passes * elements * bytes_of(dtype), **more)


def cast(source, target, elements, **more):
    """`dtype` of the case is the input format, its variant the output
    format."""

    def build(buffers):
        x = buffers.random(elements)
        return lambda: x.to(TORCH_DTYPES[target])

    return Case("elementwise", "cast", source, shape_text(elements=elements), build, 0,
                elements * (bytes_of(source) + bytes_of(target)),
                variant=f"to {target}", **more)


def dropout(dtype, elements, backward=False, **more):
    """Writes a mask of one byte each as well."""

    def build(buffers):
        x = buffers.random(elements, grad=backward)

        def forward():
            return torch.native_dropout(x, 0.1, True)[0]

        return backward_of(buffers, forward, [x]) if backward else forward

    return Case("elementwise", "dropout" + "_backward" * backward, dtype,
                shape_text(elements=elements), build, 0,
                elements * (2 * bytes_of(dtype) + 1), **more)


def copy(dtype, elements, **more):
    """Contiguous to contiguous: the memory's streaming rate."""

    def build(buffers):
        x, y = buffers.random(elements), buffers.empty(elements)
        return lambda: y.copy_(x)

    return Case("data_movement", "copy", dtype, shape_text(elements=elements), build,
                0, 2 * elements * bytes_of(dtype), **more)


def fill(dtype, elements, **more):
    def build(buffers):
        x = buffers.empty(elements)
        return lambda: x.zero_()

    return Case("data_movement", "fill", dtype, shape_text(elements=elements), build,
                0, elements * bytes_of(dtype), **more)


def concat(dtype, elements, **more):
    """Two halves along the last dimension, as in rotary embeddings."""
    cols = 64 if elements % 64 == 0 else 2

    def build(buffers):
        halves = [buffers.random(elements // cols, cols // 2) for _ in range(2)]
        return lambda: torch.cat(halves, -1)

    return Case("data_movement", "concat", dtype, shape_text(elements=elements), build,
                0, 2 * elements * bytes_of(dtype), **more)


def transpose(dtype, rows, cols, **more):
    """The contiguous copy of a transposed matrix."""

    def build(buffers):
        x = buffers.random(rows, cols)
        return lambda: x.t().contiguous()

    return Case("data_movement", "transpose", dtype, shape_text(rows=rows, cols=cols),
                build, 0, 2 * rows * cols * bytes_of(dtype), **more)


def merge_heads(dtype, batch, heads, length, head_dim, **more):
    """[batch, heads, length, head_dim] to contiguous [batch, length, ...]."""

    def build(buffers):
        x = buffers.random(batch, heads, length, head_dim)
        return lambda: x.transpose(1, 2).contiguous()

    shape = shape_text(batch=batch, heads=heads, q_len=length, head_dim=head_dim)
    elements = batch * heads * length * head_dim
    return Case("data_movement", "merge_heads", dtype, shape, build, 0,
                2 * elements * bytes_of(dtype), **more)


def change_layout(dtype, n, c, h, w, **more):
    """NCHW to NHWC, as around convolutions."""

    def build(buffers):
        x = buffers.image(n, c, h, w, layout="NCHW")
        return lambda: x.contiguous(memory_format=torch.channels_last)

    return Case("data_movement", "layout", dtype, shape_text(n=n, c=c, h=h, w=w), build,
                0, 2 * n * c * h * w * bytes_of(dtype), layout="NCHW to NHWC", **more)


def cases(smoke):
    sizes = TINY if smoke else ELEMENTS
    both = ("bf16", "fp32")
    for size in sizes[:8]:
        for dtype in both:
            yield copy(dtype, size)
            yield from (elementwise(op, dtype, size) for op in ("add", "gelu", "relu"))
    for size in sizes[:6]:
        for dtype in both:
            yield from (elementwise(op, dtype, size, True) for op in ("gelu", "relu"))
            yield dropout(dtype, size)
        yield cast("fp32", "bf16", size)
        yield cast("bf16", "fp32", size)
    heads = ((1, 2, 4, 8),) if smoke else (
        (8, 12, 512, 64), (16, 12, 128, 64), (4, 32, 2048, 64), (64, 12, 197, 64),
        (1, 32, 4096, 128))
    for shape in heads:
        yield from (merge_heads(dtype, *shape) for dtype in both)
    images = ((1, 4, 4, 4),) if smoke else (
        (32, 64, 56, 56), (32, 256, 14, 14), (32, 512, 28, 28), (8, 64, 112, 112))
    for shape in images:
        yield from (change_layout(dtype, *shape) for dtype in both)
    matrices = ((4, 8),) if smoke else ((4096, 4096), (768, 3072), (32000, 2048))
    for shape in matrices:
        yield from (transpose(dtype, *shape) for dtype in both)
    for size in sizes[:6]:
        for dtype in both:
            yield from (elementwise(op, dtype, size) for op in ("mul", "silu", "tanh"))
            yield dropout(dtype, size, backward=True)
    for size in sizes[8:]:
        for dtype in both:
            yield from (elementwise(op, dtype, size) for op in ("add", "gelu"))
            yield copy(dtype, size)
    for size in sizes[:4]:
        for dtype in both:
            yield fill(dtype, size)
            yield concat(dtype, size)
            yield from (elementwise(op, dtype, size) for op in OPS)
            yield from (elementwise(op, dtype, size, True) for op in DIFFERENTIATED)
    for size in sizes[:8]:
        yield from (elementwise(op, "fp16", size) for op in ("add", "gelu"))
