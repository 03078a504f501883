# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of the door test: one function of parameters and inputs each, in PyTorch. twins.py has the same in JAX.

Shapes are large enough for times of at least some 10 us on an A100. `build(name)` returns the module and its inputs.
"""
import math

MODULES = {}

# Of attention: batch, tokens, width, heads, size of a head, groups of keys and values.
BATCH, LENGTH, WIDTH, HEADS, SIZE, GROUPS = 4, 1024, 1024, 16, 64, 4
WINDOW = 256
PROJECTIONS = {name: (WIDTH, WIDTH) for name in ("wq", "wk", "wv", "wo")}
GROUPED = {**PROJECTIONS, "wk": (GROUPS * SIZE, WIDTH), "wv": (GROUPS * SIZE, WIDTH)}
TOKENS = {"x": (BATCH, LENGTH, WIDTH)}
MAP = {"x": (32, 64, 56, 56)}
BLOCK = {**PROJECTIONS, "w1": (4 * WIDTH, WIDTH), "b1": (4 * WIDTH,), "w2": (WIDTH, 4 * WIDTH), "b2": (WIDTH,),
         "g1": (WIDTH,), "n1": (WIDTH,), "g2": (WIDTH,), "n2": (WIDTH,)}


class Module:
    """`parameters` and `inputs` by name: a shape, or (type, *shape) for other types than the model's and for buffers;
    "real" is the model's type."""

    def __init__(self, function, parameters, inputs):
        self.function, self.parameters, self.inputs = function, parameters, inputs


def module(inputs, **parameters):
    def register(function):
        MODULES[function.__name__.strip("_").replace("_", "-")] = Module(function, parameters, inputs)
        return function
    return register


# Dense layers.

@module({"x": (512, 1024)}, w1=(4096, 1024), b1=(4096,), w2=(1024, 4096), b2=(1024,))
def mlp_gelu(torch, F, p, x):
    return F.linear(F.gelu(F.linear(x, p.w1, p.b1)), p.w2, p.b2)


@module({"x": (2048, 1024)}, w1=(4096, 1024), b1=(4096,), w2=(1024, 4096), b2=(1024,))
def mlp_relu(torch, F, p, x):
    return F.linear(F.relu(F.linear(x, p.w1, p.b1)), p.w2, p.b2)


@module({"x": (2048, 1024)}, gate=(2816, 1024), up=(2816, 1024), down=(1024, 2816))
def mlp_swiglu(torch, F, p, x):
    return F.linear(F.silu(F.linear(x, p.gate)) * F.linear(x, p.up), p.down)


@module({"x": (64, 512, 256), "y": (64, 256, 512)})
def bmm(torch, F, p, x, y):
    return torch.bmm(x, y)


@module({"x": (16, 256, 16, 64), "y": (16, 256, 16, 64)})
def einsum(torch, F, p, x, y):
    return torch.einsum("bqhd,bkhd->bhqk", x, y)


@module({"x": (8, 16, 1024, 64), "s": (8, 16, 64, 64)})
def linear_attention(torch, F, p, x, s):
    features = F.elu(x) + 1
    return features @ s / (features @ s.sum(-1, keepdim=True) + 1e-6)


# Attention.

def split(x, heads):
    return x.view(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)


def joined(x):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


def heads_of(F, p, x, groups=HEADS):
    return split(F.linear(x, p.wq), HEADS), split(F.linear(x, p.wk), groups), split(F.linear(x, p.wv), groups)


def explicit(torch, q, k, v, mask=None):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1) @ v


def positions(torch, x):
    index = torch.arange(x.shape[1], device=x.device)
    return index[:, None], index[None, :]


@module(TOKENS, **PROJECTIONS)
def attention_sdpa(torch, F, p, x):
    return F.linear(joined(F.scaled_dot_product_attention(*heads_of(F, p, x))), p.wo)


@module(TOKENS, **PROJECTIONS)
def attention_explicit(torch, F, p, x):
    return F.linear(joined(explicit(torch, *heads_of(F, p, x))), p.wo)


@module(TOKENS, **PROJECTIONS)
def attention_causal(torch, F, p, x):
    return F.linear(joined(F.scaled_dot_product_attention(*heads_of(F, p, x), is_causal=True)), p.wo)


@module(TOKENS, **PROJECTIONS)
def attention_causal_explicit(torch, F, p, x):
    rows, columns = positions(torch, x)
    return F.linear(joined(explicit(torch, *heads_of(F, p, x), columns <= rows)), p.wo)


@module(TOKENS, **PROJECTIONS)
def attention_window(torch, F, p, x):
    rows, columns = positions(torch, x)
    mask = (columns <= rows) & (columns > rows - WINDOW)
    return F.linear(joined(F.scaled_dot_product_attention(*heads_of(F, p, x), attn_mask=mask)), p.wo)


@module(TOKENS, **GROUPED)
def attention_gqa(torch, F, p, x):
    q, k, v = heads_of(F, p, x, GROUPS)
    return F.linear(joined(F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)), p.wo)


@module(TOKENS, **GROUPED)
def attention_repeated(torch, F, p, x):
    q, k, v = heads_of(F, p, x, GROUPS)
    k, v = (each.repeat_interleave(HEADS // GROUPS, 1) for each in (k, v))
    return F.linear(joined(F.scaled_dot_product_attention(q, k, v, is_causal=True)), p.wo)


@module({**TOKENS, "mask": ("bool", BATCH, 1, 1, LENGTH)}, **PROJECTIONS)
def attention_padding(torch, F, p, x, mask):
    return F.linear(joined(F.scaled_dot_product_attention(*heads_of(F, p, x), attn_mask=mask)), p.wo)


@module({**TOKENS, "context": (BATCH, 128, WIDTH)}, **PROJECTIONS)
def attention_cross(torch, F, p, x, context):
    q = split(F.linear(x, p.wq), HEADS)
    k, v = split(F.linear(context, p.wk), HEADS), split(F.linear(context, p.wv), HEADS)
    return F.linear(joined(F.scaled_dot_product_attention(q, k, v)), p.wo)


@module({"x": (32, 1, WIDTH), "keys": (32, HEADS, 2047, SIZE), "values": (32, HEADS, 2047, SIZE)}, **PROJECTIONS)
def decode_step(torch, F, p, x, keys, values):
    q, k, v = heads_of(F, p, x)
    k, v = torch.cat([keys, k], 2), torch.cat([values, v], 2)
    return F.linear(joined(F.scaled_dot_product_attention(q, k, v)), p.wo), k, v


def rotated(torch, x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin


@module({"x": (8, 32, 1024, 64), "cos": (1024, 64), "sin": (1024, 64)})
def rope(torch, F, p, x, cos, sin):
    return rotated(torch, x, cos, sin)


@module({"x": (8, 32, 1024, 64)})
def rope_computed(torch, F, p, x):
    rates = 1e4 ** (-torch.arange(0, 64, 2, device=x.device).float() / 64)
    angles = torch.arange(1024, device=x.device).float()[:, None] * rates[None]
    angles = torch.cat([angles, angles], -1)
    return rotated(torch, x, angles.cos().to(x.dtype), angles.sin().to(x.dtype))


# Blocks.

@module(TOKENS, **BLOCK)
def block_prenorm(torch, F, p, x):
    y = F.layer_norm(x, (WIDTH,), p.g1, p.n1)
    x = x + F.linear(joined(F.scaled_dot_product_attention(*heads_of(F, p, y), is_causal=True)), p.wo)
    y = F.layer_norm(x, (WIDTH,), p.g2, p.n2)
    return x + F.linear(F.gelu(F.linear(y, p.w1, p.b1), approximate="tanh"), p.w2, p.b2)


@module(TOKENS, **BLOCK)
def block_postnorm(torch, F, p, x):
    y = F.linear(joined(explicit(torch, *heads_of(F, p, x))), p.wo)
    x = F.layer_norm(x + y, (WIDTH,), p.g1, p.n1)
    y = F.linear(F.gelu(F.linear(x, p.w1, p.b1)), p.w2, p.b2)
    return F.layer_norm(x + y, (WIDTH,), p.g2, p.n2)


@module({**TOKENS, "shift": (BATCH, WIDTH), "scale": (BATCH, WIDTH)})
def modulation(torch, F, p, x, shift, scale):
    return F.layer_norm(x, (WIDTH,)) * (1 + scale[:, None]) + shift[:, None]


@module({"x": (1024, WIDTH)}, router=(8, WIDTH), up=(8, WIDTH, 2048), down=(8, 2048, WIDTH))
def experts_dense(torch, F, p, x):
    weights = torch.softmax(F.linear(x, p.router), -1)
    hidden = F.gelu(torch.bmm(x.expand(8, -1, -1), p.up))
    return (torch.bmm(hidden, p.down) * weights.t()[:, :, None]).sum(0)


@module({"x": (1024, WIDTH)}, router=(8, WIDTH), up=(8, WIDTH, 2048), down=(8, 2048, WIDTH))
def experts_routed(torch, F, p, x):
    chosen, indices = torch.topk(torch.softmax(F.linear(x, p.router), -1), 2)
    weights = torch.zeros(1024, 8, dtype=x.dtype, device=x.device).scatter(1, indices, chosen)
    hidden = F.silu(torch.bmm(x.expand(8, -1, -1), p.up))
    return (torch.bmm(hidden, p.down) * weights.t()[:, :, None]).sum(0)


# Norms, softmax, activations.

@module({"x": (8192, 4096)}, g=(4096,), b=(4096,))
def layernorm(torch, F, p, x):
    return F.layer_norm(x, (4096,), p.g, p.b)


@module({"x": (8192, 4096)}, g=(4096,))
def rmsnorm(torch, F, p, x):
    """As transformers writes it: in fp32."""
    y = x.float()
    return p.g * (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)


@module({"x": (8192, 4096)}, g=(4096,))
def rmsnorm_op(torch, F, p, x):
    return F.rms_norm(x, (4096,), p.g, 1e-6)


@module({"x": (8, 320, 64, 64)}, g=(320,), b=(320,))
def groupnorm_silu(torch, F, p, x):
    return F.silu(F.group_norm(x, 32, p.g, p.b))


@module(MAP, g=(64,), b=(64,), mean=("real", 64), var=("real", 64))
def batchnorm_relu(torch, F, p, x):
    return F.relu(F.batch_norm(x, p.mean, p.var, p.g, p.b, False))


@module({"x": (32, 16, 512, 512)})
def softmax(torch, F, p, x):
    return torch.softmax(x, -1)


@module({"x": (4096, 32000)})
def log_softmax(torch, F, p, x):
    return torch.log_softmax(x, -1)


@module({"x": (8192, 4096)})
def gelu(torch, F, p, x):
    return F.gelu(x)


@module({"x": (8192, 4096)})
def gelu_tanh(torch, F, p, x):
    return F.gelu(x, approximate="tanh")


@module({"x": (8192, 4096)})
def silu(torch, F, p, x):
    return F.silu(x)


@module({"x": (8192, 4096), "y": (8192, 4096)})
def elementwise(torch, F, p, x, y):
    return torch.tanh(x * y + 1) * torch.sigmoid(x - y)


@module({"x": (8192, 4096)})
def reductions(torch, F, p, x):
    return x.mean(-1), x.amax(0)


@module({"x": (2048, 4096)})
def cumsum(torch, F, p, x):
    return torch.cumsum(x, -1)


# Convolutions, pooling, resampling.

@module({"x": (32, 256, 56, 56)}, c1=(64, 256, 1, 1), c2=(64, 64, 3, 3), c3=(256, 64, 1, 1), g1=(64,), b1=(64,),
        m1=("real", 64), v1=("real", 64), g2=(64,), b2=(64,), m2=("real", 64), v2=("real", 64), g3=(256,), b3=(256,),
        m3=("real", 256), v3=("real", 256))
def bottleneck(torch, F, p, x):
    y = F.relu(F.batch_norm(F.conv2d(x, p.c1), p.m1, p.v1, p.g1, p.b1, False))
    y = F.relu(F.batch_norm(F.conv2d(y, p.c2, padding=1), p.m2, p.v2, p.g2, p.b2, False))
    return F.relu(x + F.batch_norm(F.conv2d(y, p.c3), p.m3, p.v3, p.g3, p.b3, False))


@module({"x": (16, 256, 56, 56)}, c=(256, 256, 3, 3), b=(256,))
def conv_bias(torch, F, p, x):
    return F.conv2d(x, p.c, p.b, padding=1)


@module({"x": (32, 3, 224, 224)}, c=(64, 3, 7, 7), b=(64,))
def conv_stem(torch, F, p, x):
    return F.max_pool2d(F.relu(F.conv2d(x, p.c, p.b, stride=2, padding=3)), 3, 2, 1)


@module({"x": (32, 144, 56, 56)}, dw=(144, 1, 3, 3), pw=(24, 144, 1, 1), b1=(144,), b2=(24,))
def depthwise(torch, F, p, x):
    return F.conv2d(F.hardtanh(F.conv2d(x, p.dw, p.b1, padding=1, groups=144), 0, 6), p.pw, p.b2)


@module({"x": (32, 3, 224, 224)}, c=(768, 3, 16, 16), b=(768,))
def patches(torch, F, p, x):
    return F.conv2d(x, p.c, p.b, stride=16).flatten(2).transpose(1, 2)


@module({"x": (16, 512, 2048)}, c=(512, 512, 3), b=(512,))
def conv1d(torch, F, p, x):
    return F.gelu(F.conv1d(x, p.c, p.b, padding=1))


@module({"x": (8, 256, 32, 32)}, c=(256, 128, 4, 4), b=(128,))
def conv_transposed(torch, F, p, x):
    return F.conv_transpose2d(x, p.c, p.b, stride=2, padding=1)


@module({"x": (32, 64, 112, 112)})
def maxpool(torch, F, p, x):
    return F.max_pool2d(x, 3, 2, 1)


@module({"x": (32, 64, 112, 112)})
def avgpool(torch, F, p, x):
    return F.avg_pool2d(x, 2)


@module({"x": (64, 2048, 14, 14)})
def global_pool(torch, F, p, x):
    return F.adaptive_avg_pool2d(x, 1).flatten(1)


@module({"x": (8, 320, 64, 64)})
def upsample_nearest(torch, F, p, x):
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


@module({"x": (8, 64, 128, 128)})
def upsample_bilinear(torch, F, p, x):
    return F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


@module({"x": (8, 256, 128, 128)})
def pixel_shuffle(torch, F, p, x):
    return F.pixel_shuffle(x, 2)


# Indexing, movement, losses, recurrences, quantised weights.

@module({"ids": ("i64", 16, 512)}, table=(32000, 1024))
def embedding(torch, F, p, ids):
    return F.embedding(ids, p.table)


@module({"x": (4096, 4096), "ids": ("i64", 4096, 1024)})
def gather(torch, F, p, x, ids):
    return torch.gather(x, 1, ids)


@module({"x": (32, 32000)})
def topk(torch, F, p, x):
    return torch.topk(x, 50)


@module({"x": (256, 32000)})
def argmax(torch, F, p, x):
    return torch.argmax(x, -1)


@module({"x": (4096, 3072)})
def split_concat(torch, F, p, x):
    a, b, c = x.chunk(3, -1)
    return torch.cat([b * c, a], -1)


@module({"x": (4096, 4096), "mask": ("bool", 4096, 4096)})
def masked(torch, F, p, x, mask):
    return torch.where(mask, x, torch.zeros((), dtype=x.dtype, device=x.device))


@module({"x": (64, 512, 1024)})
def transposed_copy(torch, F, p, x):
    return x.transpose(1, 2).contiguous() + 1


@module({"x": (2048, 32000), "labels": ("i64", 2048)})
def cross_entropy(torch, F, p, x, labels):
    return F.cross_entropy(x.float(), labels)


@module({"x": (32, 1024)}, w=("i8", 4096, 1024), scale=(4096, 1))
def int8_weight(torch, F, p, x):
    return F.linear(x, p.w.to(x.dtype) * p.scale)


@module({"x": (16, 128, 512)}, wi=(2048, 512), wh=(2048, 512), bi=(2048,), bh=(2048,))
def lstm(torch, F, p, x):
    zero = torch.zeros(1, x.shape[0], 512, dtype=x.dtype, device=x.device)
    return torch.lstm(x, (zero, zero), [p.wi, p.wh, p.bi, p.bh], True, 1, 0.0, False, False, True)[0]


def build(name, dtype="f32", device="cpu"):
    """(torch.nn.Module in eval mode, tuple of inputs), with random values."""
    import torch
    made = MODULES[name]
    types = {"bool": torch.bool, "i64": torch.int64, "i8": torch.int8}
    real = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]

    def tensor(shape):
        if isinstance(shape[0], str):
            return torch.ones(shape[1:], dtype=types.get(shape[0], real), device=device)
        return torch.rand(shape, dtype=real, device=device)

    class Functional(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for each, shape in made.parameters.items():
                if isinstance(shape[0], str):
                    self.register_buffer(each, tensor(shape))
                else:
                    setattr(self, each, torch.nn.Parameter(tensor(shape)))

        def forward(self, *inputs):
            return made.function(torch, torch.nn.functional, self, *inputs)

    return Functional().eval(), tuple(tensor(shape) for shape in made.inputs.values())
