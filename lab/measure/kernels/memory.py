# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Embedding tables, pooling, and optimizers over lists of parameters."""

import math

import torch
from torch.nn import functional

from cases import Case, backward_of, bytes_of, shape_text

TABLES = (  # (rows looked up, cols, rows of the table)
    (4096, 768, 30522), (8192, 2048, 32000), (1024, 768, 50257), (16384, 4096, 128256),
    (512, 768, 512), (32, 4096, 128256), (8192, 128, 30000), (65536, 768, 30522),
    (128, 1024, 30522), (1, 2048, 32000),
)
POOLS = (  # (n, c, h, w, k, stride); k of 0: one average for every channel
    (32, 64, 112, 112, 3, 2), (32, 2048, 7, 7, 0, 1), (32, 64, 224, 224, 2, 2),
    (32, 512, 28, 28, 2, 2), (32, 1280, 7, 7, 0, 1), (8, 64, 112, 112, 3, 2),
    (32, 512, 14, 14, 2, 2), (128, 64, 112, 112, 3, 2),
)


def _parameter_lists():
    """Name -> parameter shapes of a network."""
    resnet50 = [(64, 3, 7, 7), (1000, 2048), (1000,)]
    channels = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        width = 64 << stage
        for block in range(blocks):
            resnet50 += [(width, channels, 1, 1), (width, width, 3, 3),
                         (4 * width, width, 1, 1)]
            resnet50 += 4 * [(width,)] + 2 * [(4 * width,)]
            if block == 0:
                resnet50 += [(4 * width, channels, 1, 1)] + 2 * [(4 * width,)]
            channels = 4 * width
    layer = 4 * [(768, 768), (768,)] + [(3072, 768), (3072,), (768, 3072)]
    bert = [(30522, 768), (512, 768)] + 12 * (layer + 5 * [(768,)])
    llama = [(32000, 2048)] + 4 * (2 * [(2048, 2048)] + 2 * [(256, 2048)]
                                   + 3 * [(5632, 2048)] + 2 * [(2048,)])
    return {"bert-base": bert, "resnet50": resnet50, "tinyllama-4-layers": llama,
            "one-of-64Mi": [(8192, 8192)], "1000-of-1024": 1000 * [(1024,)]}


def embedding(dtype, rows, cols, table, backward=False, **more):
    def build(buffers):
        weight = buffers.random(table, cols, grad=backward)
        indices = buffers.integers(table, rows)

        def forward():
            return functional.embedding(indices, weight)

        return backward_of(buffers, forward, [weight]) if backward else forward

    moved = rows * cols * (3 if backward else 2) + (table * cols if backward else 0)
    return Case("embedding", "embedding_backward" if backward else "embedding", dtype,
                shape_text(rows=rows, cols=cols, table=table), build, 0,
                moved * bytes_of(dtype), **more)


def pooling(dtype, n, c, h, w, k, stride, layout="NHWC", backward=False, **more):
    """Maximum over k x k, padded when k is odd; average of all for k = 0."""

    def build(buffers):
        x = buffers.image(n, c, h, w, layout=layout, grad=backward)

        def forward():
            if k == 0:
                return functional.adaptive_avg_pool2d(x, 1)
            return functional.max_pool2d(x, k, stride, padding=(k - 1) // 2)

        return backward_of(buffers, forward, [x]) if backward else forward

    op = ("max" if k else "average") + ("_backward" if backward else "")
    shape = shape_text(n=n, c=c, h=h, w=w, kh=k or h, kw=k or w, stride=stride)
    return Case("pooling", op, dtype, shape, build, 0,
                n * c * h * w * bytes_of(dtype), layout=layout, **more)


def optimizer(name, parameters, shapes, kind="adamw", implementation="foreach"):
    """One step over fp32 parameters; adamw reads 4 arrays and writes 3."""

    def build(buffers):
        tensors = [torch.nn.Parameter(buffers.random(*shape)) for shape in shapes]
        for tensor in tensors:
            tensor.grad = buffers.random(*tensor.shape)
        options = {implementation: True}
        if kind == "adamw":
            # `capturable` keeps the count of steps on the GPU, for graphs.
            step = torch.optim.AdamW(
                tensors, 1e-4, capturable=buffers.device.type == "cuda", **options)
        else:
            step = torch.optim.SGD(tensors, 1e-4, momentum=0.9, **options)
        return step.step

    return Case("optimizer", kind, "fp32",
                shape_text(tensors=len(shapes), elements=parameters), build, 0,
                4 * (7 if kind == "adamw" else 5) * parameters,
                variant=f"{implementation} {name}")


FOREACH = {
    "param addcdiv": lambda p, a, b: torch._foreach_addcdiv_(p, a, b, -1e-6),
    "exp_avg lerp": lambda p, a, b: torch._foreach_lerp_(p, a, 0.1),
    "exp_avg_sq += grad^2": lambda p, a, b: torch._foreach_addcmul_(p, a, a, 1e-3),
    "weight decay": lambda p, a, b: torch._foreach_mul_(p, 0.9999),
    "exp_avg_sq *= beta2": lambda p, a, b: torch._foreach_mul_(p, 0.999),
    "sqrt": lambda p, a, b: torch._foreach_sqrt(p),
    "/= bias correction": lambda p, a, b: torch._foreach_div_(p, 1.001),
    "+= eps": lambda p, a, b: torch._foreach_add_(p, 1e-8),
}
FOREACH_ARRAYS = {"param addcdiv": 4, "exp_avg lerp": 3, "exp_avg_sq += grad^2": 3}
CHUNK = 1 << 20  # elements of one tensor of the list


def foreach_step(op, elements, **more):
    """One of the kernels of an optimizer over lists."""
    sizes = [min(CHUNK, elements - i) for i in range(0, elements, CHUNK)]

    def build(buffers):
        lists = [[buffers.random(size).abs_().add_(0.5) for size in sizes]
                 for _ in range(FOREACH_ARRAYS.get(op, 2) - 1 or 1)]
        lists += [None] * (3 - len(lists))
        return lambda: FOREACH[op](*lists)

    return Case("optimizer", op, "fp32", shape_text(elements=elements), build, 0,
                4 * FOREACH_ARRAYS.get(op, 2) * elements, **more)


def cases(smoke):
    tables, pools = TABLES, POOLS
    lists = _parameter_lists()
    if smoke:
        tables, pools = ((4, 8, 16),), ((1, 4, 8, 8, 3, 2), (1, 4, 4, 4, 0, 1))
        lists = {"tiny": [(4, 4), (4,)]}
    for backward in (False, True):
        for shape in tables:
            for dtype in ("fp32", "bf16"):
                yield embedding(dtype, *shape, backward=backward)
    for name, shapes in lists.items():
        count = sum(math.prod(shape) for shape in shapes)
        for kind in ("adamw", "sgd"):
            for implementation in ("foreach", "fused"):
                yield optimizer(name, count, shapes, kind, implementation)
    for shape in pools:
        for backward in (False, True):
            yield pooling("fp32", *shape, layout="NCHW", backward=backward)
            yield pooling("bf16", *shape, backward=backward)
    for op in FOREACH:
        for elements in ((256,) if smoke else (18247040, 2644274, 110_000_000)):
            yield foreach_step(op, elements)
