#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a refit changes only data, accuracy pages and scripted predictions.

usage: try_refit.py [--build build] [--keep]

Moves every coefficient of every set by 1 %, builds, rewrites the predictions (update_predictions.py), and runs the
unit and lit tests. All must pass, and only files that update_predictions.py writes may differ. Afterwards the tree
is restored, unless `--keep` is given. It requires a tree without uncommitted changes.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

from update_predictions import DOCUMENTS, ROOT

SETS = "targets/coefficients"
SCRIPTED = ("test/Regression/", *DOCUMENTS)
# Not fitted: tiles, head dimensions, and clocks of curve points.
FACTS = {"m", "n", "warps", "ctas_per_sm", "head_dim", "query", "kv", "rows", "columns", "world_size", "clock", "reference_clock", "voltage"}
FIELD = re.compile(r"\b(\w+)( = )(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b")


def ranges(tool):
    """The narrowest range of each keyword."""
    found = {}
    for group in json.loads(subprocess.check_output([tool, "--dump-coefficients"])).values():
        for field in group["fields"]:
            low, high = found.get(field["name"], (0, float("inf")))
            found[field["name"]] = max(low, field.get("low", 0)), min(high, field.get("high", float("inf")))
    return found


def moved(text, limits):
    def move(match):
        key, number = match[1], float(match[3])
        low, high = limits.get(key, (0, float("inf")))
        allowed = [number * factor for factor in (1.01, 0.99) if low <= number * factor <= high]
        if key in FACTS or not number or not allowed:
            return match[0]
        digits = f"{allowed[0]:.6g}"
        return key + match[2] + (digits if "e" not in digits or "." in digits else digits.replace("e", ".0e"))

    lines = [line if line.startswith("//") or "provenance" in line else FIELD.sub(move, line) for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--keep", action="store_true", help="leave the moved coefficients in the tree")
    options = parser.parse_args()
    if git("status", "--porcelain", "--untracked-files=no"):
        sys.exit("the tree has uncommitted changes")
    build = options.build.absolute()
    limits = ranges(build / "bin/gpu-cost-opt")
    for path in sorted((ROOT / SETS).glob("*.mlir")):
        path.write_text(moved(path.read_text(), limits))
    sets = git("diff", "--name-only")
    lit = re.search(r"^LLVM_EXTERNAL_LIT:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]
    steps = [["cmake", "--build", build], [sys.executable, ROOT / "utils/update_predictions.py", "--build", build],
             ["ctest", "--test-dir", build, "--output-on-failure"], [sys.executable, lit, "-sv", build / "test", build / "targets"]]
    failed = [" ".join(map(str, step[:2])) for step in steps if subprocess.run(step, cwd=ROOT).returncode]
    others = [path for path in git("diff", "--name-only") if path not in sets and not path.startswith(SCRIPTED)]
    if not options.keep:
        git("checkout", "--", ".")
    print(f"{len(sets)} sets moved; failed: {failed or 'nothing'}; changed beside scripted files: {others or 'nothing'}")
    return 1 if failed or others or not sets else 0


if __name__ == "__main__":
    sys.exit(main())
