# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnx.ModelProto without the values of its weights, which predictions do not need."""
from __future__ import annotations

from typing import Any, Iterator

# Tensors up to this many elements keep their values: shapes, axes, scales.
INLINE_LIMIT = 1024


def graphs(graph: Any) -> Iterator[Any]:
    """The graph and the graphs inside its nodes."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs(attribute.g)
            for inner in attribute.graphs:
                yield from graphs(inner)


def size(tensor: Any) -> int:
    count = 1
    for dimension in tensor.dims:
        count *= dimension
    return count


def strip(tensor: Any) -> None:
    """Replaces the values by a reference to a file that is never read."""
    for field in ("raw_data", "float_data", "int32_data", "int64_data", "double_data", "uint64_data"):
        tensor.ClearField(field)
    if not tensor.external_data:
        tensor.data_location = type(tensor).EXTERNAL
        entry = tensor.external_data.add()
        entry.key, entry.value = "location", "weights"


def serialized(model: Any) -> bytes:
    """The bytes of a model without its large weights. A model below 2 GB is not changed; a
    larger one could not be serialized with its weights."""
    if model.ByteSize() < 1 << 22:
        return bytes(model.SerializeToString())
    light = type(model)()
    light.ir_version = model.ir_version
    for field in ("opset_import", "functions", "metadata_props"):
        getattr(light, field).extend(getattr(model, field))
    light.producer_name = model.producer_name
    copy_graph(model.graph, light.graph)
    return bytes(light.SerializeToString())


def copy_graph(graph: Any, light: Any) -> None:
    """Copies a graph without the values of large initializers; never the values themselves."""
    for field, value in graph.ListFields():
        if field.name == "initializer":
            for tensor in value:
                target = light.initializer.add()
                if size(tensor) <= INLINE_LIMIT or tensor.data_type == type(tensor).STRING:
                    target.CopyFrom(tensor)
                    continue
                target.name, target.data_type = tensor.name, tensor.data_type
                target.dims.extend(tensor.dims)
                strip(target)
        elif isinstance(value, str):
            setattr(light, field.name, value)
        else:
            getattr(light, field.name).extend(value)
