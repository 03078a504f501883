# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures that continuous integration checks, each with a limit."""
import dataclasses

from error_statistics import Errors


@dataclasses.dataclass(frozen=True)
class Check:
    """One figure; `at_least`: the limit is a minimum, not a maximum."""

    name: str
    value: float
    limit: float
    unit: str = ""
    count: int = 0
    at_least: bool = False

    @property
    def ok(self):
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def text(self):
        rows = f" over {self.count} rows" if self.count else ""
        return (f"gate: {self.name} {self.value:.3f}{self.unit}{rows}, limit {self.limit}{self.unit}: "
                f"{'ok' if self.ok else 'FAILED'}")


def mape(name, signed, limit):
    """The check of signed errors in percent; fails without rows."""
    signed = list(signed)
    return Check(name, Errors(signed).mean if signed else 100.0, limit, " %", len(signed))


def report(checks):
    """Prints the checks; true if all pass."""
    good = True
    for check in checks:
        print(check.text(), flush=True)
        good &= check.ok
    return good
