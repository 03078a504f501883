# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products: C[m, n] = A[m, k] B[k, n], plain, with a bias, and
batched."""

import torch
from torch.nn import functional

from cases import Case, bytes_of, shape_text

# (m, n, k): rows of activations, outputs, inputs.
SHAPES = (
    (4096, 4096, 4096), (2048, 768, 768), (8192, 8192, 8192), (2048, 3072, 768),
    (16, 4096, 4096), (512, 1024, 1024), (2048, 768, 3072), (1, 4096, 4096),
    (4096, 5632, 2048), (768, 768, 4096), (128, 768, 768), (1024, 1024, 1024),
    (4096, 14336, 4096), (64, 1000, 2048), (8, 5632, 2048), (2048, 2048, 2048),
    (4096, 2048, 5632), (3072, 768, 8192), (100352, 64, 256), (128, 128, 128),
    (1024, 32000, 2048), (2048, 50257, 768), (64, 4096, 25088), (512, 512, 16384),
    (25088, 512, 128), (16384, 16384, 512), (256, 28672, 8192), (16, 16, 16),
    (1536, 1536, 1536), (4000, 4000, 4000), (6272, 2048, 512), (16384, 1024, 4096),
    (1000, 1000, 1000), (32, 128256, 4096), (7168, 7168, 7168), (384, 2304, 768),
)
# (batch, m, n, k): scores and values of attention, then others.
BATCHED = (
    (96, 128, 128, 64), (96, 128, 64, 128), (192, 512, 512, 64), (192, 512, 64, 512),
    (64, 1024, 1024, 64), (64, 1024, 64, 1024), (32, 2048, 2048, 128),
    (16, 1024, 1024, 1024), (768, 197, 197, 64), (768, 197, 64, 197),
    (256, 64, 64, 64), (1024, 1, 512, 128), (1024, 1, 128, 512), (12, 384, 384, 64),
    (8, 4096, 4096, 4096), (4096, 16, 16, 64), (128, 256, 64, 256), (2, 512, 512, 512),
)
TINY = ((16, 32, 16), (32, 16, 48))
TINY_BATCHED = ((2, 16, 16, 8),)

# Larger fp32 matmuls take long without providing new information.
FP32_FLOPS = 1.5e12


def _bytes(dtype, batch, m, n, k):
    return batch * (m * k + k * n + m * n) * bytes_of(dtype)


def matmul(dtype, m, n, k, **more):
    """A product of two activations."""

    def build(buffers):
        a, b = buffers.random(m, k), buffers.random(k, n)
        return lambda: torch.matmul(a, b)

    return Case("matmul", "matmul", dtype, shape_text(m=m, n=n, k=k), build,
                2 * m * n * k, _bytes(dtype, 1, m, n, k), **more)


def linear(dtype, m, n, k, bias=True, **more):
    """A linear layer: the weight is stored as [n, k]."""

    def build(buffers):
        x, weight = buffers.random(m, k), buffers.random(n, k)
        b = buffers.random(n) if bias else None
        return lambda: functional.linear(x, weight, b)

    return Case("matmul", "linear", dtype, shape_text(m=m, n=n, k=k), build,
                2 * m * n * k, _bytes(dtype, 1, m, n, k),
                variant="bias" if bias else "", **more)


def weight_gradient(dtype, m, n, k, **more):
    """The gradient of a weight: both operands are read along their columns."""

    def build(buffers):
        a, b = buffers.random(k, m), buffers.random(k, n)
        return lambda: torch.mm(a.t(), b)

    return Case("matmul", "matmul", dtype, shape_text(m=m, n=n, k=k), build,
                2 * m * n * k, _bytes(dtype, 1, m, n, k), layout="TN", **more)


def bmm(dtype, batch, m, n, k, **more):
    def build(buffers):
        a, b = buffers.random(batch, m, k), buffers.random(batch, k, n)
        return lambda: torch.bmm(a, b)

    return Case("matmul", "bmm", dtype, shape_text(batch=batch, m=m, n=n, k=k), build,
                2 * batch * m * n * k, _bytes(dtype, batch, m, n, k), **more)


def scaled(m, n, k, **more):
    """A product of two fp8 matrices with one scale each; the result is bf16."""

    def build(buffers):
        a, b = buffers.random(m, k), buffers.random(n, k)
        one = torch.ones((), device=buffers.device)
        return lambda: torch._scaled_mm(
            a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16,
            use_fast_accum=True)

    return Case("matmul", "scaled_mm", "fp8", shape_text(m=m, n=n, k=k), build,
                2 * m * n * k, m * k + k * n + 2 * m * n, variant="fast_accum", **more)


def cases(smoke):
    shapes, batched = (TINY, TINY_BATCHED) if smoke else (SHAPES, BATCHED)

    def allowed(dtype, *sizes):
        flops = 2
        for size in sizes:
            flops *= size
        return dtype != "fp32" or flops <= FP32_FLOPS

    def of(make, dtype, shapes):
        return [make(dtype, *sizes) for sizes in shapes if allowed(dtype, *sizes)]

    best = shapes[:20]
    for dtype in ("bf16", "tf32", "fp32"):
        yield from of(linear, dtype, best)
    for dtype in ("bf16", "tf32", "fp32"):
        yield from of(bmm, dtype, batched[:10])
    yield from [scaled(*sizes) for sizes in shapes if all(s % 16 == 0 for s in sizes)]
    yield from of(weight_gradient, "bf16", best[:12])
    for dtype in ("bf16", "tf32", "fp32"):
        yield from of(linear, dtype, shapes[20:])
    yield from of(linear, "fp16", best)
    yield from of(weight_gradient, "tf32", best[:12])
    yield from of(bmm, "bf16", batched[10:])
    yield from of(bmm, "tf32", batched[10:])
    for dtype in ("bf16", "tf32", "fp32", "fp16"):
        yield from of(matmul, dtype, shapes)
    yield from of(bmm, "fp32", batched[10:])
    yield from of(bmm, "fp16", batched)
