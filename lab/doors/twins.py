# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of the door test in JAX, as its users write them; parameters are arguments of the function."""
import math

import modules
from modules import GROUPS, HEADS, WIDTH, WINDOW

TWINS = {}


def twin(function):
    TWINS[function.__name__.strip("_").replace("_", "-")] = function
    return function


def linear(x, w, b=None):
    y = x @ w.T
    return y if b is None else y + b


@twin
def mlp_gelu(jax, jnp, p, x):
    return linear(jax.nn.gelu(linear(x, p.w1, p.b1), approximate=False), p.w2, p.b2)


@twin
def mlp_relu(jax, jnp, p, x):
    return linear(jax.nn.relu(linear(x, p.w1, p.b1)), p.w2, p.b2)


@twin
def mlp_swiglu(jax, jnp, p, x):
    return linear(jax.nn.silu(linear(x, p.gate)) * linear(x, p.up), p.down)


@twin
def bmm(jax, jnp, p, x, y):
    return x @ y


@twin
def einsum(jax, jnp, p, x, y):
    return jnp.einsum("bqhd,bkhd->bhqk", x, y)


@twin
def linear_attention(jax, jnp, p, x, s):
    features = jax.nn.elu(x) + 1
    return features @ s / (features @ s.sum(-1, keepdims=True) + 1e-6)


def split(x, heads):
    return x.reshape(x.shape[0], x.shape[1], heads, -1).swapaxes(1, 2)


def joined(x):
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


def heads_of(p, x, groups=HEADS):
    return split(linear(x, p.wq), HEADS), split(linear(x, p.wk), groups), split(linear(x, p.wv), groups)


def attention(jax, jnp, q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    return jax.nn.softmax(scores, -1) @ v


def triangle(jnp, x):
    index = jnp.arange(x.shape[1])
    return index[None, :] <= index[:, None]


@twin
def attention_sdpa(jax, jnp, p, x):
    """JAX's own attention function, whose layout is batch, tokens, heads, size."""
    shape = (*x.shape[:2], HEADS, -1)
    q, k, v = (linear(x, w).reshape(shape) for w in (p.wq, p.wk, p.wv))
    return linear(jax.nn.dot_product_attention(q, k, v).reshape(x.shape), p.wo)


@twin
def attention_explicit(jax, jnp, p, x):
    return linear(joined(attention(jax, jnp, *heads_of(p, x))), p.wo)


@twin
def attention_causal(jax, jnp, p, x):
    shape = (*x.shape[:2], HEADS, -1)
    q, k, v = (linear(x, w).reshape(shape) for w in (p.wq, p.wk, p.wv))
    return linear(jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape), p.wo)


@twin
def attention_causal_explicit(jax, jnp, p, x):
    return linear(joined(attention(jax, jnp, *heads_of(p, x), triangle(jnp, x))), p.wo)


@twin
def attention_window(jax, jnp, p, x):
    index = jnp.arange(x.shape[1])
    mask = triangle(jnp, x) & (index[None, :] > index[:, None] - WINDOW)
    return linear(joined(attention(jax, jnp, *heads_of(p, x), mask)), p.wo)


@twin
def attention_gqa(jax, jnp, p, x):
    q, k, v = (linear(x, w) for w in (p.wq, p.wk, p.wv))
    q = q.reshape(*x.shape[:2], HEADS, -1)
    k, v = (each.reshape(*x.shape[:2], GROUPS, -1) for each in (k, v))
    return linear(jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape), p.wo)


@twin
def attention_repeated(jax, jnp, p, x):
    q, k, v = heads_of(p, x, GROUPS)
    k, v = (jnp.repeat(each, HEADS // GROUPS, 1) for each in (k, v))
    return linear(joined(attention(jax, jnp, q, k, v, triangle(jnp, x))), p.wo)


@twin
def attention_padding(jax, jnp, p, x, mask):
    return linear(joined(attention(jax, jnp, *heads_of(p, x), mask)), p.wo)


@twin
def attention_cross(jax, jnp, p, x, context):
    q = split(linear(x, p.wq), HEADS)
    k, v = split(linear(context, p.wk), HEADS), split(linear(context, p.wv), HEADS)
    return linear(joined(attention(jax, jnp, q, k, v)), p.wo)


@twin
def decode_step(jax, jnp, p, x, keys, values):
    q, k, v = heads_of(p, x)
    k, v = jnp.concatenate([keys, k], 2), jnp.concatenate([values, v], 2)
    return linear(joined(attention(jax, jnp, q, k, v)), p.wo), k, v


def rotated(jnp, x, cos, sin):
    first, second = jnp.split(x, 2, -1)
    return x * cos + jnp.concatenate([-second, first], -1) * sin


@twin
def rope(jax, jnp, p, x, cos, sin):
    return rotated(jnp, x, cos, sin)


@twin
def rope_computed(jax, jnp, p, x):
    rates = 1e4 ** (-jnp.arange(0, 64, 2, dtype=jnp.float32) / 64)
    angles = jnp.arange(1024, dtype=jnp.float32)[:, None] * rates[None]
    angles = jnp.concatenate([angles, angles], -1)
    return rotated(jnp, x, jnp.cos(angles).astype(x.dtype), jnp.sin(angles).astype(x.dtype))


def norm(jax, jnp, x, g=None, b=None, axis=-1):
    y = x.astype(jnp.float32)
    y = (y - y.mean(axis, keepdims=True)) * jax.lax.rsqrt(y.var(axis, keepdims=True) + 1e-5)
    y = y.astype(x.dtype)
    return y if g is None else y * g + b


@twin
def block_prenorm(jax, jnp, p, x):
    y = norm(jax, jnp, x, p.g1, p.n1)
    x = x + linear(joined(attention(jax, jnp, *heads_of(p, y), triangle(jnp, x))), p.wo)
    y = norm(jax, jnp, x, p.g2, p.n2)
    return x + linear(jax.nn.gelu(linear(y, p.w1, p.b1)), p.w2, p.b2)


@twin
def block_postnorm(jax, jnp, p, x):
    x = norm(jax, jnp, x + linear(joined(attention(jax, jnp, *heads_of(p, x))), p.wo), p.g1, p.n1)
    y = linear(jax.nn.gelu(linear(x, p.w1, p.b1), approximate=False), p.w2, p.b2)
    return norm(jax, jnp, x + y, p.g2, p.n2)


@twin
def modulation(jax, jnp, p, x, shift, scale):
    return norm(jax, jnp, x) * (1 + scale[:, None]) + shift[:, None]


@twin
def experts_dense(jax, jnp, p, x):
    weights = jax.nn.softmax(linear(x, p.router), -1)
    hidden = jax.nn.gelu(jnp.einsum("nd,edf->enf", x, p.up), approximate=False)
    return (jnp.einsum("enf,efd->end", hidden, p.down) * weights.T[:, :, None]).sum(0)


@twin
def layernorm(jax, jnp, p, x):
    return norm(jax, jnp, x, p.g, p.b)


@twin
def rmsnorm(jax, jnp, p, x):
    y = x.astype(jnp.float32)
    return p.g * (y * jax.lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-6)).astype(x.dtype)


@twin
def groupnorm_silu(jax, jnp, p, x):
    y = norm(jax, jnp, x.reshape(8, 32, -1)).reshape(x.shape)
    return jax.nn.silu(y * p.g[:, None, None] + p.b[:, None, None])


def batch_norm(jax, x, mean, var, g, b):
    mean, var, g, b = (each[:, None, None] for each in (mean, var, g, b))
    return (x - mean) * jax.lax.rsqrt(var + 1e-5) * g + b


@twin
def batchnorm_relu(jax, jnp, p, x):
    return jax.nn.relu(batch_norm(jax, x, p.mean, p.var, p.g, p.b))


@twin
def softmax(jax, jnp, p, x):
    return jax.nn.softmax(x, -1)


@twin
def log_softmax(jax, jnp, p, x):
    return jax.nn.log_softmax(x, -1)


@twin
def gelu(jax, jnp, p, x):
    return jax.nn.gelu(x, approximate=False)


@twin
def gelu_tanh(jax, jnp, p, x):
    return jax.nn.gelu(x)


@twin
def silu(jax, jnp, p, x):
    return jax.nn.silu(x)


@twin
def elementwise(jax, jnp, p, x, y):
    return jnp.tanh(x * y + 1) * jax.nn.sigmoid(x - y)


@twin
def reductions(jax, jnp, p, x):
    return x.mean(-1), x.max(0)


@twin
def cumsum(jax, jnp, p, x):
    return jnp.cumsum(x, -1)


def conv(jax, x, w, stride=1, padding=0, groups=1):
    spatial = w.ndim - 2
    return jax.lax.conv_general_dilated(x, w, (stride,) * spatial, [(padding, padding)] * spatial,
                                        feature_group_count=groups)


@twin
def bottleneck(jax, jnp, p, x):
    y = jax.nn.relu(batch_norm(jax, conv(jax, x, p.c1), p.m1, p.v1, p.g1, p.b1))
    y = jax.nn.relu(batch_norm(jax, conv(jax, y, p.c2, padding=1), p.m2, p.v2, p.g2, p.b2))
    return jax.nn.relu(x + batch_norm(jax, conv(jax, y, p.c3), p.m3, p.v3, p.g3, p.b3))


@twin
def conv_bias(jax, jnp, p, x):
    return conv(jax, x, p.c, padding=1) + p.b[:, None, None]


def pooled(jax, x, start, function, size, stride, padding=0):
    pads = [(0, 0)] * 2 + [(padding, padding)] * 2
    return jax.lax.reduce_window(x, start, function, (1, 1, size, size), (1, 1, stride, stride), pads)


def max_pooled(jax, jnp, x):
    return pooled(jax, x, jnp.array(-jnp.inf, x.dtype), jax.lax.max, 3, 2, 1)


@twin
def conv_stem(jax, jnp, p, x):
    return max_pooled(jax, jnp, jax.nn.relu(conv(jax, x, p.c, 2, 3) + p.b[:, None, None]))


@twin
def depthwise(jax, jnp, p, x):
    y = jnp.clip(conv(jax, x, p.dw, padding=1, groups=144) + p.b1[:, None, None], 0, 6)
    return conv(jax, y, p.pw) + p.b2[:, None, None]


@twin
def patches(jax, jnp, p, x):
    y = conv(jax, x, p.c, 16) + p.b[:, None, None]
    return y.reshape(*y.shape[:2], -1).swapaxes(1, 2)


@twin
def conv1d(jax, jnp, p, x):
    return jax.nn.gelu(conv(jax, x, p.c, padding=1) + p.b[:, None], approximate=False)


@twin
def maxpool(jax, jnp, p, x):
    return max_pooled(jax, jnp, x)


@twin
def avgpool(jax, jnp, p, x):
    return pooled(jax, x, jnp.array(0, x.dtype), jax.lax.add, 2, 2) / 4


@twin
def global_pool(jax, jnp, p, x):
    return x.mean((2, 3))


@twin
def upsample_nearest(jax, jnp, p, x):
    return jnp.repeat(jnp.repeat(x, 2, 2), 2, 3)


@twin
def upsample_bilinear(jax, jnp, p, x):
    return jax.image.resize(x, (8, 64, 256, 256), "bilinear")


@twin
def pixel_shuffle(jax, jnp, p, x):
    return x.reshape(8, 64, 2, 2, 128, 128).transpose(0, 1, 4, 2, 5, 3).reshape(8, 64, 256, 256)


@twin
def embedding(jax, jnp, p, ids):
    return jnp.take(p.table, ids, axis=0)


@twin
def gather(jax, jnp, p, x, ids):
    return jnp.take_along_axis(x, ids, 1)


@twin
def topk(jax, jnp, p, x):
    return jax.lax.top_k(x, 50)


@twin
def argmax(jax, jnp, p, x):
    return jnp.argmax(x, -1)


@twin
def split_concat(jax, jnp, p, x):
    a, b, c = jnp.split(x, 3, -1)
    return jnp.concatenate([b * c, a], -1)


@twin
def masked(jax, jnp, p, x, mask):
    return jnp.where(mask, x, 0)


@twin
def transposed_copy(jax, jnp, p, x):
    return x.swapaxes(1, 2) + 1


@twin
def cross_entropy(jax, jnp, p, x, labels):
    chances = jax.nn.log_softmax(x.astype(jnp.float32), -1)
    return -jnp.take_along_axis(chances, labels[:, None], 1).mean()


@twin
def int8_weight(jax, jnp, p, x):
    return linear(x, p.w.astype(x.dtype) * p.scale)


def stablehlo(name, dtype):
    """The StableHLO module of a twin, as text. Parameters come first, in the order of modules.py."""
    import types

    import jax
    import jax.numpy as jnp

    made = modules.MODULES[name]
    kinds = {"bool": jnp.bool_, "i64": jnp.int32, "i8": jnp.int8}
    real = {"f32": jnp.float32, "bf16": jnp.bfloat16}[dtype]

    def shaped(shape):
        if isinstance(shape[0], str):
            return jax.ShapeDtypeStruct(shape[1:], kinds.get(shape[0], real))
        return jax.ShapeDtypeStruct(shape, real)

    def call(parameters, inputs):
        return TWINS[name](jax, jnp, types.SimpleNamespace(**parameters), *inputs)

    parameters = {each: shaped(shape) for each, shape in made.parameters.items()}
    inputs = tuple(shaped(shape) for shape in made.inputs.values())
    return jax.jit(call).lower(parameters, inputs).as_text()
