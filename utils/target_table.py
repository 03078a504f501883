# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Table of predictions for all targets and formats: test/Regression/targets.csv.

The kernels are in test/Regression/Inputs/kernels.csv, the networks are defined below.
A case that a target cannot run is a row with the diagnostic. update_predictions.py
writes and checks the table.
"""
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMAT_TABLE = ROOT / "include/gpucost/Core/Vocabulary/Formats.def"
KERNELS = ROOT / "test/Regression/Inputs/kernels.csv"
NETWORKS = {"bert-base": ["--batch=8", "--seq=128"], "resnet50": ["--batch=8"]}
COLUMNS = ["target", "format", "case", "time_us", "power_w", "energy_mj", "clock_mhz", "bound", "memory_mib",
           "unsupported"]


def run(tool, *arguments, stdin=""):
    return subprocess.run([str(tool), *arguments], input=stdin, capture_output=True, text=True)


ERROR = re.compile(r"gpu-cost-opt: error: (?:<stdin>:(?P<line>\d+):\d+: )?(?P<text>.*)")


def diagnostic(result):
    """The message, without the program and the place in the file."""
    return ERROR.match(result.stderr)["text"]


def row(target, kind, case, **values):
    cells = {name: f"{value:.4g}" if isinstance(value, (int, float)) else value for name, value in values.items()}
    return {"target": target, "format": kind, "case": case, **cells}


def predict_kernels(tool, target, kind):
    lines = KERNELS.read_text().splitlines()
    # An unsupported row makes the whole file an error, so run it again without this
    # row.
    while (result := run(tool, "--kernels=-", f"--target={target}-{kind}", "--report=json",
                         stdin="\n".join(lines))).returncode:
        query = lines.pop(int(ERROR.match(result.stderr)["line"]) - 1)
        yield row(target, kind, query.split(",")[0], unsupported=diagnostic(result))
    for answer in json.loads(result.stdout):
        yield row(target, kind, answer["case"], time_us=answer["time_us"], power_w=answer["power_w"],
                  energy_mj=answer["energy_j"] * 1e3, clock_mhz=answer["clock_mhz"], bound=answer["bound"])


def predict_networks(tool, target, kind):
    for name, flags in NETWORKS.items():
        result = run(tool, str(ROOT / f"models/{name}.onnx"), f"--target={target}-{kind}", *flags, "--report=json")
        if result.returncode:
            yield row(target, kind, name, unsupported=diagnostic(result))
            continue
        totals = json.loads(result.stdout)["iteration"]
        yield row(target, kind, name, time_us=totals["time_ms"] * 1e3, power_w=totals["avg_power_w"],
                  energy_mj=totals["energy_j"] * 1e3, clock_mhz=totals["clock_mhz"], bound=totals["bound"],
                  memory_mib=totals["peak_memory_bytes"] / 2**20)


def predict(tool, target, kind):
    refused = run(tool, "--kernel=elementwise op=add elements=1024", f"--target={target}-{kind}")
    if refused.returncode:
        return [row(target, kind, "all", unsupported=diagnostic(refused))]
    return [*predict_kernels(tool, target, kind), *predict_networks(tool, target, kind)]


def target_table(tool):
    """The table as text."""
    listed = json.loads(run(tool, "--list-targets", "--report=json").stdout)
    formats = dict.fromkeys(kind for target in listed for kind in target["formats"])
    # In the order of the number format table.
    order = re.findall(r'^(?:STORED_)?FORMAT\(\w+, "([^"]+)"', FORMAT_TABLE.read_text(), re.M)
    jobs = [(target["name"], kind) for target in listed for kind in sorted(formats, key=order.index)]
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for rows in pool.map(lambda job: predict(tool, *job), jobs):
            writer.writerows(rows)
    return out.getvalue()
