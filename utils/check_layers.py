#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the includes of include/gpucost and lib against utils/layers.txt, which names the folders that each folder
may include from. Fails if the table has a cycle, if it lacks a file's folder, if an include refers to a folder that
the line does not name, or if a folder marked `plain` includes LLVM or MLIR.

usage: check_layers.py [root of the sources]
"""
import graphlib
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if sys.argv[1:] else __file__ + "/../..").resolve()
BASES = (ROOT / "include/gpucost", ROOT / "lib")
INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]([^">]+)[">]', re.M)


def read_table():
    """{folder: folders that it may include from}, and the plain folders."""
    arrows, plain = {}, set()
    for line in (ROOT / "utils/layers.txt").read_text().splitlines():
        left, colon, right = line.split("#")[0].partition(":")
        if colon:
            folder, *marks = left.split()
            arrows[folder] = set(right.split())
            plain |= {folder} if "plain" in marks else set()
    return arrows, plain


def folder_of(path, arrows):
    """The innermost folder of the table that contains `path`, relative to include/gpucost or lib; None if there
    is none."""
    return next((str(folder) for folder in path.parents if str(folder) in arrows), None)


def resolve(name, file, base):
    """The included file relative to include/gpucost or lib; None for external headers."""
    if name.startswith("gpucost/"):
        return pathlib.Path(name).relative_to("gpucost")
    neighbour = file.parent / name
    return pathlib.Path(os.path.relpath(os.path.normpath(neighbour), base)) if neighbour.is_file() else None


def check_file(file, base, arrows, plain):
    """The problems of one file's includes, and the number of includes."""
    path = file.relative_to(base)
    folder = folder_of(path, arrows)
    if folder is None:
        return [f"utils/layers.txt has no line for the folder of {file.relative_to(ROOT)}"], 0
    problems, count = [], 0
    for name in INCLUDE.findall(file.read_text()):
        where = f"{file.relative_to(ROOT)} includes {name}"
        if folder in plain and name.startswith(("llvm/", "mlir/")):
            problems.append(f"{where}, but {folder} is plain")
        target = resolve(name, file, base)
        if target is None:
            continue
        count += 1
        layer = folder_of(target, arrows)
        if layer != folder and layer not in arrows[folder]:
            problems.append(f"{where}, but {folder} may not include from {layer or target.parent}")
    return problems, count


def main():
    arrows, plain = read_table()
    problems = [f"{folder} may include from {layer}, which has no line" for folder, layers in arrows.items()
                for layer in sorted(layers - set(arrows))]
    try:
        tuple(graphlib.TopologicalSorter(arrows).static_order())
    except graphlib.CycleError as error:
        problems.append("circle: " + " -> ".join(reversed(error.args[1])))
    total = 0
    for base in BASES:
        for file in sorted(base.rglob("*")):
            if file.suffix in (".cpp", ".h", ".def", ".td", ".inc"):
                found, count = check_file(file, base, arrows, plain)
                problems += found
                total += count
    for problem in problems:
        print(f"check_layers: {problem}")
    if not problems:
        print(f"check_layers: {total} includes obey the arrows of {len(arrows)} folders")
    return 1 if problems or not total else 0


if __name__ == "__main__":
    sys.exit(main())
