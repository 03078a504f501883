#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the C header lists the formats of include/gpucost/Core/Vocabulary/Formats.def.

usage: check_formats.py [--write]

--write updates it.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r'^(?:STORED_)?FORMAT\((\w+), ".*"([^"]*)"\)$', re.M)


def header(text, rows):
    """gpucost.h with one enumerator per format."""
    lines = [(f"  /** {doc[0].upper()}{doc[1:]}. */\n" if doc else "") + f"  GPUCOST_{case} = {number},"
             for number, (case, doc) in enumerate(rows, 1)]
    lines[-1] = lines[-1].rstrip(",")
    return re.sub(r"(  /\* utils/check_formats.py [^\n]*\n).*?(\} gpucostFormat;\n#define GPUCOST_FORMAT_COUNT) \d+",
                  lambda found: "\n".join([found[1] + lines[0], *lines[1:], f"{found[2]} {len(rows) + 1}"]), text,
                  flags=re.S)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="update the header")
    write = parser.parse_args().write
    rows = ROW.findall((ROOT / "include/gpucost/Core/Vocabulary/Formats.def").read_text())
    path = ROOT / "include/gpucost-c/gpucost.h"
    text = path.read_text()
    new = header(text, rows)
    if new == text and rows:
        print(f"check_formats: {len(rows)} formats in the C header")
        return 0
    if write:
        path.write_text(new)
    print(f"check_formats: the C header {'written' if write else 'differs; run utils/check_formats.py --write'}")
    return 0 if write and rows else 1


if __name__ == "__main__":
    sys.exit(main())
