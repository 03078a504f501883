# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules with a loss function, exported as one graph."""
from __future__ import annotations

import copy
import inspect
from typing import Any, Dict, Mapping, Tuple

import torch
from torch.utils import _pytree

from gpucost.errors import InvalidArgumentError

# Input of the graph: the values that the loss compares with.
TARGET = "target"


def takes_target(loss: Any) -> bool:
    """Whether a loss is a function of outputs and targets, not of outputs only."""
    called = loss.forward if isinstance(loss, torch.nn.Module) else loss
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError):
        return True
    required = [each for each in parameters if each.default is each.empty
                and each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    if len(required) not in (1, 2):
        raise InvalidArgumentError(f"'loss' takes {len(required)} arguments: expected the module's output, or output and target")
    return len(required) == 2


def compared(output: Any) -> Any:
    """The tensor in a module's output: the output, its `logits`, or its first element."""
    found = getattr(output, "logits", output)
    found = found[0] if isinstance(found, (tuple, list)) and found else found
    if not isinstance(found, torch.Tensor):
        raise InvalidArgumentError(f"'loss' with a target needs a tensor as output, not {type(output).__name__}: "
                                   "give a function of the output")
    return found


def output_of(module: Any, arguments: Mapping[str, Any]) -> Any:
    """The tensor that a module returns, without values."""
    with torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True) as mode:
        def fake(tensor: Any) -> Any:
            return mode.from_tensor(tensor)

        tensors = {name: fake(each) for name, each in (*module.named_parameters(), *module.named_buffers())}
        given = _pytree.tree_map_only(torch.Tensor, fake, (arguments["args"], arguments["kwargs"]))
        return compared(torch.func.functional_call(module, tensors, *given))


def with_loss(module: Any, loss: Any, arguments: Mapping[str, Any],
              options: Mapping[str, Any]) -> Tuple[Any, Dict[str, Any], Dict[str, Any]]:
    """The module that returns the loss of its output, its arguments and the options of the exporter. A loss of
    two arguments gets targets like the output."""
    arguments, options, has_target = dict(arguments), dict(options), takes_target(loss)
    kind, new = type(module), copy.copy(module)
    if has_target:
        output = output_of(module, arguments)
        target = torch.empty(tuple(output.shape), dtype=output.dtype, device="meta")
        first = next(module.parameters(), None)
        target = target if first is None or first.device.type == "meta" else torch.empty_like(target, device=first.device)
        arguments["kwargs"] = {**arguments["kwargs"], TARGET: target}
        shapes = options.get("dynamic_shapes")
        if isinstance(shapes, Mapping):
            options["dynamic_shapes"] = {**shapes, TARGET: None}

    def forward(self: Any, *positional: Any, **named: Any) -> Any:
        target = named.pop(TARGET, None)
        output = kind.forward(self, *positional, **named)
        return loss(compared(output), target) if has_target else loss(output)

    signature = inspect.signature(kind.forward)
    parameters = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    others = [each for each in signature.parameters.values() if each.kind is each.VAR_KEYWORD]
    if has_target:
        parameters.append(inspect.Parameter(TARGET, inspect.Parameter.KEYWORD_ONLY))
    forward.__signature__ = signature.replace(parameters=parameters + others)  # type: ignore[attr-defined]
    new.__dict__ = dict(module.__dict__)
    new._modules = dict(module._modules)
    if isinstance(loss, torch.nn.Module) and any(True for _ in loss.parameters()):
        new._modules["loss" if "loss" not in new._modules else "_loss"] = loss
    new.__class__ = type(kind.__name__, (kind,), {"forward": forward})
    return new, arguments, options
