#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the host time of expert layers in training: equation (X25).

  fit_experts.py --data FOLDER --check|--apply|--held-out

Fits `launches` of the group `training_experts` to the public steps of Megatron with expert parallelism
(validate_scale.py), by the mean absolute log error: most steps do not wait for the host, and other causes decide their
errors. The tool runs for each value of LAUNCHES; times between them follow by linear interpolation. The half-width is the
80 % quantile of the errors of all stacks. --held-out prints the errors of each source and model with the fit to the
others. Requires NumPy.
"""
import math
import pathlib
import sys
import tempfile

import numpy as np

from coefficient_files import COEFFICIENTS, TOOL, block_of, fit_options, replace_field, store, with_own_group, with_provenance
from fit_training import INSIDE, board_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "validate"))
import scale_rows  # noqa: E402
import validate_scale  # noqa: E402

GROUP = "training_experts"
LAUNCHES = (0, 200, 300, 400, 500, 600, 800)
STACKS = ("megatron", "megatron-0.9")


def with_launches(text, shared, launches):
    """`text`, the coefficients of a board, with `launches`."""
    start, end = block_of(shared, GROUP)
    block = replace_field(shared[start:end] + ">\n\n", GROUP, "launches", launches)
    return with_own_group(text, block.removesuffix(">\n\n"), GROUP)


class Steps:
    """Public steps with expert parallelism, and their predicted times for each value of LAUNCHES."""

    def __init__(self, data, jobs):
        self.shared = (COEFFICIENTS / "shared.mlir").read_text()
        steps, _ = scale_rows.read(data)
        steps = [step for step in steps if step.kind == "MoE" and (COEFFICIENTS / f"{board_of(step)}.mlir").exists()]
        times = [self.times(steps, launches, jobs) for launches in LAUNCHES]
        self.steps = [step for step in steps if all(id(step) in each for each in times)]
        self.table = np.array([[each[id(step)] for each in times] for step in self.steps])
        self.measured = np.array([step.measured for step in self.steps])
        self.fitted = np.array([step.stack in STACKS for step in self.steps])

    def times(self, steps, launches, jobs):
        with tempfile.TemporaryDirectory() as folder:
            def override(step):
                path = pathlib.Path(folder) / f"{board_of(step)}.mlir"
                if not path.exists():
                    path.write_text(with_launches((COEFFICIENTS / path.name).read_text(), self.shared, launches))
                return [f"--coefficients={path}"]
            results, _ = validate_scale.predict(TOOL, steps, jobs, override)
        return {id(result.step): result.predicted for result in results}

    def errors(self, launches):
        """Logs of predicted over measured times."""
        return np.log([np.interp(launches, LAUNCHES, row) for row in self.table] / self.measured)

    def fit(self, keep=True):
        """The number of launches, a multiple of 10, with the least mean error."""
        rows = self.fitted & keep
        return min(range(0, LAUNCHES[-1] + 1, 10), key=lambda each: np.abs(self.errors(each)[rows]).mean())

    def held_out(self, key):
        """The errors, each with the fit to the steps with another key."""
        keys = np.array([key(step) for step in self.steps])
        out = np.zeros(len(keys))
        for each in sorted(set(keys)):
            out[keys == each] = self.errors(self.fit(keys != each))[keys == each]
        return keys, out


def percent(logs):
    return 100 * np.abs(np.expm1(logs)).mean()


def main():
    args = fit_options(__doc__)
    data = Steps(args.data, args.jobs)
    launches = data.fit()
    error = data.errors(launches)
    keyed = {name: data.held_out(key) for name, key in (("source", lambda step: step.source),
                                                        ("model", lambda step: step.row["model"]))}
    width = math.expm1(float(np.quantile(np.abs(error), INSIDE)))
    print(f"{launches} launches, half-width {width:.3f}")
    for name, (keys, out) in keyed.items():
        for each in [*sorted(set(keys)), None]:
            rows = np.ones(len(keys), bool) if each is None else keys == each
            print(f"{name} {each or 'all':24s} {rows.sum():4d} rows, in fit {percent(error[rows]):5.1f} % "
                  f"(bias {100 * np.expm1(error[rows]).mean():+5.1f}), held out {percent(out[rows]):5.1f} %")
    if args.held_out:
        return 0
    fitted = data.fitted
    text = replace_field(data.shared, GROUP, "launches", launches)
    text = replace_field(text, GROUP, "time_width", round(width, 2))
    left_out = percent(keyed["model"][1][fitted])
    text = with_provenance(text, GROUP, (
        f"launches: fit on {fitted.sum()} public steps of Megatron, {percent(error[fitted]):.1f} % in fit, "
        f"{left_out:.1f} % with their model left out; time_width: {len(data.steps)} public steps"))
    return store(args, {"shared": text})


if __name__ == "__main__":
    sys.exit(main())
