#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the boundary of the laboratory and its manifest.

Only utils/validate.py and documents may name a path in lab/. lab/manifest.csv lists every
table that the scripts there read, with the rows and the SHA-256 of its text; tables in the
repository must agree with it, and also tables in ../shared/data if that folder exists.
"""
import csv
import gzip
import hashlib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAB = ROOT / "lab"
DATA = ROOT.parent / "shared" / "data"
# mkdocs.yml lists documents.
ALLOWED = {"utils/validate.py", "utils/check_lab.py", "mkdocs.yml"}
PATH = re.compile(r"\blab/(?:" + "|".join(sorted(each.name for each in LAB.iterdir())) + r")\b")
TABLE = re.compile(r'"([\w/]+(?:\.csv(?:\.gz)?|_params\.json))"')
# Files that the scripts write.
WRITTEN = {"kernels-from-model.csv", "ops.csv", "rows.csv"}


def trespassers():
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT).decode().split("\0")[:-1]
    for name in names:
        path = ROOT / name
        if name.startswith("lab/") or name in ALLOWED or path.suffix in (".md", ".onnx", ".png") or not path.is_file():
            continue
        for number, line in enumerate(path.read_text(errors="ignore").splitlines(), start=1):
            if PATH.search(line):
                yield f"{name}:{number} names a path in lab/"


def unlisted(tables):
    known = {pathlib.PurePath(table).name for table in tables} | WRITTEN
    for script in sorted([*LAB.glob("fit/*.py"), *LAB.glob("validate/*.py")]):
        for name in TABLE.findall(script.read_text()):
            if pathlib.PurePath(name).name not in known:
                yield f"{script.relative_to(ROOT)} reads {name}, which lab/manifest.csv does not list"
    for path in sorted(LAB.glob("measurements/*/*.csv")):
        if str(path.relative_to(LAB)) not in tables:
            yield f"lab/manifest.csv does not list {path.relative_to(LAB)}"


def changed(table, rows):
    """Compares a table with its entries in the manifest, for all sources."""
    path = (LAB if rows[0]["kind"] == "own" else DATA) / table
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    lines = [line for line in text.decode().splitlines() if line and not line.startswith("#")]
    count = sum(1 for _ in csv.DictReader(lines))
    if count != sum(int(row["rows"]) for row in rows):
        yield f"{table} has {count} rows, unlike in lab/manifest.csv"
    if {hashlib.sha256(text).hexdigest()} != {row["sha256"] for row in rows}:
        yield f"the SHA-256 of {table} differs from lab/manifest.csv"


def main():
    tables = {}
    with open(LAB / "manifest.csv", newline="") as file:
        for row in csv.DictReader(file):
            tables.setdefault(row["table"], []).append(row)
    problems = [*trespassers(), *unlisted(tables)]
    checked = 0
    for table, rows in tables.items():
        if rows[0]["kind"] == "own" or rows[0]["kind"] == "data" and DATA.is_dir():
            problems += changed(table, rows)
            checked += 1
    for problem in problems:
        print(f"check_lab: {problem}")
    if not problems:
        print(f"check_lab: {len(tables)} tables, {checked} of them compared")
    return 1 if problems or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
