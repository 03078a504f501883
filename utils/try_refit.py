#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a refit changes only data, accuracy pages and scripted predictions.

usage: try_refit.py [--build build] [--keep]

Moves every coefficient of every set by 1 %, builds, rewrites the predictions (update_predictions.py), and runs the
unit, lit and Python tests. All must pass, and only files that update_predictions.py writes may differ. Afterwards
files and build are restored, unless `--keep` is given. The Python tests require pytest.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

from update_predictions import DOCUMENTS, ROOT

SETS = "targets/coefficients"
SCRIPTED = ("test/Regression/", "docs/Python.md", *DOCUMENTS)
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


def tracked():
    """{path: content} of every file of the repository."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name: (ROOT / name).read_bytes() for name in names.split("\0") if (ROOT / name).is_file()}


def changed(before):
    return sorted(name for name, content in tracked().items() if content != before.get(name))


def steps_of(build):
    """(name, command, environment) of what has to succeed."""
    lit = re.search(r"^LLVM_EXTERNAL_LIT:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]
    library = {"GPUCOST_LIBRARY_DIR": str(build / "lib"), "PYTHONPATH": str(ROOT / "python")}
    has_pytest = importlib.util.find_spec("pytest")
    update = [sys.executable, ROOT / "utils/update_predictions.py", "--build", build]
    yield "build", ["cmake", "--build", build], {}
    yield "predictions", [*update, *(["--python"] if has_pytest else [])], library
    for program in sorted(build.glob("unittests/*/*/*Tests")):
        yield program.name, [program, "--gtest_brief=1"], {}
    yield "lit", [sys.executable, lit, "-sv", *(build / suite for suite in ("test", "targets", "lab"))], {}
    if has_pytest:
        yield "Python", [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "python/tests"], library
    else:
        print("try_refit: Python tests are left out: no pytest")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--keep", action="store_true", help="leave the moved coefficients in the tree")
    options = parser.parse_args()
    build = options.build.absolute()
    before = tracked()
    limits = ranges(build / "bin/gpu-cost-opt")
    failed = []
    try:
        for path in sorted((ROOT / SETS).glob("*.mlir")):
            path.write_text(moved(path.read_text(), limits))
        sets = changed(before)
        for name, command, environment in steps_of(build):
            print(f"== {name}", flush=True)
            if subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}).returncode:
                failed.append(name)
        others = [name for name in changed(before) if name not in sets and not name.startswith(SCRIPTED)]
    finally:
        if not options.keep:
            for name in changed(before):
                (ROOT / name).write_bytes(before[name])
            subprocess.run(["cmake", "--build", build], cwd=ROOT)
    print(f"{len(sets)} sets moved; failed: {', '.join(failed) or 'nothing'}; "
          f"changed but not scripted: {', '.join(others) or 'nothing'}")
    return 1 if failed or others or not sets else 0


if __name__ == "__main__":
    sys.exit(main())
