#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares predictions with measurements: starts lab/validate/validate.py, whose --help lists the validators."""
import pathlib
import runpy
import sys

LAB = pathlib.Path(__file__).resolve().parent.parent / "lab" / "validate"

if __name__ == "__main__":
    sys.path[0] = str(LAB)
    runpy.run_path(str(LAB / "validate.py"), run_name="__main__")
