#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the levels of stacks for training on many GPUs: equation (X19).

  fit_training.py --data FOLDER --check|--apply|--held-out

Fits one slowdown for each group of stacks (GROUPS) and one wait for the collectives of sequence parallelism to the
public steps of dense models (validate_scale.py), and one slowdown of MaxText on AMD's boards to its steps there, all of
which have experts. Rows with the same plan count as one. The tool runs at the start and
with each number changed; times between follow by linear interpolation. The half-width is the 80 % quantile of the
errors with their source left out, and that of steps with frozen weights, which no number is fitted to, the same quantile
of their errors. --held-out prints the errors of each source with the fit to the others.
Requires NumPy and SciPy.
"""
import collections
import math
import pathlib
import re
import sys
import tempfile

import numpy as np
from scipy.optimize import least_squares

from coefficient_files import COEFFICIENTS, TOOL, block_of, fit_options, soft_l1, store, with_own_group

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "validate"))
import scale_rows  # noqa: E402
import validate_scale  # noqa: E402

GROUP = "training_levels"
GROUPS = {
    "megatron": ("megatron",),
    "megatron-0.9": ("megatron-0.9",),
    "megatron-lm-3.0": ("megatron-lm-3.0",),
    "community": ("megatron-deepspeed", "internevo", "nanotron", "fsdp2", "torchtitan"),
    "maxtext": ("maxtext",),
    "maxtext on cdna4": ("maxtext",),
}
# The generation whose boards a group was measured on; its level is that of all boards of the vendor.
ARCHITECTURES = {"maxtext on cdna4": "cdna4"}
# Stacks that overlap the collectives of sequence parallelism with matmuls (user buffers of TransformerEngine).
OVERLAPS = ("megatron", "megatron-0.9")
STEPS = {"slowdown": 1.2, "tensor_wait": 0.5}
NOISE = 0.1  # of the log of a time
INSIDE = 0.8
FROZEN = "LoRA"  # kind of the steps with frozen weights


def with_levels(text, shared, levels):
    """`text`, the coefficients of a board, with the levels {(software, architecture): (slowdown, tensor_wait)}."""
    start, end = block_of(shared, GROUP)
    block = shared[start:end]
    for (software, architecture), (slowdown, wait) in levels.items():
        level = rf'({re.escape(key_of(software, architecture))}, slowdown = )[-0-9.e]+(, tensor_wait = )[-0-9.e]+'
        block, count = re.subn(level, rf"\g<1>{slowdown:.5g}\g<2>{wait:.5g}", block)
        if count != 1:
            raise SystemExit(f"no level of {software} {architecture or ''}")
    return with_own_group(text, block, GROUP)


def key_of(software, architecture):
    return f'software = "{software}"' + (f", architecture = {architecture}" if architecture else "")


def is_amd(step):
    return step.gpu.startswith("mi")


def group_of(step):
    return next(name for name, members in GROUPS.items() if step.stack in members
                and (step.stack != "maxtext" or (name in ARCHITECTURES) == is_amd(step)))


def levels_of(values):
    """{(software, architecture): (slowdown, tensor_wait)} from {group or "wait": value}."""
    return {(software, ARCHITECTURES.get(group)): (values[group], values["wait"] if software in OVERLAPS else 1.0)
            for group, members in GROUPS.items() for software in members}


def board_of(step):
    return step.options["target"].rsplit("-", 1)[0]


class Steps:
    """Times of all rows at given levels, and their linear model."""

    def __init__(self, data, jobs):
        self.jobs = jobs
        self.shared = (COEFFICIENTS / "shared.mlir").read_text()
        steps, _ = scale_rows.read(data)
        steps = [step for step in steps if (COEFFICIENTS / f"{board_of(step)}.mlir").exists()]
        self.steps = [step for step in steps
                      if step.kind in ("dense", FROZEN) or step.stack == "maxtext" and is_amd(step)]

    def times(self, levels):
        with tempfile.TemporaryDirectory() as folder:
            def override(step):
                gpu = board_of(step)
                path = pathlib.Path(folder) / f"{gpu}.mlir"
                if not path.exists():
                    path.write_text(with_levels((COEFFICIENTS / f"{gpu}.mlir").read_text(), self.shared, levels))
                return [f"--coefficients={path}"]
            results, _ = validate_scale.predict(TOOL, self.steps, self.jobs, override)
        return {id(result.step): result.predicted for result in results}

    def linearise(self):
        base = {**{group: 1.0 for group in GROUPS}, "wait": 1.0}
        start = self.times(levels_of(base))
        slower = self.times(levels_of({**{group: STEPS["slowdown"] for group in GROUPS}, "wait": 1.0}))
        waits = self.times(levels_of({**base, "wait": STEPS["tensor_wait"]}))
        self.steps = [s for s in self.steps if id(s) in start and id(s) in slower and id(s) in waits]
        self.start = np.array([start[id(s)] for s in self.steps])
        self.by_slowdown = (np.array([slower[id(s)] for s in self.steps]) - self.start) / (STEPS["slowdown"] - 1)
        self.by_wait = (self.start - np.array([waits[id(s)] for s in self.steps])) / (1 - STEPS["tensor_wait"])
        self.measured = np.array([s.measured for s in self.steps])
        self.group = [list(GROUPS).index(group_of(s)) for s in self.steps]
        self.dense = np.array([s.kind == "dense" for s in self.steps])
        self.frozen = np.array([s.kind == FROZEN for s in self.steps])
        plans = collections.Counter(step.plan for step in self.steps)
        self.weight = np.array([1 / math.sqrt(plans[step.plan]) for step in self.steps])

    def errors(self, values):
        """Logs of predicted over measured times."""
        slowdown = np.array(values[:-1])[self.group]
        predicted = self.start + (slowdown - 1) * self.by_slowdown - (1 - values[-1]) * self.by_wait
        return np.log(predicted / self.measured)

    def fit(self, keep=None):
        keep = ~self.frozen if keep is None else keep & ~self.frozen

        def loss(values):
            return (soft_l1(self.errors(values), NOISE) * self.weight)[keep]
        low, high = [0.8] * len(GROUPS) + [0], [1.6] * len(GROUPS) + [1]
        found = least_squares(loss, [1.05] * len(GROUPS) + [0.5], bounds=(low, high))
        return found.x


def held_out(data):
    """Errors of each source with the levels fitted to the other sources."""
    sources = np.array([step.source for step in data.steps])
    out = np.zeros(len(data.steps))
    for source in sorted(set(sources)):
        out[sources == source] = data.errors(data.fit(sources != source))[sources == source]
    return sources, out


def main():
    args = fit_options(__doc__)
    data = Steps(args.data, args.jobs)
    data.linearise()
    values = data.fit()
    error = 100 * np.expm1(data.errors(values))
    sources, out = held_out(data)
    out = 100 * np.expm1(out)
    dense = data.dense
    width = float(np.quantile(np.abs(np.log1p(out[dense] / 100)), INSIDE))
    frozen_width = float(np.quantile(np.abs(np.log1p(error[data.frozen] / 100)), INSIDE))
    found = dict(zip([*GROUPS, "wait"], values))
    print({name: round(float(value), 3) for name, value in found.items()}, f"half-width {math.expm1(width):.3f}, "
          f"with frozen weights {math.expm1(frozen_width):.3f}")
    for source in [*sorted(set(sources)), None]:
        rows = dense if source is None else (sources == source) & ~data.frozen
        print(f"{source or 'dense':16s} {rows.sum():4d} rows, in fit {np.abs(error[rows]).mean():5.1f} % "
              f"(bias {error[rows].mean():+5.1f}), held out {np.abs(out[rows]).mean():5.1f} %")
    if args.held_out:
        return 0
    block = ",\n    ".join(
        f"<{key_of(software, architecture)}, slowdown = {slowdown:.3f}, tensor_wait = {wait:.2f}, "
        f"time_width = {math.expm1(width):.2f}>" for (software, architecture), (slowdown, wait) in levels_of(found).items())
    start, end = block_of(data.shared, GROUP)
    shown = dense & (sources != validate_scale.UNPUBLISHED)
    provenance = (f"{dense.sum()} public steps of dense models, {(~dense & ~data.frozen).sum()} of MaxText on MI355X; "
                  f"dense without MLPerf {np.abs(error[shown]).mean():.1f} % in fit, "
                  f"{np.abs(out[shown]).mean():.1f} % with their source left out; "
                  f"frozen_width: {data.frozen.sum()} steps with adapters")
    text = (data.shared[:start] + f'#{GROUP} = #gpucost.{GROUP}_fit<\n  provenance = "{provenance}",\n'
            f"  stacks = [\n    {block}],\n  frozen_width = {math.expm1(frozen_width):.2f}" + data.shared[end:])
    return store(args, {"shared": text})


if __name__ == "__main__":
    sys.exit(main())
