#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the Python examples of a document and compares the output that it shows.

usage: document.py [--update] DOCUMENT

Blocks of ```python contain lines after >>> and ... as in a console; the lines after them are
their output, and an exception ends with its line `Name: text`. `--update` rewrites the output.
Examples run in a folder with links to the content of the repository."""
import argparse
import ast
import contextlib
import importlib.util
import io
import os
import pathlib
import re
import sys
import tempfile
import traceback
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def examples(block):
    """Source and the output shown, for each example."""
    found = []
    for line in block.splitlines():
        if line.startswith(">>> "):
            found.append([[line[4:]], []])
        elif line == "..." or line.startswith("... "):
            found[-1][0].append(line[4:])
        else:
            found[-1][1].append(line)
    return [("\n".join(source), "\n".join(shown)) for source, shown in found]


def run(source, names):
    """The output of a console."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            # Expressions inside `with` also print, as at the console.
            for node in ast.parse(source).body:
                exec(compile(ast.Interactive([node]), "<document>", "single"), names)
        except Exception as error:  # noqa: BLE001 - shown to the reader
            out.write(traceback.format_exception_only(type(error), error)[-1].replace("gpucost.errors.", "gpucost."))
    return out.getvalue().rstrip("\n")


def render(block, names):
    lines = []
    for source, _ in examples(block):
        first, *rest = source.split("\n")
        lines += [f">>> {first}"] + [f"... {line}".rstrip() for line in rest]
        output = run(source, names)
        lines += output.split("\n") if output else []
    return "\n".join(lines) + "\n"


def check(document, update):
    """Differences between the document and the output of its examples, and how many ran."""
    text, names, wrong, count = document.read_text(), {}, [], 0
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for entry in ROOT.iterdir():
            if not entry.name.startswith((".", "build")):
                pathlib.Path(folder, entry.name).symlink_to(entry)
        os.chdir(folder)
        try:
            pieces, end = [], 0
            for block in BLOCK.finditer(text):
                now = render(block[1], names)
                count += len(examples(block[1]))
                if now != block[1]:
                    line = text.count("\n", 0, block.start()) + 1
                    wrong.append(f"{document.name}:{line}: expected\n{now}")
                pieces += [text[end:block.start(1)], now]
                end = block.end(1)
        finally:
            os.chdir(home)
    if update:
        document.write_text("".join(pieces) + text[end:])
        wrong = []
    return wrong, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="write the output that the document shows")
    options = parser.parse_args()
    for package in ("gpucost", "pandas", "torch"):
        if not importlib.util.find_spec(package):
            parser.error(f"the examples need the package {package}")
    wrong, count = check(options.document.resolve(), options.update)
    print(*wrong, sep="\n")
    print(f"{count} examples")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
