#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the GEMM coefficients of a GPU to a table of measured products.

  fit_kernels.py --measurements TABLE.csv.gz --gpu a100-sxm-80gb [--unit fp32] [--folds 5] [--apply]

Tensor-core products, or with --unit fp32 linear layers on CUDA cores, of which only
rows well above the dispatch that their timer holds are taken, with dimensions as
networks have them: strides of 32 KB and more slow old GPUs down, which no
coefficient says.

MAP estimate: soft-L1 loss on log errors of a random sample of rows, and a Gaussian
prior on the log of each parameter (PARAMETERS: joint values of several GPUs, and how
far GPUs scatter around them). With --folds, weight shapes (n, k) are divided into
folds; each is predicted by a fit without it, so no (n, k) is in a fit and its test.
Prints committed, fitted and held-out errors, and warns where an efficiency or the
energy has moved by more than three deviations of its prior: a throttled or shared
GPU. The tool computes every prediction. --apply writes the fit into
calibration/coefficients. Needs NumPy and SciPy.
"""
import argparse
import pathlib
import re
import sys
import tempfile
import zlib

import numpy as np
from scipy.optimize import least_squares

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "utils"))
import validate_kernels  # noqa: E402
from coefficient_files import (COEFFICIENTS, add_provenance, file_of, read_all, read_field,  # noqa: E402
                               replace_field, soft_l1)
from error_statistics import Errors  # noqa: E402

GROUP = "tensor_gemm"
SIMT_GROUP = "simt_linear"
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
# The same for CUDA cores: joint values of eight GPUs.
SIMT_PARAMETERS = {
    "emax": (1.078, 0.1, 0.5, 1.1),
    "k0": (3.84, 0.7, 0.1, 100),
    "dram_efficiency": (0.44, 0.3, 0.2, 1.0),
    "l2_bytes_per_clock": (6.63, 0.4, 1, 100),
    "l2_share": (0.9, 0.5, 0.01, 2),
    "l2_speedup": (1.57, 0.4, 1, 10),
    "saturation_warps": (5.56, 0.4, 0.1, 100),
    "latency": (11.4, 0.4, 0.1, 100),
    "energy_per_flop": (11.7, 0.4, 1, 100),
}
SMALLEST, LARGEST = 256, 8192  # of m, n and k
DISPATCHES = 5  # rows that take as many times the dispatch at least
NOISE = 0.08  # soft-L1 scale of log errors
ENERGY_SHARE = 1.18
ROWS = 2000
# What a throttled or shared GPU spoils first.
CLOCK_DEPENDENT = ("efficiency", "emax", "dram_efficiency", "energy_per_flop")


class GemmFit:
    """Measured products of one GPU, and the coefficient texts that a fit starts from."""
    group, parameters = GROUP, PARAMETERS

    def wanted(self, rows):
        return [(row, query) for row, query in rows if query["dtype"] != "fp32"]

    def priors(self):
        values = {name: prior for name, (prior, *_) in self.parameters.items()}
        values["energy_per_flop"] = ENERGY_SHARE * power_per_peak(self.tool, self.gpu, self.dtype)
        return values

    def __init__(self, tool, measurements, gpu, texts):
        self.tool, self.gpu = tool, gpu
        rows, _ = validate_kernels.read(measurements, "linear")
        rows = self.wanted([(row, query) for row, query in rows if row["gpu"] == gpu])
        if len(rows) < 30:
            raise SystemExit(f"fit_kernels.py: {len(rows)} products of '{gpu}' in {measurements}, "
                             "at least 30 are needed")
        self.dtype = rows[0][1]["dtype"]
        self.stem = file_of(gpu, texts)
        if self.stem is None:
            raise SystemExit(f"fit_kernels.py: no coefficients of '{gpu}'")
        self.text = texts[self.stem]
        priors = self.priors()
        self.prior = np.log([priors[name] for name in self.parameters])
        self.sigma = np.array([sigma for _, sigma, *_ in self.parameters.values()])
        self.bounds = np.log([p[2:] for p in self.parameters.values()]).T
        self.start = np.log([self.read(name) for name in self.parameters])
        self.measured = np.array([float(row["measured_us"]) for row, _ in rows])
        # Bursts as long as the starting coefficients say: one run of the tool per step, not two.
        plain = [validate_kernels.with_protocol(row, query) for row, query in rows]
        times = self.ask(self.start, plain)
        self.queries = [validate_kernels.with_protocol(row, query, us) for (row, query), us in zip(rows, times)]
        self.shapes = [(query["n"], query["k"]) for _, query in rows]

    def read(self, field):
        return read_field(self.text, self.group, field)

    def file(self, logs):
        text = self.text
        for name, value in zip(self.parameters, np.exp(logs)):
            text = replace_field(text, self.group, name, value)
        return text

    def ask(self, logs, queries):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(self.file(logs))
            file.flush()
            answers, error = validate_kernels.ask(self.tool, self.gpu, self.dtype, queries,
                                                  [f"--coefficients={file.name}"])
        if error:
            raise SystemExit(f"fit_kernels.py: {error}")
        return np.array([float(answer["time_us"]) for answer in answers])

    def times(self, logs, where):
        return self.ask(logs, [self.queries[i] for i in where])

    def sample(self, where, rows):
        """At most `rows` of `where`; the same ones each time."""
        return np.sort(np.random.default_rng(0).permutation(where)[:rows])

    def everything(self):
        return np.arange(len(self.measured))

    def fit(self, where):
        def residuals(logs):
            error = np.log(self.times(logs, where) / self.measured[where])
            return np.concatenate([soft_l1(error, NOISE), (logs - self.prior) / self.sigma])

        start = np.clip(self.start, self.bounds[0] + 1e-6, self.bounds[1] - 1e-6)
        return least_squares(residuals, start, bounds=self.bounds, diff_step=1e-2, max_nfev=12).x

    def errors(self, logs, where):
        return 100 * (self.times(logs, where) / self.measured[where] - 1)


class SimtFit(GemmFit):
    """The same of fp32 linear layers on CUDA cores."""
    group, parameters = SIMT_GROUP, SIMT_PARAMETERS

    def wanted(self, rows):
        rows = [(row, query) for row, query in rows if query["dtype"] == "fp32"]
        if not rows:
            return []
        floor = np.percentile([float(row["measured_us"]) for row, _ in rows], 1)
        return [(row, query) for row, query in rows
                if float(row["measured_us"]) > DISPATCHES * floor
                and all(SMALLEST <= query[size] <= LARGEST for size in "mnk")]

    def priors(self):
        return {name: prior for name, (prior, *_) in self.parameters.items()}


def fit_gemm(kind, tool, measurements, gpu, texts, rows=ROWS):
    """`texts` with the coefficients of `kind` (GemmFit, SimtFit) of `gpu` fitted to the table."""
    gemm = kind(tool, measurements, gpu, texts)
    where = gemm.sample(gemm.everything(), rows)
    found = gemm.fit(where)
    error = Errors(gemm.errors(found, gemm.everything())).mean
    note = f"refitted on {len(where)} rows of {source_of(measurements)}, {error:.1f} % in fit, 2026-11"
    print(f"  {gpu}: {len(where)} of {len(gemm.measured)} rows, {error:.1f} % in fit", flush=True)
    return dict(texts, **{gemm.stem: add_provenance(gemm.file(found), gemm.group, note)})


def source_of(table):
    """"aiconfigurator" for kernels_gemm_bf16_aiconfigurator.csv.gz."""
    return pathlib.Path(table).name.split(".")[0].split("_")[-1]


def power_per_peak(tool, gpu, dtype="bf16"):
    """Board limit over peak, pJ per FLOP: what energies scale with from GPU to GPU."""
    target = validate_kernels.probe(tool, gpu, dtype)
    return target["power_limit_w"] / target["peak_flops_per_s"] * 1e12


def relatives(gpu, gpus):
    """Those of `gpus` that stand in for `gpu`: of its architecture, else with its kind of memory, else all."""
    def facts(name):
        text = (ROOT / "targets" / f"{name}.mlir").read_text()
        return [re.search(rf"\b{field} = ([a-z]+)", text)[1] for field in ("architecture", "memory")]
    others = [other for other in gpus if other != gpu]
    for field in range(2):
        near = [other for other in others if facts(other)[field] == facts(gpu)[field]]
        if near:
            return near
    return others


def from_others(tool, texts, gpu, gpus):
    """Text for `gpu` with GEMM coefficients of its relatives among `gpus`: their geometric mean; the share
    of L2, which products on HBM do not identify, at its prior."""
    stem, near = file_of(gpu, texts), relatives(gpu, gpus)
    text = texts[stem]
    for name in PARAMETERS:
        logs = [np.log(read_field(texts[file_of(other, texts)], GROUP, name)) for other in near]
        if name == "energy_per_flop":
            logs = [log + np.log(power_per_peak(tool, gpu) / power_per_peak(tool, other))
                    for log, other in zip(logs, near)]
        value = PARAMETERS[name][0] if name == "l2_share" else np.exp(np.mean(logs))
        text = replace_field(text, GROUP, name, float(value))
    return text


def describe(name, signed):
    print(f"{name:20s} n {len(signed):6d} {Errors(signed).text()}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measurements", required=True)
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--tool", default=str(ROOT / "build" / "bin" / "gpu-cost-opt"))
    parser.add_argument("--unit", choices=("tensor", "fp32"), default="tensor")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--rows", type=int, default=ROWS, help="largest number of rows in one fit")
    parser.add_argument("--apply", action="store_true")
    args = parser.parse_args()
    kind = SimtFit if args.unit == "fp32" else GemmFit
    gemm = kind(args.tool, args.measurements, args.gpu, read_all())
    everything = gemm.everything()
    describe("committed", gemm.errors(gemm.start, everything))
    if args.folds:
        fold = np.array([zlib.crc32(repr(shape).encode()) % args.folds for shape in gemm.shapes])
        held_out = np.concatenate([
            gemm.errors(gemm.fit(gemm.sample(everything[fold != f], args.rows)), everything[fold == f])
            for f in range(args.folds)])
        describe(f"held out, {args.folds} folds", held_out)
    fitted = gemm.fit(gemm.sample(everything, args.rows))
    describe("fitted", gemm.errors(fitted, everything))
    for name, value, prior, sigma in zip(gemm.parameters, fitted, gemm.prior, gemm.sigma):
        far = (value - prior) / sigma
        print(f"  {name:20s} {np.exp(value):9.4g}  prior {np.exp(prior):9.4g}  {far:+5.1f} deviations"
              + ("  WARNING: throttled or shared GPU?" if abs(far) > 3 and name in CLOCK_DEPENDENT else ""))
    if args.apply:
        path = COEFFICIENTS / f"{gemm.stem}.mlir"
        path.write_text(add_provenance(gemm.file(fitted), gemm.group, "refitted by fit_kernels.py"))
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
