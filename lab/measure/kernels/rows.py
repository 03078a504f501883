# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that work along rows: softmax, normalization, loss, reductions."""

import math

import torch
from torch.nn import functional

from cases import Case, backward_of, bytes_of, shape_text

ROWS = (  # (rows, cols)
    (4096, 768), (49152, 512), (8192, 2048), (12288, 128), (4096, 4096), (1024, 768),
    (65536, 1024), (16384, 1024), (128, 768), (8, 4096), (2048, 5120), (151296, 197),
    (1, 4096), (32768, 64), (1024, 16384), (98304, 384), (16, 768), (8192, 8192),
    (256, 32000), (100, 1000),
)
LOSSES = (  # (rows, classes)
    (64, 1000), (4096, 32000), (1024, 50257), (8192, 30522), (256, 1000), (8, 2),
    (2048, 128256), (512, 32000),
)
IMAGES = (  # (n, c, h, w)
    (32, 64, 112, 112), (32, 256, 56, 56), (32, 64, 56, 56), (32, 1024, 14, 14),
    (32, 512, 28, 28), (32, 2048, 7, 7), (8, 256, 56, 56), (32, 144, 56, 56),
    (1, 256, 14, 14), (128, 256, 56, 56), (32, 96, 112, 112), (32, 1152, 7, 7),
)
TINY, TINY_LOSSES, TINY_IMAGES = ((8, 16),), ((4, 8),), ((2, 8, 4, 4),)


def _case(family, op, dtype, rows, cols, build, passes, **more):
    """`passes`: number of reads and writes of an array of rows x cols."""
    return Case(family, op, dtype, shape_text(rows=rows, cols=cols), build,
                0, passes * rows * cols * bytes_of(dtype), **more)


def softmax(dtype, rows, cols, backward=False, log=False, **more):
    function = torch.log_softmax if log else torch.softmax

    def build(buffers):
        x = buffers.random(rows, cols, grad=backward)

        def forward():
            return function(x, -1)

        return backward_of(buffers, forward, [x]) if backward else forward

    name = ("log_" if log else "") + ("softmax_backward" if backward else "softmax")
    return _case("softmax", name, dtype, rows, cols, build, 3 if backward else 2,
                 **more)


def layernorm(dtype, rows, cols, backward=False, **more):
    def build(buffers):
        x = buffers.random(rows, cols, grad=backward)
        scale, bias = (buffers.random(cols, grad=backward) for _ in range(2))

        def forward():
            return functional.layer_norm(x, (cols,), scale, bias)

        return backward_of(buffers, forward, [x, scale, bias]) if backward else forward

    return _case("layernorm", "layernorm_backward" if backward else "layernorm",
                 dtype, rows, cols, build, 3 if backward else 2, **more)


def rmsnorm(dtype, rows, cols, backward=False, **more):
    def build(buffers):
        x = buffers.random(rows, cols, grad=backward)
        scale = buffers.random(cols, grad=backward)

        def forward():
            return functional.rms_norm(x, (cols,), scale)

        return backward_of(buffers, forward, [x, scale]) if backward else forward

    return _case("normalization", "rmsnorm_backward" if backward else "rmsnorm",
                 dtype, rows, cols, build, 3 if backward else 2, **more)


def image_norm(dtype, n, c, h, w, op="batchnorm", mode="training", layout="NHWC",
               **more):
    """Batch or group normalization; `mode` inference, training or backward."""
    backward = mode == "backward"

    def build(buffers):
        x = buffers.image(n, c, h, w, layout=layout, grad=backward)
        # The statistics and parameters of batch normalization are fp32.
        scale_dtype = torch.float32 if op == "batchnorm" else None
        scale, bias = (
            buffers.random(c, dtype=scale_dtype, grad=backward) for _ in range(2)
        )
        mean = torch.zeros(c, device=buffers.device)
        variance = torch.ones(c, device=buffers.device)

        def forward():
            if op == "groupnorm":
                return functional.group_norm(x, math.gcd(32, c), scale, bias)
            return functional.batch_norm(
                x, mean, variance, scale, bias, training=mode != "inference")

        return backward_of(buffers, forward, [x, scale, bias]) if backward else forward

    passes = {"inference": 2, "training": 3, "backward": 5}[mode]
    return Case("normalization", op, dtype, shape_text(n=n, c=c, h=h, w=w), build, 0,
                passes * n * c * h * w * bytes_of(dtype), layout=layout, variant=mode,
                **more)


def cross_entropy(dtype, rows, classes, backward=False, **more):
    def build(buffers):
        logits = buffers.random(rows, classes, grad=backward)
        targets = buffers.integers(classes, rows)

        def forward():
            return functional.cross_entropy(logits, targets)

        return backward_of(buffers, forward, [logits]) if backward else forward

    return _case("loss", "cross_entropy_backward" if backward else "cross_entropy",
                 dtype, rows, classes, build, 3 if backward else 4, **more)


REDUCTIONS = {
    "sum": lambda x, dim: x.sum(dim), "mean": lambda x, dim: x.mean(dim),
    "max": lambda x, dim: x.amax(dim),
}


def reduction(dtype, rows, cols, op="sum", along="cols", **more):
    """`rows` results of `cols` elements each, which are contiguous (along cols)
    or, as for a bias gradient, one row apart (along rows)."""

    def build(buffers):
        shape, dim = ((rows, cols), 1) if along == "cols" else ((cols, rows), 0)
        x = buffers.random(*shape)
        return lambda: REDUCTIONS[op](x, dim)

    return _case("reduction", op, dtype, rows, cols, build, 1,
                 variant=f"along {along}", **more)


def cases(smoke):
    rows, losses, images = (
        (TINY, TINY_LOSSES, TINY_IMAGES) if smoke else (ROWS, LOSSES, IMAGES))
    for backward in (False, True):
        for shape in rows[:12]:
            for dtype in ("bf16", "fp32"):
                yield layernorm(dtype, *shape, backward=backward)
                yield softmax(dtype, *shape, backward=backward)
    for shape in images[:8]:
        for mode in ("training", "backward", "inference"):
            yield image_norm("fp32", *shape, mode=mode, layout="NCHW")
            yield image_norm("bf16", *shape, mode=mode)
    # Bias gradients: few results of many elements.
    for shape in [(cols, count) for count, cols in rows[:8]]:
        for dtype in ("fp32", "bf16"):
            yield reduction(dtype, *shape, along="rows")
    for shape in losses:
        for backward in (False, True):
            yield cross_entropy("fp32", *shape, backward=backward)
    for shape in rows[:12]:
        for dtype in ("bf16", "fp32"):
            yield rmsnorm(dtype, *shape)
            yield reduction(dtype, *shape)
    for shape in rows[12:]:
        for dtype in ("bf16", "fp32"):
            yield layernorm(dtype, *shape)
            yield softmax(dtype, *shape)
            yield reduction(dtype, *shape, op="mean")
    for shape in rows[:8]:
        for dtype in ("bf16", "fp32"):
            yield rmsnorm(dtype, *shape, backward=True)
            yield softmax(dtype, *shape, log=True)
    for shape in images:
        for mode in ("training", "backward"):
            yield image_norm("bf16", *shape, mode=mode, layout="NCHW")
            yield image_norm("fp32", *shape, mode=mode)
            yield image_norm("bf16", *shape, op="groupnorm", mode=mode, layout="NCHW")
    for shape in rows[12:]:
        for dtype in ("bf16", "fp32"):
            yield layernorm(dtype, *shape, backward=True)
            yield softmax(dtype, *shape, backward=True)
