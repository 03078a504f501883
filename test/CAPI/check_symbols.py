#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the exports of a library with its header and its version script.

usage: check_symbols.py HEADER LIBRARY VERSION_SCRIPT
"""
import pathlib
import re
import subprocess
import sys


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    header, library, script = map(pathlib.Path, sys.argv[1:])
    text = re.sub(r"/\*[\s\S]*?\*/|^#.*$", "", header.read_text(), flags=re.M)
    declared = set(re.findall(r"GPUCOST_API[^;(]*?(\w+)\s*\(", text))
    listed = set(re.findall(r"^\s+(gpucost\w+);", script.read_text(), flags=re.M))
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE, check=True, text=True)
    rows = [line.split() for line in symbols.stdout.splitlines()]
    exported = {row[-1].split("@")[0] for row in rows if row[-2] != "A"}  # A: the version itself
    bad = False
    for what, names in (("version script", listed), ("library", exported)):
        for name in sorted(declared ^ names):
            print(f"{name}: {'missing in' if name in declared else 'undeclared, but in'} the {what}")
            bad = True
    print(f"{len(declared)} functions")
    return 1 if bad or not declared else 0


if __name__ == "__main__":
    sys.exit(main())
