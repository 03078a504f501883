# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.nn.Module to ONNX without the values of its weights."""
from __future__ import annotations

import ast
import contextlib
import copy
import inspect
import io
import logging
import re
import threading
import warnings
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Set, Tuple

import torch
from torch.utils import _pytree

from gpucost import _loss, _repeats, _stated, _traits, _wrappers
from gpucost._detached import detached
from gpucost._progress import Busy
from gpucost.errors import GpuCostError, InvalidArgumentError


# They log the traceback of each export attempt; the last one becomes this module's
# exception. The simplifier logs that the values of weights are missing.
TRACERS = ("torch._subclasses.fake_tensor", "torch.export._trace", "torch.fx.experimental.symbolic_shapes", "onnxscript", "onnx_ir")

# torch.onnx.export changes global state.
EXPORT_LOCK = threading.RLock()

# Inputs that say whether a model of transformers returns a cache.
CACHES = {"use_cache", "cache", "past_key_values"}

# What to do about messages of PyTorch.
REMEDIES = (
    (r"data.dependent", "control flow that depends on the values of tensors "
     "has no graph: replace it, for experts of transformers with experts_implementation=\"grouped_mm\""),
    (r"on the same device.*\bmeta\b", "its forward pass creates tensors on the CPU: create the module there instead of on the meta "
     "device"),
    (r"register a pytree", "set use_cache=False in the inputs"),
    (r"ScriptModule|no signature found for builtin", "give the module that was scripted or traced"),
)
REPORT = "torch.onnx.export(module, inputs, dynamo=True, report=True) says where"


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppresses the exporter's progress messages."""
    loggers = {"torch.onnx": logging.ERROR, **dict.fromkeys(TRACERS, logging.CRITICAL)}
    levels = {name: logging.getLogger(name).level for name in loggers}
    for name, level in loggers.items():
        logging.getLogger(name).setLevel(level)
    try:
        # Graphs of failed attempts are printed.
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
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


def is_fake(tensor: torch.Tensor) -> bool:
    return isinstance(tensor, torch._subclasses.FakeTensor)


def on_meta(tensor: torch.Tensor) -> torch.Tensor:
    """The same shape on the meta device."""
    if not is_fake(tensor):
        return tensor.to("meta")
    plain = torch.empty_strided(tuple(tensor.shape), tensor.stride(), dtype=tensor.dtype, device="meta")
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(plain, requires_grad=tensor.requires_grad)
    return plain


def without_fakes(module: torch.nn.Module) -> torch.nn.Module:
    """A copy of a module with FakeTensors, with tensors on the meta device; other modules unchanged."""
    tensors = [*module.parameters(), *module.buffers()]
    if not any(is_fake(tensor) for tensor in tensors):
        return module
    return copy.deepcopy(module, {id(tensor): on_meta(tensor) for tensor in tensors})


def on_device_of(module: Any, values: Any) -> Any:
    """Moves inputs to the meta device if the module is on it, because only shapes matter, and from it to that of the
    module."""
    first = next(iter(module.parameters()), None) if isinstance(module, torch.nn.Module) else None
    if first is None:
        return _pytree.tree_map_only(torch._subclasses.FakeTensor, on_meta, values)
    if first.device.type != "meta":
        def moved(tensor: torch.Tensor) -> torch.Tensor:
            return torch.empty_like(tensor, device=first.device) if is_fake(tensor) or tensor.is_meta else tensor

        return _pytree.tree_map_only(torch.Tensor, moved, values)
    return _pytree.tree_map_only(torch.Tensor, on_meta, values)


def takes_use_cache(module: Any) -> bool:
    """Whether forward() has this parameter, or hands named inputs on to a model of transformers that has a cache, as the
    wrappers of peft do."""
    forward = inspect.signature(module.forward).parameters
    if "use_cache" in forward or not any(each.kind is each.VAR_KEYWORD for each in forward.values()):
        return "use_cache" in forward
    return not CACHES.isdisjoint(forward) or any(
        hasattr(getattr(each, "config", None), "use_cache") and takes_use_cache(each)
        for each in module.modules() if each is not module)


def without_cache(module: Any, named: Mapping[str, Any]) -> Dict[str, Any]:
    """Adds use_cache=False for models of the transformers package, because the cache objects that they
    return cannot be exported. With a cache among the inputs, nothing is added."""
    if takes_use_cache(module) and CACHES.isdisjoint(named):
        return {**named, "use_cache": False}
    return dict(named)


def hides_nothing(mask: Any) -> bool:
    return isinstance(mask, torch.Tensor) and mask.device.type != "meta" and not is_fake(mask) and bool(mask.all())


def counts_up(positions: Any) -> bool:
    """Whether the positions of each row are 0, 1, 2, ...: those that a model assumes without this input."""
    return (isinstance(positions, torch.Tensor) and positions.dim() in (1, 2) and positions.device.type != "meta"
            and not is_fake(positions)
            and bool((positions == torch.arange(positions.shape[-1], device=positions.device)).all()))


def implied(inputs: Any) -> Tuple[str, ...]:
    """Named inputs of which the values are those that a model of the transformers package assumes without them."""
    named = inputs if isinstance(inputs, Mapping) else {}
    return tuple(name for name, assumed in (("attention_mask", hides_nothing), ("position_ids", counts_up))
                 if assumed(named.get(name)))


def without_implied(module: Any, named: Mapping[str, Any],
                    options: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Drops a mask of ones and positions without gaps, and their shapes, for models of the transformers package, which
    look at the values and then call causal attention without a mask; a graph cannot."""
    shapes = options.get("dynamic_shapes")
    dropped = implied(named) if hasattr(getattr(module, "config", None), "_attn_implementation") else ()
    if not dropped or isinstance(shapes, (tuple, list)):
        return dict(named), dict(options)
    left = {name: value for name, value in named.items() if name not in dropped}
    if shapes is None:
        return left, dict(options)
    shapes = {name: axes for name, axes in shapes.items() if name not in dropped}
    return left, {**options, "dynamic_shapes": shapes}


def complete_shapes(shapes: Any, added: Mapping[str, Any]) -> Any:
    """dynamic_shapes with entries for inputs that were added."""
    if isinstance(shapes, Mapping):
        return {**dict.fromkeys(added), **shapes}
    return shapes if shapes is None else type(shapes)([*shapes, *[None for _ in added]])


def drop_meta_tensors(model: Any) -> None:
    """Tensors on the meta device have no values, not even small ones."""
    import onnx_ir

    for value in model.graph.initializers.values():
        tensor = value.const_value
        if getattr(getattr(tensor, "raw", None), "is_meta", False):
            value.const_value = onnx_ir.ExternalTensor("model.weights", 0, tensor.nbytes, tensor.dtype,
                                                       shape=tensor.shape, name=value.name)


def name_nodes(graph: Any) -> None:
    """Names the nodes by the modules that run them: /layers.0/attention/node_MatMul_7."""
    for node in graph:
        try:
            scopes = ast.literal_eval(node.metadata_props.get(_repeats.SCOPES, "[]"))[:-1]
        except (SyntaxError, ValueError):
            continue
        path = str(scopes[-1]) if scopes else ""
        parents = [each for each in scopes[:-1] if each and path.startswith(each + ".")]
        levels = [after[len(before) + 1 if before else 0:] for before, after in zip(["", *parents], [*parents, path])]
        if path:
            node.name = "/" + "/".join([*levels, node.name])


def parameter_names(module: Any) -> Set[str]:
    """In the exporter's graph."""
    if isinstance(module, torch.export.ExportedProgram):
        return set(module.graph_signature.parameters)
    return {name for name, _ in module.named_parameters(remove_duplicate=False)}


def unused_parameters(module: Any, model: Any) -> Dict[str, Tuple[Any, Tuple[int, ...]]]:
    """Types and shapes, by name, of parameters that the graph does not read."""
    from onnx_ir import tensor_adapters

    from gpucost import _onnx_ir

    if not isinstance(module, torch.nn.Module):
        return {}
    type_of = tensor_adapters.from_torch_dtype
    names: Dict[int, Set[str]] = {}
    tensors: Dict[int, Any] = {}
    for name, tensor in module.named_parameters(remove_duplicate=False):
        names.setdefault(id(tensor), set()).add(name)
        tensors[id(tensor)] = tensor
    read = {part for name in model.graph.initializers for part in name.split(_onnx_ir.NAME_JOINT)}
    return {min(each): (type_of(tensors[key].dtype), tuple(tensors[key].shape))
            for key, each in names.items() if read.isdisjoint(each)}


def dimension_names(model: Any, shapes: Any) -> Dict[str, str]:
    """The names in dynamic_shapes by the symbols of the exporter, which forgets those of named inputs."""
    names: Dict[str, str] = {}
    for value in model.graph.inputs if isinstance(shapes, Mapping) else ():
        axes = shapes.get(value.name) or {}
        for axis, dim in axes.items() if isinstance(axes, Mapping) else enumerate(axes):
            name = dim if isinstance(dim, str) else getattr(dim, "__name__", "")
            symbol = getattr(value.shape[axis], "value", None)
            if symbol and name.isidentifier():
                names.setdefault(symbol, name)
    return names


def name_dimensions(model: Any, names: Mapping[str, str]) -> None:
    """Renames symbols in all shapes, also inside expressions such as s72 + 1."""
    import onnx_ir

    def renamed(dim: Any) -> Any:
        text = getattr(dim, "value", None)
        return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), text) if isinstance(text, str) else dim

    values = [*model.graph.inputs, *(output for node in model.graph.all_nodes() for output in node.outputs)]
    for value in values if names else ():
        if value.shape is not None:
            value.shape = onnx_ir.Shape([renamed(dim) for dim in value.shape])


def exported_program(module: Any, arguments: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """torch.onnx.export; ops without a translation become unknown ops."""
    from gpucost import _torch_ops

    given = options.get("custom_translation_table") or {}
    table = {**_torch_ops.known_translations(module), **given}
    once = True
    while True:
        try:
            with _torch_ops.complex_translations(), _repeats.reduced(module, once) as chains:
                made: Any = torch.onnx.export(module, **{**arguments, **options, "custom_translation_table": table},
                                         dynamo=True, optimize=False, verbose=False)
            _repeats.copy(made.model.graph, chains, module)
            return made
        except _repeats.NotEqual:
            once = False
        except torch.onnx.errors.OnnxExporterError as error:
            op = _torch_ops.untranslated(error)
            if op is None or op in given or getattr(table.get(op), "is_unknown", False):
                raise
            table[op] = _torch_ops.unknown(op) if op in table else _torch_ops.other_translation(op)


def failure(error: BaseException) -> GpuCostError:
    """The exception of this package for one of the exporter."""
    texts, cause = [str(error)], error
    while cause.__cause__ is not None:
        cause = cause.__cause__
        texts.append(str(cause))
    matching = [remedy for pattern, remedy in REMEDIES if any(re.search(pattern, text) for text in texts)]
    # What follows a blank line is advice for developers of PyTorch.
    reason = str(cause).strip().split("\n\n")[0] or repr(cause)
    kind = InvalidArgumentError if isinstance(cause, TypeError) else GpuCostError
    return kind(f"PyTorch cannot export this module to ONNX: {reason}; {(matching or [REPORT])[0]}")


def by_name(module: Any, positional: Tuple[Any, ...], named: Mapping[str, Any]) -> Dict[str, Any]:
    """All arguments by the names of forward's parameters; empty if some have none."""
    parameters = inspect.signature(module.forward).parameters.values()
    names = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    return {**dict(zip(names, positional)), **named} if len(positional) <= len(names) else {}


def is_tokens(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dim() == 2 and value.dtype in (torch.int64, torch.int32)


def example_batch(inputs: Any) -> Optional[int]:
    """The first dimension of the first tensor."""
    tensors = [leaf for leaf in _pytree.tree_leaves(inputs) if isinstance(leaf, torch.Tensor)]
    return int(tensors[0].shape[0]) if tensors and tensors[0].dim() else None


def several(tokens: torch.Tensor) -> torch.Tensor:
    """At least two rows and columns: the exporter treats sizes of 1 as fixed."""
    return tokens.repeat(*(2 if size == 1 else 1 for size in tokens.shape))


def with_lengths(module: Any, positional: Tuple[Any, ...], named: Mapping[str, Any]) -> Tuple[Dict[str, Any], Any]:
    """Named arguments whose token tensors have several rows and columns, and their dynamic_shapes: batch and
    sequence. None if there are no tokens or other tensors would keep the size of the example."""
    values = by_name(module, positional, named)
    tensors = [value for value in _pytree.tree_leaves(values) if isinstance(value, torch.Tensor)]
    if not tensors or not all(map(is_tokens, tensors)) or len({tensor.shape for tensor in tensors}) > 1:
        return {}, None
    shapes = {name: {0: "batch", 1: "sequence"} if is_tokens(value) else None for name, value in values.items()}
    return {name: several(value) if is_tokens(value) else value for name, value in values.items()}, shapes


def prepared_arguments(module: Any, inputs: Any, options: Mapping[str, Any],
                       any_length: bool) -> Tuple[Any, Dict[str, Any], Dict[str, Any]]:
    """The module, its arguments, and the options for torch.onnx.export."""
    is_module = isinstance(module, torch.nn.Module)
    if not is_module:
        return module, {}, dict(options)
    positional, named = arguments_of(inputs)
    module = without_fakes(module)
    named, options = without_implied(module, named, options)
    if any_length and "dynamic_shapes" not in options:
        renamed, shapes = with_lengths(module, positional, named)
        if shapes is not None:
            positional, named, options["dynamic_shapes"] = (), renamed, shapes
    # The exporter would take a mapping at the end for the named arguments.
    if positional and isinstance(positional[-1], Mapping) and by_name(module, positional, named):
        positional, named = (), by_name(module, positional, named)
    complete = without_cache(module, named)
    if "dynamic_shapes" in options:
        added = {name: value for name, value in complete.items() if name not in named}
        options["dynamic_shapes"] = complete_shapes(options["dynamic_shapes"], added)
    positional, complete = on_device_of(module, (positional, complete))
    return module, {"args": positional, "kwargs": complete}, options


def cast_inputs(inputs: Any, dtype: Any) -> Any:
    """Floating-point inputs in the dtype to which a wrapper casts them; None: unchanged."""
    return inputs if dtype is None else _pytree.tree_map_only(
        torch.Tensor, lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor, inputs)


def tensors_by_name(module: Any, arguments: Mapping[str, Any]) -> Dict[str, Any]:
    """The example tensors by the names of forward's parameters, in the order of the caller."""
    found = {}
    for name, value in by_name(module, arguments.get("args", ()), arguments.get("kwargs", {})).items():
        leaves = [leaf for leaf in _pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]
        found.update({name if len(leaves) == 1 else f"{name}.{index}": leaf for index, leaf in enumerate(leaves)})
    return found


def tensors_in_order(names: Iterable[str], arguments: Mapping[str, Any]) -> Dict[str, Any]:
    """The example tensors by the names of the graph's inputs, for parameters without names (*args)."""
    leaves = [leaf for leaf in _pytree.tree_leaves(dict(arguments)) if isinstance(leaf, torch.Tensor)]
    names = list(names)
    return dict(zip(names, leaves)) if len(names) == len(leaves) else {}


def properties_of(wrapper: _wrappers.Unwrapped, module: Any, arguments: Mapping[str, Any], model: Any,
                  parameters: Mapping[str, Any], batch_dim: _traits.BatchDim, run: _traits.Run) -> Dict[str, Any]:
    """The properties of a traced module that its graph does not have (gpucost._stated): `parameters` by their
    names in the graph, with those of the module."""
    training, unclear = dict(wrapper.settings), dict(wrapper.unclear)
    trains = {name: parameter.requires_grad for name, parameter in module.named_parameters(remove_duplicate=False)}
    cut = detached(module, arguments)
    trained = {name: any(trains.get(part, False) and part not in cut for part in parts) for name, parts in parameters.items()}
    lost = {name for name, parts in parameters.items() if not trained[name] and any(trains.get(part, False) for part in parts)}
    for setting, (value, reason) in (("trainable", _traits.trained_patterns(trained)),
                                     ("recompute", _traits.recomputed(module, run))):
        training.update({} if value is None else {setting: value})
        unclear.update({setting: reason} if reason else {})
    half = _traits.half(module)
    training.update({} if half in (None, "fp64") else {"precision_mode": "as-is"})
    inputs = {value.name: [size if isinstance(size, int) else str(getattr(size, "value", size)) for size in value.shape]
              for value in model.graph.inputs}
    tensors = tensors_by_name(module, arguments) or tensors_in_order(inputs, arguments)
    in_order = dict(zip(tensors, inputs.values()))
    shapes = {name: inputs.get(name, in_order.get(name, [])) for name in tensors}
    sizes, notes, symbols = _traits.example_sizes(tensors, shapes, batch_dim, run)
    name_dimensions(model, symbols)
    defaults, more = _traits.execution(module, tensors.values(), wrapper.compiled, wrapper.compiled_parts,
                                       wrapper.graphs)
    more += wrapper.notes + ([_traits.OFFLOADS] if run.offloads else [])
    known = {name: None if name in lost else each for name, each in trained.items()}
    return {"sizes": sizes, "notes": notes + more, "training": training, "unclear": unclear, "format": half,
            "autocast": run.autocast, "trains": known if "trainable" in training else None, "defaults": defaults}


def experts_of(module: Any) -> Any:
    """_traits.grouped_experts() of a module; nothing for an ExportedProgram."""
    return _traits.grouped_experts(module) if isinstance(module, torch.nn.Module) else contextlib.nullcontext([])


def exported(module: Any, inputs: Any, options: Mapping[str, Any], any_length: bool = False,
             batch_dim: _traits.BatchDim = "auto", loss: Any = None) -> bytes:
    """The ONNX file for a module or a torch.export.ExportedProgram. `options` are arguments
    of torch.onnx.export, such as dynamic_shapes. With `any_length`, dimensions of token inputs
    become symbols if `options` has no shapes. `batch_dim`: dimension of the batch in the first input;
    None: no batch. `loss`: exported with the module."""
    try:
        import onnx_ir

        from gpucost import _onnx_ir
    except ImportError as error:
        raise ImportError(f"a torch.nn.Module needs {error.name}: pip install 'gpucost[torch]'") from None
    try:
        stated = "dynamic_shapes" in options
        wrapper = _wrappers.unwrapped(module)
        inputs = cast_inputs(inputs, wrapper.dtype)
        module, arguments, options = prepared_arguments(wrapper.module, inputs, options, any_length)
        batch = example_batch(inputs) if "dynamic_shapes" in options and not stated else None
        run = _traits.Run()
        with EXPORT_LOCK, quiet(), torch.no_grad():
            if loss is not None:
                module, arguments, options = _loss.with_loss(module, loss, arguments, options)
            with run.recorded(), experts_of(module) as expert_notes:
                model = exported_program(module, arguments, options).model
            name_nodes(model.graph)
            name_dimensions(model, dimension_names(model, options.get("dynamic_shapes")))
            drop_meta_tensors(model)
            parameters = parameter_names(module)
            _onnx_ir.simplify(model)
            _onnx_ir.strip_weights(model, "model", frozenset(parameters))
            unused = unused_parameters(module, model)
            marked = _onnx_ir.mark_parameters(model.graph, parameters)
            if isinstance(module, torch.nn.Module):
                found = properties_of(wrapper, module, arguments, model, marked, batch_dim, run)
                found["notes"] += expert_notes
                if loss is not None:
                    found["training"]["loss"] = "none"
                model.metadata_props.update(_stated.metadata(**found, batch=batch))
            _onnx_ir.add_unused(model.graph, unused)
            model.graph.name = model.graph.name or "model"
            return bytes(onnx_ir.serde.serialize_model(model).SerializeToString())
    except (MemoryError, GpuCostError):
        raise
    except Exception as error:
        raise failure(error) from error


def with_symbolic_batch(module: Any, inputs: Any, batch_dim: _traits.BatchDim) -> Tuple[Dict[str, Any], Any]:
    """Named inputs with a batch of at least two, and their dynamic_shapes, in which the batch is a symbol."""
    positional, named = arguments_of(inputs)
    module = _wrappers.unwrapped(module).module
    values = by_name(module, positional, without_implied(module, named, {})[0])
    tensors = {name: value for name, value in values.items() if isinstance(value, torch.Tensor) and value.dim()}
    if not tensors or len(tensors) < len([each for each in values.values() if isinstance(each, (torch.Tensor, list, tuple, dict))]):
        raise InvalidArgumentError("these inputs have no batch that can vary: give export={'dynamic_shapes': ...} with a "
                                   "dimension called batch")
    axis, note = _traits.batch_axis(tensors, batch_dim, _traits.Run())
    if axis is None:
        raise InvalidArgumentError(f"these inputs have no batch that can vary: {note or 'batch_dim is None'}")
    batch = max(_traits.dimension(tensor, axis) for tensor in tensors.values())
    shapes: Dict[str, Any] = dict.fromkeys(values)
    for name, tensor in tensors.items():
        if _traits.dimension(tensor, axis) == batch and tensor.dim() > axis:
            shapes[name] = {axis: "batch"}
            if batch == 1:  # The exporter treats sizes of 1 as fixed.
                values[name] = torch.cat([tensor, tensor], axis)
    return values, shapes


def exported_once(module: Any, inputs: Any, options: Mapping[str, Any], any_length: bool, batch_dim: _traits.BatchDim,
                  loss: Any) -> bytes:
    """exported(), or its earlier result for the same module in the same state and equal arguments."""
    try:
        from gpucost._export_cache import cached
    except ImportError as error:
        raise ImportError(f"a torch.nn.Module needs {error.name}: pip install 'gpucost[torch]'") from None
    arguments = (inputs, options, any_length, batch_dim, loss)
    # Other values do not matter.
    with EXPORT_LOCK, Busy(f"exporting {type(module).__name__} with PyTorch"):
        return cached(module, (arguments, implied(inputs)), lambda: exported(module, *arguments))
