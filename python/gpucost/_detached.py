# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters that get no gradient because the forward pass uses no_grad() or detach(), which a graph does not show."""
from __future__ import annotations

import types
from typing import Any, FrozenSet, Iterator, Mapping, Set

import torch
from torch.utils import _contextlib, _pytree

from gpucost._traits import Run

# Names in the code of a forward pass that may cut gradients off.
CUTS = {"detach", "detach_", "no_grad", "inference_mode", "set_grad_enabled", "enable_grad", "data"}
# The code of functions that @torch.no_grad() decorates.
DECORATORS = _contextlib.__file__


def codes(function: Any) -> Iterator[types.CodeType]:
    """The code of a function and of the functions inside it."""
    code = getattr(function, "__code__", None)
    found = [code] if isinstance(code, types.CodeType) else []
    while found:
        each = found.pop()
        yield each
        found += [inner for inner in each.co_consts if isinstance(inner, types.CodeType)]


def may_cut(module: Any) -> bool:
    """Whether the code of a module's classes names something that cuts gradients off. Classes of PyTorch do not."""
    kinds = {base for each in module.modules() for base in type(each).__mro__
             if issubclass(base, torch.nn.Module) and not base.__module__.startswith("torch.")}
    return any(not CUTS.isdisjoint(code.co_names) or code.co_filename == DECORATORS
               for kind in kinds for member in vars(kind).values() for code in codes(member))


def reached(outputs: Any) -> Set[int]:
    """The leaf tensors, by id, that outputs have gradients for."""
    found: Set[int] = set()
    seen: Set[Any] = set()
    left = [leaf.grad_fn for leaf in _pytree.tree_leaves(outputs) if isinstance(leaf, torch.Tensor) and leaf.grad_fn is not None]
    while left:
        node = left.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if variable is not None:
            found.add(id(variable))
        left += [each for each, _ in node.next_functions]
    return found


def detached(module: Any, arguments: Mapping[str, Any]) -> FrozenSet[str]:
    """The names of trained parameters without a gradient. None where the forward pass cannot run without values."""
    if not may_cut(module):
        return frozenset()
    try:
        with Run().recorded(), torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True) as mode, torch.enable_grad():
            fakes = {id(each): mode.from_tensor(each).detach().requires_grad_(each.requires_grad) for each in module.parameters()}
            tensors = {name: fakes[id(each)] for name, each in module.named_parameters(remove_duplicate=False)}
            tensors.update({name: mode.from_tensor(each) for name, each in module.named_buffers()})
            args, kwargs = _pytree.tree_map_only(torch.Tensor, mode.from_tensor, (arguments["args"], arguments["kwargs"]))
            found = reached(torch.func.functional_call(module, tensors, args, kwargs))
    except Exception:  # Of any code of the module: a note would say that it cannot be exported either.
        return frozenset()
    left = frozenset(name for name, each in tensors.items()
                     if isinstance(each, torch.Tensor) and each.requires_grad and id(each) not in found)
    # Without any gradient, the outputs are not those of a training.
    return left if found else frozenset()
