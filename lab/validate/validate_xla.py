# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls and collectives of one node of AMD boards: rows of XLA's tables (matmuls_of_xla.py).

Collectives of 4 MiB and more: below, launch and rendezvous in XLA are most of the time. Each row counts once.
"""
import csv
import gzip
import pathlib

import numpy as np

import gates
import validate_kernels
from error_statistics import Errors
from matmuls_of_xla import BOARDS, SIZES, read_rows

COLLECTIVES, LEAST_BYTES = "wave3/comm.csv.gz", 2**22
KINDS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
LARGE = 20  # us
# Mean errors in percent of all matmuls and of those from 20 us, and of collectives, above which the gate fails.
GATES = {("mi300x", "bf16"): (11.6, 7.2), ("mi300x", "fp16"): (11.7, 7.1), ("mi300x", "fp8"): (26.0, 12.2)}
COLLECTIVE_GATES = {"mi300x": 5.5}


class Result:
    """Times in us of some rows, and the ends of the 80 % intervals."""

    def __init__(self, tool, board, kind, queries, measured):
        answers, error = validate_kernels.ask(tool, board, kind, queries)
        if error:
            raise SystemExit(f"validate.py: {error}")
        self.measured = np.array(measured)
        self.times, self.low, self.high = (np.array([float(answer[name]) for answer in answers])
                                           for name in ("time_us", "time_low_us", "time_high_us"))

    def errors(self, least=0):
        where = self.measured >= least
        return 100 * (self.times[where] / self.measured[where] - 1)

    def inside(self):
        return 100 * np.mean((self.low <= self.measured) & (self.measured <= self.high))

    def text(self, least=0):
        return (f"{len(self.errors()):5d}: {Errors(self.errors()).text()}"
                + (f"; from {least} us: {Errors(self.errors(least)).text()}" if least else "")
                + f"; inside {self.inside():3.0f} %")


def matmuls(tool, data):
    """{(board, format): Result} of the boards in the table."""
    found = {}
    for board in BOARDS:
        for kind in SIZES:
            rows = read_rows(data, board, kind)
            if rows:
                found[board, kind] = Result(tool, board, kind, [row.query for row in rows], [row.measured for row in rows])
    return found


def collectives(tool, data):
    """{(board, collective, GPUs): Result}."""
    with gzip.open(pathlib.Path(data) / COLLECTIVES, "rt", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["op"] in KINDS and row["time_us"] and row["nodes"] == "1"
                and int(row["bytes"]) >= LEAST_BYTES]
    found = {}
    for board, name in BOARDS.items():
        for kind in KINDS:
            for gpus in sorted({int(row["gpus"]) for row in rows if row["gpu"] == name}):
                part = [row for row in rows if row["gpu"] == name and row["op"] == kind and int(row["gpus"]) == gpus]
                queries = [{"family": "collective", "op": kind, "gpus": gpus, "message_bytes": int(row["bytes"]),
                            "dtype": "fp32"} for row in part]
                if part:
                    found[board, kind, gpus] = Result(tool, board, "fp32", queries, [float(row["time_us"]) for row in part])
    return found


def run(args):
    for (board, kind), result in matmuls(args.tool, args.data).items():
        print(f"{board} {kind:5s} matmuls {result.text(LARGE)}", flush=True)
    for (board, kind, gpus), result in collectives(args.tool, args.data).items():
        print(f"{board} {kind:15s} {gpus} GPUs {result.text()}", flush=True)
    return 0


def checks(tool, data):
    """All rows and large ones, by board and format; collectives by board."""
    found = matmuls(tool, data)
    for key, limits in GATES.items():
        for size, least, limit in zip(("all", "from 20 us"), (0, LARGE), limits):
            yield gates.mape(f"matmuls, {' '.join(key)}, {size}, time", list(found[key].errors(least)), limit)
    links = collectives(tool, data)
    for board, limit in COLLECTIVE_GATES.items():
        signed = [error for key, result in links.items() if key[0] == board for error in result.errors()]
        yield gates.mape(f"collectives of a node, {board}, 4 MiB and more, time", signed, limit)
