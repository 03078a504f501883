# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translations of PyTorch ops to ONNX for predictions: as the kernels that a GPU runs, and ops without a
translation as unknown ops, of which only the bytes are counted."""
import contextlib
import math
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


def first(value, count):
    """The first rows or matrices."""
    return op.Slice(value, constants(0), count, constants(0))


def is_multiple(rows, groups):
    """Whether all groups, or as many as there are rows, have equally many of them; no for symbols."""
    return isinstance(rows, int) and rows > 0 and rows % min(groups, rows) == 0


def grouped_rows(left, right):
    """A batched matmul of rows in equal groups, one row per group if there are fewer rows."""
    rows, width = left.shape
    groups = right.shape[0]
    if is_multiple(rows, groups):
        used = min(groups, rows)
        split = op.Reshape(left, constants(used, -1, width))
        return op.MatMul(split, right if used == groups else first(right, constants(used)))
    # Padded to a multiple of the groups; by nothing where a symbol becomes a multiple.
    rows = op.Shape(left, start=0, end=1)
    used = op.Min(rows, constants(groups))
    each = op.Div(op.Sub(op.Add(rows, used), constants(1)), used)
    more = op.Sub(op.Mul(each, used), rows)
    padded = op.Pad(left, op.Concat(constants(0, 0), more, constants(0), axis=0))
    return op.MatMul(op.Reshape(padded, op.Concat(used, each, constants(width), axis=0)), first(right, used))


def grouped_mm(left, right, offs=None, bias=None, out_dtype=None):
    """Matmuls of consecutive rows, each group with its own matrix, in one kernel. How many rows each
    group has depends on data: equally many. Fewer rows than groups read one matrix each."""
    if offs is None or len(left.shape) != 2 or len(right.shape) != 3:
        given = [each for each in (left, right, offs, bias) if each is not None]
        return emit(UNKNOWN_DOMAIN, "aten._grouped_mm", given)
    result = op.Reshape(grouped_rows(left, right), constants(-1, right.shape[2]))
    if is_multiple(left.shape[0], right.shape[0]):
        return result
    return first(result, op.Shape(left, start=0, end=1))


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


def squeeze(value, dim):
    """Of a dimension with another size it does nothing; the exporter writes an invalid op."""
    sizes = value.shape
    if sizes is not None and (len(sizes) == 0 or isinstance(sizes[dim], int) and sizes[dim] != 1):
        return op.Identity(value)
    return op.Squeeze(value, constants(dim))


def complex_product(left, right):
    """One kernel. Complex tensors are real ones with another dimension of size 2, the last."""
    return op.Mul(left, right)


def real_axis(dim):
    """An axis of a complex tensor as one of its real form."""
    return dim if dim >= 0 else dim - 1


def complex_unsqueeze(value, dim):
    return op.Unsqueeze(value, constants(real_axis(dim)))


def complex_split(value, sizes, dim=0):
    parts = emit("", "Split", [value, constants(*sizes)], len(sizes), axis=real_axis(dim))
    return [parts] if len(sizes) == 1 else list(parts)


def complex_expand(value, size, implicit=False):
    """Sizes of -1 stay."""
    size = [1 if each == -1 else each for each in size]
    if not all(isinstance(each, int) for each in size):
        size = [op.Reshape(each, constants(1)) if isinstance(each, ir.Value) else constants(each) for each in size]
        return op.Expand(value, op.Concat(*size, constants(2), axis=0))
    return op.Expand(value, constants(*size, 2))


def complex_select(value, dim, index):
    return op.Gather(value, op.Constant(value_int=index), axis=real_axis(dim))


def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """With four axes as the exporter translates it. PyTorch's fused kernels need these; with any other number, it runs
    matmuls and a softmax, in fp32."""
    from onnxscript.function_libs.torch_lib.ops.nn import aten_scaled_dot_product_attention as fused

    if len(query.shape) == 4:
        return fused(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    sizes = [*query.shape, *key.shape]
    if dropout_p or enable_gqa or not all(isinstance(size, int) for size in sizes):
        given = [each for each in (query, key, value, attn_mask) if each is not None]
        return emit(UNKNOWN_DOMAIN, "aten.scaled_dot_product_attention", given)
    queries, keys, rank = query.shape[-2], key.shape[-2], len(query.shape)
    wide = [op.Cast(each, to=ir.DataType.FLOAT) for each in (query, key, value)]
    factor = op.Constant(value_float=(1 / math.sqrt(query.shape[-1]) if scale is None else scale) ** 0.5)
    order = [*range(rank - 2), rank - 1, rank - 2]
    scores = op.MatMul(op.Mul(wide[0], factor), op.Transpose(op.Mul(wide[1], factor), perm=order))
    if is_causal:
        attn_mask = op.Trilu(op.Expand(op.Constant(value_float=1.0), constants(queries, keys)), upper=0)
    if attn_mask is not None and attn_mask.dtype == ir.DataType.BOOL:
        attn_mask = op.Where(attn_mask, op.Constant(value_float=0.0), op.Constant(value_float=-math.inf))
    if attn_mask is not None:
        scores = op.Add(scores, op.Cast(attn_mask, to=ir.DataType.FLOAT))
    return op.CastLike(op.MatMul(op.Softmax(scores, axis=-1), wide[2]), query)


def projects(module):
    """Whether an LSTM of the module has a projection, which the exporter ignores."""
    parts = module.modules() if isinstance(module, torch.nn.Module) else ()
    return any(isinstance(part, torch.nn.LSTM) and part.proj_size for part in parts)


def find_op(path):
    """torch.ops.<path>, or None in releases without it."""
    target = torch.ops
    for name in path.split("."):
        target = getattr(target, name, None)
    return target


# Ops that the exporter refuses, or writes as many kernels. Without a GPU, transformers replaces the
# kernel of grouped_mm by a loop.
TRANSLATIONS = {
    "aten._grouped_mm.default": grouped_mm,
    "transformers.grouped_mm_fallback.default": grouped_mm,
    "aten.rms_norm.default": rms_norm,
    "aten.embedding_bag.padding_idx": embedding_bag,
    "aten._embedding_bag.default": embedding_bag,
    "aten._embedding_bag_forward_only.default": embedding_bag,
    "aten.sort.stable": stable_sort,
    "aten.squeeze.dim": squeeze,
}


# Translations of ops that the exporter translates for some shapes only.
OTHER_SHAPES = {"aten.scaled_dot_product_attention.default": attention}


# Ops on complex tensors that the exporter refuses, or writes as many kernels.
COMPLEX_TRANSLATIONS = {
    "aten.mul.Tensor": complex_product,
    "aten.unsqueeze.default": complex_unsqueeze,
    "aten.split_with_sizes.default": complex_split,
    "aten.expand.default": complex_expand,
    "aten.select.int": complex_select,
}


@contextlib.contextmanager
def complex_translations():
    """Adds them to the exporter, whose custom_translation_table is for real tensors."""
    try:
        from torch.onnx._internal.exporter._registration import ONNXRegistry as registry
    except ImportError:  # not public
        yield
        return
    original = vars(registry)["from_torchlib"]

    def extended(*arguments, **named):
        made = original.__get__(None, registry)(*arguments, **named)
        for path, translation in COMPLEX_TRANSLATIONS.items():
            made.register_op(find_op(path), translation, is_complex=True)
        return made

    registry.from_torchlib = staticmethod(extended)
    try:
        yield
    finally:
        registry.from_torchlib = original


def known_translations(module):
    """Translations by op, for torch.onnx.export."""
    known = {find_op(path): translation for path, translation in TRANSLATIONS.items()}
    known.pop(None, None)
    if projects(module):
        known[torch.ops.aten.lstm.input] = unknown(torch.ops.aten.lstm.input)
    return known


def other_translation(target):
    """A translation of an op that the exporter could not translate."""
    others = {find_op(path): translation for path, translation in OTHER_SHAPES.items()}
    return others.get(target) or unknown(target)


def untranslated(error):
    """The op in an error of the exporter that has no translation, or None."""
    while error is not None:
        found = re.search(r"call_function\[target=torch\.ops\.([\w.]+)\]", str(error))
        if found and "step 3/3" not in str(error):
            return find_op(found.group(1))
        error = error.__cause__
    return None
