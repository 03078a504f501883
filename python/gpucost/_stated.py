# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Properties that export() finds in a module, as metadata of its ONNX file, and the settings that a user states:
contradictions are errors. The library reads sizes, notes and settings of training
(include/gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h)."""
from __future__ import annotations

import fnmatch
import itertools
import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from gpucost.errors import InvalidArgumentError, UnsupportedError

PREFIX = "gpucost.export."

# What in a module a setting was read from.
SOURCES = {"trainable": "requires_grad", "recompute": "checkpoints", "precision_mode": "the dtype of its parameters",
           "parallel": "its wrapper", "gpus": "its process group", "master_weights": "its mixed precision",
           "loss": "the loss function is exported"}
# Settings that fixed sizes of the example inputs replace.
SIZES = {"batch": "batch", "seq": "sequence"}
# Settings that check() reads.
CHECKED = (*SIZES, "bind", "mode", "target", "trainable", "recompute", "precision_mode", "parallel", "gpus", "loss")
# Formats of targets in which 16-bit parameters are trained as they are.
PLAIN_FORMATS = ("fp32", "tf32", "fp16", "bf16")


def metadata(sizes: Mapping[str, int], notes: List[str], training: Mapping[str, Any], unclear: Mapping[str, str],
             format: Optional[str], autocast: Optional[str], trains: Optional[Mapping[str, Optional[bool]]],
             batch: Optional[int], defaults: Mapping[str, Any]) -> Dict[str, str]:
    """The entries of a file.

    sizes: fixed sizes of the example inputs: "batch", "sequence"
    notes: for reports
    training: settings of training
    unclear: reasons by setting that no value expresses
    format: of 16-bit or 64-bit parameters
    autocast: format of the module's own autocast
    trains: whether parameters train, by name, if some do not; None: they have requires_grad=True, but get no gradient
    batch: default of the setting
    defaults: of other settings, in any mode"""
    found = {name: str(size) for name, size in sizes.items()}
    if notes:
        found["notes"] = "\n".join(notes)
    if training:
        found["training"] = json.dumps(training)
        cut = trains is not None and None in trains.values()
        sources = {**SOURCES, "trainable": "requires_grad, no_grad, detach"} if cut else SOURCES
        found["training_notes"] = "\n".join(f"{name}={value} ({sources[name]})" for name, value in training.items())
    for name, value in (("unclear", unclear), ("trains", trains), ("defaults", defaults)):
        if value:
            found[name] = json.dumps(value)
    for name, each in (("format", format), ("autocast", autocast), ("default_batch", batch)):
        if each is not None:
            found[name] = str(each)
    return {PREFIX + name: value for name, value in found.items()}


# Field numbers of onnx.proto.
METADATA_PROPS, KEY, VALUE = 14, 1, 2


def varint(data: bytes, at: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return value, at


def fields(data: bytes, at: int, end: int) -> Iterator[Tuple[int, int, int]]:
    """Number, start and end of each field of a protobuf message that has a length; others are skipped."""
    while at < end:
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            _, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            yield tag >> 3, at, at + size
            at += size
        else:
            at += 8 if kind == 1 else 4


def properties(data: bytes) -> Dict[str, str]:
    """The entries of a file without their prefix; empty for other files."""
    found = {}
    try:
        for number, begin, end in fields(data, 0, len(data)):
            if number != METADATA_PROPS:
                continue
            entry = {inner: data[first:last].decode() for inner, first, last in fields(data, begin, end)}
            key = entry.get(KEY, "")
            if key.startswith(PREFIX):
                found[key[len(PREFIX):]] = entry.get(VALUE, "")
    except (IndexError, UnicodeDecodeError):
        return {}
    return found


def selected(patterns: str, name: str) -> bool:
    """Whether `trainable` selects a parameter: the last matching pattern decides."""
    parts = [part for part in patterns.split(",") if part]
    for part in reversed(parts):
        if fnmatch.fnmatchcase(name, part.lstrip("!")):
            return not part.startswith("!")
    return not parts or parts[0].startswith("!")


def check_trainable(stated: str, trains: Mapping[str, Optional[bool]]) -> None:
    for name, each in trains.items():
        if selected(stated, name) != bool(each):
            what = "gets no gradient (no_grad or detach in the forward pass)" if each is None else f"has requires_grad={each}"
            raise InvalidArgumentError(f"trainable={stated!r} contradicts the module: {name!r} {what}")


def format_of(target: Any) -> Optional[str]:
    """The format that a target's name means; None: unknown."""
    from gpucost._targets import find_target
    from gpucost.errors import NotFoundError

    if not isinstance(target, str):
        return None
    ending = target.rpartition("-")[2].lower()
    try:
        return ending if ending in PLAIN_FORMATS else find_target(target).default_format
    except NotFoundError:
        return None


def check_autocast(target: Any, autocast: str) -> None:
    """A module that runs in its own autocast trains in that format."""
    fmt = format_of(target)
    if fmt in PLAIN_FORMATS and fmt != autocast:
        raise InvalidArgumentError(f"target={target!r} contradicts the module: the format is {fmt}, but its forward pass runs "
                                   f"in autocast to {autocast}; name the format ({autocast})")


def check_format(target: Any, stated: Mapping[str, Any], half: str) -> None:
    """A module in 16 bit trains in its format, one in 64 bit not at all."""
    mode = stated.get("precision_mode")
    if half == "fp64":
        raise UnsupportedError("training does not support fp64, in which the module has parameters: give module.float()")
    if mode == "amp":
        raise InvalidArgumentError(f"precision_mode='amp' contradicts the module: autocast is for fp32 parameters, "
                                   f"but its parameters are {half}")
    fmt = None if mode is not None else format_of(target)
    if fmt in PLAIN_FORMATS and fmt != half:
        raise InvalidArgumentError(f"target={target!r} contradicts the module: the format is {fmt}, but its parameters are "
                                   f"{half}; name the format ({half}), or precision_mode='cast' to train it in {fmt}")


def check(found: Mapping[str, str], stated: Mapping[str, Any], has_batch: bool) -> Dict[str, Any]:
    """The stated settings without those of the module's fixed sizes, and its defaults if there is a batch.
    Raises InvalidArgumentError for a setting that contradicts the module."""
    left = dict(stated)
    for setting, name in SIZES.items():
        size = found.get(name)
        if size is None or setting not in stated:
            continue
        if stated[setting] != int(size):
            raise InvalidArgumentError(
                f"'{setting}' is {stated[setting]}, but the {name} of the example inputs is {size}: give other inputs, or "
                "make the dimension a symbol with export={'dynamic_shapes': ...}")
        del left[setting]
    if has_batch and "default_batch" in found and "batch" not in stated and "bind" not in stated:
        left["batch"] = int(found["default_batch"])
    # Steps of a service are those of a serving stack.
    for name, value in json.loads(found.get("defaults", "{}")).items() if has_batch else ():
        left.setdefault(name, value)
    if stated.get("mode") != "training":
        return left
    for name, reason in json.loads(found.get("unclear", "{}")).items():
        if name not in stated:
            raise UnsupportedError(f"'{name}': {reason}")
    training = json.loads(found.get("training", "{}"))
    for name in ("recompute", "parallel", "gpus", "loss"):
        if name in training and name in stated and str(stated[name]) != str(training[name]):
            raise InvalidArgumentError(f"{name}={stated[name]!r} contradicts the module, which has {name}={training[name]!r} "
                                       f"({SOURCES[name]})")
    if "trainable" in stated and "trains" in found:
        check_trainable(stated["trainable"], json.loads(found["trains"]))
    if "format" in found:
        check_format(stated.get("target"), stated, found["format"])
    elif "autocast" in found:
        check_autocast(stated.get("target"), found["autocast"])
    return left


def check_space(found: Mapping[str, str], stated: Mapping[str, Any], axes: Mapping[str, Sequence[Any]],
                has_batch: bool) -> Tuple[Dict[str, Any], Dict[str, Sequence[Any]]]:
    """check() for all combinations of the values of `axes`: the settings that do not vary, and the axes that remain."""
    names = [name for name in CHECKED if axes.get(name)]
    checked = [check(found, {**stated, **{name: value for name, value in zip(names, values) if value is not None}}, has_batch)
               for values in itertools.product(*(axes[name] for name in names))]
    return ({name: value for name, value in checked[0].items() if name not in axes},
            {name: values for name, values in axes.items() if SIZES.get(name) not in found})
