#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the code and a test name every equation of docs/CostModel.md.

Ids look like (G4). An id in the document must occur under lib or include and
under unittests or test; an id in the code must be defined in the document.
Lowering rules (L*) are tested by lit files, the rest by unit tests.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ID = re.compile(r"\(([WGSCADMPHLBNOXRUKTEQJFIVYZ]\d+)\)")


def ids(*folders, suffixes):
    found = set()
    for folder in folders:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in suffixes:
                found |= set(ID.findall(path.read_text(errors="ignore")))
    return found


def main():
    defined = set(re.findall(r"\*\*\(([WGSCADMPHLBNOXRUKTEQJFIVYZ]\d+)\)\*\*", (ROOT / "docs/CostModel.md").read_text()))
    code = ids("lib", "include", suffixes={".h", ".cpp", ".td", ".def"})
    tests = ids("unittests", "test", suffixes={".h", ".cpp", ".inc", ".mlir", ".test"})
    problems = [f"({i}) is defined but not in the code" for i in sorted(defined - code)]
    problems += [f"({i}) is defined but not in a test" for i in sorted(defined - tests)]
    problems += [f"({i}) is in the code but not defined" for i in sorted(code - defined)]
    for problem in problems:
        print(f"check_equations: {problem}")
    if not problems:
        print(f"check_equations: {len(defined)} equations, each in the code and in a test")
    return 1 if problems or not defined else 0


if __name__ == "__main__":
    sys.exit(main())
