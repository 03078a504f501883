#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits a GPU's coefficients for matrix products or fused attention to a table of measured kernels.

  fit_kernels.py --measurements TABLE.csv.gz --gpu a100-sxm-80gb [--kind linear-fp32] [--folds 5] [--apply]

Kinds: tensor-core matmuls (linear); linear layers and batched products on CUDA cores
(linear-fp32, batched-fp32), using only rows of at least twice the dispatch time that
their timer includes (the fit finds how much of it overlaps with the kernel) and with
dimensions that occur in models, because strides of 32 KB and more slow old GPUs down,
which the coefficients do not describe; convolutions on CUDA cores (conv-fp32); causal attention of a prompt, with the kernel that
writes the cache (prefill); attention of one new token (decode).

MAP estimate: soft-L1 loss on log errors of a random sample of rows, the rate of a steady matmul at a known clock if
the die has one (lab/measurements), and a Gaussian prior on the log of each parameter (joint values of several GPUs
and their scatter: the joint priors of include/gpucost/Core/Model/Coefficients.def). With --folds, weight shapes (n,
k) or heads and their size are divided into folds; each fold is predicted by a fit without it. Prints committed,
fitted and held-out errors, and warns if an efficiency or the energy has moved by more than three deviations of its
prior, which indicates a throttled or shared GPU. The tool computes all predictions. --apply writes the fit into
targets/coefficients. Requires NumPy and SciPy.
"""
import argparse
import pathlib
import re
import sys
import tempfile
import zlib

import numpy as np
from scipy.optimize import least_squares

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab" / "validate"))
import kernel_tables  # noqa: E402
import validate_kernels  # noqa: E402
from coefficient_files import (COEFFICIENTS, add_provenance, file_of, joint_priors, read_all,  # noqa: E402
                               read_field, replace_field, soft_l1)
from error_statistics import Errors  # noqa: E402
from validate_measured import FOLDER, read  # noqa: E402

GROUP = "tensor_gemm"
# Board: board whose steady matmul at a known clock its fit also uses. Under its power limit, the H100 reports clocks
# 8 to 10 % below those at which the H200, with the same die, is equally fast (lab/Findings.md).
LOADS = {"h100-sxm-80gb": "h200-sxm", "h200-sxm": "h200-sxm"}
LOAD = "matmul-bf16-8192"
LOAD_NOISE = 0.003  # of its log rate, a mean of thousands of launches
SIMT_GROUP, BATCHED_GROUP, CONV_GROUP = "simt_linear", "simt_batched", "simt_conv"
PREFILL_GROUP, DECODE_GROUP = "attention_causal", "decode"
SMALLEST, LARGEST = 256, 8192  # of m, n and k
SMALLEST_OF = {"mi210": 32}  # its attention has no other rows
DISPATCHES = 2  # rows that take as many times the dispatch at least
NOISE = 0.08  # soft-L1 scale of log errors
ENERGY_SHARE = 1.18
ROWS = 2000
# The 40 GB board of the table was throttled, so its rows do not determine the efficiency. It takes that of the 80 GB board with
# the same die, at most 1.
OF_DIE = {(SIMT_GROUP, "a100-pcie-40gb"): "a100-pcie-80gb"}
# Parameters that a throttled or shared GPU distorts first.
CLOCK_DEPENDENT = ("efficiency", "emax", "dram_efficiency", "energy_per_flop")


class GemmFit:
    """Measured kernels of one GPU, here matmuls, and the coefficient texts from which a fit starts."""
    family, group = "linear", GROUP
    flags = ()

    def parameters_of(self):
        return joint_priors(self.tool, self.group)

    def wanted(self, rows):
        return [(row, query) for row, query in rows if query["dtype"] != "fp32"]

    @staticmethod
    def shape(query):
        return query["n"], query["k"]

    def priors(self):
        values = {name: prior for name, (prior, *_) in self.parameters.items()}
        if values.get("energy_per_flop", 0) is None:
            values["energy_per_flop"] = ENERGY_SHARE * power_per_peak(self.tool, self.gpu, self.dtype)
        return values

    def __init__(self, tool, measurements, gpu, texts):
        self.tool, self.gpu = tool, gpu
        self.parameters = self.parameters_of()
        rows, _ = validate_kernels.read(measurements, self.family)
        rows = self.wanted([(row, query) for row, query in rows if row["gpu"] == gpu])
        if len(rows) < 30:
            raise SystemExit(f"fit_kernels.py: {len(rows)} {self.family} kernels of '{gpu}' in {measurements}, "
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
        # Bursts have the length predicted by the starting coefficients, so that each step runs
        # the tool once, not twice.
        plain = [validate_kernels.with_protocol(row, query) for row, query in rows]
        times = self.ask(self.start, plain)
        self.queries = [validate_kernels.with_protocol(row, query, us) for (row, query), us in zip(rows, times)]
        self.shapes = [self.shape(query) for _, query in rows]
        self.beside = self.time_beside([query for _, query in rows])
        self.load = self.steady_load()

    def steady_load(self):
        """(query, MHz, us) of the steady matmul in `LOADS`; None if there is none."""
        if self.group != GROUP or self.gpu not in LOADS:
            return None
        row = next(row for row in read(FOLDER / LOADS[self.gpu] / "power.csv") if row["name"] == LOAD)
        sizes = dict(word.split("=") for word in row["kernels"].split()[2:])
        query = dict(sizes, family="matmul", dtype=row["dtype"])
        return query, float(row["clock_mean_mhz"]), 1e6 / float(row["iterations_per_s"])

    def load_error(self, logs):
        """[log error of the steady load], [] without one."""
        if not self.load:
            return []
        query, clock, us = self.load
        return np.log(self.ask(logs, [query], [f"--clock={clock}", "--power-limit=10000"]) / us)

    def time_beside(self, queries):
        """Time in us of other kernels that the benchmark's timing includes."""
        return np.zeros(len(queries))

    def read(self, field):
        return read_field(self.text, self.group, field)

    def file(self, logs):
        text = self.text
        for name, value in zip(self.parameters, np.exp(logs)):
            text = replace_field(text, self.group, name, value)
        return text

    def ask(self, logs, queries, flags=()):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(self.file(logs))
            file.flush()
            answers, error = validate_kernels.ask(self.tool, self.gpu, self.dtype, queries,
                                                  [f"--coefficients={file.name}", *self.flags, *flags])
        if error:
            raise SystemExit(f"fit_kernels.py: {error}")
        return np.array([float(answer["time_us"]) for answer in answers])

    def times(self, logs, where):
        return self.ask(logs, [self.queries[i] for i in where]) + self.beside[where]

    def sample(self, where, rows):
        """At most `rows` of `where`, chosen deterministically."""
        return np.sort(np.random.default_rng(0).permutation(where)[:rows])

    def everything(self):
        return np.arange(len(self.measured))

    def starts(self):
        """Starting points of the search; the best result is used."""
        start = self.start.copy()
        for error in self.load_error(start):
            start[list(self.parameters).index("efficiency")] += error
        return [start]

    def fit(self, where):
        def residuals(logs):
            error = np.log(self.times(logs, where) / self.measured[where])
            return np.concatenate([soft_l1(error, NOISE), (logs - self.prior) / self.sigma,
                                   np.divide(self.load_error(logs), LOAD_NOISE)])

        ends = [least_squares(residuals, np.clip(start, self.bounds[0] + 1e-6, self.bounds[1] - 1e-6),
                              bounds=self.bounds, diff_step=1e-2, max_nfev=12) for start in self.starts()]
        return min(ends, key=lambda end: end.cost).x

    def errors(self, logs, where):
        return 100 * (self.times(logs, where) / self.measured[where] - 1)


class SimtFit(GemmFit):
    """Fits fp32 linear layers on CUDA cores. The timer includes the dispatch."""
    group = SIMT_GROUP

    def parameters_of(self):
        """Without the efficiency of a board in OF_DIE, which the other board of its die determines."""
        return {name: prior for name, prior in super().parameters_of().items()
                if not (name == "emax" and (self.group, self.gpu) in OF_DIE)}

    def wanted(self, rows):
        rows = [(row, query) for row, query in rows if query["dtype"] == "fp32"]
        if not rows:
            return []
        self.floor = np.percentile([float(row["measured_us"]) for row, _ in rows], 1)
        return [(row, query) for row, query in rows
                if float(row["measured_us"]) > DISPATCHES * self.floor
                and all(SMALLEST_OF.get(self.gpu, SMALLEST) <= query[size] <= LARGEST for size in "mnk")]

    def times(self, logs, where):
        """As the timer shows them, with the share of the dispatch that fits best."""
        kernels = super().times(logs, where)
        dispatch = kernel_tables.Dispatch(self.measured[where], kernels, self.floor)
        return np.array([dispatch.timed(us) for us in kernels])


class BatchedFit(SimtFit):
    """Fits batched fp32 products on CUDA cores."""
    family, group = "batched matmul", BATCHED_GROUP


class ConvFit(SimtFit):
    """Fits fp32 convolutions."""
    family, group = "convolution", CONV_GROUP

    def wanted(self, rows):
        self.floor = np.percentile([float(row["measured_us"]) for row, _ in rows], 1) if rows else 0
        return rows

    @staticmethod
    def shape(query):
        return query["c"], query["oc"]


class AttentionFit(GemmFit):
    """Fits fused attention of all shapes."""

    def wanted(self, rows):
        return rows

    @staticmethod
    def shape(query):
        return query["heads"], query["kv_heads"], query["head_dim"]


class PrefillFit(AttentionFit):
    """Causal attention of a prompt."""
    family, group = "attention, prefill", PREFILL_GROUP

    def time_beside(self, queries):
        return self.ask(self.start, [kernel_tables.cache_write(query) for query in queries])


class DecodeFit(AttentionFit):
    """Attention of one new token."""
    family, group = "attention, decode", DECODE_GROUP

    def starts(self):
        """Also starts with caches that stay in a large L2 between runs."""
        resident = self.start.copy()
        resident[list(self.parameters).index("l2_fraction")] = 0.0
        return [self.start, resident]


KINDS = {"linear": GemmFit, "linear-fp32": SimtFit, "batched-fp32": BatchedFit, "conv-fp32": ConvFit, "prefill": PrefillFit, "decode": DecodeFit}


def fit_kernels(kind, tool, measurements, gpu, texts, rows=ROWS):
    """`texts` with the `kind` coefficients (one of KINDS) of `gpu` fitted to the table."""
    kernels = KINDS[kind](tool, measurements, gpu, texts)
    where = kernels.sample(kernels.everything(), rows)
    found = kernels.fit(where)
    error = Errors(kernels.errors(found, kernels.everything())).mean
    note = f"refitted on {len(where)} rows of {source_of(measurements)}, {error:.1f} % in fit, 2026-11"
    print(f"  {gpu}: {len(where)} of {len(kernels.measured)} rows, {error:.1f} % in fit", flush=True)
    return dict(texts, **{kernels.stem: add_provenance(kernels.file(found), kernels.group, note)})


def source_of(table):
    """"aiconfigurator" for kernels_gemm_bf16_aiconfigurator.csv.gz."""
    return pathlib.Path(table).name.split(".")[0].split("_")[-1]


def power_per_peak(tool, gpu, dtype="bf16"):
    """Power limit divided by peak in pJ per FLOP, with which energies scale between
    GPUs."""
    target = validate_kernels.probe(tool, gpu, dtype)
    return target["power_limit_w"] / target["peak_flops_per_s"] * 1e12


def relatives(gpu, gpus):
    """Substitutes for `gpu` among `gpus`: of its architecture, else with its kind of memory, else all."""
    def facts(name):
        text = (ROOT / "targets" / f"{name}.mlir").read_text()
        return [re.search(rf'\b{field} = "?([a-z]+)', text)[1] for field in ("architecture", "memory")]
    others = [other for other in gpus if other != gpu]
    for field in range(2):
        near = [other for other in others if facts(other)[field] == facts(gpu)[field]]
        if near:
            return near
    return others


def from_others(tool, texts, gpu, gpus):
    """Text for `gpu` with the geometric mean of its relatives' GEMM coefficients; the L2 share, which
    matmuls on HBM do not determine, is set to its prior."""
    stem, near = file_of(gpu, texts), relatives(gpu, gpus)
    text, parameters = texts[stem], joint_priors(tool, GROUP)
    for name in parameters:
        logs = [np.log(read_field(texts[file_of(other, texts)], GROUP, name)) for other in near]
        if name == "energy_per_flop":
            logs = [log + np.log(power_per_peak(tool, gpu) / power_per_peak(tool, other))
                    for log, other in zip(logs, near)]
        value = parameters[name][0] if name == "l2_fraction" else np.exp(np.mean(logs))
        text = replace_field(text, GROUP, name, float(value))
    return text


def describe(name, signed):
    print(f"{name:20s} n {len(signed):6d} {Errors(signed).text()}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measurements", required=True)
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--tool", default=str(ROOT / "build" / "bin" / "gpu-cost-opt"))
    parser.add_argument("--kind", choices=KINDS, default="linear")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--rows", type=int, default=ROWS, help="largest number of rows in one fit")
    parser.add_argument("--apply", action="store_true")
    args = parser.parse_args()
    kernels = KINDS[args.kind](args.tool, args.measurements, args.gpu, read_all())
    everything = kernels.everything()
    describe("committed", kernels.errors(kernels.start, everything))
    if args.folds:
        fold = np.array([zlib.crc32(repr(shape).encode()) % args.folds for shape in kernels.shapes])
        held_out = np.concatenate([
            kernels.errors(kernels.fit(kernels.sample(everything[fold != f], args.rows)), everything[fold == f])
            for f in range(args.folds)])
        describe(f"held out, {args.folds} folds", held_out)
    fitted = kernels.fit(kernels.sample(everything, args.rows))
    describe("fitted", kernels.errors(fitted, everything))
    for name, value, prior, sigma in zip(kernels.parameters, fitted, kernels.prior, kernels.sigma):
        far = (value - prior) / sigma
        print(f"  {name:20s} {np.exp(value):9.4g}  prior {np.exp(prior):9.4g}  {far:+5.1f} deviations"
              + ("  WARNING: throttled or shared GPU?" if abs(far) > 3 and name in CLOCK_DEPENDENT else ""))
    if args.apply:
        path = COEFFICIENTS / f"{kernels.stem}.mlir"
        path.write_text(add_provenance(kernels.file(fitted), kernels.group, "refitted by fit_kernels.py"))
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
