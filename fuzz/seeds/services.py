#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes seeds of ServiceFuzzer into a folder: questions as the fuzzer has them, in front of prepared models.

usage: services.py FOLDER PAYLOAD...
"""
import pathlib
import struct
import sys

# (size, model or 0 for all, times a power of two, constant, per batch, per new token, per past token)
EDITS = {
    "constant": [(0, 0, 0, 0, 0, 0, 0)] * 4,
    "linear": [(0, 0, 0, 0, 1, 2, 3), (3, 0, 4, 8, 64, 0, 1), (7, 0, 10, 1, 0, 0, 128), (20, 0, 0, 0, 4, 4, 0)],
    "negative": [(0, 0, 0, -9, 0, 0, 0), (1, 0, 20, 0, -1, -1, -1), (2, 0, 39, 1, 1, 1, 1), (3, 0, 0, 0, 0, 0, 0)],
    "other": [(0, 3, 0, 1, 0, 0, 0), (5, 1, 0, 0, 1, 0, 0), (0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0)],
}
STEPS = [(1, 100), (1, 1000), (1, 5000), (256, 0), (64, 512), (64, 512)]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for path in map(pathlib.Path, sys.argv[2:]):
        payload = path.read_bytes()
        for name, edits in EDITS.items():
            question = struct.pack("<3q", 64, 1024, 8192)
            question += b"".join(struct.pack("<H2B4i", *edit) for edit in edits)
            question += b"".join(struct.pack("<2q", *step) for step in STEPS)
            (folder / f"{path.name}-{name}").write_bytes(question + struct.pack("<B7x", 0x11) + payload)
    return 0


if __name__ == "__main__":
    sys.exit(main())
