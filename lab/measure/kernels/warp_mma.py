# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that older software runs on newer GPUs: matrix products by
instructions of one warp (mma), beside those of a warp group (wgmma).

FlashAttention 2 always uses the former. Triton uses what the GPU has; its
releases of 2023 used mma, which DISABLE_MMA_V3 still asks for. `variant` names
the instruction, which is checked in the code that was generated.
"""

import os

import torch

from cases import Case, bytes_of, shape_text
from kernels.attention import attention

try:
    import triton
    from triton import language as tl
except ImportError:
    triton = None

# (batch, heads, length, head_dim, causal)
LONG = ((4, 16, 2048, 64, 1), (4, 16, 2048, 128, 1), (2, 16, 4096, 128, 1), (1, 16, 8192, 128, 1),
        (1, 16, 16384, 128, 1), (16, 16, 512, 64, 1), (16, 16, 512, 128, 1), (8, 12, 1024, 64, 0),
        (8, 16, 1024, 128, 0), (2, 16, 4096, 64, 0), (2, 32, 2048, 80, 1), (4, 32, 2048, 96, 1),
        (4, 32, 2048, 128, 1), (8, 40, 2048, 128, 1))
PRODUCTS = ((8192, 8192, 8192), (4096, 4096, 4096), (2048, 12288, 4096), (16384, 1024, 1024))
INSTRUCTIONS = {"mma": "mma.sync", "wgmma": "wgmma.mma_async"}


if triton:
    @triton.jit
    def _product(a, b, c, m, n, k, ROWS: tl.constexpr, COLS: tl.constexpr, DEPTH: tl.constexpr,
                 BAND: tl.constexpr, INSTRUCTION: tl.constexpr):
        """c[m, n] = a[m, k] b[n, k]^T by tiles that follow each other in bands of rows."""
        tile = tl.program_id(0)
        across = tl.cdiv(n, COLS)
        band = tile // (BAND * across)
        height = min(tl.cdiv(m, ROWS) - band * BAND, BAND)
        row = band * BAND + tile % (BAND * across) % height
        col = tile % (BAND * across) // height
        rows = row * ROWS + tl.arange(0, ROWS)
        cols = col * COLS + tl.arange(0, COLS)
        depth = tl.arange(0, DEPTH)
        left = a + rows[:, None] * k + depth[None, :]
        right = b + cols[None, :] * k + depth[:, None]
        total = tl.zeros((ROWS, COLS), dtype=tl.float32)
        for _ in range(0, k, DEPTH):
            total = tl.dot(tl.load(left), tl.load(right), total)
            left += DEPTH
            right += DEPTH
        tl.store(c + rows[:, None] * n + cols[None, :], total.to(c.dtype.element_ty))

    @triton.jit
    def _attention(q, k, v, out, scale, length, CAUSAL: tl.constexpr, ROWS: tl.constexpr,
                   KEYS: tl.constexpr, DIM: tl.constexpr, INSTRUCTION: tl.constexpr):
        """One block of query rows of one head; all tensors are [heads, length, DIM]."""
        start = tl.program_id(0) * ROWS
        base = tl.program_id(1).to(tl.int64) * length * DIM
        rows = start + tl.arange(0, ROWS)
        dims = tl.arange(0, DIM)
        query = tl.load(q + base + rows[:, None] * DIM + dims[None, :])
        query = (query * scale).to(query.dtype)
        most = tl.full((ROWS,), float("-inf"), dtype=tl.float32)
        weight = tl.zeros((ROWS,), dtype=tl.float32)
        total = tl.zeros((ROWS, DIM), dtype=tl.float32)
        end = start + ROWS if CAUSAL else length
        for first in range(0, end, KEYS):
            keys = first + tl.arange(0, KEYS)
            key = tl.load(k + base + keys[None, :] * DIM + dims[:, None])
            scores = tl.dot(query, key)
            if CAUSAL:
                scores = tl.where(rows[:, None] >= keys[None, :], scores, float("-inf"))
            higher = tl.maximum(most, tl.max(scores, 1))
            shares = tl.math.exp2(scores - higher[:, None])
            kept = tl.math.exp2(most - higher)
            weight = weight * kept + tl.sum(shares, 1)
            value = tl.load(v + base + keys[:, None] * DIM + dims[None, :])
            total = tl.dot(shares.to(value.dtype), value, total * kept[:, None])
            most = higher
        total = total / weight[:, None]
        tl.store(out + base + rows[:, None] * DIM + dims[None, :],
                 total.to(out.dtype.element_ty))


def _launch(kernel, grid, instruction, *operands, **sizes):
    """Launches and checks the instruction."""
    saved = os.environ.get("DISABLE_MMA_V3")
    os.environ["DISABLE_MMA_V3"] = "1" if instruction == "mma" else "0"
    try:
        code = kernel[grid](*operands, INSTRUCTION=instruction, **sizes)
    finally:
        if saved is None:
            del os.environ["DISABLE_MMA_V3"]
        else:
            os.environ["DISABLE_MMA_V3"] = saved
    if INSTRUCTIONS[instruction] not in code.asm["ptx"]:
        raise NotImplementedError(f"this GPU or Triton does not use {instruction}")


def _needs_triton(buffers):
    if triton is None or buffers.device.type != "cuda":
        raise NotImplementedError("Triton needs a GPU")


def product(dtype, m, n, k, instruction, rows=128, cols=128, depth=64, warps=8, **more):
    def build(buffers):
        _needs_triton(buffers)
        a, b, c = buffers.random(m, k), buffers.random(n, k), buffers.empty(m, n)
        grid = (m // rows * (n // cols),)

        def run():
            _launch(_product, grid, instruction, a, b, c, m, n, k, ROWS=rows, COLS=cols,
                    DEPTH=depth, BAND=8, num_warps=warps, num_stages=3)
            return c

        return run

    return Case("matmul", "triton", dtype, shape_text(m=m, n=n, k=k), build, 2 * m * n * k,
                (m * k + k * n + m * n) * bytes_of(dtype), layout="TN",
                variant=f"{instruction} {rows}x{cols}x{depth} {warps} warps", **more)


def triton_attention(dtype, batch, heads, length, head_dim, causal, instruction, rows=128,
                     keys=64, warps=None, **more):
    """The forward pass of FlashAttention as Triton's kernels have it."""
    warps = warps or (4 if head_dim <= 64 else 8)

    def build(buffers):
        _needs_triton(buffers)
        q, k, v = (buffers.random(batch, heads, length, head_dim) for _ in range(3))
        out = buffers.empty(batch, heads, length, head_dim)
        scale = head_dim ** -0.5 * 1.44269504
        grid = (length // rows, batch * heads)

        def run():
            _launch(_attention, grid, instruction, q, k, v, out, scale, length, CAUSAL=causal,
                    ROWS=rows, KEYS=keys, DIM=head_dim, num_warps=warps, num_stages=2)
            return out

        return run

    shape = shape_text(batch=batch, heads=heads, kv_heads=heads, q_len=length, kv_len=length,
                       head_dim=head_dim, causal=causal)
    flops = 4 * batch * heads * length * length * head_dim // (2 if causal else 1)
    return Case("attention", "forward", dtype, shape, build, flops,
                4 * batch * heads * length * head_dim * bytes_of(dtype),
                variant=f"triton {instruction} {rows}x{keys} {warps} warps", **more)


def cases(smoke):
    if smoke:
        yield attention("bf16", 1, 2, 2, 8, 8, 8, 1)
        yield product("bf16", 128, 128, 64, "mma")
        return
    for shape in PRODUCTS:
        for tile in ((128, 128, 32, 4), (128, 128, 64, 8), (128, 256, 64, 8), (256, 128, 32, 8)):
            yield product("bf16", *shape, "mma", *tile)
        yield product("bf16", *shape, "wgmma", 128, 256, 64, 8)
    for batch, heads, length, head_dim, causal in LONG:
        sizes = batch, heads, heads, length, length, head_dim, causal
        for backend in ("flash", "cudnn"):
            for backward in (False, True):
                yield attention("bf16", *sizes, backend=backend, backward=backward)
        yield attention("fp16", *sizes)
        yield attention("fp16", *sizes, backward=True)
        if head_dim in (64, 128):
            shape = batch, heads, length, head_dim, causal
            yield triton_attention("bf16", *shape, "mma")
            yield triton_attention("bf16", *shape, "mma", keys=128)
            yield triton_attention("bf16", *shape, "wgmma")
