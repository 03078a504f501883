#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that the tool prints in two places agree.

usage: check.py PROPERTY --tool gpu-cost-opt [--mlir-opt mlir-opt --plugin plugin.so] [--libraries FOLDER] [--update] [--all]

A property is a module in the folder `properties` with a function `cases(tool)` that yields
a `Case` per model, target and setting. expected-failures.csv lists the known differences:
property, condition, the fields that differ, and the step that fixes them ("operating
point", "analyses", "scenario", "right answers"). The test fails if a field differs and is
not in the list, or if it is in the list and agrees. `--update` rewrites the list; the step
of new rows must be filled in. `--all` takes all configurations of `invariants`, and more settings of `answers`, instead
of a sample. `--libraries` is the folder with the C libraries of the build.
"""
import argparse
import csv
import importlib
import pathlib
import sys

from tool import Tool

FOLDER = pathlib.Path(__file__).resolve().parent
EXPECTED = FOLDER / "expected-failures.csv"
COLUMNS = ["property", "condition", "fields", "mended_by"]
STEPS = ["operating point", "analyses", "scenario", "right answers"]
PROPERTIES = ["kernel_query", "kernel_query_throttled", "plugin", "attributes", "edited_attributes",
              "accumulation", "invariants", "answers", "table", "schedules", "best_schedules", "products",
              "boards"]
# The gate takes a sample of their cases.
SAMPLED = ["invariants", "answers"]


def read_expected():
    with EXPECTED.open(newline="") as file:
        rows = list(csv.DictReader(file))
    if rows and list(rows[0]) != COLUMNS:
        sys.exit(f"{EXPECTED}: expected the columns {', '.join(COLUMNS)}")
    for number, row in enumerate(rows, 2):
        if row["property"] not in PROPERTIES:
            sys.exit(f"{EXPECTED}:{number}: unknown property '{row['property']}'")
    return rows


def write_expected(rows):
    with EXPECTED.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["property"], row["condition"])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("property", choices=PROPERTIES)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--mlir-opt")
    parser.add_argument("--plugin")
    parser.add_argument("--libraries")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    tool = Tool(options.tool, options.mlir_opt, options.plugin, options.libraries)

    rows = read_expected()
    expected = {row["condition"]: row for row in rows if row["property"] == options.property}
    seen, wrong, found, checks = set(), [], [], 0
    cases = importlib.import_module(f"properties.{options.property}").cases
    for case in cases(tool, every=True) if options.all else cases(tool):
        if case.condition in seen:
            sys.exit(f"'{case.condition}' is checked twice")
        seen.add(case.condition)
        checks += case.checks
        row = expected.get(case.condition, {"fields": "", "mended_by": ""})
        known = set(row["fields"].split())
        if case.differences:
            found.append({"property": options.property, "condition": case.condition,
                          "fields": " ".join(sorted(case.differences)), "mended_by": row["mended_by"]})
        for field in sorted(case.differences.keys() - known):
            wrong.append(f"{case.condition}: {field}: {case.differences[field]}")
        for field in sorted(known - case.differences.keys()):
            wrong.append(f"{case.condition}: {field}: agrees now; remove it from {EXPECTED.name}")
        if known and row["mended_by"] not in STEPS:
            wrong.append(f"{case.condition}: mended_by: expected one of {', '.join(STEPS)}, but got '{row['mended_by']}'")
    # A sample covers only few listed conditions.
    for condition in sorted(expected.keys() - seen) if options.all or options.property not in SAMPLED else []:
        wrong.append(f"{condition}: is in {EXPECTED.name}, but no case has this name")
    if options.update:
        write_expected([row for row in rows if row["property"] != options.property] + found)
    elif wrong:
        print(*wrong, sep="\n")
        sys.exit(f"{len(wrong)} of {options.property} do not hold")
    print(f"{options.property}: {len(seen)} cases, {checks} checks, {len(found)} differ as expected")


if __name__ == "__main__":
    main()
