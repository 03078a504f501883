#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what the build without MLIR has in the place of generated code: targets and coefficients as tables
(lib/Archive/CompiledTables.inc), and the enumerations (generated/). Run it after any change of targets/,
calibration/coefficients/, the records in include/gpucost/Model/*.def or an enumeration.

usage: update_tables.py [--build build] [--check]

--check changes nothing and fails when a file differs.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENUMERATIONS = ["gpucost/Dialect/GpuCost/IR/GpuCostEnums.h.inc", "gpucost/Scenario/ScenarioEnums.h.inc"]
LICENSE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


def generate(build):
    """The files of the tree and what they should hold."""
    tables = subprocess.run([build / "bin" / "gpu-cost-opt", "--dump-tables"], stdout=subprocess.PIPE, check=True)
    files = {ROOT / "lib/Archive/CompiledTables.inc": tables.stdout.decode()}
    for name in ENUMERATIONS:
        files[ROOT / "generated" / name] = LICENSE + (build / "include" / name).read_text()
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder with the tool")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    stale = {path: text for path, text in generate(arguments.build).items()
             if not path.exists() or path.read_text() != text}
    for path, text in stale.items():
        print(f"{path.relative_to(ROOT)}: {'differs; run utils/update_tables.py' if arguments.check else 'written'}")
        if not arguments.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
