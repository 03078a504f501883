# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prepares a graph from PyTorch's exporter for a prediction: folds arithmetic on sizes, removes nodes
that launch no kernel, and drops the values of weights. onnx_ir models, in place."""
import math

import onnx_ir as ir
import onnx_ir.passes.common as ir_passes
from onnxscript import optimizer

# Tensors up to this many elements stay inside the file: scalars, shapes,
# axes, rotary frequencies and the smallest parameters.
INLINE_LIMIT = 128

# Ends the name of a tensor that is saved with a module, but not trained.
BUFFER_SUFFIX = ".buffer"

# Ends the name of a scalar that is trained; others are constants.
SCALAR_SUFFIX = ".weight"

# Ends the name of a parameter that the forward pass does not read.
UNUSED_SUFFIX = ".unused"

# Separates the names of parameters that are stored in one tensor.
NAME_JOINT = "+"


def constant_of(value):
    """The small constant tensor of a value, or None."""
    tensor = value.const_value if value is not None else None
    if tensor is None or tensor.size > INLINE_LIMIT or isinstance(tensor, ir.ExternalTensor):
        return None
    return tensor.numpy()


def forward_input(node, value):
    """Replaces the only output of `node` that is in use by `value`."""
    ir.convenience.replace_all_uses_with(
        node.outputs[0], value, replace_graph_outputs=True
    )
    node.graph.remove(node, safe=True)


def remove_inactive_dropout(graph):
    """Dropout with ratio zero, which PyTorch also skips."""
    for node in list(graph):
        if node.op_type == "Dropout" and len(node.inputs) > 1:
            ratio = constant_of(node.inputs[1])
            if ratio is not None and ratio == 0:
                forward_input(node, node.inputs[0])


def remove_zero_bias(graph, parameters):
    """The zero bias that the exporter adds to a convolution without a bias."""
    for node in list(graph):
        if node.op_type != "Conv" or len(node.inputs) < 3:
            continue
        bias = node.inputs[2]
        if bias.producer() is not None and bias.producer().op_type == "Expand":
            bias = bias.producer().inputs[0]
        content = constant_of(bias)
        if bias.name not in parameters and content is not None and not content.any():
            node.resize_inputs(2)


def upcast_before_softmax(graph):
    """softmax(x, dtype=float32) up-casts its operand, not its result.

    The exporter writes the opposite order.
    """
    for cast in list(graph):
        softmax = cast.inputs[0].producer() if cast.op_type == "Cast" else None
        if softmax is None or softmax.op_type != "Softmax":
            continue
        if cast.attributes["to"].as_int() != ir.DataType.FLOAT:
            continue
        if len(softmax.outputs[0].uses()) != 1:
            continue
        ir.convenience.replace_all_uses_with(cast.outputs[0], softmax.outputs[0])
        cast.replace_input_with(0, softmax.inputs[0])
        softmax.replace_input_with(0, cast.outputs[0])


def shorten_size_chains(graph):
    """Reshape(Squeeze(Shape), [-1]) is the one-element Shape itself."""
    for node in list(graph):
        if node.op_type != "Reshape" or node.inputs[0].producer() is None:
            continue
        squeeze = node.inputs[0].producer()
        if squeeze.op_type != "Squeeze" or len(squeeze.inputs) > 1:
            continue
        shape = squeeze.inputs[0].producer()
        target = constant_of(node.inputs[1])
        if shape is not None and shape.op_type == "Shape" and target is not None:
            if target.tolist() == [-1]:
                forward_input(node, squeeze.inputs[0])


def remove_identity_transpose(graph):
    """A Transpose to the same order, which remains from the lowering of
    indexing."""
    for node in list(graph):
        if node.op_type == "Transpose" and "perm" in node.attributes:
            permutation = list(node.attributes["perm"].as_ints())
            if permutation == sorted(permutation):
                forward_input(node, node.inputs[0])


def transpose_weights(graph):
    """Stores a weight in the order in which the matmul reads it.

    A linear layer is exported as Transpose(weight) before a MatMul, but the
    Transpose does not run a kernel: the library reads the weight in either
    order. A weight with another use (a tied embedding) keeps its Transpose.
    """
    for node in list(graph):
        if node.op_type != "Transpose":
            continue
        weight = node.inputs[0]
        if not weight.is_initializer() or len(weight.uses()) != 1:
            continue
        old = weight.const_value
        shape = ir.Shape([old.shape[i] for i in node.attributes["perm"].as_ints()])
        weight.const_value = ir.ExternalTensor(
            "", 0, 0, old.dtype, shape=shape, name=weight.name
        )
        weight.shape = shape
        forward_input(node, weight)


def sources(value):
    """The initializers of which a value consists, each once: gates are reordered by slices."""
    node = value.producer()
    if node is None:
        return [value]
    # The additional inputs of Unsqueeze and similar ops are not data.
    parts = node.inputs if node.op_type == "Concat" else node.inputs[:1]
    return list(dict.fromkeys(source for part in parts for source in sources(part)))


def pack_lstm_weights(graph):
    """Stores the weights of an LSTM in the order in which the operator reads
    them.

    Like transpose_weights(), except that several parameters may form one
    tensor, which is then named after all of them: the two directions of a
    layer, and its two biases.
    """
    for node in graph:
        if node.op_type != "LSTM":
            continue
        bidirectional = node.attributes["direction"].as_string() == "bidirectional"
        for index in (1, 2, 3):
            if index >= len(node.inputs) or node.inputs[index] is None:
                continue  # No biases.
            parts = sources(node.inputs[index])
            first = parts[0].const_value
            size = sum(part.const_value.size for part in parts)
            outer, inner = 1 + bidirectional, first.shape[1:]
            shape = ir.Shape([outer, size // (outer * math.prod(inner)), *inner])
            name = NAME_JOINT.join(part.name for part in parts)
            packed = ir.Value(
                name=name, shape=shape, type=ir.TensorType(first.dtype),
                const_value=ir.ExternalTensor(
                    "", 0, 0, first.dtype, shape=shape, name=name
                ),
            )
            for part in parts:
                del graph.initializers[part.name]
            graph.register_initializer(packed)
            node.replace_input_with(index, packed)


def write_scalar_fills(graph):
    """torch.full([], x) of a float makes a tensor on the device, written as ConstantOfShape.

    Kernels read it like any tensor without dimensions; a Python number is one of their arguments.
    """
    for node in list(graph):
        source = node.metadata_props.get("pkg.torch.onnx.fx_node", "")
        if node.op_type != "Expand" or "aten.full.default](args = ([], " not in source:
            continue
        dtype, number = node.outputs[0].dtype, node.inputs[0]
        if dtype is None or not dtype.is_floating_point():
            continue
        if number.producer() is not None and number.producer().op_type == "Cast":
            number = number.producer().inputs[0]
        number = ir.convenience.get_const_tensor(number)
        if number is None:
            continue
        value = ir.tensor([number.numpy().item()], dtype=dtype)
        fill = ir.node("ConstantOfShape", [node.inputs[1]], {"value": value}, name=node.name)
        fill.outputs[0].name = node.outputs[0].name
        fill.outputs[0].shape, fill.outputs[0].type = node.outputs[0].shape, node.outputs[0].type
        graph.insert_after(node, fill)
        forward_input(node, fill.outputs[0])


def merge_constants(graph, parameters):
    """One initializer for all equal constants that are not parameters."""
    seen = {}
    for value in list(graph.initializers.values()):
        tensor = value.const_value
        if not parameters.isdisjoint(value.name.split(NAME_JOINT)) or tensor.size > INLINE_LIMIT:
            continue
        key = tensor.dtype, tuple(tensor.shape), tensor.tobytes()
        first = seen.setdefault(key, value)
        if first is not value and not value.is_graph_output():
            ir.convenience.replace_all_uses_with(value, first)
            del graph.initializers[value.name]


def simplify(model):
    """Folds the arithmetic on sizes and removes unused nodes.

    Deliberately less than the exporter's optimizer, which
    folds batch normalization into convolutions and merges parameters.
    """
    parameters = set(model.graph.initializers)

    def should_fold(node):
        names = {value.name for value in node.inputs if value is not None}
        if node.op_type == "ConstantOfShape" and node.outputs[0].shape == ir.Shape([]):
            return False
        return None if names.isdisjoint(parameters) else False

    ir_passes.InlinePass()(model)
    pack_lstm_weights(model.graph)
    write_scalar_fills(model.graph)
    optimizer.fold_constants_ir(
        model,
        onnx_shape_inference=True,
        input_size_limit=INLINE_LIMIT,
        output_size_limit=INLINE_LIMIT,
        should_fold=should_fold,
    )
    ir_passes.LiftConstantsToInitializersPass(
        lift_all_constants=True, size_limit=0
    )(model)
    ir_passes.IdentityEliminationPass()(model)
    remove_inactive_dropout(model.graph)
    remove_zero_bias(model.graph, parameters)
    upcast_before_softmax(model.graph)
    shorten_size_chains(model.graph)
    remove_identity_transpose(model.graph)
    transpose_weights(model.graph)
    ir_passes.RemoveUnusedNodesPass()(model)
    merge_constants(model.graph, parameters)
    ir_passes.RemoveUnusedOpsetsPass()(model)
    ir_passes.TopologicalSortPass()(model)


def strip_weights(model, name, parameters=frozenset()):
    """Replaces every large tensor, and all parameters, by a reference into "<name>.weights"."""
    offset = 0
    for value in model.graph.initializers.values():
        tensor = value.const_value
        if tensor.size <= INLINE_LIMIT and parameters.isdisjoint(value.name.split(NAME_JOINT)):
            continue
        value.const_value = ir.ExternalTensor(
            f"{name}.weights", offset, tensor.nbytes, tensor.dtype,
            shape=tensor.shape, name=value.name,
        )
        offset += tensor.nbytes


def mark_parameters(graph, parameters):
    """Renames scalar parameters, and tensors that are not parameters: buffers and computed tables. The names
    of parameters in the graph, with those of the module's parameters that they consist of."""
    marked = {}
    for value in list(graph.initializers.values()):
        parts = value.name.split(NAME_JOINT)
        is_parameter = not parameters.isdisjoint(parts)
        is_scalar = not value.const_value.shape.dims
        if is_parameter == is_scalar:
            value.name += SCALAR_SUFFIX if is_scalar else BUFFER_SUFFIX
            value.const_value.name = value.name
        if is_parameter:
            marked[value.name] = parts
    return marked


def add_unused(graph, tensors):
    """Adds parameters that the graph lacks, which the module holds in memory: `tensors` are types and shapes by name."""
    for name, (dtype, shape) in tensors.items():
        name += UNUSED_SUFFIX
        tensor = ir.ExternalTensor("", 0, 0, dtype, shape=ir.Shape(shape), name=name)
        graph.register_initializer(ir.Value(name=name, shape=ir.Shape(shape), type=ir.TensorType(dtype), const_value=tensor))
