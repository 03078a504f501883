# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.nn.Module to ONNX without the values of its weights."""
from __future__ import annotations

import contextlib
import inspect
import logging
import warnings
from typing import Any, Dict, Iterator, Mapping, Tuple

import torch

from gpucost.errors import GpuCostError, InvalidArgumentError


# They log the traceback of each export attempt; the last one becomes this module's
# exception.
TRACERS = ("torch._subclasses.fake_tensor", "torch.export._trace")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppresses the exporter's progress messages."""
    loggers = {"torch.onnx": logging.ERROR, **dict.fromkeys(TRACERS, logging.CRITICAL)}
    levels = {name: logging.getLogger(name).level for name in loggers}
    for name, level in loggers.items():
        logging.getLogger(name).setLevel(level)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def arguments_of(inputs: Any) -> Tuple[Tuple[Any, ...], Mapping[str, Any]]:
    """Positional and keyword arguments of forward(): a tensor, a tuple, or a mapping."""
    if inputs is None:
        raise InvalidArgumentError(
            "a torch.nn.Module needs example inputs: gpucost.analyze(module, (tensor, ...), target=...)")
    if isinstance(inputs, Mapping):
        return (), dict(inputs)
    if isinstance(inputs, (tuple, list)):
        return tuple(inputs), {}
    return (inputs,), {}


def on_device_of(module: Any, values: Any) -> Any:
    """Moves inputs to the meta device if the module is on it, because only shapes matter."""
    first = next(iter(module.parameters()), None) if isinstance(module, torch.nn.Module) else None
    if first is None or first.device.type != "meta":
        return values
    return torch.utils._pytree.tree_map_only(torch.Tensor, lambda tensor: tensor.to("meta"), values)


def without_cache(module: Any, named: Mapping[str, Any]) -> Dict[str, Any]:
    """Adds use_cache=False for models of the transformers package, because the cache objects that they
    return cannot be exported. With `past_key_values` among the inputs, nothing is added."""
    forward = inspect.signature(module.forward).parameters
    if "use_cache" in forward and "past_key_values" in forward and not {"use_cache", "past_key_values"} & set(named):
        return {**named, "use_cache": False}
    return dict(named)


def drop_meta_tensors(model: Any) -> None:
    """Small tensors on the meta device also have no values to write."""
    import onnx_ir

    for value in model.graph.initializers.values():
        tensor = value.const_value
        if getattr(getattr(tensor, "raw", None), "is_meta", False):
            value.const_value = onnx_ir.ExternalTensor("model.weights", 0, tensor.nbytes, tensor.dtype,
                                                       shape=tensor.shape, name=value.name)


def exported(module: Any, inputs: Any, options: Mapping[str, Any]) -> bytes:
    """The ONNX file for a module or a torch.export.ExportedProgram. `options` are arguments
    of torch.onnx.export, such as dynamic_shapes."""
    try:
        import onnx_ir

        from gpucost import _onnx_ir
    except ImportError as error:
        raise ImportError(f"a torch.nn.Module needs {error.name}: pip install 'gpucost[torch]'") from None
    is_module = isinstance(module, torch.nn.Module)
    positional, named = arguments_of(inputs) if is_module or inputs is not None else ((), {})
    if is_module:
        named = without_cache(module, named)
    positional, named = on_device_of(module, (positional, named))
    arguments = {"args": positional, "kwargs": dict(named)} if is_module else {}
    try:
        with quiet(), torch.no_grad():
            program = torch.onnx.export(module, **arguments, dynamo=True, optimize=False, verbose=False,
                                        **options)
    except Exception as error:
        if isinstance(error, (TypeError, MemoryError)) and not isinstance(error, torch.onnx.errors.OnnxExporterError):
            raise
        cause: BaseException = error
        while cause.__cause__ is not None:
            cause = cause.__cause__
        raise GpuCostError(f"PyTorch cannot export this module to ONNX: {str(cause).strip() or repr(cause)}; "
                           "torch.onnx.export(module, inputs, dynamo=True, report=True) says where") from error
    assert program is not None  # With dynamo=True.
    model = program.model
    with quiet():
        _onnx_ir.simplify(model)
    _onnx_ir.strip_weights(model, "model")
    drop_meta_tensors(model)
    model.graph.name = model.graph.name or "model"
    return bytes(onnx_ir.serde.serialize_model(model).SerializeToString())
