# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CSV files that grow row by row, remaining time, and progress."""

import csv
import time
from dataclasses import dataclass
from pathlib import Path

import torch

OK, OUT_OF_MEMORY, UNSUPPORTED, ERROR = "ok", "oom", "unsupported", "error"


class Failure(Exception):
    """A user error; its text is the diagnostic."""


class DeviceLost(Exception):
    """The GPU no longer responds; this process cannot measure anything else."""


class Deadline:
    """The time a suite may take."""

    def __init__(self, minutes):
        self.end = time.monotonic() + 60 * minutes

    def left_s(self):
        return self.end - time.monotonic()

    def text(self):
        left = max(0, round(self.left_s()))
        return f"{left // 60}:{left % 60:02d}"


@dataclass
class Campaign:
    """Common data of all suites."""

    device: torch.device
    board: object
    facts: dict  # provenance
    out: Path
    smoke: bool = False
    resume: bool = False
    minutes: float = 10
    deadline: Deadline = None
    seconds: float = None  # of a window of steady work

    def window(self, warm_s, window_s, smoke):
        """(seconds before, seconds of) a window of steady work."""
        if self.smoke:
            return smoke
        if self.seconds is not None:
            return warm_s / window_s * self.seconds, self.seconds
        return warm_s, window_s

    @property
    def on_gpu(self):
        return self.device.type == "cuda"

    def synchronize(self):
        if self.on_gpu:
            torch.cuda.synchronize()


def text_of(value):
    """A cell: empty for None, six significant digits for non-integers."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class ResultFile:
    """A CSV file under `# key: value` lines of provenance.

    `key` names the columns that identify a row. With `resume` an existing file
    is continued; provenance lines then also occur between rows, so readers skip
    all lines that begin with `#`.
    """

    def __init__(self, path, columns, key, facts, resume):
        self.columns, self.key = columns, key
        self.known, self.rows = set(), 0
        continued = resume and path.exists() and path.stat().st_size > 0
        if continued:
            self._read(path, facts)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = open(path, "a" if continued else "w", newline="")
        self.path = path
        for name, value in facts.items():
            self.file.write(f"# {name}: {text_of(value)}\n")
        self.writer = csv.DictWriter(self.file, columns, lineterminator="\n")
        if not continued:
            self.writer.writeheader()
        self.file.flush()

    def _read(self, path, facts):
        with open(path, newline="") as file:
            lines = file.readlines()
        gpu = f"# gpu: {facts['gpu']}\n"
        others = [line for line in lines if line.startswith("# gpu: ") and line != gpu]
        if others:
            raise Failure(f"'{path}' was measured on '{others[0][7:].strip()}', but "
                          f"this is '{facts['gpu']}'; give another --out")
        if not lines[-1].endswith("\n"):  # a row that was cut off
            lines.pop()
            path.write_text("".join(lines))
        reader = csv.DictReader(line for line in lines if not line.startswith("#"))
        if reader.fieldnames != self.columns:
            raise Failure(f"'{path}' has other columns; give another --out")
        self.known = {tuple(row[name] for name in self.key) for row in reader}

    def has(self, row):
        return tuple(text_of(row.get(name)) for name in self.key) in self.known

    def add(self, row):
        self.writer.writerow({name: text_of(row.get(name)) for name in self.columns})
        self.file.flush()
        self.rows += 1

    def close(self):
        self.file.close()


def attempt(campaign, measure):
    """The result of `measure()` with a `status`; failures become a status."""
    error = None
    try:
        return {"status": OK, **measure()}
    except torch.cuda.OutOfMemoryError:
        status, note = OUT_OF_MEMORY, ""
    except (NotImplementedError, ImportError, AttributeError) as caught:
        status, error = UNSUPPORTED, caught
    except Exception as caught:  # one case must not end the suite
        status, error = ERROR, caught
        text = str(caught).lower()
        if "out of memory" in text:
            status = OUT_OF_MEMORY
        elif any(word in text for word in (
                "not implemented", "not supported", "no available kernel",
                "unsupported", "only supported", "no viable backend")):
            status = UNSUPPORTED
    if error is not None:
        note = f"{type(error).__name__}: {error}".split("\n")[0][:160]
    error = None  # with it go the tensors of its frames
    if campaign.on_gpu:
        try:
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
        except RuntimeError as lost:
            raise DeviceLost(f"{note}; then {str(lost).splitlines()[0]}") from None
    return {"status": status, "note": note}


def run_rows(campaign, file, items, describe, measure, seconds=lambda item: 1.0):
    """Measures `items` in order until the deadline and writes one row per item.

    `describe(item)` returns the columns known in advance, `measure(item)` the
    measured ones, and `seconds(item)` the time to reserve for it.
    """
    items = list(items)
    skipped = 0
    for number, item in enumerate(items, 1):
        row = describe(item)
        if file.has(row):
            continue
        if campaign.deadline.left_s() < seconds(item):
            skipped += 1
            continue
        row.update(attempt(campaign, lambda: measure(item)))
        file.add(row)
        label = " ".join(str(row[name]) for name in file.key if row.get(name))
        value = next((f"{row[name]:.5g} {name}" for name in (
            "time_us", "wall_ms", "power_avg_w") if row.get(name)), "")
        print(f"[{number}/{len(items)}] {campaign.deadline.text()} left  {label}: "
              f"{row['status']} {value}{row.get('note') or ''}", flush=True)
    if skipped:
        print(f"out of time: {skipped} of {len(items)} rows are missing; "
              "--resume continues", flush=True)
