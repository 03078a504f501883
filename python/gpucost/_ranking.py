# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rank(): the predicted order of candidates, and the ones that are worth measuring."""
from __future__ import annotations

import ctypes
import math
from typing import Any, Callable, Iterable, Iterator, List, NamedTuple, Optional, Tuple, TypeVar, Union

from gpucost._kernels import AnyProblem, KernelCost, Schedule, ScheduleCost
from gpucost._model import Model, TargetLike, as_model
from gpucost._native import lib
from gpucost.errors import InvalidArgumentError

AnyCost = Union[KernelCost, ScheduleCost]
Result = TypeVar("Result")


class Ranked(NamedTuple):
    """One candidate in a Ranking.

    candidate: the object that was given
    cost: its predicted cost
    group: 0 for the candidates that may be the fastest; a later group begins where the model tells a
        candidate apart from the best one of the group before"""

    candidate: Any
    cost: KernelCost
    group: int


class Measured(NamedTuple):
    """The result of Ranking.measure().

    best: the candidate with the lowest measured value
    value: its measured value
    values: (candidate, measured value) in the order of the measurements"""

    best: Any
    value: float
    values: Tuple[Tuple[Any, float], ...]


class Ranking:
    """Candidates by predicted time, best first; see rank().

    order: the candidates that can run
    infeasible: (candidate, reason) of the others"""

    def __init__(self, order: List[Ranked], worth: int, infeasible: List[Tuple[Any, str]]) -> None:
        self.order: Tuple[Ranked, ...] = tuple(order)
        self.infeasible: Tuple[Tuple[Any, str], ...] = tuple(infeasible)
        self._worth = worth

    def __len__(self) -> int:
        return len(self.order)

    def __iter__(self) -> Iterator[Ranked]:
        return iter(self.order)

    @property
    def groups(self) -> List[List[Any]]:
        """The candidates in groups that the model cannot tell apart, best first."""
        found: List[List[Any]] = []
        for each in self.order:
            if each.group == len(found):
                found.append([])
            found[each.group].append(each.candidate)
        return found

    def worth_measuring(self, at_most: Optional[int] = None) -> List[Any]:
        """The candidates that may be the fastest, at most `at_most`, best first."""
        if at_most is not None and at_most < 1:
            raise InvalidArgumentError(f"'at_most' is {at_most}: expected at least 1")
        return [each.candidate for each in self.order[:self._worth]][:at_most]

    def measure(self, run: Callable[[Any], float], at_most: Optional[int] = None) -> Measured:
        """Measures the candidates that are worth it: `run` returns a time, in any unit, or infinity for one
        that fails."""
        values = tuple((candidate, float(run(candidate))) for candidate in self.worth_measuring(at_most))
        good = [(value, i) for i, (_, value) in enumerate(values) if math.isfinite(value)]
        if not good:
            raise InvalidArgumentError("no candidate could be measured: there are no candidates that can run"
                                       if not values else "no measurement returned a finite number")
        value, i = min(good)
        return Measured(values[i][0], value, values)

    def __repr__(self) -> str:
        return (f"<gpucost.Ranking of {len(self.order)}: {self._worth} worth measuring, "
                f"{len(self.order) and self.order[-1].group + 1} groups, {len(self.infeasible)} cannot run>")


def half_width(cost: KernelCost) -> float:
    """The relative half-width of the 80 % interval; NaN: unknown."""
    return math.nan if cost.time_high_us is None else cost.time_high_us / cost.time_us - 1


def rank(candidates: Iterable[Any], *, target: Union[TargetLike, Model], problem: Optional[AnyProblem] = None,
         schedule: Optional[Callable[[Any], Schedule]] = None, cost: Optional[Callable[[Any], Optional[AnyCost]]] = None,
         format: Optional[str] = None, confidence: float = 0.8) -> Ranking:
    """Ranks variants of one kernel by predicted time, and finds those that are worth measuring: every variant
    that the model cannot tell apart from the best.

        ranking = gpucost.rank(schedules, target="h100-bf16", problem=gpucost.Matmul(4096, 4096, 4096))
        ranking.worth_measuring(at_most=8)
        ranking.measure(benchmark, at_most=8).best

    candidates: Schedules; or any objects, with `schedule` or `cost`
    target: a target, Device or Model; errors of variants are related by its coefficients
    problem: the kernel that the schedules are for
    schedule: the Schedule of a candidate
    cost: in place of `problem`: the predicted cost of a candidate (KernelCost or ScheduleCost); None: cannot run
    format: format of the tensors of `problem`
    confidence: probability, 0.5 to 1, with which a variant must be slower than the best to be left out"""
    model, given = as_model(target), list(candidates)
    if (problem is None) == (cost is None):
        raise InvalidArgumentError("expected either 'problem' or 'cost'")
    if problem is None:
        if schedule is not None:
            raise InvalidArgumentError("'schedule' belongs to 'problem'")
        assert cost is not None
        costs: List[Optional[AnyCost]] = [cost(candidate) for candidate in given]
    else:
        schedules = [schedule(candidate) if schedule else candidate for candidate in given]
        for each in schedules:
            if not isinstance(each, Schedule):
                raise TypeError(f"expected a gpucost.Schedule, not {type(each).__name__}: pass schedule=")
        costs = list(model.schedules(problem, schedules, format=format))
    return ranking_of(model, given, costs, confidence)


def ranking_of(model: Model, candidates: List[Any], costs: List[Optional[AnyCost]], confidence: float) -> Ranking:
    """The ranking of `candidates` with these costs."""
    kernels: List[Optional[KernelCost]] = []
    infeasible: List[Tuple[Any, str]] = []
    for candidate, each in zip(candidates, costs):
        kernel = each.cost if isinstance(each, ScheduleCost) else each
        if kernel is not None and not isinstance(kernel, KernelCost):
            raise TypeError(f"expected a KernelCost or ScheduleCost, not {type(each).__name__}")
        kernels.append(kernel)
        if kernel is None:
            infeasible.append((candidate, each.reason if isinstance(each, ScheduleCost) else ""))
    count = len(kernels)
    numbers, sizes = ctypes.c_double * count, ctypes.c_size_t * count
    order, groups, ranked, worth = sizes(), sizes(), ctypes.c_size_t(), ctypes.c_size_t()
    lib.check(lib.Rank(
        model._handle.pointer, numbers(*(math.nan if each is None else each.time_us * 1e-6 for each in kernels)),
        numbers(*(math.nan if each is None else half_width(each) for each in kernels)), count, confidence,
        order, groups, ctypes.byref(ranked), ctypes.byref(worth)))
    found = []
    for i, group in zip(order[:ranked.value], groups):
        kernel = kernels[i]
        assert kernel is not None
        found.append(Ranked(candidates[i], kernel, group))
    return Ranking(found, worth.value, infeasible)
