# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports of this process by module and state: the same module with the same inputs is exported once. A module is
recognized by identity, and by everything that may decide its graph: classes and their code, attributes, hooks, shapes,
dtypes, devices and requires_grad of tensors, values of small buffers, and the inputs' shapes. State that cannot be
compared means a new export."""
from __future__ import annotations

import collections
import enum
import functools
import types
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

import torch

from gpucost._onnx_ir import INLINE_LIMIT
from gpucost._wrappers import is_compiled

# Exports that a module keeps.
MOST = 16
# Values that a fingerprint visits at most.
MOST_VALUES = 500_000

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, torch.dtype, torch.device,
         torch.layout, torch.memory_format, enum.Enum, types.CodeType, types.ModuleType, types.BuiltinFunctionType,
         torch._ops.OpOverload, torch._ops.OpOverloadPacket)
# Class attributes that are compared by value.
VALUES = (bool, int, float, complex, str, bytes, type(None), torch.dtype, enum.Enum)
# Of modules: tensors and children are visited by name; the others cache what export finds.
SKIPPED = ("_parameters", "_buffers", "_modules", "_compiled_call_impl")  # the last one is compared as is_compiled()


class NotComparable(Exception):
    """A value whose changes cannot be seen."""


class Fingerprint:
    """The state of objects as numbers that can be compared. Equal contents are equal; of modules and tensors it
    also matters which are the same."""

    def __init__(self) -> None:
        self.digests: Dict[int, Any] = {}
        self.visited: List[Any] = []  # Alive, so that no id is used twice.
        self.active: List[int] = []
        self.identities = 0
        #: Compared by identity, so they must stay alive.
        self.kept: Dict[int, Any] = {}
        self.classes_around = 0

    def digest(self, value: Any) -> Any:
        if isinstance(value, PLAIN):
            return type(value), value
        if id(value) in self.digests:
            return self.digests[id(value)]
        if id(value) in self.active:
            return "cycle", self.active.index(id(value))
        self.visited.append(value)
        if len(self.visited) > MOST_VALUES:
            raise NotComparable
        self.kept[id(type(value))] = type(value)
        number = 0
        if isinstance(value, (torch.Tensor, torch.nn.Module)):
            self.identities += 1
            number = self.identities
        self.active.append(id(value))
        parts = (type(value), number, *map(self.digest, self.content(value)))
        self.active.pop()
        self.digests[id(value)] = hash(parts), hash(parts[::-1])
        return self.digests[id(value)]

    def content(self, value: Any) -> Iterator[Any]:
        if isinstance(value, torch.Tensor):
            yield from self.tensor(value)
        elif isinstance(value, torch.nn.Module):
            yield from self.module(value)
        elif isinstance(value, type):
            yield from self.of_class(value)
        elif isinstance(value, types.FunctionType):
            yield from self.function(value)
        elif isinstance(value, types.MethodType):
            yield from (value.__func__, value.__self__)
        elif isinstance(value, functools.partial):
            yield from (value.func, value.args, value.keywords)
        elif isinstance(value, Mapping):
            for key, each in value.items():
                yield from (key, each)
        elif isinstance(value, (tuple, list, collections.deque)):
            yield from value
        elif isinstance(value, (set, frozenset)):
            yield from sorted(map(repr, value))  # Of names and numbers.
        else:
            yield from self.attributes(value)

    def tensor(self, value: Any) -> Iterator[Any]:
        yield from (tuple(map(str, value.shape)), value.dtype, value.device, value.requires_grad, value.layout)
        if value.layout == torch.strided:
            yield tuple(map(str, value.stride()))
        is_small = value.layout == torch.strided and value.numel() <= INLINE_LIMIT
        has_values = value.device.type == "cpu" and not isinstance(value, torch._subclasses.FakeTensor)
        # The values of parameters do not decide a graph.
        if is_small and has_values and not isinstance(value, torch.nn.Parameter):
            yield repr(value.detach().tolist())

    def module(self, value: Any) -> Iterator[Any]:
        yield from (type(value), is_compiled(value))
        for name, each in value.__dict__.items():
            if name not in SKIPPED:
                yield from (name, each)
        for members in (value._parameters, value._buffers, value._modules):
            for name, each in members.items():
                yield from (name, each)

    def of_class(self, value: Any) -> Iterator[Any]:
        """The functions of a module's class; other classes are compared by identity."""
        self.kept[id(value)] = value
        yield value.__qualname__
        if not issubclass(value, torch.nn.Module) or value.__module__.startswith("torch."):
            return
        yield value.__bases__
        self.classes_around += 1
        for name, member in vars(value).items():
            member = getattr(member, "__func__", member)
            if isinstance(member, property):
                member = member.fget
            is_value = isinstance(member, (*VALUES, tuple)) and name[:2] != "__"
            if is_value or isinstance(member, (types.FunctionType, list, dict, set)):
                yield from (name, member)
        self.classes_around -= 1

    def function(self, value: Any) -> Iterator[Any]:
        """Code, defaults and closure, and the code and plain values that global names mean."""
        yield from (value.__code__, value.__defaults__, value.__kwdefaults__)
        if not value.__module__ or not value.__module__.startswith("torch."):
            for name in value.__code__.co_names:
                found = value.__globals__.get(name)
                if isinstance(found, types.FunctionType):
                    yield from (name, found.__code__)
                elif isinstance(found, PLAIN) and not isinstance(found, types.ModuleType):
                    yield from (name, found)
        for cell in value.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:
                yield "empty"

    def attributes(self, value: Any) -> Iterator[Any]:
        """Of an object that Python code defines."""
        slots = [vars(base).get("__slots__", ()) for base in type(value).__mro__]
        names = [name for each in slots for name in ([each] if isinstance(each, str) else each)
                 if name not in ("__dict__", "__weakref__")]
        state = getattr(value, "__dict__", None)
        if state is None and not names:
            # In the closure of a class's function, such as a decorator's, it is the same for all instances.
            if not self.classes_around:
                raise NotComparable
            self.kept[id(value)] = value
            yield id(value)
        for name in names:
            yield from (name, getattr(value, name, None))
        for name, each in (state or {}).items():
            yield from (name, each)


def fingerprint(*values: Any) -> Optional[Tuple[Any, Dict[int, Any]]]:
    """The state of some values, and the objects that must stay alive while it is compared; None if its changes
    cannot be seen."""
    found = Fingerprint()
    try:
        return found.digest(values), found.kept
    except (NotComparable, TypeError, RecursionError):
        return None


# By module, which they do not keep alive.
Exports = Dict[Any, Tuple[bytes, Dict[int, Any]]]
EXPORTS: "weakref.WeakKeyDictionary[Any, Exports]" = weakref.WeakKeyDictionary()


def cached(module: Any, arguments: Tuple[Any, ...], export: Callable[[], bytes]) -> bytes:
    """export(), or its earlier result for a module in the same state and equal arguments."""
    if not isinstance(module, torch.nn.Module):
        return export()
    state = (torch.get_default_dtype(), torch.is_autocast_enabled("cuda"), torch.is_autocast_enabled("cpu"),
             str(torch.get_default_device()))
    now = fingerprint(module, arguments, state)
    if now is None:
        return export()
    known = EXPORTS.setdefault(module, {})
    key, kept = now
    if key not in known:
        known[key] = export(), kept
        while len(known) > MOST:
            del known[next(iter(known))]
    return known[key][0]
