#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the tensor-core GEMM coefficients of a GPU to a table of measured products.

  fit_kernels.py --measurements TABLE.csv.gz --gpu a100-sxm-80gb [--folds 5] [--rows 2000] [--apply]

MAP estimate: soft-L1 loss on log errors of a random sample of rows, and a Gaussian
prior on the log of each parameter (PARAMETERS: joint values of several GPUs, and how
far GPUs scatter around them). With --folds, weight shapes (n, k) are divided into
folds; each is predicted by a fit without it, so no (n, k) is in a fit and its test.
Prints committed, fitted and held-out errors, and warns where an efficiency or the
energy has moved by more than three deviations of its prior: a throttled or shared GPU. The tool computes
every prediction. --apply writes the fit into calibration/coefficients. Needs NumPy
and SciPy.
"""
import argparse
import pathlib
import sys
import tempfile
import zlib

import numpy as np
from scipy.optimize import least_squares

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "utils"))
import validate_kernels  # noqa: E402
from fit_networks import COEFFICIENTS, add_provenance, read_field, replace_field  # noqa: E402

GROUP = "tensor_gemm"
# Field: prior value, sigma of its log, bounds; units of the coefficients file (us, pJ).
PARAMETERS = {
    "efficiency": (0.785, 0.1, 0.3, 1.05),
    "latency_cycles": (128, 0.5, 1, 1e4),
    "dram_efficiency": (0.817, 0.08, 0.3, 1.0),
    "l2_bytes_per_clock": (94.7, 0.5, 1, 1e3),
    "l2_share": (0.354, 1.0, 1e-3, 2),
    "fixed_time": (2.69, 0.25, 0.1, 100),
    "split_k_time": (3.12, 0.2, 0.1, 100),
    "store_exposure": (0.767, 0.4, 0.01, 1),
    "fill_depth": (65.3, 0.4, 1, 1e4),
    "energy_per_flop": (None, 0.4, 1e-3, 100),  # 1.18 x power limit / peak
}
NOISE = 0.08  # soft-L1 scale of log errors
ENERGY_SHARE = 1.18
# What a throttled or shared GPU spoils first.
CLOCK_DEPENDENT = ("efficiency", "dram_efficiency", "energy_per_flop")


class GemmFit:
    def __init__(self, args):
        self.tool, self.gpu = args.tool, args.gpu
        rows, _ = validate_kernels.read(args.measurements, "linear")
        rows = [(row, query) for row, query in rows if row["gpu"] == args.gpu]
        if len(rows) < 30:
            raise SystemExit(f"fit_kernels.py: {len(rows)} products of '{args.gpu}' in {args.measurements}, "
                             "at least 30 are needed")
        self.dtype = rows[0][1]["dtype"]
        names = (args.gpu, args.gpu.rsplit("-", 1)[0])
        self.path = next((COEFFICIENTS / f"{n}.mlir" for n in names if (COEFFICIENTS / f"{n}.mlir").exists()), None)
        if self.path is None:
            raise SystemExit(f"fit_kernels.py: no coefficients of '{args.gpu}'")
        self.text = self.path.read_text()
        peak, _ = validate_kernels.machine(self.tool, self.gpu, self.dtype)
        limit = validate_kernels.power_limit(self.tool, self.gpu, self.dtype)
        values = {name: prior for name, (prior, *_) in PARAMETERS.items()}
        values["energy_per_flop"] = ENERGY_SHARE * limit / peak * 1e12
        self.prior = np.log([values[name] for name in PARAMETERS])
        self.sigma = np.array([sigma for _, sigma, *_ in PARAMETERS.values()])
        self.bounds = np.log([p[2:] for p in PARAMETERS.values()]).T
        self.committed = np.log([self.read(name) for name in PARAMETERS])
        self.measured = np.array([float(row["measured_us"]) for row, _ in rows])
        # Bursts as long as the committed coefficients say: one run of the tool per step, not two.
        times = validate_kernels.predict(self.tool, self.gpu, self.dtype, rows, True)
        self.queries = [validate_kernels.with_protocol(row, query, us) for (row, query), us in zip(rows, times)]
        self.shapes = [(query["n"], query["k"]) for _, query in rows]

    def read(self, field):
        return read_field(self.text, GROUP, field)

    def file(self, logs):
        text = self.text
        for name, value in zip(PARAMETERS, np.exp(logs)):
            text = replace_field(text, GROUP, name, value)
        return text

    def times(self, logs, where):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(self.file(logs))
            file.flush()
            answers, error = validate_kernels.ask(self.tool, self.gpu, self.dtype, [self.queries[i] for i in where],
                                                  [f"--coefficients={file.name}"])
        if error:
            raise SystemExit(f"fit_kernels.py: {error}")
        return np.array([float(answer["time_us"]) for answer in answers])

    def fit(self, where):
        def residuals(logs):
            error = np.log(self.times(logs, where) / self.measured[where])
            soft = np.sign(error) * NOISE * np.sqrt(2 * (np.sqrt(1 + (error / NOISE) ** 2) - 1))
            return np.concatenate([soft / NOISE, (logs - self.prior) / self.sigma])

        start = np.clip(self.committed, self.bounds[0] + 1e-6, self.bounds[1] - 1e-6)
        return least_squares(residuals, start, bounds=self.bounds, diff_step=1e-2, max_nfev=12).x

    def errors(self, logs, where):
        return 100 * (self.times(logs, where) / self.measured[where] - 1)


def describe(name, errors):
    size = np.abs(errors)
    print(f"{name:20s} n {len(errors):6d}  mean {size.mean():5.1f}  median {np.median(size):5.1f}  "
          f"p90 {np.percentile(size, 90):5.1f}  bias {np.median(errors):+5.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measurements", required=True)
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--tool", default=str(ROOT / "build" / "bin" / "gpu-cost-opt"))
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--rows", type=int, default=2000, help="largest number of rows in one fit")
    parser.add_argument("--apply", action="store_true")
    args = parser.parse_args()
    gemm = GemmFit(args)
    random = np.random.default_rng(0)
    everything = np.arange(len(gemm.measured))

    def sample(where):
        return np.sort(random.permutation(where)[:args.rows])

    describe("committed", gemm.errors(gemm.committed, everything))
    if args.folds:
        fold = np.array([zlib.crc32(repr(shape).encode()) % args.folds for shape in gemm.shapes])
        held_out = np.concatenate([gemm.errors(gemm.fit(sample(everything[fold != f])), everything[fold == f])
                                   for f in range(args.folds)])
        describe(f"held out, {args.folds} folds", held_out)
    fitted = gemm.fit(sample(everything))
    describe("fitted", gemm.errors(fitted, everything))
    for name, value, prior, sigma in zip(PARAMETERS, fitted, gemm.prior, gemm.sigma):
        far = (value - prior) / sigma
        print(f"  {name:20s} {np.exp(value):9.4g}  prior {np.exp(prior):9.4g}  {far:+5.1f} deviations"
              + ("  WARNING: throttled or shared GPU?" if abs(far) > 3 and name in CLOCK_DEPENDENT else ""))
    if args.apply:
        gemm.path.write_text(add_provenance(gemm.file(fitted), GROUP, "refitted by fit_kernels.py"))
        print(f"wrote {gemm.path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
