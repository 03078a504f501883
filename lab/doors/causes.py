# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why pairs of the door test differ: (door, modules, types, cause), patterns of shells; the first that fits is printed."""

CAUSES = [
    ("torchscript", "attention-* block-*", "bf16",
     "the exporter writes the mask and all that follows the attention in fp32"),
]
