#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decomposes the convolutions of a model where that is predicted to be faster, with a stock mlir-opt.

  decompose_by_cost.py test/FrontEnds/Inputs/bottleneck.jax.mlir --plugin build/lib/GpuCostPlugin.so [-o decomposed.mlir]

The model is linalg on tensors with channels-last convolutions, as JAX and IREE write it. For each convolution: the time of
the op, the times of the kernel that copies its windows to columns and of the matmul on these columns (upstream's
convert_conv2d_to_img2col), the decision and its reason. `-o` writes the module with the chosen convolutions decomposed.
Nothing needs a GPU, and nothing was measured.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OP = "linalg.conv_2d_nhwc_hwcf"
REMARK = re.compile(r"^\S+: remark: (\w+) (\d+) : i64", re.M)
SHAPES = re.compile(r"tensor<(\d+(?:x\d+){3})x([a-z]+)(\d+)>, tensor<(\d+(?:x\d+){3})x\w+>.*tensor<(\d+(?:x\d+){3})x\w+>")
LOAD_BYTES = 16


class Convolution:
    def __init__(self, line):
        image, _, bits, window, result = SHAPES.search(line).groups()
        self.image, self.window, self.result = ([int(size) for size in text.split("x")] for text in (image, window, result))
        self.bytes = int(bits) // 8
        self.name = f"{image}, {window}"

    def copies(self):
        """Elements of the columns for each element of the image."""
        (n, h, w, c), (_, y, x, _), (kh, kw, _, _) = self.image, self.result, self.window
        return y * x * kh * kw / (h * w)

    def pixel_bytes(self):
        return self.image[3] * self.bytes

    def reason(self, decomposes, keep, columns, product):
        if not decomposes and product < keep:
            return f"the copy takes {columns:.2f} us: columns have {self.copies():.1f} times the elements of the image"
        if not decomposes:
            return f"the matmul reads columns, {self.copies():.1f} times the elements of the image"
        if self.pixel_bytes() % LOAD_BYTES:
            return f"loads of {LOAD_BYTES} bytes cannot read pixels of {self.pixel_bytes()} bytes, but rows of columns"
        return "the matmul is faster than the convolution"


class Compiler:
    def __init__(self, arguments):
        self.arguments = arguments

    def mlir_opt(self, *flags, script=None):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "script.mlir"
            path.write_text(script or "module {}\n")
            flags = [flag.replace("SCRIPT", str(path)) for flag in flags]
            done = subprocess.run([self.arguments.mlir_opt, f"--load-dialect-plugin={self.arguments.plugin}",
                                   f"--load-pass-plugin={self.arguments.plugin}", "--allow-unregistered-dialect",
                                   str(self.arguments.model), *flags], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr[:2000])
        return done

    def convolutions(self):
        lines = self.mlir_opt().stdout.splitlines()
        return [Convolution(line) for line in lines if OP in line and SHAPES.search(line)]

    def run(self, entry, script, output="/dev/null"):
        """The remarks of the named sequence `entry`."""
        done = self.mlir_opt(f"--pass-pipeline=builtin.module(transform-preload-library{{transform-library-paths=SCRIPT}},"
                             f"gpucost-set-target{{target={self.arguments.target}}},transform-interpreter{{entry-point={entry}}})",
                             "-o", output, script=script)
        found = {}
        for name, value in REMARK.findall(done.stderr):
            found.setdefault(name, []).append(int(value) * 1e-3)
        return found

    def apply(self, decisions):
        """Writes the module with the chosen convolutions decomposed."""
        count = len(decisions)
        kinds = ", ".join(["!transform.any_op"] * count)
        steps = "".join(f"    %columns{i}, %result{i} = transform.structured.convert_conv2d_to_img2col %each#{i} : "
                        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)\n"
                        for i, decomposes in enumerate(decisions) if decomposes)
        each = "%each" if count == 1 else f"%each:{count}"
        if count == 1:
            steps = steps.replace("%each#0", "%each")
        self.run("apply", "module attributes {transform.with_named_sequence} {\n"
                 "  transform.named_sequence @apply(%root: !transform.any_op {transform.consumed}) {\n"
                 f'    %all = transform.structured.match ops{{["{OP}"]}} in %root : (!transform.any_op) -> !transform.any_op\n'
                 f"    {each} = transform.split_handle %all : (!transform.any_op) -> ({kinds})\n"
                 f"{steps}    transform.yield\n  }}\n}}\n", output=str(self.arguments.output))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--mlir-opt", default="mlir-opt-22")
    parser.add_argument("--target", default="a100-bf16")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    arguments = parser.parse_args()
    for file in (arguments.plugin, arguments.model):
        if not file.exists():
            parser.error(f"{file}: no such file")
    compiler = Compiler(arguments)
    convolutions = compiler.convolutions()
    if not convolutions:
        parser.error(f"{arguments.model}: no {OP} on tensors with static shapes")
    script = (HERE / "decompose.mlir").read_text()
    keep = compiler.run("keep", script)["keep"]
    parts = compiler.run("decompose", script)
    if not len(convolutions) == len(keep) == len(parts["product"]):
        parser.error(f"{arguments.model}: {len(convolutions)} convolutions, {len(keep)} with a cost")
    decisions, before, after = [], 0.0, 0.0
    print(f"{'image, filter':<34} keep, us  columns + product, us  decision   reason")
    for each, own, columns, product in zip(convolutions, keep, parts["columns"], parts["product"]):
        decomposes = columns + product < own
        decisions.append(decomposes)
        before += own
        after += columns + product if decomposes else own
        print(f"{each.name:<34} {own:>8.2f}  {f'{columns:.2f} + {product:.2f}':>21}  "
              f"{'decompose' if decomposes else 'keep':<9}  {each.reason(decomposes, own, columns, product)}")
    print(f"{'total':<34} {before:>8.2f} to {after:.2f} us, {100 * (1 - after / before):.1f} % less")
    if arguments.output:
        compiler.apply(decisions)


if __name__ == "__main__":
    main()
