# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""targets/accuracy.csv: number and mean error of the measured iterations, by source, board, kind and format.

The tool embeds the table and names the rows nearest to a prediction (`--how-accurate`, docs/HowAccurate.md). It contains
only counts and errors, never a measured row. Errors are those of the shipped coefficients: whole iterations of `e2e
--json`, the project's measurements, and serving stacks. Rows whose label the data mark as doubtful are left out. Sources of
UNPUBLISHED have counts only.
"""
import collections
import csv
import io
import json
import pathlib
import re

import e2e_rows
import validate_measured
import validate_serve
from error_statistics import Errors

ROOT = e2e_rows.ROOT
COLUMNS = ("source", "board", "die", "architecture", "kind", "format", "gpus", "rows", "published", "time_error", "power_error",
           "energy_error")
OWN = "this-project"
# The terms of these sources forbid to publish errors.
UNPUBLISHED = ("mlperf",)
QUANTITIES = ("time", "power", "energy")


def facts(board):
    """(die, architecture) of a target."""
    text = (ROOT / "targets" / f"{board}.mlir").read_text()
    return re.search(r'die = "([^"]+)"', text)[1], re.search(r"architecture = (\w+)", text)[1]


class Groups:
    """Signed errors in percent, by (source, board, kind, format, gpus) and quantity."""

    def __init__(self):
        self.errors = collections.defaultdict(lambda: collections.defaultdict(list))
        self.rows = collections.Counter()

    def add(self, source, board, kind, number_format, gpus, found):
        """A row with the errors `found`, {quantity: percent or None}."""
        group = source, board, kind, number_format, "1" if int(gpus) == 1 else "several"
        self.rows[group] += 1
        for what, error in found.items():
            if error is not None:
                self.errors[group][what].append(error)

    def table(self):
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow(COLUMNS)
        for group, count in sorted(self.rows.items()):
            published = not group[0].startswith(UNPUBLISHED)
            means = [f"{Errors(self.errors[group][what]).mean:.1f}" if published and self.errors[group][what] else ""
                     for what in QUANTITIES]
            out.writerow([*group[:2], *facts(group[1]), *group[2:], count, "yes" if published else "no", *means])
        return text.getvalue()


def add_iterations(groups, results):
    """Rows of `e2e --json`."""
    for result in results:
        if result.caveat:
            continue
        row, iteration = result.row, result.report["iteration"]
        groups.add(row["source"], row["gpu"], e2e_rows.mode_of(row), e2e_rows.FORMATS[row["precision"]][0],
                   iteration["world_size"], {what: result.error(what) for what in QUANTITIES})


def add_own(groups, args):
    """The project's measurements that measure the GPU."""
    rows, _ = validate_measured.measured_networks(args.tool, args.jobs)
    for row in rows:
        if row.on_gpu:
            groups.add(OWN, validate_measured.target_of(row.board), row.row["mode"],
                       e2e_rows.FORMATS[row.row["precision"]][0], 1, {what: row.error(what) for what in QUANTITIES})


def add_serving(groups, args):
    """Prompts as inference, steps as decode, of rows that are used for limits."""
    serving = json.loads(pathlib.Path(args.manifest).read_text())["serving"]
    for step in validate_serve.predict(args, args.data)[0]:
        if not validate_serve.trusted(step.row):
            continue
        number_format = serving["precisions"][step.row["precision"].split()[0]][0]
        board, gpus, source = step.gpu, step.row["tp"], step.row["dataset"]
        found = {"time": step.error("decode"), "power": step.error("power"), "energy": step.error("energy")}
        if any(error is not None for error in found.values()):
            groups.add(source, board, "decode", number_format, gpus, found)
        if step.error("prefill") is not None:
            groups.add(source, board, "inference", number_format, gpus, {"time": step.error("prefill")})


def run(args):
    groups = Groups()
    add_iterations(groups, [e2e_rows.Prediction.from_json(row) for row in json.loads(pathlib.Path(args.committed).read_text())])
    add_own(groups, args)
    add_serving(groups, args)
    pathlib.Path(args.out).write_text(groups.table())
    print(f"{args.out}: {sum(groups.rows.values())} rows in {len(groups.rows)} groups")
    return 0
