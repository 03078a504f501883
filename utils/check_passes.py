#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every pass is documented with an example test that exists and uses it."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    passes = []
    for folder in ("Transforms", "CostAnalysis"):
        text = (ROOT / f"include/gpucost/Compiler/{folder}/Passes.td").read_text()
        passes += re.split(r"\ndef (?=\w+ : (?:GpuCost_)?Pass<)", text)[1:]
    problems = []
    for definition in passes:
        name = re.search(r'Pass<"([a-z-]+)">', definition)
        if not name:
            problems.append(f"cannot read {definition.splitlines()[0]}")
            continue
        example = re.search(r"Example: `([^`]+)`", definition)
        if not example:
            problems.append(f"{name[1]} names no example test")
        elif not (ROOT / example[1]).is_file():
            problems.append(f"{name[1]}: {example[1]} does not exist")
        elif name[1] not in (ROOT / example[1]).read_text():
            problems.append(f"{name[1]}: {example[1]} does not use it")
    for problem in problems:
        print(f"check_passes: {problem}")
    if not problems:
        print(f"check_passes: {len(passes)} passes, each with its example")
    return 1 if problems or not passes else 0


if __name__ == "__main__":
    sys.exit(main())
