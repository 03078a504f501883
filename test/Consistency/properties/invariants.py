# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Physics that holds for every model, target and setting.

`physics.laws` holds for each report, `physics.orders` along chains of configurations that differ in one setting, and
`physics.runs` compares two runs of one configuration. The gate draws a sample of chains with a fixed seed, the full run
takes all of them. `physics.exceptions` lists the exceptions and their reasons."""
import random
import re

from tool import DIGITS, Case

from physics import configurations, exceptions, laws, orders, runs

# Every network meets that many targets and settings in the full run.
ROUNDS = 12
SAMPLE = 120
# Errors that the tool reports with good reason; any other error fails.
REFUSED = re.compile(r"heads.*--tp-pad-heads|cannot be divided|does not fit with a batch of 1")


class World:
    """One run per configuration, whose report meets every law once."""

    def __init__(self, tool):
        self.tool, self.reports, self.exceptions = tool, {}, exceptions.EXCEPTIONS

    def kernel_gap(self, configuration, report):
        """Seconds, at the clock of the report."""
        if configuration.get("runtime") == "cudagraph":
            return 0
        return self.tool.gap_cycles(configuration.gpu.name) / (report["iteration"]["clock_mhz"] * 1e6)

    def permits(self, what, excess, configuration, *reports):
        """Whether `what` holds, `excess` at most 1, or an exception explains how far it does not."""
        if excess <= 1 + DIGITS:
            return True
        for exception in self.exceptions:
            if what in exception.what and excess <= exception.factor(self, configuration, *reports) * (1 + DIGITS):
                exception.used += 1
                return True
        return False

    def report(self, case, configuration):
        """None if the tool reports an allowed error."""
        key = str(configuration)
        if key not in self.reports:
            try:
                self.reports[key] = self.tool.report(configuration.network.path, *configuration.flags())
            except RuntimeError as error:
                case.require("refused", REFUSED.search(str(error)), str(error))
                self.reports[key] = None
            if report := self.reports[key]:
                found = Case(key)
                for law in laws.LAWS:
                    law(self, found, configuration.bound(report), report)
                case.merge(found)
        return self.reports[key]


def ratio(a, b):
    return a / b if b else float("inf") if a else 1


def check_order(world, case, order, base):
    chain = order.chain(base)
    reports = [world.report(case, configuration) for configuration in chain]
    for before, after, first, second in zip(reports, reports[1:], chain, chain[1:]):
        if not before or not after:
            continue
        for name, sign in order.rules.items():
            a, b = (orders.QUANTITIES[name](report) for report in (before, after))
            excess = ratio(a, b) if sign == orders.UP else ratio(b, a)
            case.require(f"{order.name} {name}".replace(" ", "_"),
                         world.permits(f"{order.name} {name}", excess, second, before, after),
                         f"{a} -> {b}: {first} | {second}")


def subjects(base):
    """Name -> check of all that applies to this configuration."""
    for order in orders.ORDERS:
        if order.chain(base):
            yield order.name, lambda world, case, base, order=order: check_order(world, case, order, base)
    yield from runs.CHECKS.items()


def cases(tool, every=False):
    world, draw = World(tool), random.Random(14)
    population = ((base, name, check) for base in configurations.configurations(tool, draw, ROUNDS)
                  for name, check in subjects(base))
    latest = None
    for base, name, check in population if every else draw.sample(list(population), SAMPLE):
        if base != latest:
            world.reports.clear()
            latest = base
        case = Case(f"{base} / {name}")
        check(world, case, base)
        yield case
    if every:
        print(*(f"{exception.used:4} x {', '.join(exception.what)}: {exception.reason}"
                for exception in world.exceptions), sep="\n")
