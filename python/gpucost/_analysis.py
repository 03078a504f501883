# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""analyze() and prepare(): turn a model and settings into a report or a prepared model."""
from __future__ import annotations

import ctypes
import inspect
import os
import time
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, TypeVar, Union, cast

from gpucost import _abi
from gpucost._inputs import Source, article, is_from, is_module, plain_setting, settings_of, source_of
from gpucost._native import address, mlir, new, take, text
from gpucost._objects import check_optimized, replace_objects, target_name
from gpucost._progress import Busy
from gpucost._report import Report, Times, parse
from gpucost._settings import TABLE
from gpucost._stated import check, check_space
from gpucost.errors import FileError, GpuCostWarning, InvalidArgumentError, MissingFileError

if TYPE_CHECKING:
    from gpucost._compat import Unpack
    from gpucost._model import Model
    from gpucost._prepared import Prepared
    from gpucost._service import PreparedService
    from gpucost._settings import Settings
    from gpucost._targets import Device

F = TypeVar("F", bound=Callable[..., Any])

#: Functions for servers, which choose the batch and the lengths of each step.
SERVICES = ("prepare_service", "serve", "deploy")

#: Dimension of the batch in the first input of a module: chosen from the inputs, stated, or none.
BatchDim = Union[int, None, str]


def wrapped(entry: str) -> str:
    """A paragraph of the documentation; textwrap would double the import time."""
    lines, line = [], " " * 7
    for word in entry.split():
        if len(line) + len(word) >= 99:
            lines.append(line)
            line = " " * 11
        line += " " + word
    return "\n".join([*lines, line])


def with_settings(function: F) -> F:
    """Adds all settings to the signature and the documentation of a function that
    accepts **settings."""
    signature = inspect.signature(function)
    kept = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    taken = {each.name for each in kept}
    kept += [inspect.Parameter(setting.name, inspect.Parameter.KEYWORD_ONLY, default=None)
             for setting in TABLE if setting.name not in taken]
    function.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    lines = [function.__doc__ or "", "", "    Settings (docs/Settings.md), None as if not given:"]
    group = None
    for setting in (each for each in TABLE if each.name not in taken):
        if setting.group != group:
            group = setting.group
            lines += ["", f"      {group}"]
        values = ", ".join(setting.choices) or setting.kind
        unit = f", {setting.unit}" if setting.unit else ""
        default = "" if setting.default is None else f"; default {setting.default}"
        lines.append(wrapped(f"{setting.name} ({values}{unit}{default}): {setting.help}"))
    function.__doc__ = "\n".join(lines)
    return function


def split_target(target: Any, settings: Dict[str, Any]) -> Tuple[Optional[Union[Model, Device]], Dict[str, Any]]:
    """A Model or Device to place on, and the settings of the library."""
    target = target_name(target)
    # Their modules are imported if there is such a target.
    placed = is_from(target, "gpucost._model", "Model") or is_from(target, "gpucost._targets", "Device")
    if target is not None and not placed and not isinstance(target, (str, os.PathLike)):
        raise InvalidArgumentError(f"'target' is {article(type(target).__name__)}: expected the name of a GPU, the path of "
                                   "a target file, or a Model")
    if placed:
        return cast("Union[Model, Device]", target), settings
    if isinstance(target, os.PathLike) or (isinstance(target, str) and target.endswith(".mlir")):
        settings = {**settings, "target_file": os.fspath(target)}
        target = None
    if target is not None:
        settings = {**settings, "target": target}
    return None, settings


def _call(function: Any, source: Source, stated: Mapping[str, Any], *options: Any) -> bytes:
    """Calls the library with a model and converts its warnings."""
    struct, keep = source.struct(stated)
    try:
        data, messages = take(mlir, "MlirFree", function, address(struct), *options, messages=True)
    except InvalidArgumentError as error:
        if source.path is None or source.data is not None or os.access(source.path, os.R_OK):
            raise
        kind = FileError if os.path.exists(source.path) else MissingFileError
        raise kind(error.message) from None
    finally:
        del keep
    if messages.strip():
        warnings.warn(messages.strip(), GpuCostWarning, stacklevel=4)
    return bytes(data)


def _question(function: str, model: Any, inputs: Any, target: Any, name: Optional[str],
              export: Optional[Mapping[str, Any]], batch_dim: BatchDim,
              settings: Mapping[str, Any]) -> Tuple[Optional[Union[Model, Device]], Source, Dict[str, Any]]:
    """Where to place, the model, and the settings of the library for the arguments of a function."""
    place, source, stated = _unchecked(function, model, inputs, target, name, export, batch_dim, settings)
    if source.properties:
        stated = check(source.properties, stated, has_batch=function not in SERVICES)
    return place, source, stated


def _space(function: str, model: Any, inputs: Any, name: Optional[str], export: Optional[Mapping[str, Any]],
           batch_dim: BatchDim, settings: Mapping[str, Any],
           axes: Mapping[str, Sequence[Any]]) -> Tuple[Source, Dict[str, Any], Mapping[str, Sequence[Any]]]:
    """The model, the settings of the library that do not vary, and those that do, with their values."""
    _, source, stated = _unchecked(function, model, inputs, settings.get("target"), name, export, batch_dim,
                                   {key: value for key, value in settings.items() if key != "target"})
    varied: Mapping[str, Sequence[Any]] = {
        key: [value if value is None else plain_setting(key, value) for value in values] for key, values in axes.items()}
    if source.properties:
        stated, varied = check_space(source.properties, stated, varied, has_batch=function not in SERVICES)
    return source, stated, varied


def _unchecked(function: str, model: Any, inputs: Any, target: Any, name: Optional[str],
               export: Optional[Mapping[str, Any]], batch_dim: BatchDim,
               settings: Mapping[str, Any]) -> Tuple[Optional[Union[Model, Device]], Source, Dict[str, Any]]:
    named, optimizer, loss = replace_objects(settings, model)
    place, stated = split_target(target, settings_of(function, named))
    any_length = function == "plan" or function in SERVICES or bool(stated.get("decode"))
    source = source_of(model, inputs, name, export, any_length, batch_dim, loss)
    if optimizer is not None and is_module(model) and not isinstance(optimizer, type):
        check_optimized(model, optimizer)
    return place, source, stated


@with_settings
def analyze(model: Any, inputs: Any = None, *, target: Union[str, "os.PathLike[str]", Model, Device, None] = None,
            group_by: Optional[str] = None, details: bool = False, sensitivities: bool = False,
            name: Optional[str] = None, export: Optional[Mapping[str, Any]] = None, batch_dim: BatchDim = "auto",
            **settings: "Unpack[Settings]") -> Report:
    """Predicts time, power, energy and memory of one iteration of a model.

        gpucost.analyze("bert.onnx", target="a100-bf16", batch=16, seq=128)
        gpucost.analyze("gpt2.onnx", target="h100", mode="training", batch=8, seq=1024, gpus=8)
        gpucost.analyze(module, (torch.empty(8, 3, 224, 224),), target="l4-fp16")

    model: the path of an ONNX or .mlir file, its bytes, MLIR text, an onnx.ModelProto, a
        torch.nn.Module, whose parameters may be on the meta device, what export() returns, or the
        config.json of a Hugging Face repository: its path, its folder, a dict, or from_config()
    inputs: example inputs of a torch.nn.Module's forward(): a tensor, a tuple or a mapping
    target: "a100-bf16" (list_targets()), the path of a target file, a Device with
        `coefficients` in Model(...), a Model, or a torch.device of this machine; MLIR modules may
        specify a target
    group_by: "op", "layer" or "scope": report.groups
    details: report.details: the terms of each kernel's time and energy, and the launches in order
    sensitivities: report.sensitivities: how time and energy depend on each fact of the GPU and each numeric setting
    name: name of the model in the report and in messages
    export: additional arguments of torch.onnx.export: dynamic_shapes, opset_version, ...
    batch_dim: dimension of the batch in the first input of a module; None: there is no batch. "auto":
        dimension 0, or 1 with batch_first=False, if the inputs agree

    A torch.nn.Module also has settings of training: requires_grad (`trainable`), checkpoints (`recompute`),
    16-bit parameters (`precision_mode`), wrappers of torch.distributed (`parallel`, `gpus`). `optimizer` may be
    a torch.optim object, `loss` a function of the output, or of output and target. A setting that contradicts
    the module is an error; notes of the report list the settings that were read.

    Errors are the tool's messages as gpucost.GpuCostError, warnings gpucost.GpuCostWarning."""
    begin = time.monotonic()
    place, source, stated = _question("analyze", model, inputs, target, name, export, batch_dim, settings)
    exported = time.monotonic() - begin if is_module(model) else 0.0
    if place is not None:
        if details or sensitivities:
            raise InvalidArgumentError("details and sensitivities need the name of a target or the path of a target file")
        return _analyze_on(place, source, stated, group_by)

    def call(**options: Any) -> bytes:
        return _call(mlir.Analyze, source, stated, address(new(_abi.ReportOptions, **options)))

    times = new(_abi.Times)
    with Busy(f"analyzing {source.path or 'a model'}"):
        data = call(format=b"json", group_by=text(group_by), details=int(details), sensitivities=int(sensitivities),
                    times=ctypes.addressof(times))
    steps = {f"{step}_s": getattr(times, step) for step in ("import", "prepare", "place", "evaluate")}
    return parse(data, page=lambda: _page(source, stated), call=call, model_bytes=source.content,
                 times=Times(export_s=exported, total_s=time.monotonic() - begin, **steps))


@with_settings
def page(model: Any, inputs: Any = None, *, target: Union[str, "os.PathLike[str]", None] = None,
         name: Optional[str] = None, export: Optional[Mapping[str, Any]] = None, batch_dim: BatchDim = "auto",
         **settings: "Unpack[Settings]") -> str:
    """The report as an HTML page that a browser opens from disk, identical to the output of
    `gpu-cost-opt --report=html` (docs/Reports.md).

        pathlib.Path("bert.html").write_text(gpucost.page("bert.onnx", target="a100-bf16", batch=16, seq=128))

    The arguments are those of analyze(); a target is a name or the path of a target file."""
    place, source, stated = _question("page", model, inputs, target, name, export, batch_dim, settings)
    if place is not None:
        raise InvalidArgumentError("a page needs the name of a target or the path of a target file")
    return _page(source, stated)


def _page(source: Source, stated: Mapping[str, Any]) -> str:
    options = new(_abi.ReportOptions, format=b"html")
    return _call(mlir.Analyze, source, stated, address(options)).decode()


def _analyze_on(place: Union[Model, Device], source: Any, stated: Dict[str, Any], group_by: Optional[str]) -> Report:
    """Analyzes for a Model: prepares for its format, places and evaluates."""
    from gpucost._model import Model

    if not isinstance(place, Model):
        raise InvalidArgumentError("a Device needs a format and coefficients: "
                                   "target=gpucost.Model(device, format='bf16', coefficients='h100')")
    for key in ("interconnect", "network", "coefficients", "target_file"):
        if key in stated:
            raise InvalidArgumentError(f"'{key}' is part of the Model: give it to Model()")
    prepared = _prepare(source, {**stated, "target": _stand_in(place)})
    run = {key: getattr(place.query, key) for key in ("clock", "power_limit") if key not in stated}
    return prepared.place(place).evaluate(group_by=group_by, **run)


def _stand_in(model: Model) -> str:
    """Returns the built-in target with the model's number format that is closest to its GPU: same
    name, else same die, else nearest compute capability (which selects the attention kernels)."""
    from gpucost._targets import device, list_targets

    facts, fmt = model.device, model.format

    def distance(name: str) -> Tuple[bool, bool, float]:
        other = device(name)
        return (other.name != facts.name, other.die != facts.die,
                abs(other.compute_capability - facts.compute_capability))

    names = [target.name for target in list_targets() if fmt in target.formats]
    if not names:
        raise InvalidArgumentError(f"no target has the format {fmt}")
    return f"{min(names, key=distance)}-{fmt}"


def _prepare(source: Any, stated: Dict[str, Any]) -> Prepared:
    from gpucost._prepared import Prepared

    return Prepared(_call(mlir.PrepareOnnx, source, stated))


@with_settings
def prepare(model: Any, inputs: Any = None, *, target: Union[str, "os.PathLike[str]", None] = None,
            name: Optional[str] = None, export: Optional[Mapping[str, Any]] = None, batch_dim: BatchDim = "auto",
            **settings: "Unpack[Settings]") -> Prepared:
    """Reads a model once, for many GPUs, clocks and limits: see Prepared.

        gpucost.prepare("bert.onnx", target="a100-bf16", batch=16, seq=128).place("h100").evaluate()

    Arguments are those of analyze(). `target` determines the number format. The prepared model can be
    placed on every GPU with this format and the same kinds of attention kernels, which may differ
    between GPU generations. `clock`, `power_limit`, `host_launch_us`, `step_gap_us` and `runtime` are the
    defaults of evaluate(); `runtime="compiled"` changes the kernel list."""
    _, source, stated = _question("prepare", model, inputs, target, name, export, batch_dim, settings)
    return _prepare(source, stated)


@with_settings
def prepare_service(model: Any, inputs: Any = None, *, target: Union[str, "os.PathLike[str]", None] = None,
                    name: Optional[str] = None, export: Optional[Mapping[str, Any]] = None,
                    **settings: "Unpack[Settings]") -> PreparedService:
    """Reads a language model with past key and value inputs once, for steps with any batch, new
    tokens and context: see PreparedService.

        gpucost.prepare_service("llama.onnx", target="h100-bf16").service("h100-bf16").step([(1, 500)])

    Arguments are those of prepare(), without batch and lengths, which each step specifies. Defaults are
    those of `gpu-cost-opt serve`: CUDA graphs, a cache that grows in place."""
    _, source, stated = _question("prepare_service", model, inputs, target, name, export, "auto", settings)
    from gpucost._service import PreparedService

    return PreparedService(_call(mlir.PrepareService, source, stated))
