# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions: forward, input gradient, weight gradient."""

from torch.nn import functional

from cases import Case, backward_of, bytes_of, shape_text

# (n, c, h, w, oc, k, stride, groups): batch, image read, filters, their size.
# Padding is that of a "same" convolution, (k - 1) / 2, unless given at the end.
SHAPES = (
    (32, 64, 56, 56, 64, 3, 1, 1), (32, 256, 14, 14, 256, 3, 1, 1),
    (32, 64, 56, 56, 256, 1, 1, 1), (32, 144, 56, 56, 144, 3, 1, 144),
    (32, 1024, 14, 14, 256, 1, 1, 1), (32, 3, 224, 224, 64, 7, 2, 1),
    (32, 128, 28, 28, 128, 3, 1, 1), (32, 512, 7, 7, 512, 3, 1, 1),
    (32, 672, 14, 14, 672, 5, 1, 672), (32, 64, 224, 224, 64, 3, 1, 1),
    (32, 512, 28, 28, 512, 3, 1, 1), (32, 128, 56, 56, 128, 3, 2, 1),
    (1, 256, 14, 14, 256, 3, 1, 1), (32, 96, 112, 112, 96, 3, 2, 96),
    (32, 512, 28, 28, 1024, 1, 2, 1), (32, 2048, 7, 7, 512, 1, 1, 1),
    (32, 3, 224, 224, 64, 3, 1, 1), (32, 3, 224, 224, 768, 16, 16, 1, 0),
    (8, 256, 56, 56, 256, 3, 1, 1), (32, 1152, 7, 7, 192, 1, 1, 1),
    (32, 128, 56, 56, 128, 3, 1, 32), (1, 64, 56, 56, 256, 1, 1, 1),
    (128, 256, 14, 14, 256, 3, 1, 1), (4, 64, 512, 512, 64, 3, 1, 1),
)
TINY = ((1, 4, 8, 8, 4, 3, 1, 1), (1, 4, 8, 8, 4, 3, 2, 4))


def convolution(dtype, n, c, h, w, oc, k, stride=1, groups=1, pad=None,
                direction="forward", layout="NHWC", **more):
    """`direction` is forward, dgrad or wgrad; `layout` NHWC or NCHW."""
    pad = (k - 1) // 2 if pad is None else pad
    out_h, out_w = ((size + 2 * pad - k) // stride + 1 for size in (h, w))
    flops = 2 * n * oc * out_h * out_w * (c // groups) * k * k
    elements = n * c * h * w + oc * (c // groups) * k * k + n * oc * out_h * out_w

    def build(buffers):
        backward = direction != "forward"
        x = buffers.image(n, c, h, w, layout=layout, grad=backward)
        weight = buffers.image(oc, c // groups, k, k, layout=layout, grad=backward)

        def forward():
            return functional.conv2d(x, weight, None, stride, pad, 1, groups)

        if not backward:
            return forward
        return backward_of(buffers, forward, [x if direction == "dgrad" else weight])

    shape = shape_text(n=n, c=c, h=h, w=w, oc=oc, kh=k, kw=k, stride=stride, pad=pad,
                       groups=groups)
    return Case("conv2d", direction, dtype, shape, build, flops,
                elements * bytes_of(dtype), layout=layout, **more)


def cases(smoke):
    shapes = TINY if smoke else SHAPES

    def of(dtype, layout, shapes, directions=("forward", "dgrad", "wgrad")):
        for shape in shapes:
            for direction in directions:
                if direction == "dgrad" and shape[1] == 3:
                    continue  # an image needs no gradient
                yield convolution(dtype, *shape, direction=direction, layout=layout)

    best, others = shapes[:12], shapes[12:]
    yield from of("tf32", "NCHW", best)
    yield from of("bf16", "NHWC", best)
    yield from of("fp32", "NCHW", best)
    yield from of("bf16", "NCHW", best)
    yield from of("tf32", "NCHW", others)
    yield from of("bf16", "NHWC", others)
    yield from of("tf32", "NHWC", best)
    yield from of("bf16", "NCHW", others)
    yield from of("fp32", "NCHW", others)
    yield from of("fp32", "NHWC", best, ("forward",))
    yield from of("tf32", "NHWC", others)
