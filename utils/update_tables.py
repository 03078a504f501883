#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes targets and coefficients as tables (lib/Archive/CompiledTables.inc), which the build without MLIR reads.
Run it after any change of targets/, calibration/coefficients/, the records in include/gpucost/Model/*.def or an
enumeration.

usage: update_tables.py [--build build] [--check]

--check changes nothing and fails when the file differs.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "lib/Archive/CompiledTables.inc"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder with the tool")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    tool = arguments.build / "bin" / "gpu-cost-opt"
    text = subprocess.run([tool, "--dump-tables"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if TABLES.read_text() == text:
        return 0
    if not arguments.check:
        TABLES.write_text(text)
    print(f"{TABLES.relative_to(ROOT)}: {'differs; run utils/update_tables.py' if arguments.check else 'written'}")
    return int(arguments.check)


if __name__ == "__main__":
    sys.exit(main())
