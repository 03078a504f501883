# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformers in plain PyTorch, with the same kernels as the transformers
library.

They run the same eager operations, with the same sizes and order, as the
transformers classes in models/export_models.py. `attention` is "eager" (two
matmuls and a softmax) or "sdpa" (scaled_dot_product_attention). Sequences are
not padded.
"""

import math

import torch
from torch import nn
from torch.nn import functional


def gelu_new(x):
    """Tanh approximation of GELU as separate ops, as in GPT-2 and ALBERT: 8
    kernels."""
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))
    return 0.5 * x * (1.0 + torch.tanh(inner))


def split_heads(x, heads):
    """[batch, length, heads * dim] to [batch, heads, length, dim], a view."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def attend(query, key, value, implementation, dropout=0.0, mask=None, causal=False,
           upcast=False):
    """[batch, length, heads * dim]; `mask` is added to the scores (eager only).

    `upcast`: the softmax is computed in fp32 for operands of any type.
    """
    groups = query.shape[1] // key.shape[1]
    if implementation == "sdpa":
        out = functional.scaled_dot_product_attention(
            query, key, value, dropout_p=dropout, is_causal=causal,
            enable_gqa=groups > 1)
    else:
        if groups > 1:
            key, value = (repeat_heads(x, groups) for x in (key, value))
        scores = torch.matmul(query, key.transpose(2, 3)) * query.shape[-1] ** -0.5
        if mask is not None:
            scores = scores + mask
        shares = functional.softmax(
            scores, dim=-1, dtype=torch.float32 if upcast else None).to(query.dtype)
        shares = functional.dropout(shares, dropout)
        out = torch.matmul(shares, value)
    return out.transpose(1, 2).reshape(out.shape[0], out.shape[2], -1)


def repeat_heads(x, groups):
    batch, heads, length, dim = x.shape
    x = x[:, :, None].expand(batch, heads, groups, length, dim)
    return x.reshape(batch, heads * groups, length, dim)


def additive_mask(x, causal):
    """[1, 1, length, length] with 0 and the lowest number, as added by eager
    code."""
    length = x.shape[1]
    seen = torch.ones(length, length, dtype=torch.bool, device=x.device)
    mask = torch.zeros(length, length, dtype=x.dtype, device=x.device)
    if causal:
        mask = mask.masked_fill(~seen.tril(), torch.finfo(x.dtype).min)
    return mask[None, None]


class EncoderAttention(nn.Module):
    def __init__(self, width, heads, dropout, attention):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.heads, self.dropout, self.attention = heads, dropout, attention

    def forward(self, x, mask=None):
        query, key, value = (
            split_heads(layer(x), self.heads)
            for layer in (self.query, self.key, self.value)
        )
        dropout = self.dropout if self.training else 0.0
        return attend(query, key, value, self.attention, dropout, mask)


class EncoderLayer(nn.Module):
    """Normalization after every part (BERT) or before it (`first`: ViT)."""

    def __init__(self, width, heads, inner, dropout=0.0, attention="eager",
                 activation=functional.gelu, first=False):
        super().__init__()
        self.attention = EncoderAttention(width, heads, dropout, attention)
        self.output = nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm1, self.norm2 = (nn.LayerNorm(width, eps=1e-12) for _ in range(2))
        self.dropout = nn.Dropout(dropout) if dropout else nn.Identity()
        self.activation, self.first = activation, first

    def forward(self, x, mask=None):
        if self.first:
            x = x + self.output(self.attention(self.norm1(x)))
            return x + self.down(self.activation(self.up(self.norm2(x))))
        x = self.norm1(x + self.dropout(self.output(self.attention(x, mask))))
        return self.norm2(x + self.dropout(self.down(self.activation(self.up(x)))))


class Encoder(nn.Module):
    """BERT, ALBERT (`embedding_size`, `shared` layers) and DistilBERT."""

    def __init__(self, vocabulary=30522, width=768, layers=12, heads=12, inner=3072,
                 dropout=0.1, positions=512, types=2, pooler=True, shared=False,
                 embedding_size=None, activation=functional.gelu, attention="eager"):
        super().__init__()
        narrow = embedding_size or width
        self.words = nn.Embedding(vocabulary, narrow, padding_idx=0)
        self.positions = nn.Embedding(positions, narrow)
        self.types = nn.Embedding(types, narrow) if types else None
        self.norm = nn.LayerNorm(narrow, eps=1e-12)
        self.dropout = nn.Dropout(dropout) if dropout else nn.Identity()
        self.widen = nn.Linear(narrow, width) if narrow != width else None
        self.layers = nn.ModuleList(
            EncoderLayer(width, heads, inner, dropout, attention, activation)
            for _ in range(1 if shared else layers)
        )
        self.repeats = layers if shared else 1
        self.pooler = nn.Linear(width, width) if pooler else None
        self.masked = attention == "eager"

    def forward(self, tokens):
        x = self.words(tokens)
        if self.types is not None:
            x = x + self.types(torch.zeros_like(tokens))
        places = torch.arange(tokens.shape[1], device=tokens.device)[None]
        x = self.dropout(self.norm(x + self.positions(places)))
        if self.widen is not None:
            x = self.widen(x)
        mask = additive_mask(x, causal=False) if self.masked else None
        for _ in range(self.repeats):
            for layer in self.layers:
                x = layer(x, mask)
        if self.pooler is None:
            return (x,)
        return x, torch.tanh(self.pooler(x[:, 0]))


class VisionTransformer(nn.Module):
    """ViT: patches of 16 x 16, no dropout."""

    def __init__(self, width=768, layers=12, heads=12, inner=3072, image=224, patch=16,
                 attention="eager"):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.first = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(torch.zeros(1, (image // patch) ** 2 + 1, width))
        self.layers = nn.ModuleList(
            EncoderLayer(width, heads, inner, 0.0, attention, first=True)
            for _ in range(layers)
        )
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.pooler = nn.Linear(width, width)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(x.shape[0], -1, -1), x], 1) + self.positions
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        return x, torch.tanh(self.pooler(x[:, 0]))


class Projection(nn.Module):
    """GPT-2's linear layer: the weight is stored as [inputs, outputs]."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(0.02 * torch.randn(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        out = torch.addmm(self.bias, x.view(-1, x.shape[-1]), self.weight)
        return out.view(*x.shape[:-1], -1)


class Gpt2Layer(nn.Module):
    def __init__(self, width, heads, dropout, attention):
        super().__init__()
        self.norm1, self.norm2 = (nn.LayerNorm(width, eps=1e-5) for _ in range(2))
        self.qkv, self.output = Projection(width, 3 * width), Projection(width, width)
        self.up, self.down = (
            Projection(width, 4 * width), Projection(4 * width, width))
        self.dropout = nn.Dropout(dropout)
        self.heads, self.attention = heads, attention

    def forward(self, x, mask):
        query, key, value = (
            split_heads(part, self.heads)
            for part in self.qkv(self.norm1(x)).chunk(3, dim=2)
        )
        dropout = self.dropout.p if self.training else 0.0
        out = attend(query, key, value, self.attention, dropout, mask, causal=True)
        x = x + self.dropout(self.output(out))
        return x + self.dropout(self.down(gelu_new(self.up(self.norm2(x)))))


class Gpt2(nn.Module):
    """GPT-2 without a head, like models/gpt2.onnx."""

    def __init__(self, vocabulary=50257, positions=1024, width=768, layers=12,
                 heads=12, dropout=0.1, attention="eager"):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(positions, width)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(
            Gpt2Layer(width, heads, dropout, attention) for _ in range(layers))
        self.norm = nn.LayerNorm(width, eps=1e-5)
        self.masked = attention == "eager"

    def forward(self, tokens):
        places = torch.arange(tokens.shape[1], device=tokens.device)[None]
        x = self.dropout(self.words(tokens) + self.positions(places))
        mask = additive_mask(x, causal=True) if self.masked else None
        for layer in self.layers:
            x = layer(x, mask)
        return (self.norm(x),)


class RmsNorm(nn.Module):
    """Llama's RMSNorm as separate ops: casts to fp32 and back."""

    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        wide = x.to(torch.float32)
        variance = wide.pow(2).mean(-1, keepdim=True)
        return self.weight * (wide * torch.rsqrt(variance + self.eps)).to(x.dtype)


def rotate(x, cos, sin):
    """Rotary embedding of [batch, heads, length, dim]."""
    half = x.shape[-1] // 2
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin


class LlamaLayer(nn.Module):
    def __init__(self, width, heads, kv_heads, inner, attention):
        super().__init__()
        dim = width // heads
        self.norm1, self.norm2 = RmsNorm(width), RmsNorm(width)
        self.query = nn.Linear(width, heads * dim, bias=False)
        self.key = nn.Linear(width, kv_heads * dim, bias=False)
        self.value = nn.Linear(width, kv_heads * dim, bias=False)
        self.output = nn.Linear(heads * dim, width, bias=False)
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)
        self.heads, self.kv_heads, self.attention = heads, kv_heads, attention

    def forward(self, x, cos, sin, mask):
        h = self.norm1(x)
        query = rotate(split_heads(self.query(h), self.heads), cos, sin)
        key = rotate(split_heads(self.key(h), self.kv_heads), cos, sin)
        value = split_heads(self.value(h), self.kv_heads)
        out = attend(query.to(value.dtype), key.to(value.dtype), value, self.attention,
                     0.0, mask, causal=True, upcast=True)
        x = x + self.output(out)
        h = self.norm2(x)
        return x + self.down(functional.silu(self.gate(h)) * self.up(h))


class Llama(nn.Module):
    """Llama with its head: logits of all positions. The sizes are
    TinyLlama's."""

    def __init__(self, vocabulary=32000, width=2048, layers=22, heads=32, kv_heads=4,
                 inner=5632, theta=1e4, attention="eager"):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(
            LlamaLayer(width, heads, kv_heads, inner, attention)
            for _ in range(layers))
        self.norm = RmsNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        steps = torch.arange(0, width // heads, 2) / (width // heads)
        self.register_buffer("frequencies", theta ** -steps, persistent=False)
        self.masked = attention == "eager"

    def forward(self, tokens):
        x = self.words(tokens)
        places = torch.arange(tokens.shape[1], device=x.device)[:, None]
        angles = (places * self.frequencies.float()).repeat(1, 2)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        mask = additive_mask(x, causal=True) if self.masked else None
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return (self.head(self.norm(x)),)
