#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites the predictions in test/Regression from what the tool says now.

usage: update_prediction_checks.py [--tool build/bin/gpu-cost-opt] [--check] [file...]
       update_prediction_checks.py --print report.json

A file of predictions has pairs of RUN lines and a block of checks:

  # RUN: gpu-cost-opt %models/gpt2.onnx ... --report=json -o %t.json
  # RUN: %{print} %t.json | FileCheck %s --check-prefix=GPT2
  # GPT2: time 3.821 ms, busy ..., energy ..., power ..., clock ..., launches ...

`--print` says these totals of a JSON report in one line, to four significant digits;
the tests call it, so that the update and the check cannot differ. targets.csv is a
table of every target (target_table.py). Without arguments every file of
test/Regression is rewritten; `--check` only says which would change.
Look at the difference before you commit it: every changed number is a changed
prediction and belongs into the commit message.
"""
import argparse
import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from target_table import target_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN = re.compile(r"^# RUN: (gpu-cost-opt (.*) -o %t\.json)$")
PRINT = re.compile(r"^# RUN: %\{print\} .*--check-prefix=([A-Z0-9-]+)$")


def summarize(report):
    iteration = report["iteration"]
    parts = [
        f"time {iteration['time_ms']:.4g} ms",
        f"busy {iteration['gpu_busy_ms']:.4g} ms",
        f"host {iteration['host_ms']:.4g} ms",
        f"energy {iteration['energy_j']:.4g} J",
        f"power {iteration['avg_power_w']:.4g} W",
        f"clock {iteration['clock_mhz']:.4g} MHz",
        f"DRAM {iteration['dram_bytes']:.4g} B",
        f"MFU {iteration['mfu']:.4g}",
        f"{iteration['launches']} launches",
    ]
    return ", ".join(parts)


def predict(tool, command):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "report.json"
        words = command.replace("%models", str(ROOT / "models")).split()
        result = subprocess.run([str(tool), *words, "-o", str(out)], capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"gpu-cost-opt {command}: exit {result.returncode}\n{result.stderr}")
        return summarize(json.loads(out.read_text()))


def update(tool, path):
    """The text of `path` with new checks: each stands right behind its RUN lines."""
    if path.suffix == ".csv":
        return target_table(tool)
    lines, command, prefix = [], None, None
    for line in path.read_text().splitlines():
        if run := RUN.match(line):
            command = run[2]
        elif show := PRINT.match(line):
            prefix = show[1]
        elif prefix and line.startswith(f"# {prefix}: "):
            line = f"# {prefix}: {predict(tool, command)}"
            command = prefix = None
        elif prefix:
            sys.exit(f"{path}: expected '# {prefix}: ...' behind its RUN lines, but got '{line}'")
        lines.append(line)
    if prefix:
        sys.exit(f"{path}: expected '# {prefix}: ...' behind its RUN lines")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build/bin/gpu-cost-opt")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if something would")
    parser.add_argument("--print", metavar="REPORT", type=pathlib.Path, help="say one report's totals and exit")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.print:
        print(summarize(json.loads(options.print.read_text())))
        return 0
    changed = 0
    files = [path for path in sorted((ROOT / "test/Regression").iterdir()) if path.suffix in (".test", ".csv")]
    for path in options.files or files:
        old, new = path.read_text(), update(options.tool.absolute(), path)
        if old == new:
            continue
        changed += 1
        difference = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
        print(path.name, *(line for line in difference if line[0] in "-+" and line[:3] not in ("---", "+++")), sep="\n  ")
        if not options.check:
            path.write_text(new)
    print(f"{changed} file{'' if changed == 1 else 's'} {'would change' if options.check else 'changed'}")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
