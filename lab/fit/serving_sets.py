# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits one set of a serving stack's kernels, an entry of a list in targets/coefficients/shared.mlir, to measured rows.

A soft-L1 loss on log errors with a weak Gaussian prior on the log of each number around the committed one. At most ROWS
rows: half of them random, half even over the logarithm of the time. The tool computes all predictions.
"""
import math
import re
import zlib

import numpy as np

from fit_generated import spread  # finds lab/validate
from coefficient_files import COEFFICIENTS, fit_options, settled, soft_l1, store
from error_statistics import Errors
from scipy.optimize import least_squares

SHARED = COEFFICIENTS / "shared.mlir"
ROWS, NOISE, PRIOR, EVALUATIONS = 600, 0.08, 0.05, 12
HELD_OUT = 0.2
LARGE = 20  # us


class SetFit:
    """`text` holds numbers of the fields of `bounds`, `field` or `record field`; `times(text, rows)` predicts rows in us."""

    def __init__(self, text, bounds, rows, times):
        self.text, self.rows, self.times = text, rows, times
        self.places = list(re.finditer(rf"\b({'|'.join(field.split()[-1] for field in bounds)}) = ([0-9.e+-]+)", text))
        records = [re.findall(r"(\w+) = <", text[:place.start()])[-1:] for place in self.places]
        fields = [" ".join([*record, place[1]]) for record, place in zip(records, self.places)]
        self.bounds = np.log([bounds.get(field) or bounds[field.split()[-1]] for field in fields]).T
        values = [float(place[2]) for place in self.places]
        self.start = np.clip(np.log(np.maximum(values, 1e-9)), self.bounds[0] + 1e-6, self.bounds[1] - 1e-6)
        self.measured = np.array([float(row["us"]) for row in rows])

    def with_numbers(self, logs):
        text = self.text
        for place, value in reversed(list(zip(self.places, np.exp(logs)))):
            written = re.sub(r"^(\d+)e", r"\1.0e", f"{value:.4g}")  # MLIR reads no 3e+04
            text = text[:place.start(2)] + written + text[place.end(2):]
        return text

    def logs(self, numbers, where):
        predicted = self.times(self.with_numbers(numbers), [self.rows[i] for i in where])
        return np.log(np.array(predicted) / self.measured[where])

    def errors(self, numbers, where):
        return 100 * np.expm1(self.logs(numbers, where))

    def fit(self, where, settle=False):
        """Logarithms of the best numbers for these rows; `settle`: see settled()."""
        where = where[spread(self.measured[where], ROWS)]

        def residuals(numbers):
            prior = PRIOR * (numbers - self.start) * math.sqrt(len(where) / len(numbers))
            return np.concatenate([soft_l1(self.logs(numbers, where), NOISE), prior])
        end = least_squares(residuals, self.start, bounds=self.bounds, diff_step=1e-2, max_nfev=EVALUATIONS)
        return settled(self.start, end, residuals) if settle else end.x


def describe(name, signed, measured):
    large = signed[measured >= LARGE]
    print(f"{name:110s} n {len(signed):5d} {Errors(signed).text()}; from {LARGE} us: "
          f"{Errors(large).mean if len(large) else 0:.1f}", flush=True)


def is_held_out(row, columns):
    """The same fifth of the shapes in every stack and format."""
    return zlib.crc32("|".join(row[name] for name in columns).encode()) % 1000 < HELD_OUT * 1000


def run(fits, columns, held_out):
    """Fits `[(name, SetFit)]`; yields (text, new text), or prints the errors on the shapes that --held-out leaves out."""
    totals = []
    for name, fit in fits:
        everything = np.arange(len(fit.rows))
        if held_out:
            left = np.array([is_held_out(row, columns) for row in fit.rows])
            found = fit.fit(everything[~left])
            signed = fit.errors(found, everything[left])
            describe(f"{name}, held out", signed, fit.measured[left])
            totals.append((signed, fit.measured[left]))
            continue
        describe(f"{name}, committed", fit.errors(fit.start, everything), fit.measured)
        found = fit.fit(everything, settle=True)
        signed = fit.errors(found, everything)
        describe(f"{name}, fitted", signed, fit.measured)
        yield fit.text, fit.with_numbers(found)
    if totals:
        describe("all, held out", *map(np.concatenate, zip(*totals)))


def main(description, fits_of, shape, choice):
    """The command line of a fit; `choice` names the option that, like --gpu, restricts the entries."""
    args = fit_options(description, gpu=None, **{choice: None})
    text, only = SHARED.read_text(), getattr(args, choice)
    for old, new in run(fits_of(args.tool, args.data, args.gpu, only), shape, args.held_out):
        text = text.replace(old, new)
    return store(args, {"shared": text})
