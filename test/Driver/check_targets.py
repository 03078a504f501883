#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks every coefficient file and every target name with the tool.

Target files are a separate lit suite (targets/).

usage: check_targets.py <gpu-cost-opt> <repository>
"""
import pathlib
import subprocess
import sys


def call(tool, *arguments):
    result = subprocess.run([tool, *arguments], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(arguments)}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    targets = sorted(path.stem for path in (root / "targets").glob("*.mlir"))
    sets = sorted((root / "targets/coefficients").glob("*.mlir"))
    for path in sets:
        said = call(tool, f"--check-target={path}")
        if said != f"ok {path.stem}\n":
            sys.exit(f"{path}: {said}")

    # Lines of targets start at the left margin: name, die, formats, aliases.
    lines = call(tool, "--list-targets").split("\n\n")[0].splitlines()
    names = {}
    for line in lines:
        if not line.startswith(" "):
            names[line.split()[0]] = line[79:].split(", ")
    if sorted(names) != targets:
        sys.exit(f"--list-targets shows {sorted(names)}")

    asked = 0
    for name, aliases in names.items():
        for spelling in [name, *aliases]:
            said = call(tool, "--kernel=matmul m=256 n=256 k=256", f"--target={spelling}")
            if f" on {name}\n" not in said:
                sys.exit(f"--target={spelling}: {said}")
            asked += 1
    print(f"{len(names)} targets under {asked} names, {len(sets)} coefficient files")


if __name__ == "__main__":
    main()
