#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Splits the sum over K of the matmuls of a model where that is predicted to be faster, with a stock mlir-opt.

  split_by_cost.py test/FrontEnds/mlp-gelu.linalg.mlir --plugin build/lib/GpuCostPlugin.so [-o split.mlir]

The model is linalg on tensors, as torch-mlir writes it. For each matmul: its tiles, with the SMs that they fill; the time with
the best tile; for each number of parts the time of the products and of the kernel that adds them; the decision and
its reason. `-o` writes the module with the chosen matmuls split. Nothing needs a GPU, and nothing was measured.
"""
import argparse
import math
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FACTORS = (2, 4, 8, 16)
REMARK = re.compile(r"^\S+: remark: (\w+) (\d+) : i64", re.M)
SIZES = re.compile(r"linalg\.matmul ins\(.*?: tensor<(\d+)x(\d+)x\w+>, tensor<\d+x(\d+)x\w+>\)")


class Compiler:
    def __init__(self, arguments):
        self.arguments = arguments
        self.script = (HERE / "split.mlir").read_text()

    def decide(self, entry, factor=2):
        return self.run(entry, self.script.replace("FACTOR", str(factor)))

    def run(self, entry, script, output="/dev/null"):
        """The remarks of the named sequence `entry`; None if it does not apply."""
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "script.mlir"
            path.write_text(script)
            passes = (f"transform-preload-library{{transform-library-paths={path}}},"
                      f"gpucost-set-target{{target={self.arguments.target}}},transform-interpreter{{entry-point={entry}}}")
            done = subprocess.run([self.arguments.mlir_opt, f"--load-dialect-plugin={self.arguments.plugin}",
                                   f"--load-pass-plugin={self.arguments.plugin}",
                                   f"--pass-pipeline=builtin.module({passes})", str(self.arguments.model), "-o", output],
                                  capture_output=True, text=True)
        if done.returncode and "split_reduction" in done.stderr:
            return None
        if done.returncode:
            sys.exit(done.stderr[:2000])
        found = {}
        for name, value in REMARK.findall(done.stderr):
            found.setdefault(name, []).append(int(value))
        return found

    def apply(self, factors):
        """Writes the module with each matmul split into its number of parts."""
        count = len(factors)
        steps = "".join(
            f"    %init{i}, %fill{i}, %parts{i}, %sum{i} = transform.structured.split_reduction %each#{i} "
            f"{{split_factor = {factor}, insert_split_dimension = 0}} : (!transform.any_op) -> "
            "(!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)\n"
            for i, factor in enumerate(factors) if factor > 1)
        kinds = ", ".join(["!transform.any_op"] * count)
        self.run("apply", "module attributes {transform.with_named_sequence} {\n"
                 "  transform.named_sequence @apply(%root: !transform.any_op {transform.consumed}) {\n"
                 '    %products = transform.structured.match ops{["linalg.matmul"]} in %root : '
                 "(!transform.any_op) -> !transform.any_op\n"
                 f"    %each:{count} = transform.split_handle %products : (!transform.any_op) -> ({kinds})\n"
                 f"{steps}    transform.yield\n  }}\n}}\n", output=str(self.arguments.output))


def reason(factor, best, ctas, units):
    if factor == 1 and best is None:
        return "K has no such parts"
    if factor == 1:
        return f"{ctas} tiles; products {best[0]:.2f} + sum {best[1]:.2f} us are slower"
    return f"{ctas} tiles leave {max(units - ctas, 0)} of {units} SMs idle; the sum takes {best[1]:.2f} us"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--mlir-opt", default="mlir-opt-22")
    parser.add_argument("--target", default="a100-bf16")
    parser.add_argument("--units", type=int, default=108, help="SMs of the target, for the reasons")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.plugin.exists():
        parser.error(f"{arguments.plugin}: no such plugin")
    sizes = [tuple(map(int, match)) for match in SIZES.findall(arguments.model.read_text())]
    if not sizes:
        parser.error(f"{arguments.model}: no linalg.matmul on tensors")
    compiler = Compiler(arguments)
    whole = compiler.decide("whole")
    parts = {factor: compiler.decide("parts", factor) for factor in FACTORS}
    chosen, before, after = [], 0.0, 0.0
    print("matmul               whole, us  parts  products + sum, us  reason")
    for i, (m, k, n) in enumerate(sizes):
        ctas = math.ceil(m / whole["rows"][i]) * math.ceil(n / whole["columns"][i])
        own = whole["whole"][i] * 1e-3
        options = {factor: (found["parts"][i] * 1e-3, found["sum"][i] * 1e-3)
                   for factor, found in parts.items() if found}
        best = min(options, key=lambda factor: sum(options[factor]), default=None)
        factor = best if best and sum(options[best]) < own else 1
        chosen.append(factor)
        before += own
        after += sum(options[factor]) if factor > 1 else own
        text = f"{options[best][0]:.2f} + {options[best][1]:.2f}" if best else "-"
        print(f"{f'{m}x{n}x{k}':<20} {own:>9.2f} {factor:>6}  {text:>18}  "
              f"{reason(factor, options.get(best), ctas, arguments.units)}")
    print(f"total                {before:>9.2f} to {after:.2f} us, {100 * (1 - after / before):.1f} % less")
    if arguments.output:
        compiler.apply(chosen)


if __name__ == "__main__":
    main()
