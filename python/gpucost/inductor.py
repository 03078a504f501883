# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile: run times of Inductor's scheduler nodes, for its passes that reorder kernels
and overlap collectives.

    torch._inductor.config.estimate_op_runtime = gpucost.inductor.estimator("h100-bf16")

Matmuls, convolutions and attention are costed by shape, collectives by group and
bytes; every other node is one kernel that streams the bytes that Inductor counts. The backward
passes of convolutions and attention are multiples of the forward one, by their FLOPs."""
from __future__ import annotations

import importlib
import math
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from gpucost._kernels import AnyProblem, Attention, Collective, Conv2d, Elementwise, Matmul
from gpucost._model import Model, TargetLike, as_model
from gpucost.errors import GpuCostError

FORMATS = {"torch.float32": "fp32", "torch.float16": "fp16", "torch.bfloat16": "bf16", "torch.int8": "int8",
           "torch.float8_e4m3fn": "fp8", "torch.float8_e5m2": "fp8", "torch.float64": "fp64"}
PER_SECOND = {"ns": 1e9, "ms": 1e3}
COLLECTIVES = {"ALL_REDUCE": "all_reduce", "ALL_GATHER": "all_gather", "REDUCE_SCATTER": "reduce_scatter",
               "ALL_TO_ALL": "all_to_all"}


def number(value: Any) -> int:
    """A size; for a symbolic one, the size of the example."""
    if isinstance(value, int):
        return value
    node = getattr(value, "node", None)
    if node is not None and getattr(node, "hint", None) is not None:
        return int(node.hint)
    from torch._inductor.virtualized import V

    sizes: Any = V.graph.sizevars
    hint = getattr(sizes, "optimization_hint", None) or sizes.size_hint
    return int(hint(value, fallback=1))


def shape(argument: Any) -> Tuple[int, ...]:
    """The shape of an fx node's argument."""
    return tuple(number(size) for size in argument.meta["val"].shape)


def product(sizes: Any) -> int:
    return math.prod(sizes)


class Estimator:
    """The callable for `torch._inductor.config.estimate_op_runtime`; see
    estimator()."""

    def __init__(self, model: Model, unit: str) -> None:
        self.model: Model = model
        self.unit: str = unit
        self._known: Dict[Any, float] = {}

    def __call__(self, snode: Any) -> float:
        return self.seconds(snode) * PER_SECOND[self.unit]

    def seconds(self, snode: Any) -> float:
        """The time of a scheduler node."""
        from torch._inductor import utils

        scheduler: Any = importlib.import_module("torch._inductor.scheduler")
        if isinstance(snode, scheduler.NopKernelSchedulerNode):
            return 0.0
        if type(snode).__name__ == "GroupedSchedulerNode":
            return float(sum(self.seconds(each) for each in snode.snodes))
        node = snode.node
        if node is not None and utils.is_wait(node):
            return 0.0
        if node is not None and utils.is_collective(node):
            return self.collective(node)
        matrix = [each for each in snode.get_nodes() if each.is_extern() or each.is_template()]
        if not matrix:
            return self.stream(snode, self.bytes(snode))
        total = sum(self.matrix(each) for each in matrix)
        # Bytes that a fused epilogue reads and writes in addition to the matmul.
        further = self.bytes(snode) - sum(self.bytes(each) for each in matrix)
        if len(snode.get_nodes()) > len(matrix) and further > 0:
            total += self.stream(snode, further, alone=False)
        return total

    # Problems.

    def matrix(self, snode: Any) -> float:
        """A node that calls a library or a template."""
        origin = origin_of(snode.node)
        found = None if origin is None else problem_of(origin)
        if found is None:
            return self.stream(snode, self.bytes(snode))
        return found.times * self.ask(found.problem, FORMATS.get(str(found.operand.meta["val"].dtype)))

    def collective(self, node: Any) -> float:
        from torch._inductor import comm_analysis

        try:
            kind = comm_analysis.get_collective_type(node)
            gpus = comm_analysis.get_collective_group_size(node)
            size = comm_analysis.get_collective_input_size_bytes(node)
        except (ValueError, TypeError, AttributeError):
            return 0.0
        op = COLLECTIVES.get(getattr(kind, "name", ""))
        if op is None or gpus < 2:
            return 0.0
        # nccl-tests counts the gathered buffer.
        return self.ask(Collective(op, gpus, int(size) * (gpus if op == "all_gather" else 1)), None)

    def bytes(self, snode: Any) -> int:
        return int(snode.get_read_write_buffers_sizes() or 0)

    def stream(self, snode: Any, size: int, alone: bool = True) -> float:
        """A kernel that reads and writes `size` bytes; with `alone` false, as part of another one."""
        if size <= 0:
            return 0.0
        dtype = str(snode.get_nodes()[0].get_outputs()[0].node.maybe_get_dtype())
        fmt = FORMATS.get(dtype, "fp32")
        width = {"fp64": 8, "fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "int8": 1}[fmt]
        problem = Elementwise("copy", max(1, size // (2 * width)))
        return self.ask(problem, "fp32" if fmt == "fp64" else fmt, alone)

    def ask(self, problem: AnyProblem, fmt: Optional[str], alone: bool = True) -> float:
        key = problem, fmt, alone
        if key not in self._known:
            self._known[key] = self.answer(problem, fmt, alone)
        return self._known[key]

    def answer(self, problem: AnyProblem, fmt: Optional[str], alone: bool) -> float:
        if fmt == "fp32" and uses_tf32():
            fmt = "tf32"
        for each in (fmt, None):
            try:
                cost = self.model.estimate(problem, format=each)
            except GpuCostError:
                if each is None:
                    raise
                continue
            return (cost.time_us if alone or cost.dram_us is None else cost.dram_us) * 1e-6
        raise AssertionError("unreachable")


def uses_tf32() -> bool:
    import torch

    return str(torch.get_float32_matmul_precision()) != "highest"


def origin_of(node: Any) -> Any:
    """The source fx node of an IR node."""
    getter = getattr(node, "get_origin_node", None)
    origin = getter() if getter is not None else None
    if origin is None:
        origins: List[Any] = [each for each in getattr(node, "origins", ()) if problem_of(each) is not None]
        origin = origins[0] if len(origins) == 1 else None
    return origin


class Call(NamedTuple):
    """The computation of an aten call.

    problem: the problem of one kernel
    operand: fx node that determines the number format
    times: number of kernels with this problem that the call represents"""

    problem: AnyProblem
    operand: Any
    times: float = 1.0


def arguments_of(origin: Any) -> Dict[str, Any]:
    """Arguments of an aten call by name."""
    names = [argument.name for argument in origin.target._schema.arguments]
    return {**dict(zip(names, origin.args)), **origin.kwargs}


def problem_of(origin: Any) -> Optional[Call]:
    """The problem of an aten call; None unless it is a matmul, convolution or attention."""
    if getattr(origin.target, "_schema", None) is None:
        return None
    name = str(origin.target).replace("aten.", "", 1).split(".")[0]
    args = origin.args
    if name in ("mm", "bmm", "_scaled_mm", "_int_mm", "linear"):
        return Call(product_of(args[0], args[1], name == "linear"), args[0])
    if name in ("addmm", "baddbmm"):
        return Call(product_of(args[1], args[2], False), args[1])
    if name == "convolution":
        return Call(convolution_of(arguments_of(origin), shape(origin)), args[0])
    if name == "convolution_backward":
        # The gradients of image and filters each have the work of the convolution.
        named = arguments_of(origin)
        return Call(convolution_of(named, shape(named["grad_output"])), args[0], sum(named["output_mask"][:2]))
    if "scaled_dot_product" in name:
        return attention_of(arguments_of(origin), name.endswith("backward"))
    return None


def attention_of(named: Dict[str, Any], backward: bool) -> Call:
    query = named["query"]
    (*batch, heads, q_len, head_dim), (*_, kv_heads, kv_len, _) = shape(query), shape(named["key"])
    problem = Attention(heads, q_len, kv_len, head_dim, batch=max(1, product(batch)), kv_heads=kv_heads,
                        causal=bool(named.get("is_causal", False)))
    # Five products instead of two.
    return Call(problem, query, 2.5 if backward else 1.0)


def product_of(left: Any, right: Any, transposed: bool) -> Matmul:
    (*batch, m, k), other = shape(left), shape(right)
    n = other[-2] if transposed else other[-1]
    if transposed:
        return Matmul(max(1, product(batch)) * m, n, k)
    return Matmul(m, n, k, batch=max(1, product(batch)))


def convolution_of(named: Dict[str, Any], result: Tuple[int, ...]) -> AnyProblem:
    sizes, filters = shape(named["input"]), shape(named["weight"])
    if named["transposed"] or len(sizes) != 4:
        # Costed as a matmul with one row per result.
        return Matmul(product(result) // result[1], result[1], max(1, product(filters[1:])))
    return Conv2d(n=sizes[0], c=sizes[1], h=sizes[2], w=sizes[3], oc=filters[0], kh=filters[2], kw=filters[3],
                  stride=number(named["stride"][0]), pad=number(named["padding"][0]), groups=number(named["groups"]))


def unit_of_torch() -> str:
    """The unit of the installed PyTorch: milliseconds in newer versions, nanoseconds in older ones."""
    from torch._inductor import comms

    return "ns" if "nanosecond" in (comms.estimate_op_runtime.__doc__ or "") else "ms"


def estimator(target: Union[TargetLike, Model], *, unit: Optional[str] = None) -> Estimator:
    """Run times for `torch._inductor.config.estimate_op_runtime` on the GPU that will run the
    program, which does not have to be present.

    target: a target, Device or Model; with `network=` and `interconnect=` for collectives
    unit: "ms" or "ns"; None: the unit that the installed PyTorch expects"""
    if unit is None:
        unit = unit_of_torch()
    if unit not in PER_SECOND:
        raise ValueError(f"'unit' is {unit!r}: expected ms or ns")
    return Estimator(as_model(target), unit)
