# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""User input: converts models of several kinds and keyword arguments to the library's types."""
from __future__ import annotations

import ctypes
import enum
import json
import math
import os
import sys
from types import MappingProxyType
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union

from gpucost import _abi
from gpucost._files import write_file
from gpucost._native import new
from gpucost._settings import TABLE
from gpucost.errors import InvalidArgumentError

NAMES = tuple(setting.name for setting in TABLE)


def closest(name: str, names: Any) -> str:
    """'; did you mean ...?' or ''."""
    import difflib

    near = difflib.get_close_matches(name, list(names), 1, 0.6)
    return f"; did you mean '{near[0]}'?" if near else ""


KINDS = {setting.name: setting.kind for setting in TABLE}


def plain_setting(name: str, value: Any) -> Any:
    """The JSON value of a setting."""
    if isinstance(value, str) and KINDS.get(name) == "map":
        return mapping_of(name, value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping) and KINDS.get(name) == "text":
        return ",".join(f"{key}:{plain_setting('', each)}" for key, each in value.items())
    if isinstance(value, Mapping):
        return {str(key): plain_setting("", each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return ",".join(str(plain_setting("", each)) for each in value)
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        return plain_setting(name, value.item())  # A scalar of numpy or torch.
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidArgumentError(f"'{name}' is {value}: expected a finite number")
    if isinstance(value, int) and not isinstance(value, bool) and KINDS.get(name) == "text":
        return str(value)
    if isinstance(value, (str, bool, int, float)):
        return value
    raise InvalidArgumentError(f"'{name}' is a {type(value).__name__}: expected text, a number or a mapping")


def mapping_of(name: str, value: str) -> Dict[str, int]:
    """name:value,... as in the tool's flag."""
    found = {}
    for part in filter(None, value.split(",")):
        key, colon, number = part.rpartition(":")
        if not colon or not number.strip().isdigit():
            raise InvalidArgumentError(f"'{name}' has {part!r}: expected name:value")
        found[key.strip()] = int(number)
    return found


def settings_of(function: str, settings: Mapping[str, Any]) -> Dict[str, Any]:
    """The stated settings by key; TypeError for an unknown one."""
    stated = {}
    for name, value in settings.items():
        if name not in NAMES:
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'{closest(name, NAMES)}")
        if value is not None:
            stated[name] = plain_setting(name, value)
    return stated


class Source:
    """A model as input of the library: the bytes of a file, or its path."""

    def __init__(self, path: Optional[str], data: Optional[bytes],
                 properties: Mapping[str, str] = MappingProxyType({})) -> None:
        self.path: Optional[str] = path
        self.data: Optional[bytes] = data
        #: Properties of an exported module (gpucost._stated).
        self.properties: Dict[str, str] = dict(properties)

    def content(self) -> bytes:
        """The content of an ONNX file; for a configuration or another file, its own."""
        if self.data is not None:
            return self.data
        with open(str(self.path), "rb") as file:
            return file.read()

    def struct(self, settings: Mapping[str, Any]) -> Tuple[Any, Any]:
        """gpucostInput, and the objects that must outlive it."""
        stated = json.dumps(settings).encode()
        path = None if self.path is None else os.fsencode(self.path)
        buffer = None if self.data is None else ctypes.c_char_p(self.data)
        struct = new(_abi.Input, path=path, settings=stated, byte_count=len(self.data or b""),
                     bytes=None if buffer is None else ctypes.cast(buffer, ctypes.c_void_p))
        return struct, (stated, path, buffer, self.data)


def is_from(value: Any, module: str, name: str) -> bool:
    """Whether `value` is an instance of this class, whose module may not be installed."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(value, getattr(loaded, name, ()))


def article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


class Exported:
    """A module that export() has converted: a model for analyze(), prepare(), sweep() and the others.

    bytes(exported) is the content of an ONNX file without the values of the weights; it can be pickled."""

    def __init__(self, name: str, data: bytes) -> None:
        #: The name in reports.
        self.name = name
        self._data = bytes(data)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], *, name: Optional[str] = None) -> "Exported":
        """Reads a file that save() has written. `name`: in reports; default: the path."""
        return cls(name or os.fspath(path), _read(os.fspath(path)))

    @property
    def properties(self) -> Mapping[str, str]:
        """What the export found in the module in addition to its graph, by name: fixed sizes of the example inputs
        (batch, sequence), settings of its training (training, as JSON), notes for reports."""
        from gpucost._stated import properties

        return MappingProxyType(properties(self._data))

    @property
    def batch(self) -> Optional[int]:
        """Default of `batch`: the batch size of the example inputs if `any_length` made it a symbol."""
        found = self.properties.get("default_batch")
        return None if found is None else int(found)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes an ONNX file, which the tool also reads."""
        write_file(path, self._data)

    def __bytes__(self) -> bytes:
        return self._data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Exported):
            return NotImplemented
        return (self.name, self._data) == (other.name, other._data)

    def __hash__(self) -> int:
        return hash(self._data)

    def __repr__(self) -> str:
        return f"<gpucost.Exported {self.name}: {len(self._data)} bytes>"


class Configuration(Exported):
    """A model that from_config() has made: a model for analyze(), prepare(), sweep() and the others."""

    def onnx(self, form: str = "prompt") -> bytes:
        """The content of an ONNX file without weights. `form`: "prompt": sequences from their start;
        "training": the same with a backward pass of experts; "cache": new tokens after cached ones."""
        from gpucost._native import address, mlir, take

        struct, keep = Source(self.name, self._data).struct({})
        data = take(mlir, "MlirFree", mlir.BuildOnnx, address(struct), form.encode())
        del keep
        return bytes(data)

    def save(self, path: Union[str, "os.PathLike[str]"], form: str = "prompt") -> None:
        """Writes onnx(form), which the tool also reads."""
        write_file(path, self.onnx(form))

    def __bytes__(self) -> bytes:
        return self.onnx()

    def __repr__(self) -> str:
        return f"<gpucost.Configuration {self.name}>"


def from_config(config: Any, *, name: Optional[str] = None) -> Configuration:
    """The model that the config.json of a Hugging Face repository describes, without its weights and
    without transformers (docs/Configurations.md).

        model = gpucost.from_config("Llama-3.1-8B")                                   # a folder
        gpucost.analyze(model, target="h100-bf16", batch=8, seq=2048)                 # prompts
        gpucost.analyze(model, target="h100-bf16", batch=8, seq=1, past=2048)         # a decode step
        gpucost.analyze(model, target="h100-bf16", batch=1, seq=4096, mode="training")

    config: the path of a config.json or of its folder, its JSON text, or a dict with its fields;
        sizes are numbers of elements, heads, layers or experts
    name: name of the model in reports; default: the path, or the model_type

    Graphs have the dimensions batch (setting `batch`), sequence (`seq`, tokens) and past (`past`,
    tokens in the cache); parameters equal those of transformers for the same file.

    Raises InvalidArgumentError for an unknown model_type, a missing or contradictory field, and
    MissingFileError or FileError for a file that cannot be read."""
    if isinstance(config, Mapping) and any(is_from(each, "torch", "Tensor") for each in config.values()):
        raise InvalidArgumentError("a state_dict has weights, but no graph: give the torch.nn.Module and example inputs")
    if isinstance(config, Mapping):
        made = Configuration(name or str(config.get("model_type", "<memory>")), json.dumps(config).encode())
    elif isinstance(config, str) and config.lstrip().startswith("{"):
        made = Configuration(name or "<memory>", config.encode())
    elif isinstance(config, (str, os.PathLike)):
        path = os.fspath(config)
        made = Configuration(name or path, _read_config(path))
    else:
        raise TypeError("a configuration is the path of a config.json or its folder, its text, or a dict, "
                        f"not {type(config).__name__}")
    made.onnx()  # Errors are those of this call.
    return made


QUANTIZATION_FILES = ("hf_quant_config.json", "quantize_config.json", "quant_config.json")


def _read(path: str) -> bytes:
    """The content of a file."""
    from gpucost.errors import FileError, MissingFileError

    try:
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError as error:
        raise MissingFileError(str(error)) from None
    except OSError as error:
        raise FileError(str(error)) from None


def _read_config(path: str) -> bytes:
    """The text of a config.json, with the quantisation of a file next to it."""
    file = os.path.join(path, "config.json") if os.path.isdir(path) else path
    text = _read(file)
    try:
        fields = json.loads(text) if os.path.basename(file) == "config.json" else None
    except (ValueError, RecursionError):
        return text  # The library's message names the place.
    if not isinstance(fields, dict) or fields.get("quantization_config") is not None:
        return text
    for other in QUANTIZATION_FILES:
        beside = os.path.join(os.path.dirname(file), other)
        if not os.path.exists(beside):
            continue
        try:
            found = json.loads(_read(beside))
        except (ValueError, RecursionError) as error:
            raise InvalidArgumentError(f"{beside}: no JSON: {error}") from None
        if not isinstance(found, dict):
            raise InvalidArgumentError(f"{beside}: expected a JSON object")
        fields["quantization_config"] = found.get("quantization", found)
        return json.dumps(fields).encode()
    return text


def is_module(model: Any) -> bool:
    """Whether a model must be exported first."""
    return is_from(model, "torch.nn", "Module") or is_from(model, "torch.export", "ExportedProgram")


def export(module: Any, inputs: Any = None, *, name: Optional[str] = None, any_length: bool = False,
           batch_dim: Union[int, None, str] = "auto", loss: Optional[Callable[..., Any]] = None,
           **options: Any) -> Exported:
    """Converts a torch.nn.Module or torch.export.ExportedProgram once, for any number of analyze(),
    prepare(), prepare_service() and sweep() calls: the conversion takes much longer than an analysis.
    It also reads settings of training from the module (docs/Python.md). The same module in the same state with
    equal inputs is converted once in a process.

        exported = gpucost.export(module, {"input_ids": tokens}, dynamic_shapes={"input_ids": {0: "batch"}})
        gpucost.sweep(exported, {"target": ["a100-bf16", "h100-bf16"], "batch": [1, 8, 64]})

    inputs: example inputs of forward(): a tensor, a tuple or a mapping
    name: name of the model in reports; default: its class
    any_length: makes batch and sequence symbols if all inputs are tokens, as decode=True does
    batch_dim: dimension of the batch in the first input; None: there is no batch. "auto": dimension 0, or 1
        with batch_first=False, if the inputs agree
    loss: function of the output, or of output and targets of its shape, for training: exported with the module
    options: additional arguments of torch.onnx.export: dynamic_shapes, opset_version, ..."""
    if not is_module(module):
        raise InvalidArgumentError(f"export() converts a torch.nn.Module, not {article(type(module).__name__)}: "
                                   "give other models to analyze()")
    from gpucost._torch import exported_once

    return Exported(name or _class_name(module), exported_once(module, inputs, options, any_length, batch_dim, loss))


def _class_name(module: Any) -> str:
    """The name of the class of a module inside its wrappers."""
    from gpucost._wrappers import original_class, unwrapped

    return str(original_class(type(unwrapped(module).module)).__name__)


def source_of(model: Any, inputs: Any = None, name: Optional[str] = None,
              export_options: Optional[Mapping[str, Any]] = None, any_length: bool = False,
              batch_dim: Union[int, None, str] = "auto", loss: Optional[Callable[..., Any]] = None) -> Source:
    """The source for a path, bytes, an open file, MLIR text, a config.json as a dict, an onnx.ModelProto, a
    torch.nn.Module or an Exported. With `any_length`, a module without shapes in its options gets symbols for
    batch and sequence."""
    if not is_module(model) and (inputs is not None or export_options or batch_dim != "auto" or loss is not None):
        if isinstance(inputs, str):
            hint = f": did you mean target={inputs!r}?"
        elif isinstance(model, type):
            hint = f", not to the class {model.__name__}: give an instance of it"
        else:
            hint = f", not to {article(type(model).__name__)}"
        raise InvalidArgumentError(f"example inputs, export options, batch_dim and loss functions belong to a torch.nn.Module{hint}")
    if isinstance(model, Mapping):
        model = from_config(model, name=name)
    if isinstance(model, Configuration):
        return Source(name or model.name, model._data)
    if isinstance(model, str) and ("\n" in model or "{" in model) and not os.path.exists(model):
        return Source(name, model.encode())
    if isinstance(model, (str, os.PathLike)):
        return Source(os.fspath(model), None)
    if isinstance(model, (bytes, bytearray, memoryview)):
        return Source(name, bytes(model))
    if callable(getattr(model, "read", None)):  # An open file, or a file-like object.
        data = model.read()
        path = getattr(model, "name", None)
        return Source(name or (path if isinstance(path, str) else None), data.encode() if isinstance(data, str) else data)
    if is_from(model, "onnx", "ModelProto"):
        from gpucost._onnx import serialized

        return Source(name or (model.graph.name or None), serialized(model))
    if is_module(model):
        model = export(model, inputs, any_length=any_length, batch_dim=batch_dim, loss=loss, **(export_options or {}))
    if isinstance(model, Exported):
        return Source(name or model.name, bytes(model), model.properties)
    raise TypeError("a model is the path of a file, its bytes, the open file, MLIR text, a config.json as a dict, an "
                    "onnx.ModelProto or a torch.nn.Module "
                    f"with example inputs, not {type(model).__name__}")
