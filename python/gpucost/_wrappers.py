# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules inside the wrappers of torch.distributed: the whole model, and the settings that the wrapper means."""
from __future__ import annotations

import sys
from collections import OrderedDict
from typing import Any, Dict, List, Mapping, Optional, Tuple

import torch

# FullyShardedDataParallel's names of sharding strategies, in the setting's.
STRATEGIES = {"FULL_SHARD": "fsdp", "SHARD_GRAD_OP": "zero2", "NO_SHARD": "ddp"}
HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks",
         "_forward_hooks_with_kwargs", "_forward_pre_hooks_with_kwargs", "_forward_hooks_always_called")
CANNOT = "cannot be read from the module: state parallel= and gpus="


class Unwrapped:
    """A module without wrappers.

    module: whole parameters, on the meta device if the wrapper has shards
    settings: `parallel` and `gpus` of the wrapper, `master_weights` of its mixed precision
    dtype: of the inputs, if the wrapper casts them
    compiled: torch.compile compiles all of it with Inductor
    compiled_parts: or only parts of it
    graphs: in CUDA graphs
    unclear: reasons by setting that no value expresses
    notes: for reports"""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.settings: Dict[str, Any] = {}
        self.dtype: Any = None
        self.compiled = self.compiled_parts = self.graphs = False
        self.unclear: Dict[str, str] = {}
        self.notes: List[str] = []

    def state(self, parallel: str, gpus: int) -> None:
        if gpus > 1:
            self.settings.update(parallel=parallel, gpus=gpus)


def loaded(name: str) -> Any:
    """A module of torch.distributed, if the process has imported it: others have no instances."""
    return sys.modules.get(f"torch.distributed.{name}")


def whole(parameter: Any, dtype: Any, shape: Any = None) -> Any:
    """A parameter on the meta device with its whole shape."""
    shape = tuple(parameter.shape if shape is None else shape)
    return torch.nn.Parameter(torch.empty(shape, dtype=dtype or parameter.dtype, device="meta"),
                              requires_grad=parameter.requires_grad)


class Rebuilder:
    """Copies a tree of modules without hooks and shards; the tensors are on the meta device."""

    def __init__(self, dtype: Any = None) -> None:
        self.dtype = dtype
        self.modules: Dict[int, Any] = {}
        self.tensors: Dict[int, Any] = {}

    def tensor(self, old: Any) -> Any:
        if old is None:
            return None
        if id(old) not in self.tensors:
            is_parameter = isinstance(old, torch.nn.Parameter)
            made = whole(old, self.dtype) if is_parameter else torch.empty(old.shape, dtype=old.dtype, device="meta")
            self.tensors[id(old)] = made
        return self.tensors[id(old)]

    def module(self, old: Any) -> Any:
        if id(old) in self.modules:
            return self.modules[id(old)]
        inner = inside(old)
        if inner is not None:
            self.modules[id(old)] = self.module(inner)
            self.unflatten(old)
            return self.modules[id(old)]
        new = object.__new__(original_class(type(old)))
        self.modules[id(old)] = new
        new.__dict__.update(old.__dict__)
        new.__dict__["_compiled_call_impl"] = None  # It would call the old module.
        for name in HOOKS:
            if name in new.__dict__:
                new.__dict__[name] = OrderedDict()
        for name, copy in (("_modules", self.module), ("_parameters", self.tensor), ("_buffers", self.tensor)):
            members = {key: None if each is None else copy(each) for key, each in old.__dict__[name].items()}
            new.__dict__[name] = type(old.__dict__[name])(members)
        return new

    def unflatten(self, wrapper: Any) -> None:
        """Registers the parameters of FullyShardedDataParallel's flat parameter in their modules."""
        handle = getattr(wrapper, "_handle", None)
        if handle is None:
            return
        flat = handle.flat_param
        made: Dict[Tuple[int, str], Any] = {}
        originals = getattr(flat, "_params", None) or [flat] * len(flat._shapes)
        for info, shape, original in zip(flat._param_infos, flat._shapes, originals):
            self.register(info.module, info.param_name, whole(original, self.dtype or flat.dtype, shape))
            made[id(info.module), info.param_name] = self.module(info.module)._parameters[info.param_name]
        for info in flat._shared_param_infos:
            self.register(info.module, info.param_name, made[id(info.prim_module), info.prim_param_name])
        self.module(wrapper)._parameters.pop("_flat_param", None)

    def register(self, module: Any, name: str, parameter: Any) -> None:
        new = self.module(module)
        new.__dict__.pop(name, None)
        new._parameters[name] = parameter


def inside(module: Any) -> Any:
    """The module in a wrapper; None for other modules."""
    members = module.__dict__.get("_modules", {})
    if isinstance(module, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)):
        return members["module"]
    # A scripted module has another kind of members.
    return next((members[name] for name in ("_fsdp_wrapped_module", "_orig_mod") if name in members), None)


def original_class(kind: Any) -> Any:
    """The class that fully_shard() has replaced."""
    fsdp = getattr(loaded("fsdp"), "FSDPModule", None)
    if fsdp is not None and issubclass(kind, fsdp):
        return kind.__mro__[getattr(kind, "_orig_cls_mro_index", 2)]
    return kind


def computed_in(found: Unwrapped, dtype: Any) -> Any:
    """The dtype of a wrapper's mixed precision, whose shards have another: the optimizer updates these."""
    if dtype is not None:
        found.settings["master_weights"] = "fp32"
        found.dtype = dtype
    return dtype


def of_flat_shards(found: Unwrapped) -> None:
    """torch.distributed.fsdp.FullyShardedDataParallel."""
    wrapper = found.module
    strategy = STRATEGIES.get(getattr(wrapper.sharding_strategy, "name", ""))
    if strategy is None:
        found.unclear["parallel"] = f"sharding in groups of GPUs ({wrapper.sharding_strategy}) {CANNOT}"
    else:
        found.state(strategy, wrapper.process_group.size())
    dtype = getattr(wrapper.mixed_precision, "param_dtype", None)
    found.module = Rebuilder(computed_in(found, dtype)).module(wrapper)


def of_sharded_tensors(found: Unwrapped, parameters: Any) -> None:
    """torch.distributed.fsdp.fully_shard, or other modules whose parameters are DTensors."""
    mesh, module, dtype = parameters[0].device_mesh, found.module, None
    fsdp = getattr(loaded("fsdp"), "FSDPModule", None)
    sharded = [each for each in module.modules() if fsdp is not None and isinstance(each, fsdp)]
    if not sharded or mesh.ndim != 1:
        found.unclear["parallel"] = f"the placement of DTensors on a mesh of {mesh.ndim} dimensions {CANNOT}"
        found.notes.append("the placement of DTensors is not read: without parallel= and gpus=, one GPU runs the whole module")
    else:
        groups = [group for each in sharded for group in each._get_fsdp_state()._fsdp_param_groups]
        keeps = bool(groups) and all(group.post_forward_mesh_info is None for group in groups)
        found.state("zero2" if keeps else "fsdp", mesh.size())
        dtype = sharded[0]._get_fsdp_state()._mp_policy.param_dtype
        dtype = computed_in(found, None if dtype == parameters[0].dtype else dtype)
    found.module = Rebuilder(dtype).module(module)


def inductor_config(module: Any) -> Optional[Mapping[str, Any]]:
    """The configuration of Inductor, in which calls of a module run after torch.compile(module) or module.compile()."""
    context = getattr(module, "dynamo_ctx", None) if hasattr(module, "_orig_mod") else None
    config = getattr(getattr(module, "_compiled_call_impl", None), "get_compiler_config", None)
    found = getattr(context, "compiler_config", None)
    return found if found is not None or config is None else config()


def is_compiled(module: Any) -> bool:
    return inductor_config(module) is not None


def unwrapped(module: Any) -> Unwrapped:
    """The module inside torch.compile, DataParallel, DistributedDataParallel, FullyShardedDataParallel and
    fully_shard()."""
    found = Unwrapped(module)
    parts = module.modules() if isinstance(module, torch.nn.Module) else ()
    found.compiled_parts = any(map(is_compiled, parts))
    while True:
        module = found.module
        config = inductor_config(module)
        found.compiled |= config is not None
        found.graphs |= bool((config or {}).get("triton.cudagraphs"))
        if isinstance(module, torch.nn.parallel.DistributedDataParallel):
            found.state("ddp", torch.distributed.get_world_size(module.process_group))
            found.module = module.module
        elif hasattr(module, "_orig_mod"):
            found.module = module._orig_mod
        elif isinstance(module, torch.nn.DataParallel):
            found.notes.append("the module in torch.nn.DataParallel is predicted on one GPU: parallel=ddp with gpus= predicts "
                               "DistributedDataParallel")
            found.module = module.module
        else:
            break
    flat = getattr(loaded("fsdp"), "FullyShardedDataParallel", None)
    tensor = getattr(loaded("tensor"), "DTensor", None)
    if not isinstance(module, torch.nn.Module):
        return found
    if flat is not None and isinstance(module, flat):
        of_flat_shards(found)
    elif tensor is not None:
        sharded = [each for each in module.parameters() if isinstance(each, tensor)]
        if sharded:
            of_sharded_tensors(found, sharded)
    of_parts(found)
    return found


def of_parts(found: Unwrapped) -> None:
    """Wrappers of parts of the module."""
    outer = [each for each in found.module.modules() if inside(each) is not None]
    if not outer:
        return
    covered = {id(each) for wrapper in outer if not hasattr(wrapper, "_orig_mod") for each in wrapper.parameters()}
    parts = [unwrapped(wrapper) for wrapper in outer]
    settings = [part.settings for part in parts if part.settings]
    for part in parts:
        found.unclear.update(part.unclear)
    if settings and (any(each != settings[0] for each in settings)
                     or any(id(each) not in covered for each in found.module.parameters() if each.requires_grad)):
        found.unclear["parallel"] = f"a wrapper of a part of the module {CANNOT}"
    elif settings:
        found.settings.update(settings[0])
    found.module = Rebuilder().module(found.module)
