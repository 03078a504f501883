# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that measurements of whole models cannot separate and that public
tables do not cover.

They come first: without measurements, their time would be attributed to matmuls
or launches (lab/Findings.md).
"""

import torch

from cases import Case, backward_of, bytes_of, shape_text
from kernels.convolution import convolution
from kernels.matmul import bmm, linear, weight_gradient
from kernels.rows import image_norm, softmax
from kernels.streams import change_layout, merge_heads

# (batch, heads, q_len, kv_len) of scores under a mask.
SCORES = ((8, 12, 512, 512), (4, 12, 1024, 1024), (1, 16, 2048, 2048), (16, 12, 128, 128))
# (rows, cols): softmax in the transition from one pass that keeps its row to
# two passes.
WIDE = ((49152, 1024), (12288, 1536), (32768, 2048), (8192, 3072), (16384, 4096),
        (4096, 6144), (4096, 8192))
# (n, c, h, w) from few large channels to many small ones.
IMAGES = ((64, 64, 112, 112), (64, 256, 56, 56), (64, 512, 28, 28), (64, 1024, 14, 14),
          (64, 2048, 7, 7), (16, 256, 56, 56), (256, 256, 14, 14))
# (m, n, k) with a leading dimension that is not a multiple of 8, and the same
# shape rounded up.
ODD = ((6304, 768, 197), (6304, 768, 200), (197, 768, 6304), (200, 768, 6304),
       (2048, 1001, 2048), (2048, 1008, 2048), (8192, 50257, 768), (8192, 50304, 768))
ODD_BATCHES = ((384, 197, 197, 64), (384, 200, 200, 64), (384, 197, 64, 197),
               (384, 200, 64, 200))
# (batch, heads, length, head_dim)
HEADS = ((8, 12, 512, 64), (32, 12, 128, 64), (4, 16, 1024, 64), (2, 32, 2048, 128),
         (64, 12, 197, 64))
# (n, c, h, w, oc, k, stride, groups)
DEPTHWISE = ((64, 32, 112, 112, 32, 3, 1, 32), (64, 96, 112, 112, 96, 3, 2, 96),
             (64, 144, 56, 56, 144, 3, 1, 144), (64, 384, 14, 14, 384, 3, 1, 384),
             (64, 672, 14, 14, 672, 5, 1, 672), (64, 960, 7, 7, 960, 5, 1, 960),
             (32, 96, 56, 56, 96, 7, 1, 96), (32, 384, 14, 14, 384, 7, 1, 384))


def mask(dtype, batch, heads, queries, keys, op="where", backward=False, **more):
    """Scores under a mask that all heads share.

    `where` chooses between scores and a constant by a boolean mask,
    `masked_fill` writes the constant over a copy, `add` adds a mask of the
    scores' format.
    """

    def build(buffers):
        scores = buffers.random(batch, heads, queries, keys, grad=backward)
        keep = torch.ones(queries, keys, dtype=torch.bool,
                          device=buffers.device).tril()[None, None]
        least = torch.full((), -1e4, dtype=scores.dtype, device=buffers.device)
        added = buffers.random(batch, 1, 1, keys)

        def forward():
            if op == "where":
                return torch.where(keep, scores, least)
            return scores.masked_fill(keep, -1e4) if op == "masked_fill" else scores + added

        return backward_of(buffers, forward, [scores]) if backward else forward

    shape = shape_text(batch=batch, heads=heads, q_len=queries, kv_len=keys)
    moved = 2 * batch * heads * queries * keys * bytes_of(dtype)
    return Case("elementwise", f"mask_{op}" + "_backward" * backward, dtype, shape, build,
                0, moved, **more)


def split_heads(dtype, batch, heads, length, head_dim, transposed=False, **more):
    """[batch, length, heads, head_dim] to contiguous heads; keys may be
    transposed as well, [batch, heads, head_dim, length]."""

    def build(buffers):
        x = buffers.random(batch, length, heads, head_dim)
        order = (0, 2, 3, 1) if transposed else (0, 2, 1, 3)
        return lambda: x.permute(order).contiguous()

    shape = shape_text(batch=batch, heads=heads, q_len=length, head_dim=head_dim)
    elements = batch * heads * length * head_dim
    return Case("data_movement", "keys_transposed" if transposed else "split_heads",
                dtype, shape, build, 0, 2 * elements * bytes_of(dtype), **more)


def channel_sum(dtype, n, c, h, w, layout, **more):
    """The gradient of a convolution's bias."""

    def build(buffers):
        x = buffers.image(n, c, h, w, layout=layout)
        return lambda: x.sum((0, 2, 3))

    return Case("reduction", "channel_sum", dtype, shape_text(n=n, c=c, h=h, w=w), build,
                0, n * c * h * w * bytes_of(dtype), layout=layout, **more)


def from_channels_last(dtype, n, c, h, w, **more):
    """NHWC to NCHW."""

    def build(buffers):
        x = buffers.image(n, c, h, w, layout="NHWC")
        return lambda: x.contiguous(memory_format=torch.contiguous_format)

    return Case("data_movement", "layout", dtype, shape_text(n=n, c=c, h=h, w=w), build,
                0, 2 * n * c * h * w * bytes_of(dtype), layout="NHWC to NCHW", **more)


def cases(smoke):
    scores, wide, images, odd, odd_batches, heads, depthwise = (
        ((1, 2, 8, 8),), ((4, 16),), ((2, 8, 4, 4),), ((16, 8, 5),), ((2, 5, 5, 8),),
        ((1, 2, 4, 8),), ((1, 4, 8, 8, 4, 3, 1, 4),),
    ) if smoke else (SCORES, WIDE, IMAGES, ODD, ODD_BATCHES, HEADS, DEPTHWISE)
    for shape in depthwise:
        for dtype, layout in (("fp16", "NCHW"), ("fp16", "NHWC"), ("bf16", "NHWC"), ("tf32", "NCHW"),
                              ("tf32", "NHWC"), ("fp32", "NCHW"), ("fp32", "NHWC")):
            for direction in ("dgrad", "wgrad", "forward"):
                yield convolution(dtype, *shape, direction=direction, layout=layout)
    for shape in images:
        for layout in ("NCHW", "NHWC"):
            for dtype in ("fp16", "bf16", "fp32"):
                for mode in ("training", "backward"):
                    yield image_norm(dtype, *shape, mode=mode, layout=layout)
        for dtype in ("fp16", "fp32"):
            yield change_layout(dtype, *shape)
            yield from_channels_last(dtype, *shape)
    for shape in scores:
        for dtype in ("bf16", "fp32"):
            for op in ("where", "masked_fill", "add"):
                yield mask(dtype, *shape, op=op)
            yield mask(dtype, *shape, backward=True)
    for shape in wide:
        for dtype in ("bf16", "fp32"):
            for backward in (False, True):
                yield softmax(dtype, *shape, backward=backward)
    for dtype in ("bf16", "tf32"):
        for sizes in odd:
            yield linear(dtype, *sizes, bias=False)
            yield weight_gradient(dtype, *sizes)
        for sizes in odd_batches:
            yield bmm(dtype, *sizes)
    for shape in heads:
        for dtype in ("bf16", "fp32"):
            yield merge_heads(dtype, *shape)
            for transposed in (False, True):
                yield split_heads(dtype, *shape, transposed=transposed)
    for shape in images:
        for dtype, layout in (("fp16", "NCHW"), ("fp16", "NHWC"), ("fp32", "NCHW")):
            yield channel_sum(dtype, *shape, layout=layout)
