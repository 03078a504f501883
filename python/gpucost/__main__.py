# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command-line tool: `gpu-cost-opt`, or `python -m gpucost`."""
from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import List, Optional


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the tool with these arguments (default: those of the program); its exit code."""
    from gpucost._native import mlir

    # As in a C program: Ctrl-C and a closed pipe end it at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout.flush()
    words = [b"gpu-cost-opt"] + [os.fsencode(word) for word in (sys.argv[1:] if arguments is None else arguments)]
    argv = (ctypes.c_char_p * (len(words) + 1))(*words, None)
    return int(mlir.Main(len(words), argv))


if __name__ == "__main__":
    sys.exit(main())
