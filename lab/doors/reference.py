# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters and matrix FLOPs of a module, by torch.utils.flop_counter on the meta device.

Replaced by hand, because the counter has no formula for what a GPU computes:
- scaled_dot_product_attention: B * H * pairs * 2 (d + dv) forward, where causal attention of S tokens has S (S + 1) / 2
  pairs and any other mask hides nothing from the kernel; backward 2 (3 d + 2 dv) for the five products of the fused
  kernel, which recomputes the scores.
- grouped matmuls of experts: 2 rows * K * N, twice that backward.
- backward of grouped convolutions: one forward for each gradient.
"""
import torch
from torch.overrides import TorchFunctionMode
from torch.utils.flop_counter import FlopCounterMode, conv_flop_count

aten = torch.ops.aten
ATTENTION = torch.nn.functional.scaled_dot_product_attention
GROUPED = {each for each in (getattr(torch, "_grouped_mm", None), getattr(torch.nn.functional, "grouped_mm", None)) if each}


def conv_backward(gradient, x, w, _bias, _stride, _padding, _dilation, transposed, _output_padding, _groups, output_mask,
                  out_shape=None, **_):
    return conv_flop_count(x, w, gradient, transposed) * sum(output_mask[:2])


def pairs(queries, keys, causal):
    """Of queries and keys that attend to each other."""
    return sum(min(i + 1, keys) for i in range(queries)) if causal else queries * keys


class ByHand(TorchFunctionMode):
    """Counts attention and grouped matmuls; their results have the right shapes, and gradients."""

    def __init__(self):
        super().__init__()
        self.forward = self.backward = 0

    def attention(self, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        q, k, v = query, key, value
        d, dv = q.shape[-1], v.shape[-1]
        count = q[..., 0, 0].numel() * pairs(q.shape[-2], k.shape[-2], is_causal and attn_mask is None)
        self.forward += 2 * count * (d + dv)
        self.backward += 2 * count * (3 * d + 2 * dv)
        heads = q.shape[1] // k.shape[1] if q.dim() == 4 else 1
        return (v + k.sum(-1, keepdim=True)).repeat_interleave(heads, -3).sum(-2, keepdim=True) + q.sum(-1, keepdim=True)

    def grouped(self, left, right, offs=None, bias=None, out_dtype=None):
        count = 2 * left.shape[0] * right.shape[-2] * right.shape[-1]
        self.forward += count
        self.backward += 2 * count
        return left.sum(-1, keepdim=True) + right.sum((0, 1))

    def __torch_function__(self, function, types, arguments=(), named=None):
        if function is ATTENTION:
            return self.attention(*arguments, **(named or {}))
        if function in GROUPED:
            return self.grouped(*arguments, **(named or {}))
        return function(*arguments, **(named or {}))


def total(output):
    """A scalar to differentiate: the sum of all results."""
    leaves = [each for each in torch.utils._pytree.tree_leaves(output)
              if isinstance(each, torch.Tensor) and each.requires_grad]
    return sum(each.float().sum() for each in leaves)


def tensors_of(output):
    """Results of models of transformers are dataclasses."""
    return dict(output) if isinstance(output, dict) else output


def count(module, inputs, named):
    """{"parameters", "forward", "training"} of a module on the meta device; `training`: None without parameters."""
    formulas = {aten.convolution_backward: conv_backward}
    parameters = sum(each.numel() for each in module.parameters())
    with FlopCounterMode(display=False, custom_mapping=formulas) as counter, torch.no_grad(), ByHand() as hand:
        module(*inputs, **named)
    found = {"parameters": parameters, "forward": counter.get_total_flops() + hand.forward, "training": None}
    if parameters:
        with FlopCounterMode(display=False, custom_mapping=formulas) as counter, ByHand() as hand:
            total(tensors_of(module(*inputs, **named))).backward()
        found["training"] = counter.get_total_flops() + hand.forward + hand.backward
    return found
