# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scaled_dot_product_attention: forward, backward, and one query (decoding)."""

from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from cases import Case, backward_of, bytes_of, shape_text

BACKENDS = {
    "flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH, "cudnn": SDPBackend.CUDNN_ATTENTION,
}
# (batch, heads, kv_heads, q_len, kv_len, head_dim, causal)
PREFILL = (
    (8, 12, 12, 512, 512, 64, 0), (8, 12, 12, 1024, 1024, 64, 1),
    (2, 32, 4, 2048, 2048, 64, 1), (16, 12, 12, 128, 128, 64, 0),
    (1, 32, 8, 4096, 4096, 128, 1), (64, 12, 12, 197, 197, 64, 0),
    (4, 32, 32, 1024, 1024, 128, 1), (8, 16, 16, 512, 512, 64, 0),
    (1, 32, 8, 16384, 16384, 128, 1), (1, 12, 12, 1024, 1024, 64, 1),
    (4, 16, 16, 2048, 2048, 128, 0), (32, 12, 12, 384, 384, 64, 0),
    (1, 16, 16, 8192, 8192, 64, 0), (2, 20, 20, 1024, 1024, 64, 1),
    (128, 12, 12, 128, 128, 64, 0), (1, 1, 1, 128, 128, 64, 0),
    (2, 8, 8, 2048, 2048, 256, 1), (16, 8, 8, 256, 256, 32, 0),
)
# One query against a cache.
DECODE = (
    (1, 32, 8, 1, 2048, 128, 0), (16, 32, 8, 1, 2048, 128, 0),
    (64, 32, 8, 1, 1024, 128, 0), (8, 12, 12, 1, 1024, 64, 0),
    (32, 32, 4, 1, 2048, 64, 0), (4, 32, 32, 1, 4096, 128, 0),
    (1, 32, 8, 1, 32768, 128, 0), (128, 32, 8, 1, 512, 128, 0),
)
TINY = ((1, 2, 2, 8, 8, 8, 0), (1, 2, 1, 8, 8, 8, 1))
TINY_DECODE = ((1, 2, 2, 1, 8, 8, 0),)


def attention(dtype, batch, heads, kv_heads, q_len, kv_len, head_dim, causal,
              backend="flash", backward=False, **more):
    """2 matrix products with 2 FLOP per multiply-add, half of them if causal; 5
    products in the backward pass."""
    pairs = batch * heads * q_len * kv_len * head_dim
    flops = (10 if backward else 4) * pairs // (2 if causal else 1)
    own = batch * heads * q_len * head_dim
    cache = batch * kv_heads * kv_len * head_dim
    elements = (4 * own + 4 * cache) if backward else (2 * own + 2 * cache)

    def build(buffers):
        query = buffers.random(batch, heads, q_len, head_dim, grad=backward)
        key, value = (
            buffers.random(batch, kv_heads, kv_len, head_dim, grad=backward)
            for _ in range(2)
        )

        def forward():
            with sdpa_kernel(BACKENDS[backend]):
                return functional.scaled_dot_product_attention(
                    query, key, value, is_causal=bool(causal),
                    enable_gqa=heads != kv_heads)

        return backward_of(buffers, forward, [query, key, value]) if backward else forward

    shape = shape_text(batch=batch, heads=heads, kv_heads=kv_heads, q_len=q_len,
                       kv_len=kv_len, head_dim=head_dim, causal=causal)
    return Case("attention", "backward" if backward else "forward", dtype, shape,
                build, flops, elements * bytes_of(dtype), variant=backend, **more)


def cases(smoke):
    prefill, decode = (TINY, TINY_DECODE) if smoke else (PREFILL, DECODE)

    def of(dtype, shapes, backend, backward=False, most_scores=1 << 31):
        for shape in shapes:
            batch, heads, _, q_len, kv_len, *_ = shape
            if batch * heads * q_len * kv_len <= most_scores:
                yield attention(dtype, *shape, backend=backend, backward=backward)

    few = 1 << 28  # scores that are written to memory
    everything = 1 << 60
    yield from of("bf16", prefill, "flash", False, everything)
    yield from of("bf16", prefill[:12], "flash", True, everything)
    yield from of("bf16", decode, "flash")
    yield from of("fp32", prefill[:10], "efficient")
    yield from of("tf32", prefill[:10], "efficient")
    yield from of("bf16", decode, "math")
    yield from of("fp32", prefill[:8], "efficient", True)
    yield from of("bf16", prefill[:12], "math", False, few)
    yield from of("bf16", prefill[:12], "efficient")
    yield from of("bf16", prefill[:8], "math", True, few)
    yield from of("bf16", prefill[:12], "cudnn")
    yield from of("bf16", prefill[:8], "cudnn", True)
    yield from of("bf16", prefill[12:], "flash", True)
    yield from of("bf16", prefill[:8], "efficient", True)
    yield from of("tf32", prefill[:8], "math", False, few)
    yield from of("fp16", prefill[:8], "flash")
    yield from of("fp32", prefill[:8], "math", False, few)
