# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Base of the frozen dataclasses for results."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, Mapping, Type, TypeVar

T = TypeVar("T", bound="Record")


def plain(value: Any) -> Any:
    """The JSON form of `value`."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return value


def nested(kind: Any, value: Any) -> Any:
    """Converts a JSON `value` to records of `kind`: a class, a tuple of one, {"": class}."""
    if value is None:
        return None
    if isinstance(kind, tuple):
        return tuple(nested(kind[0], each) for each in value)
    if isinstance(kind, dict):
        return {key: nested(kind[""], each) for key, each in value.items()}
    return kind.from_dict(value)


def hashable(value: Any) -> Any:
    """A value that can be hashed, equal for equal values: mappings become sets of their items."""
    if isinstance(value, Mapping):
        return frozenset((key, hashable(each)) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(hashable, value))
    return value


class Record:
    """A frozen dataclass that converts to and from a dictionary of plain values."""

    def to_dict(self) -> Dict[str, Any]:
        """The fields as dictionaries, lists and scalars, ready for json.dumps."""
        return {field.name: plain(getattr(self, field.name))
                for field in dataclasses.fields(self)  # type: ignore[arg-type]
                if field.name in self.__dict__}

    @classmethod
    def from_dict(cls: Type[T], data: Mapping[str, Any]) -> T:
        """The record from a result of to_dict(); unknown keys are ignored."""
        from gpucost._schema import NESTED

        parts = next((NESTED[base] for base in cls.__mro__ if base in NESTED), {})
        record = object.__new__(cls)
        state = record.__dict__
        for field in dataclasses.fields(cls):  # type: ignore[arg-type]
            name = field.name
            if name not in data:
                if field.default is dataclasses.MISSING:
                    raise KeyError(f"no '{name}' in the data of a {cls.__name__}")
                continue
            value = data[name]
            if name in parts:
                value = nested(parts[name], value)
            elif isinstance(value, list):
                value = tuple(value)
            state[name] = value
        return record

    def __hash__(self) -> int:
        return hash((type(self), *(hashable(getattr(self, field.name))
                                   for field in dataclasses.fields(self))))  # type: ignore[arg-type]

    def __repr__(self) -> str:
        lines = [f"  {name}={value!r}," for name, value in self.__dict__.items()]
        text = " ".join(line.strip() for line in lines).rstrip(",")
        if len(text) <= 80:
            return f"{type(self).__name__}({text})"
        return "\n".join([f"{type(self).__name__}("] + lines + [")"])
