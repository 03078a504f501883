# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why pairs of the door test differ: (doors, modules, types, runtimes, cause), each a list of shell patterns. The first row
that fits is printed."""

CAUSES = [
    ("torchscript", "attention-* block-*", "bf16", "*",
     "the exporter writes the mask and all that follows the attention in fp32"),
    ("*", "resnet50 mobilenet-v3 efficientnet-v2", "*", "eager",
     "the ONNX exporters fold batch norm into the convolutions, which eager PyTorch and torch-mlir do not"),
    ("torchscript", "int8-weight", "*", "*", "the exporter stores the weight in the model's format, already dequantised"),
    ("*", "cumsum", "bf16", "*", "the ONNX file returns fp32; in linalg and JAX the scan is an op of which only the bytes are counted, "
     "in TOSA it is twelve passes of shifted additions"),
    ("linalg", "cumsum topk experts-routed", "*", "*", "an op of tm_tensor, of which only the bytes are counted"),
    ("jax", "cumsum topk", "*", "*", "an op of iree_linalg_ext, of which only the bytes are counted"),
    ("tosa", "topk experts-routed", "*", "*", "an argmax over all numbers, and passes of gathers and selects, for each of the k results"),
    ("tosa", "cumsum", "*", "*", "twelve passes of shifted additions"),
    ("linalg tosa", "lstm", "*", "*", "torch-mlir unrolls the steps; cuDNN's kernel keeps the weights and has no launches between them"),
    ("jax", "embedding gather", "*", "*", "JAX fills rows outside the table, which is a second pass over the result"),
    ("tosa", "gather", "*", "*", "indices are computed as products over all coordinates, before the gather"),
    ("tosa", "upsample-bilinear", "*", "*", "four gathers at computed coordinates, whose results are weighted in memory"),
    ("linalg tosa", "t5", "*", "*", "the relative positions are a table in fp32: attention with such a bias is not recognized"),
    ("jax", "*", "*", "eager", "one kernel for each op that JAX writes: its files are meant for a compiler"),
]
