# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All subcommands, and the package, give one answer to one question.

`answers.iterations`, `answers.kernels` and `answers.services` draw settings with a fixed seed and compare every figure,
flag and note that two answers share; `answers.faults` compares error messages. The condition of a case is a
command that can be pasted in the root of the repository."""
import itertools
import random

from answers import faults, iterations, kernels, services
from answers.doors import Doors
from answers.settings import DECODERS, NETWORKS, boards, deck, draw

# Settings of the gate and of the full test.
SAMPLE, ALL = 100, 2000
WHOLE_FORMATS = ("fp32", "tf32", "fp16", "bf16")


def cases(tool, every=False):
    doors, source = Doors(tool.path, tool.libraries), random.Random(29)
    cards = boards(tool)
    networks, decoders, families = (deck(source, each) for each in (NETWORKS, DECODERS, kernels.FAMILIES))
    targets = deck(source, cards)
    plain = deck(source, [card for card in cards if card[1] in WHOLE_FORMATS])
    seen = set()
    yield from faults.cases(doors)
    for number in itertools.count():
        # Each draw has its seed, so that it does not depend on the earlier ones.
        own = random.Random(number)
        if number % 5 in (0, 1):
            case = iterations.check(doors, own, draw(own, next(networks), *next(targets)))
        elif number % 5 in (2, 3):
            case = kernels.check(doors, own, *next(plain), next(families))
        else:
            case = services.check(doors, own, next(decoders), *next(targets))
        if case.condition not in seen:
            seen.add(case.condition)
            yield case
        if len(seen) == (ALL if every else SAMPLE):
            return
