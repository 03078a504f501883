#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites all committed predictions for the fitted GPUs: run it after a refit or a model change.

usage: update_predictions.py [--build build] [--check] [--accuracy] [--python] [file...]
       update_predictions.py --print report.json

It writes test/Regression and the output that README.md, docs/CLibrary.md, docs/Decisions.md and docs/HowAccurate.md show.
`--python` adds docs/Python.md (GPUCOST_LIBRARY_DIR or an installed package), `--accuracy` the pages
docs/Accuracy*.md, docs/KernelAccuracy.md, docs/ScaleAccuracy.md, docs/StackAccuracy.md and targets/accuracy.csv, which the
next build embeds, from the tables of the laboratory. Other documents and tests use
the toy GPU or the frozen targets examples/a100.mlir and examples/h100.mlir, so no refit changes them;
utils/try_refit.py checks that.

A file of test/Regression has pairs of RUN lines and a block of checks:

  # RUN: gpu-cost-opt %models/gpt2.onnx ... --report=json -o %t.json
  # RUN: %{print} %t.json | FileCheck %s --check-prefix=GPT2
  # GPT2: time 3.821 ms, busy ..., energy ..., power ..., clock ..., launches ...

`--print` prints these totals of a JSON report on one line, with four significant
digits; the tests call it, so that the update and the check cannot differ. targets.csv
is a table of all targets (target_table.py). Without arguments all files of
test/Regression are rewritten; `--check` only lists the files that would change.
Inspect the difference before committing it: every changed number is a changed
prediction and must be listed in the commit message.
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
    """The text of `path` with new checks, each directly after its RUN lines."""
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
            sys.exit(f"{path}: expected '# {prefix}: ...' after its RUN lines, but got '{line}'")
        lines.append(line)
    if prefix:
        sys.exit(f"{path}: expected '# {prefix}: ...' after its RUN lines")
    return "\n".join(lines) + "\n"


# Documents whose output names fitted GPUs.
DOCUMENTS = ["README.md", "docs/CLibrary.md", "docs/Decisions.md", "docs/HowAccurate.md"]


# Operators of whole models, which `validate.py ops` compares.
NOT_KERNELS = ("kernels_ops_fwbw_neusight.csv.gz",)
# Attention by software and format.
MORE_KERNELS = "wave3/aic/attention_lowp.csv.gz"


def accuracy_commands(data, study, folder):
    """Commands that write the accuracy pages, with their results in `folder`."""
    rows = ["utils/validate.py", "e2e", "--measurements", data / "e2e.csv", "--core"]
    core, pages = "time+power,power-capped", []
    yield ["utils/validate.py", "gate", "--data", data, "--json", folder / "gate.json"]
    yield [*rows, f"{core},time,time(8gpu)", "--json", folder / "committed.json"]
    for protocol in ("held-out-model", "held-out-gpu"):
        yield [*rows, core, f"--protocol={protocol}", "--study", study, "--json", folder / f"{protocol}.json"]
        pages += [f"--{protocol}", folder / f"{protocol}.json"]
    yield ["utils/validate.py", "trust", "--data", data, "--committed", folder / "committed.json", "--out", "targets/accuracy.csv"]
    yield ["utils/validate.py", "accuracy", "--committed", folder / "committed.json", *pages,
           "--gate", folder / "gate.json", "--out", "docs/Accuracy.md"]
    tables = [path for path in sorted(data.glob("kernels_*")) if path.name not in NOT_KERNELS] + [data / MORE_KERNELS]
    yield ["utils/validate.py", "kernels", "--measurements", *tables, "--out", "docs/KernelAccuracy.md"]
    for name, page in (("scale", "ScaleAccuracy"), ("stacks", "StackAccuracy")):
        yield ["utils/validate.py", name, "--data", data, "--out", f"docs/{page}.md"]


def update_pages(options, folder):
    """Documents by the scripts that also test them, accuracy by its validators."""
    tool = ["--tool", options.build / "bin/gpu-cost-opt", "--plugin", options.build / "lib/GpuCostPlugin.so"]
    commands = [["test/Documents/check_document.py", *DOCUMENTS, *tool, *([] if options.check else ["--update"])]]
    if options.python:
        commands.append(["python/tests/document.py", *([] if options.check else ["--update"]), "docs/Python.md"])
    if options.accuracy and not options.check:
        commands += accuracy_commands(options.accuracy.absolute(), options.study.absolute(), pathlib.Path(folder))
    return [" ".join(map(str, command[:2])) for command in commands if subprocess.run([sys.executable, *command], cwd=ROOT).returncode]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder with tool and plugin")
    parser.add_argument("--tool", type=pathlib.Path, help="another tool than that of the build")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if something would")
    parser.add_argument("--accuracy", metavar="DATA", type=pathlib.Path,
                        help="also the accuracy pages, from this folder of measurements (figures need Matplotlib)")
    parser.add_argument("--study", type=pathlib.Path, help="with --accuracy: the folder of the studies' parameters")
    parser.add_argument("--python", action="store_true", help="also docs/Python.md")
    parser.add_argument("--print", metavar="REPORT", type=pathlib.Path, help="print one report's totals and exit")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="files of test/Regression; default: everything")
    options = parser.parse_args()
    if options.accuracy and not options.study:
        parser.error("--accuracy fits again without models and boards, and needs --study")
    if options.print:
        print(summarize(json.loads(options.print.read_text())))
        return 0
    options.build = options.build.absolute()
    tool = (options.tool or options.build / "bin/gpu-cost-opt").absolute()
    changed = 0
    files = [path for path in sorted((ROOT / "test/Regression").iterdir()) if path.suffix in (".test", ".csv")]
    for path in options.files or files:
        old, new = path.read_text(), update(tool, path)
        if old == new:
            continue
        changed += 1
        difference = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
        print(path.name, *(line for line in difference if line[0] in "-+" and line[:3] not in ("---", "+++")), sep="\n  ")
        if not options.check:
            path.write_text(new)
    print(f"{changed} file{'' if changed == 1 else 's'} of test/Regression {'would change' if options.check else 'changed'}")
    with tempfile.TemporaryDirectory() as folder:
        failed = [] if options.files else update_pages(options, folder)
    if failed:
        print("failed:", *failed)
    return 1 if failed or options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
