# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translations of PyTorch ops to ONNX for predictions: as the kernels that a GPU runs, and ops without a
translation as unknown ops, of which only the bytes are counted."""
import re

import onnx_ir as ir
import torch
from onnxscript import evaluator, opset18 as op

# Numbers of results of ops without a schema.
RESULTS = {"flex_attention": 3}

# Domain of ops that the tool does not know.
UNKNOWN_DOMAIN = "pytorch"


def emit(domain, op_type, inputs, outputs=1, **attributes):
    """Adds a node to the graph that the exporter builds."""
    node = ir.Node(domain, op_type, inputs, ir.convenience.convert_attributes(attributes), num_outputs=outputs)
    evaluator.default().nodes.append(node)
    return node.outputs[0] if outputs == 1 else node.outputs


def unknown(target):
    """A translation of an op to a node with the same tensors."""
    name = str(target).rsplit(".", 1)[0] if isinstance(target, torch._ops.OpOverload) else str(target)
    schema = getattr(target, "_schema", None)
    outputs = len(schema.returns) if schema is not None else RESULTS.get(name, 1)

    def translate(*arguments, **named):
        leaves = torch.utils._pytree.tree_leaves((arguments, named))
        tensors = [leaf for leaf in leaves if isinstance(leaf, ir.Value)]
        return emit(UNKNOWN_DOMAIN, name, tensors, max(outputs, 1))

    translate.is_unknown = True
    return translate


def constants(*numbers):
    return op.Constant(value_ints=list(numbers))


def split_rows(left, groups):
    """Rows as equal groups, the number of groups, and whether rows were added: `groups`, or one row per
    group if there are fewer rows."""
    rows = left.shape[0]
    if isinstance(rows, int):
        used = next(count for count in range(min(groups, max(rows, 1)), 0, -1) if rows % count == 0)
        return op.Reshape(left, constants(used, -1, left.shape[1])), constants(used), used == groups, False
    # The number of rows is a symbol: padded to a multiple of the groups.
    rows = op.Shape(left, start=0, end=1)
    used = op.Min(rows, constants(groups))
    each = op.Div(op.Sub(op.Add(rows, used), constants(1)), used)
    more = op.Sub(op.Mul(each, used), rows)
    padded = op.Pad(left, op.Concat(constants(0, 0), more, constants(0), axis=0))
    return op.Reshape(padded, op.Concat(used, each, constants(left.shape[1]), axis=0)), used, False, True


def grouped_mm(left, right, offs=None, bias=None, out_dtype=None):
    """Matmuls of consecutive rows, each group with its own matrix, in one kernel. How many rows each
    group has depends on data: equally many. Fewer rows than groups read one matrix each."""
    if offs is None or len(left.shape) != 2 or len(right.shape) != 3:
        return unknown(torch.ops.aten._grouped_mm.default)(left, right, offs, bias)
    groups, _, columns = right.shape
    split, used, is_whole, is_padded = split_rows(left, groups)
    if not is_whole:
        right = op.Slice(right, constants(0), used, constants(0))
    result = op.Reshape(op.MatMul(split, right), constants(-1, columns))
    return op.Slice(result, constants(0), op.Shape(left, start=0, end=1), constants(0)) if is_padded else result


def rms_norm(value, normalized_shape, weight=None, eps=None):
    """One fused kernel, as PyTorch runs it."""
    if weight is None:
        one = op.CastLike(op.Constant(value_float=1.0), value)
        weight = op.Expand(one, constants(*map(int, normalized_shape)))
    epsilon = torch.finfo(torch.float32).eps if eps is None else eps
    return emit("", "SimplifiedLayerNormalization", [value, weight], axis=-len(normalized_shape), epsilon=epsilon)


def embedding_bag(weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False,
                  per_sample_weights=None, include_last_offset=False, padding_idx=-1):
    """Rows of a table, reduced in bags of equal size: the sizes depend on data."""
    count, bags = indices.shape[0], offsets.shape[0]
    if isinstance(bags, int) and include_last_offset:
        bags -= 1
    known = isinstance(count, int) and isinstance(bags, int)
    if not known or bags < 1 or count % bags:
        return emit(UNKNOWN_DOMAIN, "aten.embedding_bag", [weight, indices, offsets], 4)
    size = count // bags
    rows = op.Gather(weight, op.Reshape(indices, constants(bags, size)))
    if per_sample_weights is not None:
        rows = op.Mul(rows, op.Reshape(per_sample_weights, constants(bags, size, 1)))
    axis = constants(1)
    reduce = (op.ReduceSum, op.ReduceMean, op.ReduceMax)[mode]
    reduced = reduce(rows, axis, keepdims=0)
    # The other results are indices for the gradient.
    return reduced, op.Shape(offsets), op.Shape(offsets), op.Shape(offsets)


def stable_sort(value, *, stable=None, dim=-1, descending=False):
    """Values and indices of a sort along a dimension."""
    size = op.Reshape(op.Gather(op.Shape(value), op.Constant(value_int=dim)), constants(1))
    return op.TopK(value, size, axis=dim, largest=int(descending), sorted=1)


def projects(module):
    """Whether an LSTM of the module has a projection, which the exporter ignores."""
    parts = module.modules() if isinstance(module, torch.nn.Module) else ()
    return any(isinstance(part, torch.nn.LSTM) and part.proj_size for part in parts)


def known_translations(module):
    """Ops that the exporter refuses, or writes as many kernels or wrongly."""
    aten = torch.ops.aten
    known = {aten._grouped_mm.default: grouped_mm, aten.rms_norm.default: rms_norm,
            aten.embedding_bag.padding_idx: embedding_bag, aten._embedding_bag.default: embedding_bag,
            aten._embedding_bag_forward_only.default: embedding_bag, aten.sort.stable: stable_sort}
    if projects(module):
        known[aten.lstm.input] = unknown(aten.lstm.input)
    # Without a GPU, transformers replaces the kernel by a loop.
    fallback = getattr(torch.ops.transformers, "grouped_mm_fallback", None)
    return known if fallback is None else {**known, fallback.default: grouped_mm}


def untranslated(error):
    """The op in an error of the exporter that has no translation, or None."""
    while error is not None:
        found = re.search(r"call_function\[target=torch\.ops\.([\w.]+)\]", str(error))
        if found and "step 3/3" not in str(error):
            target = torch.ops
            for name in found.group(1).split("."):
                target = getattr(target, name, None)
            return target
        error = error.__cause__
    return None
