# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why pairs of the door test differ: (doors, modules, types, runtimes, cause), each a list of shell patterns. The first row
that fits is printed."""

CAUSES = [
    ("torchscript", "attention-* block-*", "bf16", "*",
     "the exporter writes the mask and all that follows the attention in fp32"),
    ("*", "bottleneck resnet50 mobilenet-v3 efficientnet-v2", "*", "eager",
     "the ONNX exporters fold batch norm into the convolutions, which eager PyTorch and torch-mlir do not"),
    ("torchscript", "int8-weight", "*", "*", "the exporter stores the weight in the model's format, already dequantised"),
    ("*", "cumsum", "bf16", "*", "the ONNX file returns fp32"),
    ("linalg", "experts-routed", "*", "*", "a scatter of tm_tensor, of which only the bytes are counted"),
    ("tosa", "topk experts-routed", "*", "*", "an argmax over all numbers, and passes of gathers and selects, for each of the k results"),
    ("linalg tosa", "lstm", "*", "*", "torch-mlir unrolls the steps; cuDNN's kernel keeps the weights and has no launches between them"),
    ("jax", "gather", "*", "*", "JAX's indices have 32 bits, PyTorch's 64"),
    ("jax", "upsample-bilinear", "*", "*", "two products with interpolation matrices, which a compiler runs as matmuls"),
    ("jax", "upsample-nearest", "*", "*", "repetitions are copies of a broadcast image: not recognized as resampling"),
    ("tosa", "gather", "*", "*", "indices are sums over all coordinates, and the file omits the coordinates of the rows"),
    ("jax", "*", "*", "eager", "one kernel for each op that JAX writes: its files are meant for a compiler"),
]
