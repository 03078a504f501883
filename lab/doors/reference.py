# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters and matrix FLOPs of a module, by torch.utils.flop_counter on the meta device.

Replaced by hand, because the counter has no formula for what a GPU computes:
- scaled_dot_product_attention: B * H * pairs * 2 (d + dv) forward, where causal attention of S tokens has S (S + 1) / 2
  pairs and any other mask hides nothing from the kernel; backward 2 (3 d + 2 dv) for the five products of the fused
  kernel, which recomputes the scores.
- grouped matmuls of experts: 2 rows * K * N, twice that backward.
- backward of grouped convolutions: one forward for each gradient.
"""
import contextlib
from unittest import mock

import torch
from torch.utils.flop_counter import FlopCounterMode, conv_flop_count

aten = torch.ops.aten


def conv_backward(gradient, x, w, _bias, _stride, _padding, _dilation, transposed, _output_padding, _groups, output_mask,
                  out_shape=None, **_):
    return conv_flop_count(x, w, gradient, transposed) * sum(output_mask[:2])


def pairs(queries, keys, causal):
    """Of queries and keys that attend to each other."""
    return sum(min(i + 1, keys) for i in range(queries)) if causal else queries * keys


class ByHand:
    """Counts attention and grouped matmuls; their results have the right shapes, and gradients."""

    def __init__(self):
        self.forward = self.backward = 0

    def attention(self, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        q, k, v = query, key, value
        d, dv = q.shape[-1], v.shape[-1]
        count = q[..., 0, 0].numel() * pairs(q.shape[-2], k.shape[-2], is_causal and attn_mask is None)
        self.forward += 2 * count * (d + dv)
        self.backward += 2 * count * (3 * d + 2 * dv)
        heads = q.shape[1] // k.shape[1] if q.dim() == 4 else 1
        result = (v + k.sum(-1, keepdim=True)).repeat_interleave(heads, -3).sum(-2, keepdim=True) + q.sum(-1, keepdim=True)
        is_bias = attn_mask is not None and attn_mask.is_floating_point()
        return result + attn_mask.sum().to(v.dtype) if is_bias else result

    def grouped(self, left, right, offs=None, bias=None, out_dtype=None):
        count = 2 * left.shape[0] * right.shape[-2] * right.shape[-1]
        self.forward += count
        self.backward += 2 * count
        return left.sum(-1, keepdim=True) + right.sum((0, 1))

    def __enter__(self):
        replaced = [(torch.nn.functional, "scaled_dot_product_attention", self.attention),
                    (torch.nn.functional, "grouped_mm", self.grouped), (torch, "_grouped_mm", self.grouped)]
        with contextlib.ExitStack() as stack:
            for owner, name, function in replaced:
                if hasattr(owner, name):
                    stack.enter_context(mock.patch.object(owner, name, function))
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()


def total(output):
    """A scalar to differentiate: the sum of all results."""
    leaves = [each for each in torch.utils._pytree.tree_leaves(output)
              if isinstance(each, torch.Tensor) and each.requires_grad]
    return sum(each.float().sum() for each in leaves)


def tensors_of(output):
    """Results of models of transformers are dataclasses."""
    return dict(output) if isinstance(output, dict) else output


class Untracked:
    """In place of the counter's tracker of modules, whose hooks fail on views of parameters."""

    parents = {"Global"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def counter_of(formulas):
    counter = FlopCounterMode(display=False, custom_mapping=formulas)
    counter.mod_tracker = Untracked()
    return counter


def count(module, inputs, named):
    """{"parameters", "forward", "training"} of a module on the meta device; `training`: None without parameters. All
    parameters are trained, as gpucost assumes."""
    formulas = {aten.convolution_backward: conv_backward}
    module.requires_grad_(True)
    parameters = sum(each.numel() for each in module.parameters())
    with counter_of(formulas) as counter, torch.no_grad(), ByHand() as hand:
        module(*inputs, **named)
    found = {"parameters": parameters, "forward": counter.get_total_flops() + hand.forward, "training": None}
    if parameters:
        with counter_of(formulas) as counter, ByHand() as hand:
            total(tensors_of(module(*inputs, **named))).backward()
        found["training"] = counter.get_total_flops() + hand.forward + hand.backward
    return found
