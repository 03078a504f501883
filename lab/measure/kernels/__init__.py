# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that the suite `kernels` measures, a file per family."""

from kernels import (
    attention, convolution, eager, gaps, matmul, memory, rows, streams, warp_mma
)

FIRST = (eager.cases, warp_mma.cases, gaps.cases)
FAMILIES = (
    matmul.cases, convolution.cases, attention.cases, rows.cases, streams.cases,
    memory.cases,
)


def first_cases(smoke):
    for cases in FIRST:
        yield from cases(smoke)


def all_cases(smoke=False):
    """All cases, each once: first what no public table has, then the families
    mixed.

    Every family lists its cases by importance. They are interleaved in
    proportion, so that an early stop includes the most important cases of each
    family.
    """
    ranked, seen = [], set()
    for family, cases in enumerate((first_cases, *FAMILIES)):
        listed = list(cases(smoke))
        for position, case in enumerate(listed):
            name = (case.family, case.op, case.dtype, case.layout, case.shape,
                    case.variant)
            if name not in seen:
                seen.add(name)
                rank = (position + 0.5) / len(listed) if family else 0.0
                ranked.append((rank, family, case))
    ranked.sort(key=lambda item: item[:2])
    return [case for _, _, case in ranked]
