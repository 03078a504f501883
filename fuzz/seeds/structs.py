#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes seeds of StructsFuzzer into a folder: a kernel of each family, a query and a schedule, as gpucost.h has
them.

usage: structs.py FOLDER
"""
import pathlib
import struct
import sys

KERNELS = {
    "matmul": (1, [0, 512, 1024, 4096]),
    "conv2d": (2, [8, 64, 56, 56, 64, 3, 3, 1, 1, 1]),
    "attention": (3, [8, 32, 8, 128, 1024, 128, 1]),
    "decode": (3, [8, 32, 8, 1, 1024, 128]),
    "softmax": (4, [4096, 1024]),
    "layernorm": (5, [4096, 1024]),
    "elementwise": (6, [10, 1 << 20]),
    "collective": (7, [1, 8, 1, 1, 1 << 30]),
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for name, (family, words) in KERNELS.items():
        kernel = struct.pack("<4I16q", 144, family, 0, 0, *words, *[0] * (16 - len(words)))
        query = struct.pack("<2I7d2I", 72, 0, 1.2e9, 250.0, 0, 0, 0, 0, 0, 0, 0)
        schedule = struct.pack("<I17i", 72, 128, 128, 32, 0, 3, 4, *[0] * 11)
        (folder / name).write_bytes(kernel + query + schedule)
    return 0


if __name__ == "__main__":
    sys.exit(main())
