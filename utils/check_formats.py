#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the C header and the JSON schemas list the formats of include/gpucost/Vocabulary/Formats.def.

usage: check_formats.py [--write]

--write updates them.
"""
import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r'^(?:STORED_)?FORMAT\((\w+), "([^"]+)",.*"([^"]*)"\)$', re.M)


def header(text, rows):
    """gpucost.h with an enumerator for each format."""
    lines = [f"  GPUCOST_{case} = {number}{',' if number < len(rows) else ''}{f' /**< {doc} */' if doc else ''}"
             for number, (case, _, doc) in enumerate(rows, 1)]
    return re.sub(r"(  /\* utils/check_formats.py [^\n]*\n).*?(\} gpucostFormat;\n#define GPUCOST_FORMAT_COUNT) \d+",
                  lambda found: "\n".join([found[1] + lines[0], *lines[1:], f"{found[2]} {len(rows) + 1}"]), text,
                  flags=re.S)


def schema(text, rows):
    """A schema whose "number_format" lists each format."""
    return re.sub(r'("number_format": \{"enum": )\[[^]]*\]', lambda found: found[1] + json.dumps([row[1] for row in rows]),
                  text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="update the files")
    write = parser.parse_args().write
    rows = ROW.findall((ROOT / "include/gpucost/Vocabulary/Formats.def").read_text())
    stale = 0
    for name, generate in (("include/gpucost-c/gpucost.h", header), ("docs/report.schema.json", schema)):
        text = (ROOT / name).read_text()
        new = generate(text, rows)
        if new == text:
            continue
        stale += 1
        if write:
            (ROOT / name).write_text(new)
        print(f"check_formats: {name} {'written' if write else 'differs; run utils/check_formats.py --write'}")
    if not stale:
        print(f"check_formats: {len(rows)} formats in the C header and the schema")
    return 1 if stale and not write or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
