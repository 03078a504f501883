# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Error statistics common to all reports in this folder."""
import statistics

# Times in us at which kernels become medium and large ones.
EDGES = (10.0, 100.0)


class Errors:
    """Statistics of signed relative errors in percent; requires at least one
    error."""

    def __init__(self, signed):
        self.signed = list(signed)
        self.size = sorted(abs(error) for error in self.signed)
        self.count = len(self.size)

    @classmethod
    def of(cls, pairs):
        """Of (measured, predicted)."""
        return cls(100 * (predicted / measured - 1) for measured, predicted in pairs)

    @property
    def mean(self):
        """Mean absolute percentage error, MAPE."""
        return statistics.mean(self.size)

    @property
    def median(self):
        return statistics.median(self.size)

    @property
    def p90(self):
        return self.size[int(0.9 * (self.count - 1))]

    @property
    def worst(self):
        return self.size[-1]

    @property
    def bias(self):
        return statistics.mean(self.signed)

    @property
    def median_bias(self):
        return statistics.median(self.signed)

    def text(self):
        return (f"{self.mean:5.1f} med {self.median:5.1f} p90 {self.p90:5.1f} max {self.worst:5.1f} "
                f"bias {self.bias:+5.1f}")


def describe(signed):
    """One line of text; "-" if there are no values."""
    signed = list(signed)
    return Errors(signed).text() if signed else "-"
