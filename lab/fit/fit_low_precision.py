#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the matmuls of serving stacks in 8 and 4 bits, equations (G15)-(G18), to measured tables.

  fit_low_precision.py --data FOLDER [--gpu b200-sxm] [--set nvfp4_vllm] --check|--apply|--held-out

Rows time the linear layer of a stack: the kernel that quantises the activation, then the matmul. The first one is
predicted as a copy of its bytes; (G18) adds its time per row. A soft-L1 loss on log errors, with a Gaussian prior on
the log of each parameter: the joint priors of tensor_gemm, around the 16-bit numbers of the board. At most ROWS rows:
half of them random, half even over the logarithm of the time. Rows whose time the host decides are left out (HOST).
--held-out leaves a fifth of the rows out and prints their errors. The tool computes all predictions. Requires NumPy
and SciPy.
"""
import re
import sys

import numpy as np

import fit_kernels
from coefficient_files import add_provenance, block_of, fit_options, read_all, settled, soft_l1, store, with_fit
from error_statistics import Errors
from fit_error_bars import half_widths, widths_text
from fit_generated import spread
from low_precision_rows import HOST, SETS, STACKS, read_rows
from scipy.optimize import least_squares
from validate_kernels import ask

ROWS, NOISE, EVALUATIONS = 2000, 0.08, 25
HELD_OUT = 0.2
# Weight of the priors, and the prior, deviation and bounds of the numbers that 16-bit matmuls do not have.
PRIOR = 1.25
OWN = {"odd_rows": (0.03, 0.7, 0.001, 0.6), "row_cycles": (600, 1.0, 1, 6000), "element_cycles": (0.05, 1.5, 0.001, 3)}
FROM, SAME_DIE = "h100-sxm-80gb", ("h200-sxm", "h100-pcie-80gb")
BLACKWELL, OF_VLLM = "b200-sxm", ("fp8_vllm", "fp8_sglang")
# Stacks whose latent blocks on B200 the numbers of vLLM's blocks of 8 bits describe: TensorRT-LLM has no table, and that of
# SGLang 0.5.14 has 12 us for the smallest product, where a block with three of them takes 45 us in SGLang 0.5.10.
IN_BLOCKS = ("fp8_block_in_blocks", "fp8_block_vllm", ("tensorrt-llm", "sglang-0.5.6", "sglang-0.5.9", "sglang-0.5.10", "sglang-0.5.12"))
FITTED = ("efficiency", "latency_cycles", "dram_efficiency", "l2_bytes_per_clock", "l2_fraction", "fixed_time",
          "store_exposure", "fill_depth", "energy_per_flop")


class LowPrecisionFit:
    """The rows of one set, and the text from which its fit starts."""

    def __init__(self, tool, data, gpu, name, texts):
        self.tool, self.gpu, self.name = tool, gpu, name
        self.format, self.software = SETS[gpu][name]
        self.text = texts[gpu]
        self.rows = read_rows(data, gpu, self.format, STACKS[gpu][name])
        self.measured = np.array([row.measured for row in self.rows])
        self.host = np.array([row.host for row in self.rows])
        self.queries = [row.matmul for row in self.rows]
        prior = fit_kernels.joint_priors(tool, fit_kernels.GROUP)
        self.names = [*FITTED, *OWN]
        if self.host.any():  # an eager table begins above the time of the host, and does not determine this one
            self.names.remove("fixed_time")
            self.text = fit_kernels.replace_field(self.text, name, "fixed_time", fit_kernels.read_field(
                self.text, fit_kernels.GROUP, "fixed_time"))
        known = {**prior, **OWN}
        self.sigma = np.array([known[name][1] for name in self.names])
        self.bounds = np.log([known[name][2:] for name in self.names]).T
        self.prior = np.log([OWN[name][0] if name in OWN else fit_kernels.read_field(self.text, fit_kernels.GROUP, name)
                             for name in self.names])
        self.start = np.clip(np.log([max(self.read(name), 1e-6) for name in self.names]),
                             self.bounds[0] + 1e-6, self.bounds[1] - 1e-6)
        self.beside = self.quantise()

    def read(self, field):
        return fit_kernels.read_field(self.text, self.name, field)

    def quantise(self):
        """Time in us of the kernel that quantises the activation, without (G18)."""
        return self.ask(self.text, [row.quantise for row in self.rows], "bf16")

    def file(self, logs):
        text = self.text
        for name, value in zip(self.names, np.exp(logs)):
            text = fit_kernels.replace_field(text, self.name, name, value)
        return text

    def ask(self, text, queries, dtype):
        with fit_kernels.tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(text)
            file.flush()
            answers, error = ask(self.tool, self.gpu, dtype, queries,
                                 [f"--coefficients={file.name}", f"--software={self.software}"])
        if error:
            raise SystemExit(f"fit_low_precision.py: {error}")
        return np.array([float(answer["time_us"]) for answer in answers])

    def times(self, logs, where):
        kernels = self.ask(self.file(logs), [self.queries[i] for i in where], self.format) + self.beside[where]
        return np.maximum(kernels, self.host[where])

    def errors(self, logs, where):
        return 100 * (self.times(logs, where) / self.measured[where] - 1)

    def half_widths(self, logs):
        """Those of rows that also the prediction assigns to the GPU: others were selected by their error."""
        times = self.times(logs, np.arange(len(self.measured)))
        where = times >= HOST * self.host
        return half_widths((times - self.beside)[where], (self.measured - self.beside)[where])

    def fit(self, where, settle=False):
        """Logarithms of the best numbers for these rows; `settle`: see settled()."""
        where = where[spread(self.measured[where], ROWS)]

        def residuals(logs):
            error = np.log(self.times(logs, where) / self.measured[where])
            return np.concatenate([soft_l1(error, NOISE), PRIOR * (logs - self.prior) / self.sigma])

        low, high = self.bounds
        starts = [self.start, np.clip(self.prior, low + 1e-6, high - 1e-6)]
        ends = [least_squares(residuals, start, bounds=self.bounds, diff_step=1e-2, max_nfev=EVALUATIONS) for start in starts]
        end = min(ends, key=lambda end: end.cost)
        return settled(self.start, end, residuals) if settle else end.x


def errors_of(text, name):
    """The half-widths of a set's entry, as text."""
    found = re.search(rf"gemm = #{name}(, errors = \[.*\])?>", text)
    return found[1] or ""


def with_set(text, entry, block, errors):
    """`text` whose `low_precision` has the entry `(set, format, software)`, or one for each software, with the numbers of
    `block`."""
    name, kind, software = entry
    line = ",\n    ".join(f'<format = "{kind}", software = "{each}", gemm = #{name}{errors}>'
                          for each in ([software] if isinstance(software, str) else software))
    if f"#{name} = " in text:
        start, end = block_of(text, name)
        text = text[:start] + block + text[end:]
        entry = rf"<format = [^,]*, software = [^,]*, gemm = #{name}(, errors = \[.*\])?>"
        return re.sub(rf"{entry}(,\n    {entry})*", line, text)
    place = text.index("#tensor_power = ")
    text = text[:place] + block + ">\n\n" + text[place:]
    if found := re.search(r"  low_precision = \[\n(?:    <.*>,\n)*    <.*>", text):
        return f"{text[:found.end()]},\n    {line}{text[found.end():]}"
    return text.replace("  tensor_gemm = #tensor_gemm,\n", f"  tensor_gemm = #tensor_gemm,\n  low_precision = [\n    {line}],\n", 1)


def carried(block, name, new, source):
    """The numbers of a set as those of `new`, measured on `source`."""
    return block.replace(f"#{name} = ", f"#{new} = ", 1).replace(
        '",\n', f'",\n  transferred_from = "{source}",\n', 1)


def block(text, name):
    start, end = block_of(text, name)
    return text[start:end]


def with_carried(texts):
    """`texts` in which boards without a table have the sets of another one: those of the same die, and B200 the fp8
    matmuls of SGLang with the quantisation of vLLM, whose kernel is the same code as on H100 (OF_VLLM), and vLLM's of
    fp8-block for other stacks (IN_BLOCKS)."""
    h100 = texts[FROM]
    for gpu in SAME_DIE:
        for name in SETS[FROM]:
            entry = (name, *SETS[FROM][name])
            texts = {**texts, gpu: with_set(texts[gpu], entry, carried(block(h100, name), name, name, "H100 SXM"),
                                             errors_of(h100, name))}
    own, like = OF_VLLM
    text = with_set(texts[BLACKWELL], (own, *SETS[FROM][own]), carried(block(texts[BLACKWELL], like), like, own, "SGLang"),
                    errors_of(texts[BLACKWELL], like))
    for field in ("row_cycles", "element_cycles"):
        text = fit_kernels.replace_field(text, own, field, fit_kernels.read_field(h100, own, field))
    own, like, stacks = IN_BLOCKS
    text = with_set(text, (own, "fp8-block", stacks), carried(block(text, like), like, own, "vLLM"),
                    errors_of(text, "fp8_block_sglang"))
    text = add_provenance(text, own, "chosen by latent blocks of TensorRT-LLM 1.3.0rc20 and SGLang 0.5.10")
    own = OF_VLLM[0]
    return {**texts, BLACKWELL: add_provenance(text, own, "row_cycles and element_cycles of vLLM on H100 SXM")}


def with_errors(texts, name, widths):
    """`texts` whose entries of the set `name` have half-widths."""
    return re.sub(rf"(<format = [^,]*, software = [^,]*, gemm = #{name})(, errors = \[.*\])?>",
                  rf"\g<1>, errors = [{widths_text('tensor_matmul', widths)}]>", texts)


def describe(name, signed, times):
    large = signed[times >= 20]
    print(f"{name:34s} n {len(signed):6d} {Errors(signed).text()}; from 20 us: {Errors(large).text()}", flush=True)


def fit_low_precision(tool, data, texts, gpus=tuple(SETS), only="", held_out=False):
    """`texts` with the sets of `gpus` fitted to the table."""
    for gpu in gpus:
        for name in SETS[gpu]:
            if only not in ("", name):
                continue
            fit = LowPrecisionFit(tool, data, gpu, name, texts)
            everything = np.arange(len(fit.measured))
            describe(f"{gpu} {name}, committed", fit.errors(fit.start, everything), fit.measured)
            if held_out:
                left = np.random.default_rng(1).random(len(everything)) < HELD_OUT
                found = fit.fit(everything[~left])
                describe(f"{gpu} {name}, held out", fit.errors(found, everything[left]), fit.measured[left])
                continue
            found = fit.fit(everything, settle=True)
            signed = fit.errors(found, everything)
            describe(f"{gpu} {name}, fitted", signed, fit.measured)
            text = with_fit(fit.file(found), name, min(len(everything), ROWS), Errors(signed).mean)
            texts = {**texts, gpu: with_errors(text, name, fit.half_widths(found))}
    return texts


def main():
    args = fit_options(__doc__, gpu=SETS, set=None)
    gpus = (args.gpu,) if args.gpu else tuple(SETS)
    texts = fit_low_precision(args.tool, args.data, read_all(), gpus, args.set, args.held_out)
    return store(args, with_carried(texts))


if __name__ == "__main__":
    sys.exit(main())
