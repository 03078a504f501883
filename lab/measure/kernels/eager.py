# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of eager networks that the other families leave out: operands of rank
0, sums of mixed types, column sums, odd widths, and grouped convolutions."""

import torch

from cases import Case, bytes_of, shape_text
from kernels.convolution import convolution
from kernels.memory import embedding
from kernels.rows import layernorm, reduction, rmsnorm
from kernels.streams import cast, dropout

# (batch, heads, q_len, kv_len)
SCORES = ((8, 12, 512, 512), (4, 12, 1024, 1024), (24, 8, 1024, 1024), (16, 12, 128, 128))
# (results, summed rows): gradients of biases, norms and layer scales.
COLUMNS = ((768, 1024), (768, 4096), (768, 16384), (768, 65536), (1024, 16384), (512, 49152),
           (3072, 4096), (128, 262144), (192, 100352), (1536, 1568), (2048, 2048),
           (4096, 2048), (12288, 2048), (50257, 1024), (64, 4096))
# (rows, columns)
WIDTHS = ((151296, 197), (16384, 1001), (8192, 2049), (100352, 96), (100352, 192), (25088, 384),
          (6272, 768), (1568, 1536), (8192, 3072), (4096, 5120), (2048, 12288), (1024, 32000))
# (n, c, h, w, oc, k, stride, groups): 7 x 7 depthwise, then groups of 8 to 264 channels.
DEPTHWISE = ((32, 192, 56, 56, 192, 7, 1, 192), (32, 384, 28, 28, 384, 7, 1, 384),
             (32, 768, 14, 14, 768, 7, 1, 768), (32, 1536, 7, 7, 1536, 7, 1, 1536))
GROUPED = ((32, 528, 56, 56, 528, 3, 1, 2), (32, 1056, 28, 28, 1056, 3, 1, 4),
           (32, 2904, 14, 14, 2904, 3, 1, 11), (32, 512, 28, 28, 512, 3, 1, 8),
           (32, 448, 28, 28, 448, 3, 1, 4), (32, 512, 28, 28, 512, 3, 1, 4),
           (32, 256, 56, 56, 256, 3, 1, 32), (32, 512, 28, 28, 512, 3, 1, 32))


def with_scalar(op, dtype, batch, heads, queries, keys, **more):
    """Scores and a number that is a tensor of rank 0 on the device."""
    function = {"div": torch.div, "mul": torch.mul, "add": torch.add}[op]

    def build(buffers):
        scores = buffers.random(batch, heads, queries, keys)
        number = torch.full((), 8.0, dtype=scores.dtype, device=buffers.device)
        return lambda: function(scores, number)

    return _scores(f"{op}_rank0", dtype, batch, heads, queries, keys, build,
                   2 * bytes_of(dtype), **more)


def add_bias(dtype, batch, heads, queries, keys, in_place, full, **more):
    """Adds an fp32 position bias to scores, of one sample or of all (`full`).

    In place the result has the scores' format, otherwise it is fp32.
    """

    def build(buffers):
        scores = buffers.random(batch, heads, queries, keys)
        bias = buffers.random(batch if full else 1, heads, queries, keys,
                              dtype=torch.float32)
        if in_place:
            return lambda: scores.add_(bias)
        return lambda: scores + bias

    moved = bytes_of(dtype) + (4 if full else 0) + (bytes_of(dtype) if in_place else 4)
    return _scores("bias_in_place" if in_place else "bias_widening", dtype, batch, heads,
                   queries, keys, build, moved, variant="full" if full else "shared", **more)


def wide_softmax(dtype, batch, heads, queries, keys, **more):
    """A softmax in fp32 of 16-bit scores."""

    def build(buffers):
        scores = buffers.random(batch, heads, queries, keys)
        return lambda: torch.softmax(scores, -1, dtype=torch.float32)

    return Case("softmax", "softmax", dtype,
                shape_text(rows=batch * heads * queries, cols=keys), build, 0,
                batch * heads * queries * keys * (bytes_of(dtype) + 4), variant="to fp32",
                **more)


def _scores(op, dtype, batch, heads, queries, keys, build, bytes_per_score, **more):
    shape = shape_text(batch=batch, heads=heads, q_len=queries, kv_len=keys)
    return Case("elementwise", op, dtype, shape, build, 0,
                bytes_per_score * batch * heads * queries * keys, **more)


def cases(smoke):
    scores, columns, widths, depthwise, grouped, table = (
        ((1, 2, 8, 8),), ((4, 8),), ((4, 7),), ((1, 4, 8, 8, 4, 7, 1, 4),),
        ((1, 8, 8, 8, 8, 3, 1, 2),), (64, 4, 8),
    ) if smoke else (SCORES, COLUMNS, WIDTHS, DEPTHWISE, GROUPED, (1 << 20, 8, 32))
    directions = ("forward", "dgrad", "wgrad")
    for shape in scores:
        for dtype in ("bf16", "fp16", "fp32"):
            for op in ("div", "mul", "add"):
                yield with_scalar(op, dtype, *shape)
        for dtype in ("fp16", "bf16"):
            for full in (True, False):
                yield add_bias(dtype, *shape, in_place=True, full=full)
            yield add_bias(dtype, *shape, in_place=False, full=False)
            yield wide_softmax(dtype, *shape)
        yield cast("fp32", "fp16", shape[0] * shape[1] * shape[2] * shape[3])
        yield cast("fp16", "fp32", shape[0] * shape[1] * shape[2] * shape[3])
        for dtype in ("fp16", "fp32"):
            for backward in (False, True):
                yield dropout(dtype, shape[0] * shape[1] * shape[2] * shape[3], backward)
        # The gradient of a shared bias: a sum over the samples.
        yield reduction("fp32", shape[1] * shape[2] * shape[3], shape[0], along="rows")
    yield embedding("fp32", *table, backward=True)
    for shape in depthwise:
        for dtype in ("tf32", "fp32", "fp16"):
            for direction in directions:
                yield convolution(dtype, *shape, direction=direction, layout="NHWC")
    for shape in grouped:
        for dtype, layout in (("fp16", "NHWC"), ("fp16", "NCHW"), ("tf32", "NHWC"),
                              ("fp32", "NHWC")):
            for direction in directions:
                yield convolution(dtype, *shape, direction=direction, layout=layout)
    for shape in columns:
        for dtype in ("fp32", "fp16"):
            yield reduction(dtype, *shape, along="rows")
    for shape in widths:
        for dtype in ("fp16", "fp32"):
            yield layernorm(dtype, *shape)
            yield layernorm(dtype, *shape, backward=True)
            yield rmsnorm(dtype, *shape)
