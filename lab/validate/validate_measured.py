# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tool with the project's measurements (lab/measurements).

One folder per board. Times of second boards are in no fit; power of all boards is in one, of a mean board (fit_boards.py).
Single kernels and steady loads come from `gpu-cost-opt calibrate --rows`, whose prior is the shipped coefficients; models are
predicted with the ordinary command line. Their GPU time comes from replayed graphs, or from eager rows
without the gaps in which the GPU waits for the host: the hosts were slow. Eager wall
time is predicted with the host's launch cost (`host.csv`).
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import tempfile

import e2e_rows
import gates
from error_statistics import describe
from kernel_tables import Unmapped

ROOT = e2e_rows.ROOT
FOLDER = ROOT / "lab" / "measurements"
NETWORKS = ("training.csv", "inference.csv")
# Models that kept memory allocated while later models ran in the same process; later memory
# counts include it.
LEAVES_MEMORY = ("vgg16", "vit-base")


def read(path):
    """Measured rows, with `line` and `process` (number of previous runs in the file)."""
    rows, header, process = [], None, -1
    with open(path, newline="") as file:
        for line, text in enumerate(file, 1):
            if text.startswith("# program:"):
                process += 1
            if text.startswith("#"):
                continue
            cells = next(csv.reader([text]))
            if header is None:
                header = cells
                continue
            row = dict(zip(header, cells), line=line, process=process)
            if row["status"] == "ok":
                rows.append(row)
    return rows


def boards():
    return sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())


def target_of(board):
    """The target of a folder: "h200-sxm-2" is the second board of h200-sxm."""
    return re.sub(r"-\d+$", "", board)


def host_launch(board):
    """Time in us per eager launch on the board's host, or on the other host if it was not measured."""
    for name in [board, *boards()]:
        path = FOLDER / name / "host.csv"
        if path.exists():
            return next(float(row["time_us"]) for row in read(path) if row["name"] == "add")
    return None


def command(tool, board, row):
    """Command line that predicts a row of `NETWORKS`; raises Unmapped with the reason."""
    file = ROOT / "models" / f"{row['model']}.onnx"
    if not file.exists():
        raise Unmapped(f"no file {file.name}")
    fmt, options = e2e_rows.FORMATS[row["precision"]]
    options = {"target": f"{target_of(board)}-{fmt}", "report": "json", "mode": row["mode"], "runtime": row["runtime"],
               "batch": row["batch"], **options}
    if row["attention"]:
        options["attention"] = {"eager": "eager", "sdpa": "flash"}[row["attention"]]
    if row["layout"] == "NHWC":
        options["channels-last"] = "true"
    if not row["layout"]:  # else the image size
        options["seq"] = row["length"]
    if row["mode"] == "training":
        # Models with a head have a loss; the others receive given gradients.
        has_loss = row["optimizer"] == "sgd-momentum" or row["model"].endswith("-lm")
        options.update({"optimizer": row["optimizer"], "loss": "auto" if has_loss else "none"})
    if row["runtime"] == "eager":
        options["host-launch-us"] = host_launch(board)
    return [tool, str(file)] + [f"--{name}={value}" for name, value in options.items()]


def networks(tool, jobs, flags=lambda board: []):
    """([(board, row, report)], reasons for rows without one); `flags` are more flags of the tool."""
    lines, skipped = [], collections.Counter()
    for board in boards():
        for name in NETWORKS:
            path, kept = FOLDER / board / name, set()
            for row in read(path) if path.exists() else ():
                # The peak of an inference occurs while the model is created.
                row["memory_known"] = (name == "training.csv" and row["runtime"] == "eager"
                                       and row["process"] not in kept)
                if row["model"] in LEAVES_MEMORY:
                    kept.add(row["process"])
                try:
                    lines.append((board, row, command(tool, board, row) + flags(board)))
                except Unmapped as reason:
                    skipped[str(reason)] += 1
    answers = e2e_rows.run_tools([line for _, _, line in lines], jobs)
    found = []
    for (board, row, _), (report, error) in zip(lines, answers):
        if error:
            skipped[f"tool: {error}"] += 1
        else:
            found.append((board, row, {**report["iteration"], "idle_power_w": report.get("details", {}).get("idle_power_w")}))
    return found, skipped


# An eager row whose wall time is this many times the predicted host time is bound by the GPU: these hosts, virtual
# machines, take up to four times as long as only their launches.
HOST_MARGIN = 5


# Mean error, in percent, above which the gate fails: just above the current error. Power is that of a mean board (fit_boards.py).
GATES = {
    ("h100-sxm-80gb", "kernels"): 10.9, ("h100-sxm-80gb", "loads"): 5,
    ("h100-sxm-80gb-2", "kernels"): 10.8, ("h100-sxm-80gb-2", "loads"): 7,
    ("h200-sxm", "kernels"): 12.2, ("h200-sxm", "loads"): 3,
    ("h200-sxm-2", "kernels"): 12.4, ("h200-sxm-2", "loads"): 5.9,
    ("h100-sxm-80gb", "training"): {"time": 6.2, "power": 6.9, "energy": 5.7},
    ("h100-sxm-80gb-2", "training"): {"time": 5.1, "power": 9, "energy": 9.5},
    ("h100-sxm-80gb-2", "inference"): {"time": 3.6, "power": 4.9, "energy": 4},
    ("h200-sxm", "training"): {"time": 4.1, "power": 8.9, "energy": 8.9},
    ("h200-sxm", "inference"): {"time": 3.7, "power": 4.4, "energy": 3.7},
    ("h200-sxm", "inference of one sample"): {"time": 14.1, "power": 27.6, "energy": 16.7},
    ("h200-sxm-2", "training"): {"time": 6.4, "power": 8.4, "energy": 7.2},
    ("h200-sxm-2", "inference"): {"time": 3.5, "power": 3.2, "energy": 3.5},
}


class Row:
    """A measured model and its prediction."""

    def __init__(self, board, row, found):
        self.board, self.row, self.found, self.memory_known = board, row, found, row["memory_known"]

    @property
    def on_gpu(self):
        """Whether the row measures the GPU, not the host."""
        return (self.row["runtime"] == "cudagraph"
                or float(self.row["wall_ms"]) > HOST_MARGIN * self.found["host_ms"])

    def error(self, what):
        """Signed error in percent; None if the row does not have the quantity."""
        time = ("gpu_busy_ms", "gpu_ms") if self.row["runtime"] == "cudagraph" else ("time_ms", "wall_ms")
        fields = {"time": time, "power": ("avg_power_w", "power_avg_w"), "energy": ("energy_j", "energy_j"),
                  "allocated": ("allocated_bytes", "memory_allocated_bytes"),
                  "reserved": ("reserved_bytes", "memory_reserved_bytes")}
        if what in ("allocated", "reserved") and not self.memory_known:
            return None
        predicted, measured = fields[what]
        return 100 * (self.found[predicted] / float(self.row[measured]) - 1)

    def text(self):
        row = self.row
        name = " ".join(word for word in (row["model"], row["mode"], row["precision"], row["attention"], row["layout"],
                                          row["runtime"], f"{row['batch']}x{row['length']}") if word)
        parts = [f"{what} {self.error(what):+6.1f} %" for what in ("time", "power", "energy")]
        if self.memory_known:
            parts.append(f"allocated {self.error('allocated'):+6.1f} %")
        return f"{self.board:14s} {name:64s} {float(row['wall_ms']):8.2f} ms " + "  ".join(parts)


def measured_networks(tool, jobs, flags=lambda board: []):
    """([Row], reasons for rows without one)."""
    found, skipped = networks(tool, jobs, flags)
    return [Row(*each) for each in found], skipped


def kernels(tool, board, coefficients=None):
    """([(kernels.csv row, predicted us)], [(power.csv row, family, predicted W)]) with the shipped coefficients."""
    folder = FOLDER / board
    with tempfile.TemporaryDirectory() as scratch:
        table = pathlib.Path(scratch, "rows.csv")
        line = [tool, "calibrate", f"--measurements={folder}", f"--target={target_of(board)}", "--folds=0", f"--rows={table}",
                "-o", str(pathlib.Path(scratch, "fitted.mlir"))]
        if coefficients:
            line.append(f"--coefficients={coefficients}")
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode:
            raise OSError(f"{' '.join(line)}: {done.stderr.strip()}")
        predictions = list(csv.DictReader(table.open()))
    measured = {name: {row["line"]: row for row in read(folder / f"{name}.csv")}
                for name in ("kernels", "power") if (folder / f"{name}.csv").exists()}
    times, loads = [], []
    for found in predictions:
        row = measured[found["file"]][int(found["line"])]
        if found["file"] == "kernels":
            times.append((row, float(found["prior"])))
        else:
            loads.append((row, found["family"], float(found["prior"])))
    return times, loads


def group_of(row):
    """Group of a kernel in tables."""
    words = [row["family"], row["op"], row["dtype"], row["layout"]]
    if row["op"] == "batchnorm" or row["family"] == "attention":
        words.append(row["variant"])
    return " ".join(word for word in words if word)


def sets(rows):
    """{name: rows} of models for the gate and the tables."""
    return {"training": [r for r in rows if r.on_gpu and r.row["mode"] == "training"],
            "inference": [r for r in rows if r.on_gpu and r.row["mode"] == "inference" and int(r.row["batch"]) > 1],
            "inference of one sample": [r for r in rows if r.on_gpu and r.row["batch"] == "1"]}


def errors(rows, what):
    return [error for error in (row.error(what) for row in rows) if error is not None]


def checks(args):
    """Kernels, loads and models of the project's measurements."""
    for board in boards():
        times, loads = kernels(args.tool, board)
        yield gates.mape(f"measured {board}: kernels",
                         (100 * (predicted / float(row["time_us"]) - 1) for row, predicted in times),
                         GATES[board, "kernels"])
        yield gates.mape(f"measured {board}: power of loads",
                         (100 * (predicted / float(row["power_avg_w"]) - 1) for row, family, predicted in loads
                          if family == "power"), GATES[board, "loads"])
    rows, _ = measured_networks(args.tool, args.jobs)
    for board in boards():
        for name, part in sets([row for row in rows if row.board == board]).items():
            for what in ("time", "power", "energy") if part else ():
                yield gates.mape(f"measured {board}: {name} {what}", errors(part, what), GATES[board, name][what])


def run(args):
    figures = {}

    def line(name, signed):
        signed = list(signed)
        figures[name] = signed
        print(f"{name:66s} n {len(signed):4d} {describe(signed)}")

    for board in boards():
        groups = collections.defaultdict(list)
        times, loads = kernels(args.tool, board)
        for row, predicted in times:
            groups[group_of(row)].append(100 * (predicted / float(row["time_us"]) - 1))
        for name in sorted(groups):
            line(f"{board} {name}", groups[name])
        line(f"{board} all kernels", [error for part in groups.values() for error in part])
        for row, family, predicted in loads:
            print(f"{board} {row['name']:34s} {family:24s} {float(row['power_avg_w']):6.0f} W predicted {predicted:6.0f} "
                  f"at {float(row['clock_mean_mhz']):5.0f} MHz")
        line(f"{board} power of loads", [100 * (predicted / float(row["power_avg_w"]) - 1)
                                         for row, family, predicted in loads if family == "power"])
    rows, skipped = measured_networks(args.tool, args.jobs)
    for row in rows:
        print(row.text() + ("" if row.on_gpu else "  (host)"))
    for board in boards():
        part = [row for row in rows if row.board == board]
        for name, chosen in sets(part).items():
            for what in ("time", "power", "energy"):
                line(f"{board} {name}, GPU, {what}", errors(chosen, what))
        line(f"{board} eager, wall time bound by the host", errors([r for r in part if not r.on_gpu], "time"))
        for what in ("allocated", "reserved"):
            line(f"{board} training, memory {what}", errors(part, what))
    for reason, count in skipped.most_common():
        print(f"not mapped: {count} rows: {reason}")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(figures, indent=1))
    return 0 if rows else 1
