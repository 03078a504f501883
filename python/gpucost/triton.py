# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton: selects the configurations worth measuring, without a GPU.

    @triton.autotune(configs=[...], key=["M", "N", "K"],
                     prune_configs_by=gpucost.triton.prune("h100-bf16", top_k=8))
    @triton.jit
    def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, ..., BLOCK_M: tl.constexpr, ...): ...

Triton itself is not imported; any version whose autotuner takes `prune_configs_by` works."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from gpucost._kernels import AnyProblem, Attention, Matmul, Schedule, ScheduleCost
from gpucost._model import Model, TargetLike, as_model
from gpucost._ranking import AnyCost, ranking_of
from gpucost.errors import GpuCostError, GpuCostWarning, InvalidArgumentError

Names = Union[str, Sequence[str]]

# Names of sizes and blocks in kernels, the most common ones first.
SIZES: Dict[str, Dict[str, Tuple[str, ...]]] = {
    "matmul": {"m": ("M", "m"), "n": ("N", "n"), "k": ("K", "k")},
    "attention": {"batch": ("Z", "BATCH", "batch"), "heads": ("H", "HEADS", "heads"),
                  "q_len": ("N_CTX", "N_CTX_Q", "SEQ_LEN", "seqlen_q"),
                  "kv_len": ("N_CTX", "N_CTX_K", "SEQ_LEN", "seqlen_k"),
                  "head_dim": ("HEAD_DIM", "BLOCK_DMODEL", "D_HEAD", "head_dim")},
}
BLOCKS: Dict[str, Tuple[str, ...]] = {
    "tile_m": ("BLOCK_M", "BLOCK_SIZE_M", "BM"),
    "tile_n": ("BLOCK_N", "BLOCK_SIZE_N", "BN"),
    "tile_k": ("BLOCK_K", "BLOCK_SIZE_K", "BK"),
    "split_k": ("SPLIT_K", "SPLITK"),
}
# Blocks in a schedule of the family, and blocks that a kernel must name.
TILES: Dict[str, Tuple[str, ...]] = {"matmul": ("tile_m", "tile_n", "tile_k", "split_k"), "attention": ("tile_m", "tile_n", "split_k")}
REQUIRED: Dict[str, Tuple[str, ...]] = {"matmul": ("tile_m", "tile_n", "tile_k"), "attention": ("tile_m", "tile_n")}
FORMATS = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float8_e4m3fn": "fp8", "float8_e5m2": "fp8",
           "int8": "int8"}


def find(names: Names, values: Mapping[str, Any]) -> Any:
    """The value of the first name that exists; None if none does."""
    for name in (names,) if isinstance(names, str) else names:
        if name in values:
            return values[name]
    return None


class Pruner:
    """`early_config_prune` of an autotuner: see prune()."""

    def __init__(self, model: Model, top_k: int, kind: str, names: Dict[str, Names],
                 problem: Optional[Callable[[Mapping[str, Any]], AnyProblem]],
                 schedule: Optional[Callable[[Mapping[str, Any]], Schedule]], format: Optional[str],
                 objective: str, confidence: Optional[float] = None) -> None:
        self.confidence: Optional[float] = confidence
        self.model: Model = model
        self.top_k: int = top_k
        self.kind: str = kind
        self.names: Dict[str, Names] = names
        self.problem: Optional[Callable[[Mapping[str, Any]], AnyProblem]] = problem
        self.schedule: Optional[Callable[[Mapping[str, Any]], Schedule]] = schedule
        self.format: Optional[str] = format
        self.objective: str = objective

    def size(self, name: str, arguments: Mapping[str, Any]) -> int:
        names = self.names.get(name, SIZES[self.kind].get(name, ()))
        value = find(names, arguments)
        if value is None:
            wanted = names if isinstance(names, str) else " or ".join(names)
            raise InvalidArgumentError(f"the kernel has no argument {wanted} for '{name}': name it by prune(..., "
                                       f"{name}='...'); its arguments are {', '.join(arguments)}")
        return int(value)

    def problem_of(self, arguments: Mapping[str, Any]) -> AnyProblem:
        """The problem described by the kernel's arguments."""
        if self.problem is not None:
            return self.problem(arguments)
        if self.kind == "matmul":
            batch = find(self.names.get("batch", ()), arguments)
            m, n, k = (self.size(name, arguments) for name in ("m", "n", "k"))
            return Matmul(m, n, k, batch=1 if batch is None else int(batch))
        causal = find(self.names.get("causal", ("CAUSAL", "IS_CAUSAL")), arguments)
        batch, heads, q_len, kv_len, head_dim = (
            self.size(name, arguments) for name in ("batch", "heads", "q_len", "kv_len", "head_dim"))
        return Attention(heads, q_len, kv_len, head_dim, batch=batch, causal=bool(causal))

    def schedule_of(self, meta: Mapping[str, Any]) -> Schedule:
        """The schedule described by a configuration; `meta` are all of its keywords."""
        if self.schedule is not None:
            return self.schedule(meta)
        fields: Dict[str, Any] = {}
        for name in TILES[self.kind]:
            names = self.names.get(name, BLOCKS[name])
            value = find(names, meta)
            if value is not None:
                fields[name] = int(value)
            elif name in REQUIRED[self.kind]:
                wanted = names if isinstance(names, str) else " or ".join(names)
                raise InvalidArgumentError(f"the configuration has no {wanted} for '{name}': name it by prune(..., "
                                           f"{name}='...'); it has {', '.join(meta)}")
        warps, stages, ctas = meta.get("num_warps"), meta.get("num_stages"), meta.get("num_ctas") or 1
        return Schedule(**fields, warps=warps, stages=stages, cluster=ctas if ctas > 1 else None)

    def format_of(self, arguments: Mapping[str, Any]) -> Optional[str]:
        """Number format of the first tensor; None: the model's."""
        if self.format is not None:
            return self.format
        for value in arguments.values():
            name = str(getattr(value, "dtype", "")).rsplit(".", 1)[-1]
            if name in FORMATS:
                found = FORMATS[name]
                # TF32 is Triton's default for fp32 operands of tl.dot.
                return "tf32" if found == "fp32" and self.model.format == "tf32" else found
        return None

    def costs(self, configs: Sequence[Any], arguments: Mapping[str, Any], **further: Any) -> List[ScheduleCost]:
        """The costs of configurations, in order."""
        given = {**arguments, **further}
        metas = [meta_of(config) for config in configs]
        # Sizes may be constants of a configuration.
        problem = self.problem_of({**given, **{name: value for name, value in metas[0].items() if name not in given}})
        return self.model.schedules(problem, [self.schedule_of({**given, **meta}) for meta in metas],
                                    format=self.format_of(given))

    def rank(self, configs: Sequence[Any], arguments: Mapping[str, Any], **further: Any) -> List[Tuple[float, Any]]:
        """Predicted microseconds (or joules) and configurations, best first; configurations that cannot
        run are omitted."""
        answers = self.costs(configs, arguments, **further)
        ranked = [(self.value(answer), config) for answer, config in zip(answers, configs) if answer.feasible]
        return sorted(ranked, key=lambda pair: pair[0])

    def value(self, answer: ScheduleCost) -> float:
        """The quantity to minimize."""
        if self.objective == "time":
            return answer.time_us
        return answer.energy_j * (answer.time_us if self.objective == "energy_delay" else 1)

    def __call__(self, configs: Sequence[Any], named_args: Mapping[str, Any], **kwargs: Any) -> List[Any]:
        if not configs:
            return list(configs)
        try:
            if self.confidence is not None:
                answers: List[Optional[AnyCost]] = list(self.costs(configs, named_args, **kwargs))
                ranking = ranking_of(self.model, list(configs), answers, self.confidence)
                ranked = [(each.cost.time_us, each.candidate) for each in ranking][:len(ranking.worth_measuring())]
            else:
                ranked = self.rank(configs, named_args, **kwargs)
        except InvalidArgumentError:
            raise
        except GpuCostError as error:
            warnings.warn(f"all configurations are kept: {error}", GpuCostWarning, stacklevel=2)
            return list(configs)
        if not ranked:
            warnings.warn("all configurations are kept: the model predicts that none can run", GpuCostWarning, stacklevel=2)
            return list(configs)
        return [config for _, config in ranked[:self.top_k]]


def meta_of(config: Any) -> Dict[str, Any]:
    """All keywords of a triton.Config."""
    if hasattr(config, "all_kwargs"):
        return dict(config.all_kwargs())
    return {**config.kwargs, "num_warps": config.num_warps, "num_stages": config.num_stages}


def prune(target: Union[TargetLike, Model], *, top_k: int = 8, kind: str = "matmul",
          problem: Optional[Callable[[Mapping[str, Any]], AnyProblem]] = None,
          schedule: Optional[Callable[[Mapping[str, Any]], Schedule]] = None, format: Optional[str] = None,
          objective: str = "time", confidence: Optional[float] = None, **names: Names) -> Dict[str, Any]:
    """The argument `prune_configs_by` of triton.autotune: keeps the `top_k` configurations that
    the model predicts to be best and that can run. With `confidence`, it keeps fewer of them: none that is slower
    than the best with this probability (gpucost.rank).

        prune("h100-bf16", top_k=8)                                # M, N, K, BLOCK_M or BLOCK_SIZE_M, ...
        prune("h100", top_k=8, m="rows", tile_m="TILE_ROWS")       # other names
        prune("a100", kind="attention", q_len="seqlen_q", kv_len="seqlen_k")
        prune("a100", problem=lambda args: gpucost.Softmax(args["n_rows"], args["n_cols"]),
              schedule=lambda meta: gpucost.Schedule(warps=meta["num_warps"]))

    target: a target, Device or Model of the GPU that will run the kernel
    kind: "matmul" or "attention"; `problem` and `schedule` describe any other kernel
    format: operand format; None: the format of the first tensor argument
    objective: "time", "energy" or "energy_delay"
    confidence: 0.5 to 1; only with the objective "time"
    names: names of the kernel's arguments (m, n, k, batch, heads, q_len, kv_len, head_dim, causal) and
        of its blocks (tile_m, tile_n, tile_k, split_k)"""
    if kind not in SIZES:
        raise InvalidArgumentError(f"'kind' is {kind!r}: expected matmul or attention, or problem= and schedule=")
    if (problem is None) != (schedule is None):
        raise InvalidArgumentError("'problem' and 'schedule' belong together")
    if top_k < 1:
        raise InvalidArgumentError(f"'top_k' is {top_k}: expected at least 1")
    if objective not in ("time", "energy", "energy_delay"):
        raise InvalidArgumentError(f"'objective' is {objective!r}: expected time, energy or energy_delay")
    if confidence is not None and (objective != "time" or not 0.5 <= confidence <= 1):
        raise InvalidArgumentError(f"'confidence' is {confidence} with the objective {objective!r}: expected 0.5 to 1 with time")
    allowed = (*SIZES[kind], *TILES[kind], "batch", "causal")
    unknown = [name for name in names if name not in allowed]
    if unknown:
        raise TypeError(f"prune() got an unexpected keyword argument '{unknown[0]}': names of {kind} are "
                        f"{', '.join(dict.fromkeys(allowed))}")
    pruner = Pruner(as_model(target), top_k, kind, dict(names), problem, schedule, format, objective, confidence)
    # Autotuners before Triton 3 require the other two keys.
    return {"early_config_prune": pruner, "perf_model": None, "top_k": top_k}


def perf_model(target: Union[TargetLike, Model], **options: Any) -> Callable[..., float]:
    """The predicted time of one configuration in ms, for the key "perf_model" of `prune_configs_by`; infinity
    if it cannot run. Triton ranks by it and keeps `top_k`, after other rules of early_config_prune.

        prune_configs_by={"early_config_prune": my_rules, "perf_model": gpucost.triton.perf_model("h100-bf16"), "top_k": 8}

    options: those of prune() except top_k and confidence"""
    if wrong := {"top_k", "confidence"} & set(options):
        raise TypeError(f"perf_model() got an unexpected keyword argument '{wrong.pop()}'")
    pruner: Pruner = prune(target, **options)["early_config_prune"]

    def predict(**arguments: Any) -> float:
        """`arguments`: those of the kernel, and all keywords of a configuration."""
        answer = pruner.model.schedules(pruner.problem_of(arguments), [pruner.schedule_of(arguments)],
                                        format=pruner.format_of(arguments))[0]
        value = pruner.value(answer)
        return value / 1000 if pruner.objective == "time" else value

    return predict
