# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rank(): order, groups, and the variants that are worth measuring."""
import dataclasses
import math
import pathlib
import re

import gpucost
import gpucost.triton
import pytest

A100 = pathlib.Path(__file__).parents[2] / "targets" / "coefficients" / "a100-sxm-80gb.mlir"
PROBLEM = gpucost.Matmul(4096, 4096, 4096)
# 1024 x 1024 tiles do not fit shared memory.
SPACE = [gpucost.Schedule(tile_m=m, tile_n=n, tile_k=32) for m in (16, 32, 64, 128) for n in (16, 64, 128)] + \
    [gpucost.Schedule(tile_m=1024, tile_n=1024, tile_k=64)]


def test_order_groups_and_cut():
    ranking = gpucost.rank(SPACE, target="h100-bf16", problem=PROBLEM)
    times = [each.cost.time_us for each in ranking]
    assert times == sorted(times) and len(ranking) == 12
    assert [candidate for candidate, _ in ranking.infeasible] == SPACE[-1:] and ranking.infeasible[0][1]
    assert [candidate for group in ranking.groups for candidate in group] == [each.candidate for each in ranking]
    assert ranking.worth_measuring() == ranking.groups[0]
    assert 1 <= len(ranking.groups[0]) < 12 and len(ranking.groups) > 1
    assert ranking.worth_measuring(at_most=1) == [ranking.order[0].candidate]


def test_cut_by_hand():
    """The rule (U6) on the intervals of the target."""
    model = gpucost.Model("a100-bf16")
    costs = model.schedules(PROBLEM, SPACE[:-1])
    assert all(each.cost is not None for each in costs)
    r = float(re.search(r"correlation = ([0-9.]+)", A100.read_text())[1])
    best = min(costs, key=lambda each: each.time_us)
    # One normal distribution has 80 % below 0.8416 deviations, and within 1.2816 of them.
    width = {id(each): math.log(each.cost.time_high_us / each.time_us) / 1.2815515655446004 for each in costs}

    def is_told_apart(each):
        deviation = math.hypot(math.sqrt(1 - r * r) * math.hypot(width[id(each)], width[id(best)]),
                               r * (width[id(each)] - width[id(best)]))
        return math.log(each.time_us / best.time_us) >= 0.8416212335729143 * deviation

    expected = [each for each in costs if not is_told_apart(each)]
    ranking = gpucost.rank(costs, target=model, cost=lambda each: each)
    assert sorted(map(id, ranking.worth_measuring())) == sorted(map(id, expected))


def test_confidence():
    sizes = [len(gpucost.rank(SPACE, target="h100-bf16", problem=PROBLEM, confidence=c).worth_measuring())
             for c in (0.5, 0.8, 0.99)]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]
    assert sizes[0] == 1


def test_no_intervals_tell_nothing_apart():
    """As on a hypothetical GPU."""
    model = gpucost.Model("h100-bf16")
    costs = [dataclasses.replace(each.cost, time_low_us=None, time_high_us=None)
             for each in model.schedules(PROBLEM, SPACE[:-1])]
    ranking = gpucost.rank(costs, target=model, cost=lambda each: each)
    assert len(ranking.worth_measuring()) == len(ranking) == 12


def test_measure():
    ranking = gpucost.rank(SPACE, target="h100-bf16", problem=PROBLEM, confidence=0.99)
    worth = ranking.worth_measuring(at_most=3)
    assert len(worth) == 3
    measured = ranking.measure(lambda each: (3.0, math.inf, 2.0)[worth.index(each)], at_most=3)
    assert measured.best is worth[2] and measured.value == 2.0 and len(measured.values) == 3
    with pytest.raises(gpucost.InvalidArgumentError, match="no measurement"):
        ranking.measure(lambda each: math.nan, at_most=2)


def test_mistakes():
    with pytest.raises(gpucost.InvalidArgumentError, match="either 'problem' or 'cost'"):
        gpucost.rank(SPACE, target="h100-bf16")
    with pytest.raises(TypeError, match="expected a gpucost.Schedule, not int: pass schedule="):
        gpucost.rank([1], target="h100-bf16", problem=PROBLEM)
    with pytest.raises(gpucost.InvalidArgumentError, match="0.5..1"):
        gpucost.rank(SPACE, target="h100-bf16", problem=PROBLEM, confidence=0.2)
    with pytest.raises(TypeError, match="expected a KernelCost"):
        gpucost.rank([1], target="h100-bf16", cost=lambda each: 3.0)
    assert len(gpucost.rank([], target="h100-bf16", problem=PROBLEM)) == 0
