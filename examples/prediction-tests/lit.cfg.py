# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of predicted times in the lit project of a compiler (docs/PredictionTests.md).

    lit -v -Dplugin=PREFIX/lib/GpuCostPlugin.so -Dmlir-opt=mlir-opt-22 examples/prediction-tests

The GPU and the hash of its coefficients are stated here, once: a release of gpu-cost-opt with refitted
coefficients fails with both hashes instead of with other times.
"""
import os

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
config.name = "prediction-tests"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_source_root = here
config.test_exec_root = lit_config.params.get("exec", os.path.join(here, "Output"))

plugin = lit_config.params.get("plugin", "GpuCostPlugin.so")
mlir_opt = lit_config.params.get("mlir-opt", "mlir-opt-22")
target_file = os.path.join(here, "..", "a100.mlir")
coefficients = lit_config.params.get("coefficients", "@sha256:75ab6e15d33a0222")

config.substitutions += [
    ("%predict", f"{mlir_opt} --load-dialect-plugin={plugin} --pass-pipeline='builtin.module(gpucost-set-target"
                 f"{{target-file={target_file} coefficients={coefficients}}},transform-interpreter)'"),
]
