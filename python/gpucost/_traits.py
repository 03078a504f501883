# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Properties of a torch.nn.Module that its graph does not have: which parameters train, which blocks are
checkpointed, the dtype of its parameters, and the batch of its example inputs."""
from __future__ import annotations

import contextlib
import fnmatch
import re
import sys
import threading
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

import torch

from gpucost.errors import InvalidArgumentError

#: batch_dim: chosen from the inputs, or given; None: no batch.
BatchDim = Union[int, None, str]

# Modules whose inputs have channels and positions, not tokens and features.
SPATIAL = (torch.nn.modules.conv._ConvNd, torch.nn.modules.batchnorm._NormBase, torch.nn.GroupNorm)
HALVES = {torch.bfloat16: "bf16", torch.float16: "fp16"}
AUTOCASTS = {**HALVES, torch.float32: "fp32"}


class Run:
    """What happens while PyTorch traces a module: calls inside torch.utils.checkpoint, and the first modules
    with parameters."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.depth = 0
        #: The modules that run inside each checkpoint, in order.
        self.checkpoints: List[Dict[int, None]] = []
        #: The first module with parameters, and modules with batch_first=False and the shapes of their inputs.
        self.first: Any = None
        self.sequence_first: List[Tuple[int, ...]] = []
        #: A checkpoint with a policy that saves some of its tensors.
        self.selects = False
        #: Activations are moved to the host.
        self.offloads = False
        #: Format of autocast for GPUs inside the module.
        self.autocast: Optional[str] = None

    def enter(self, module: Any, arguments: Any) -> None:
        # Dynamo traces the branches of torch.cond, with this call.
        if torch.compiler.is_dynamo_compiling() or threading.get_ident() != self.thread:
            return
        if self.depth:
            self.checkpoints[-1][id(module)] = None
        if self.first is None and module._parameters:
            self.first = module
        if getattr(module, "batch_first", True) is False:
            tensors = [each for each in arguments if isinstance(each, torch.Tensor)]
            self.sequence_first += [tuple(tensors[0].shape)] if tensors else []

    @contextlib.contextmanager
    def region(self) -> Iterator[None]:
        if not self.depth:
            self.checkpoints.append({})
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    @contextlib.contextmanager
    def contexts(self) -> Iterator[None]:
        """Records autocast for GPUs, which PyTorch disables without one, and save_on_cpu in the forward pass."""
        autocast: Any = torch.amp.autocast_mode.autocast
        save: Any = torch.autograd.graph.save_on_cpu
        make, enter, run = autocast.__init__, save.__enter__, self

        def made(context: Any, device_type: str, dtype: Any = None, enabled: bool = True, cache_enabled: Any = None) -> None:
            if threading.get_ident() == run.thread and device_type == "cuda" and enabled:
                run.autocast = AUTOCASTS.get(dtype or torch.get_autocast_dtype("cuda"), run.autocast)
            make(context, device_type, dtype, enabled, cache_enabled)

        def entered(context: Any) -> Any:
            run.offloads |= threading.get_ident() == run.thread
            return enter(context)

        autocast.__init__, save.__enter__ = made, entered
        try:
            yield
        finally:
            autocast.__init__, save.__enter__ = make, enter

    @contextlib.contextmanager
    def recorded(self) -> Iterator[None]:
        """Records calls of this thread; checkpoints run their function, as the exporter needs."""
        from torch.utils import checkpoint

        generator, function = checkpoint._checkpoint_without_reentrant_generator, checkpoint.CheckpointFunction
        run = self

        def traced_generator(*arguments: Any, **named: Any) -> Any:
            if threading.get_ident() != run.thread:
                return generator(*arguments, **named)
            policy = named.get("context_fn", arguments[2] if len(arguments) > 2 else None)
            run.selects |= policy not in (None, checkpoint.noop_context_fn)

            def steps() -> Iterator[None]:
                with run.region():
                    yield

            return steps()

        class Traced:
            @staticmethod
            def apply(called: Any, preserve: Any, *arguments: Any) -> Any:
                if threading.get_ident() != run.thread:
                    return function.apply(called, preserve, *arguments)
                with run.region():
                    return called(*arguments)

        handle = torch.nn.modules.module.register_module_forward_pre_hook(self.enter)
        checkpoint._checkpoint_without_reentrant_generator = traced_generator
        checkpoint.CheckpointFunction = Traced
        try:
            with self.contexts():
                yield
        finally:
            handle.remove()
            checkpoint._checkpoint_without_reentrant_generator = generator
            checkpoint.CheckpointFunction = function


# Experts.

@contextlib.contextmanager
def grouped_experts(module: Any) -> Iterator[List[str]]:
    """Experts of transformers as one grouped matmul instead of a loop over the experts that data select, which has no
    graph; and the note that says so."""
    everyone: List[Any] = [getattr(each, "config", None) for each in module.modules()]
    configs = list({id(config): config for config in everyone
                    if getattr(config, "_experts_implementation_internal", None) == "eager"}.values())
    loops = bool(configs) and any(type(each).__name__.endswith("Experts") for each in module.modules())
    for config in configs if loops else ():
        config._experts_implementation_internal = "grouped_mm"
    try:
        yield ["experts run as one grouped matmul: the graph of experts_implementation='eager' depends on data"] if loops else []
    finally:
        for config in configs:
            config._experts_implementation_internal = "eager"


# Checkpoints.

NO_MODULES = ("a checkpoint of the module contains no module with a name, or all of it: state recompute=full, every-N, "
              "selective, none or paths of modules")
POLICY = ("a checkpoint of the module has a policy (context_fn) for what it saves: state recompute=none, full, selective, names "
          "of ONNX ops, or paths of modules")
OFFLOADS = "activations that the module moves to the host (save_on_cpu, offload_wrapper) are predicted on the GPU"
PATH = re.compile(r"[\w-]+(\.[\w-]+)*", re.A)
NUMBER = re.compile(r"(?<![^.])\d+(?![^.])")


def is_composed(module: Any) -> bool:
    contract = sys.modules.get("torch.distributed._composable.contract")
    registry = contract._get_registry(module) if contract is not None else None
    return "checkpoint" in (registry or ())


def flagged(module: Any) -> List[Dict[int, None]]:
    """Modules of transformers and diffusers with gradient checkpointing, which only training runs, and modules to which
    torch.distributed._composable.checkpoint was applied."""
    found: List[Dict[int, None]] = []
    for each in module.modules():
        is_inside = any(id(each) in layer for layer in found)
        if is_inside or not (getattr(each, "gradient_checkpointing", False) or is_composed(each)):
            continue
        members = [member for child in each.children() if isinstance(child, torch.nn.ModuleList) for member in child]
        # A layer has the flag, or the stack of layers.
        is_layer = any(base.__name__ == "GradientCheckpointingLayer" for base in type(each).__mro__)
        if is_layer or is_composed(each) or not members:
            found.append({id(inner): None for inner in each.modules()})
        elif not any(hasattr(member, "gradient_checkpointing") for member in members):
            found += [{id(inner): None for inner in member.modules()} for member in members]
    return found


def without_wrapper(block: Any, inside: Set[int]) -> Any:
    """The module that runs in a checkpoint inside PyTorch's CheckpointWrapper; other blocks unchanged."""
    children = list(block.children())
    return children[0] if len(children) == 1 and id(block) not in inside and id(children[0]) in inside else block


def repeated_blocks(module: Any, inside: Set[int]) -> List[Any]:
    """The outermost repeated modules of those classes that run in checkpoints, in order; not single layers."""
    children = [without_wrapper(child, inside) for child in module.children()]
    counts: Dict[type, int] = {}
    for child in children:
        counts[type(child)] = counts.get(type(child), 0) + 1
    kinds = {type(child) for child in children
             if id(child) in inside and counts[type(child)] > 1 and any(True for _ in child.children())}
    return [block for child in children
            for block in ([child] if type(child) in kinds else repeated_blocks(child, inside))]


def outermost(names: Mapping[int, str], region: Iterable[int]) -> Tuple[str, ...]:
    """The paths of the modules of a checkpoint that are not inside another one of it."""
    paths = [names.get(each, "") for each in region]
    return tuple(path for path in paths if not any(path.startswith(other + ".") for other in paths if other))


def module_paths(module: Any, regions: Sequence[Iterable[int]]) -> Tuple[Optional[str], str]:
    """Checkpoints as paths of modules, with wildcards for numbers if all modules with such paths are in checkpoints."""
    names: Dict[int, str] = {}
    for name, each in module.named_modules():
        names.setdefault(id(each), name)
    groups = list(dict.fromkeys(outermost(names, region) for region in regions))
    if not all(groups) or not all(PATH.fullmatch(path) for group in groups for path in group):
        return None, NO_MODULES
    alike: Dict[Tuple[str, ...], List[Tuple[str, ...]]] = {}
    for group in groups:
        same = len({tuple(NUMBER.findall(path)) for path in group}) == 1
        alike.setdefault(tuple(NUMBER.sub("*", path) if same else path for path in group), []).append(group)
    found: List[str] = []
    for pattern, members in alike.items():
        known = [tuple(NUMBER.findall(path)) for path in names.values() if NUMBER.sub("*", path) == pattern[0]]
        complete = "*" in pattern[0] and set(known) == {tuple(NUMBER.findall(group[0])) for group in members}
        found += ["+".join(group) for group in ([pattern] if complete else members)]
    return "@" + ",".join(found), ""


def recomputed(module: Any, run: Run) -> Tuple[Optional[str], str]:
    """The value of `recompute`; the reason if no value expresses the module's checkpoints."""
    regions = run.checkpoints + flagged(module)
    if not regions:
        return None, ""
    if run.selects:
        return None, POLICY
    inside = set().union(*regions)
    blocks = repeated_blocks(module, inside)
    ids = {id(block) for block in blocks}
    marked = [index for index, block in enumerate(blocks) if id(block) in inside]
    if not marked or any(len(region.keys() & ids) != 1 for region in regions):
        return module_paths(module, regions)
    if len(marked) == len(blocks):
        return "full", ""
    step = marked[1] - marked[0] if len(marked) > 1 else 0
    if step > 1 and marked == list(range(marked[0], len(blocks), step)) and len(marked) == len(blocks) // step:
        return f"every-{step}", ""
    return module_paths(module, regions)


# Parameters.

def generalized(names: Sequence[str], others: Sequence[str]) -> str:
    """Patterns of all names and of none of the others; short where numbers or a word distinguish them."""
    def fits(patterns: Iterable[str]) -> bool:
        return not any(fnmatch.fnmatchcase(other, pattern) for other in others for pattern in patterns)

    words = set.intersection(*(set(re.split(r"[._]", name)) for name in names))
    for word in sorted(words - {""}, key=lambda word: (-len(word), word)):
        if not word.isdigit() and fits([f"*{word}*"]):
            return f"*{word}*"
    patterns = dict.fromkeys(re.sub(r"\d+", "*", name) for name in names)
    return ",".join(patterns if fits(patterns) else names)


def trained_patterns(trains: Mapping[str, bool]) -> Tuple[Optional[str], str]:
    """The value of `trainable` for parameters by name; None: all. Or the reason why there is none."""
    trained = [name for name, each in trains.items() if each]
    frozen = [name for name, each in trains.items() if not each]
    if not frozen:
        return None, ""
    if not trained:
        return None, "no parameter of the module has requires_grad=True: state trainable="
    inclusive = generalized(trained, frozen)
    exclusive = ",".join("!" + pattern for pattern in generalized(frozen, trained).split(","))
    return min((inclusive, exclusive), key=len), ""


def half(module: Any) -> Optional[str]:
    """The 16-bit format of a module that has parameters in one, the more frequent; "fp64" with parameters in that."""
    sizes: Dict[str, int] = {}
    for parameter in module.parameters():
        if parameter.dtype == torch.float64:
            return "fp64"
        name = HALVES.get(parameter.dtype)
        if name:
            sizes[name] = sizes.get(name, 0) + parameter.numel()
    return max(sizes, key=lambda name: sizes[name]) if sizes else None


# Execution.

CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}


def is_channels_last(tensor: Any) -> bool:
    """Whether the layout is channels-last, and not also the usual one, as with one channel or pixel."""
    layout = CHANNELS_LAST.get(tensor.dim())
    return layout is not None and tensor.is_contiguous(memory_format=layout) and not tensor.is_contiguous()


def execution(module: Any, inputs: Iterable[Any], compiled: bool, parts: bool, graphs: bool) -> Tuple[Dict[str, Any], List[str]]:
    """Defaults of settings of the execution, and the notes that say so; `compiled`: all of the module, `parts`: some;
    `graphs`: in CUDA graphs. Convolutions run channels-last if the input or a weight is."""
    defaults: Dict[str, Any] = {}
    notes: List[str] = []
    weights = [each.weight for each in module.modules() if isinstance(each, torch.nn.modules.conv._ConvNd)]
    if weights and any(map(is_channels_last, [*weights, *inputs])):
        defaults["channels_last"] = True
        notes.append("from the module: channels_last=True (memory_format) unless stated")
    if compiled:
        defaults["runtime"] = "compiled"
        notes.append("from the module: runtime=compiled (torch.compile) unless stated")
        if graphs:
            notes.append("CUDA graphs of torch.compile(mode=...) are not predicted with compiled kernels: the host's launches count")
    elif parts:
        notes.append("torch.compile compiles parts of the module, which are predicted as eager; runtime=compiled predicts "
                     "all of it compiled")
    return defaults, notes


# Example inputs.

def dimension(tensor: Any, axis: int) -> int:
    return int(tensor.shape[axis]) if -tensor.dim() <= axis < tensor.dim() else 1


def batch_axis(tensors: Mapping[str, Any], batch_dim: BatchDim, run: Run) -> Tuple[Optional[int], str]:
    """The dimension of the batch, and the note that says so."""
    first, tensor = next(iter(tensors.items()))
    if batch_dim is None:
        return None, ""
    if batch_dim != "auto":
        if isinstance(batch_dim, bool) or not isinstance(batch_dim, int) or not 0 <= batch_dim < tensor.dim():
            raise InvalidArgumentError(f"'batch_dim' is {batch_dim!r}: expected a dimension of {first} {tuple(tensor.shape)}, "
                                       "None or 'auto'")
        return batch_dim, f"batch of {dimension(tensor, batch_dim)}: dimension {batch_dim} of {first}, as stated"
    axis = int(tensor.dim() == 3 and tuple(tensor.shape) in run.sequence_first)
    reason = " (batch_first=False)" if axis else ""
    sizes = {name: dimension(each, axis) for name, each in tensors.items()}
    distinct = {size: name for name, size in reversed(list(sizes.items())) if size != 1}
    if len(distinct) > 1:
        listed = ", ".join(f"{name} {size}" for size, name in reversed(list(distinct.items())))
        return None, f"batch unknown: the inputs differ in dimension {axis} ({listed}); batch_dim= states it"
    size = next(iter(distinct), 1)
    return axis, f"batch of {size}: dimension {axis} of {first}{reason}; batch_dim= changes it"


def sequence_axis(tensor: Any, axis: int, run: Run) -> Optional[int]:
    """The dimension of tokens: the other one of a matrix of tokens, or of a batch of vectors."""
    if axis > 1:
        return None
    if tensor.dim() == 2 and tensor.dtype in (torch.int64, torch.int32):
        return 1 - axis
    known = run.first is not None and not isinstance(run.first, SPATIAL)
    return 1 - axis if tensor.dim() == 3 and tensor.is_floating_point() and known else None


# Symbols that the exporter names, as those of torch.export.Dim.AUTO.
UNNAMED = re.compile(r"s\d+")


def example_sizes(tensors: Mapping[str, Any], shapes: Mapping[str, Sequence[Union[int, str]]], batch_dim: BatchDim,
                  run: Run) -> Tuple[Dict[str, int], List[str], Dict[str, str]]:
    """Batch and sequence length of example inputs, notes, and names for symbols without one. `shapes`: by input, with names of
    symbols, whose values are settings."""
    tensors = {name: each for name, each in tensors.items() if each.dim()}
    if not tensors:
        return {}, [], {}
    axis, note = batch_axis(tensors, batch_dim, run)
    if axis is None:
        return {}, [note] if note else [], {}
    name, tensor = next(iter(tensors.items()))
    found: Dict[str, int] = {}
    notes: List[str] = []
    symbols: Dict[str, str] = {}
    tokens = sequence_axis(tensor, axis, run)
    for dim, kind in ((axis, "batch"), (tokens, "sequence")):
        if dim is None or dim >= len(shapes.get(name, ())):
            continue
        size = shapes[name][dim]
        if isinstance(size, str):
            symbols.update({size: kind} if UNNAMED.fullmatch(size) else {})
        elif kind == "sequence":
            found[kind] = dimension(tensor, dim)
            notes.append(f"sequence of {found[kind]}: dimension {dim} of {name}")
        else:
            stated = batch_dim != "auto"
            found[kind] = dimension(tensor, dim) if stated else max(dimension(each, dim) for each in tensors.values())
            notes.append(note)
    return found, notes, symbols
