# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects of PyTorch as settings: optimizers, losses, devices. Without an import of PyTorch."""
from __future__ import annotations

from typing import AbstractSet, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence

from gpucost.errors import InvalidArgumentError, UnsupportedError

# Optimizers of torch.optim by the names of the setting.
OPTIMIZERS = {"SGD": "sgd", "Adam": "adam", "AdamW": "adamw", "NAdam": "nadam", "RAdam": "radam", "Adamax": "adamax",
              "Adagrad": "adagrad", "Adadelta": "adadelta", "RMSprop": "rmsprop-no-momentum", "Rprop": "rprop",
              "Adafactor": "adafactor", "Muon": "muon", "LBFGS": "lbfgs"}
# Names with an option that needs more kernels or states.
WITH_MOMENTUM = {"sgd": "sgd-momentum", "rmsprop-no-momentum": "rmsprop", "rmsprop-centered-no-momentum": "rmsprop-centered"}
WITH_CENTER = {"rmsprop-no-momentum": "rmsprop-centered-no-momentum"}
WITH_AMSGRAD = {"adam": "adam-amsgrad", "adamw": "adamw-amsgrad"}
# Iterations of torch.optim.Muon.
NEWTON_SCHULZ_STEPS = 5
# Optimizers with states in 8 bit, of bitsandbytes also in pages.
EIGHT_BIT = {"Adam8bit": "adam", "AdamW8bit": "adamw"}
EIGHT_BIT_HOMES = ("bitsandbytes.", "torchao.")

# Losses of torch.nn and torch.nn.functional by the names of the setting, with the defaults that it assumes.
LOSSES = {"CrossEntropyLoss": "cross-entropy", "MSELoss": "mse", "cross_entropy": "cross-entropy", "mse_loss": "mse"}
LOSS_DEFAULTS = {"weight": None, "reduction": "mean", "label_smoothing": 0.0, "ignore_index": -100}


def common(groups: List[Mapping[str, Any]], name: str) -> Any:
    """The value of an option, which decides kernels, in all parameter groups."""
    values = [group.get(name) for group in groups]
    if any(value != values[0] for value in values):
        raise UnsupportedError(f"'optimizer' has parameter groups with different {name}: {values[0]!r} and "
                               f"{next(value for value in values if value != values[0])!r}")
    return values[0]


def eight_bit_name(kind: type, optimizer: Any = None) -> Optional[str]:
    """The setting's name of an optimizer of bitsandbytes or torchao, or of its class, that has states in 8 bit."""
    for base in kind.__mro__:
        if base.__module__.startswith(EIGHT_BIT_HOMES):
            bits = getattr(getattr(optimizer, "args", None), "optim_bits", None)
            name = base.__name__[len("Paged"):] if base.__name__.startswith("Paged") else base.__name__
            return EIGHT_BIT.get(name + "8bit" if bits == 8 and not name.endswith("8bit") else name)
    return None


def optimizer_name(kind: type) -> str:
    """The setting's name of an optimizer class, or of the class whose step it inherits."""
    for base in kind.__mro__:
        name = OPTIMIZERS.get(base.__name__)
        if name is not None and base.__module__.startswith("torch.optim"):
            return name
        if "step" in vars(base):
            break
    raise UnsupportedError(f"'optimizer' is {kind.__module__}.{kind.__qualname__}, whose kernels are unknown: expected "
                           f"one of torch.optim's {', '.join(OPTIMIZERS)}, Adam or AdamW in 8 bit of bitsandbytes or torchao, "
                           "or the name of the nearest (optimizer='adamw')")


def optimizer_settings(optimizer: Any) -> Dict[str, Any]:
    """The settings for an optimizer, or its class: the rule, and the variant of its kernels or the bits of its states."""
    eight_bit = eight_bit_name(*((optimizer,) if isinstance(optimizer, type) else (type(optimizer), optimizer)))
    if eight_bit is not None:
        return {"optimizer": eight_bit, "optimizer_states": "8bit"}
    if isinstance(optimizer, type):
        return {"optimizer": optimizer_name(optimizer)}
    name, groups = optimizer_name(type(optimizer)), optimizer.param_groups
    fused, foreach = common(groups, "fused"), common(groups, "foreach")
    if common(groups, "centered"):
        name = WITH_CENTER[name]
    moving = bool(groups[0].get("momentum"))
    if name != "muon" and any(bool(group.get("momentum")) != moving for group in groups):
        raise UnsupportedError("'optimizer' has parameter groups with and without momentum")
    if moving:
        name = WITH_MOMENTUM.get(name, name)
    if name == "sgd-momentum" and common(groups, "nesterov"):
        name = "sgd-nesterov"
    if name == "adam" and common(groups, "decoupled_weight_decay"):
        name = "adamw"
    if common(groups, "amsgrad"):
        name = WITH_AMSGRAD[name]
    settings: Dict[str, Any] = {"optimizer": name}
    if name == "lbfgs":
        settings["lbfgs_history"] = common(groups, "history_size")
    if name == "muon" and common(groups, "ns_steps") != NEWTON_SCHULZ_STEPS:
        raise UnsupportedError(f"'optimizer' has ns_steps={common(groups, 'ns_steps')}: Muon is modelled with "
                               f"{NEWTON_SCHULZ_STEPS}")
    if name == "adafactor" and foreach is None:  # The only one for which PyTorch does not choose lists by itself.
        foreach = False
    if fused or foreach is not None:
        settings["optimizer_variant"] = "fused" if fused else "foreach" if foreach else "unfused"
    return settings


def several_settings(optimizers: Sequence[Any], module: Any) -> Dict[str, Any]:
    """The settings for several optimizers of one module: with the same rule, or Muon for some of its matrices and AdamW."""
    if any(isinstance(each, type) or not hasattr(each, "param_groups") for each in optimizers) or not optimizers:
        raise InvalidArgumentError("'optimizer' is a list: expected optimizers of torch.optim, not classes or names")
    found = [optimizer_settings(each) for each in optimizers]
    rules = {each["optimizer"] for each in found}
    others = [each for each in found if each["optimizer"] != "muon"]
    if any(each != others[0] for each in others) or not rules <= {"muon", "adamw"} and len(rules) > 1:
        raise UnsupportedError(f"'optimizer' has several rules or variants ({', '.join(map(str, found))}): expected one, or Muon "
                               "and AdamW")
    if rules != {"muon", "adamw"}:
        return found[0]
    updated = {id(parameter) for optimizer, each in zip(optimizers, found) if each["optimizer"] == "muon"
               for group in optimizer.param_groups for parameter in group["params"]}
    return {**others[0], "optimizer": "muon", **muon_parameters(module, updated)}


def muon_parameters(module: Any, updated: AbstractSet[int]) -> Dict[str, Any]:
    """The setting of this name for the parameters with these ids; nothing if they are all matrices of the module."""
    from gpucost._traits import generalized
    from gpucost._wrappers import unwrapped

    named = dict(unwrapped(module).module.named_parameters()) if hasattr(module, "named_parameters") else {}
    matrices = {name: id(each) in updated for name, each in named.items() if each.dim() == 2 and each.requires_grad}
    chosen, others = ([name for name, each in matrices.items() if each == wanted] for wanted in (True, False))
    return {"muon_parameters": generalized(chosen, others)} if chosen and others else {}


def check_optimized(module: Any, optimizer: Any) -> None:
    """An error if torch.optim optimizers update other parameters than a module trains."""
    optimizers = optimizer if isinstance(optimizer, (list, tuple)) else [optimizer]
    updated = {id(each) for one in optimizers for group in one.param_groups for each in group["params"]}
    names = {id(each): name for name, each in module.named_parameters() if each.requires_grad}
    left = [name for key, name in names.items() if key not in updated]
    if left and len(left) == len(names):
        raise InvalidArgumentError("'optimizer' has none of the module's trained parameters: it belongs to another module")
    if left:
        raise InvalidArgumentError(f"'optimizer' contradicts the module: it lacks {left[0]!r}, which has requires_grad=True"
                                   + (f"; it lacks {len(left)} such parameters" if len(left) > 1 else "")
                                   + ("" if len(optimizers) > 1 else "; several optimizers are a list"))


def known_loss(loss: Any) -> Optional[str]:
    """The setting for a loss that the tool has; None for others, which are exported."""
    name = getattr(loss, "__name__", None) or type(loss).__name__
    where = getattr(loss, "__module__", "") or type(loss).__module__
    if name not in LOSSES or not where.startswith("torch.nn"):
        return None
    plain = all(getattr(loss, option, default) == default if default is not None else getattr(loss, option, None) is None
                for option, default in LOSS_DEFAULTS.items())
    return LOSSES[name] if plain else None


def is_object(value: Any) -> bool:
    """Whether the value of `optimizer` or `loss` is an object of PyTorch and not a name."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return bool(values) and all(not isinstance(each, str) and (callable(each) or hasattr(each, "param_groups")) for each in values)


def replace_objects(settings: Mapping[str, Any],
                    module: Any = None) -> "tuple[Dict[str, Any], Any, Optional[Callable[..., Any]]]":
    """The settings of a module with names in place of objects, the optimizer or a list of them, and the loss that must be
    exported."""
    found, optimizer, loss = dict(settings), settings.get("optimizer"), settings.get("loss")
    if is_object(optimizer):
        read = several_settings(optimizer, module) if isinstance(optimizer, (list, tuple)) else optimizer_settings(optimizer)
        for name, value in read.items():
            stated = settings.get(name)
            if name != "optimizer" and stated is not None and getattr(stated, "value", stated) != value:
                raise InvalidArgumentError(f"'{name}' is {getattr(stated, 'value', stated)!r}, but the optimizer is {value}")
            found[name] = value
    else:
        optimizer = None
    if not is_object(loss):
        return found, optimizer, None
    mode = settings.get("mode")
    if getattr(mode, "value", mode) != "training":
        raise InvalidArgumentError("a loss needs mode='training'")
    name_of_loss = known_loss(loss)
    found["loss"] = name_of_loss
    return found, optimizer, loss if name_of_loss is None else None


def replace_objects_for(case: Mapping[str, Any]) -> "tuple[Dict[str, Any], Optional[Callable[..., Any]]]":
    """replace_objects() for the arguments of analyze() with a module, and its check of the optimizer."""
    found, optimizer, loss = replace_objects(case, case.get("model"))
    if optimizer is not None and not isinstance(optimizer, type):
        check_optimized(case["model"], optimizer)
    return found, loss


def grows_better(field: str, others: Iterable[str] = ()) -> bool:
    """Whether a larger value of a field of report.iteration, or of `others`, is better. InvalidArgumentError for fields
    that are not quantities."""
    from gpucost._inputs import closest
    from gpucost._schema import Iteration

    kinds = {name: str(kind) for name, kind in Iteration.__annotations__.items()}
    quantities = [name for name, kind in kinds.items() if kind in ("int", "float", "Optional[float]", "Optional[int]")]
    if field not in quantities and field not in others:
        near = closest(field, quantities) or f": expected one of {', '.join(quantities)}"
        raise InvalidArgumentError(f"report.iteration has no quantity '{field}'{near}")
    return field.endswith("_per_s") or field in ("mfu", "samples", "tokens", "clock_mhz")


def target_name(target: Any) -> Any:
    """The GPU's name for a torch.device or "cuda"; other targets unchanged."""
    from gpucost._inputs import is_from

    if not is_from(target, "torch", "device") and not (isinstance(target, str) and target.partition(":")[0] == "cuda"):
        return target
    try:
        import torch
    except ImportError:
        raise InvalidArgumentError(f"target={target!r} needs PyTorch: give a name such as 'h100-bf16'") from None
    device = torch.device(target)
    if device.type != "cuda":
        raise InvalidArgumentError(f"target={target!r} is not a GPU: give a name such as 'h100-bf16'")
    if not torch.cuda.is_available():
        raise InvalidArgumentError(f"target={target!r} means a GPU of this machine, but PyTorch finds none: "
                                   "give a name such as 'h100-bf16'")
    return torch.cuda.get_device_name(device)
