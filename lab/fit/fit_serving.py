# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time between two steps of vLLM's serving loop: a function of refit.py.

Equation (H10) of docs/CostModel.md: in a closed loop with a steady batch (rows of
`modern/decode.csv` that validate_serve.py trusts), the time between tokens minus the
predicted GPU time is a constant plus a part per sequence, independent of the model. One
pair per host; boards without rows use the pair of the H100.
"""
import csv
import json
import pathlib
import tempfile

import numpy as np
from scipy.optimize import least_squares

from coefficient_files import add_provenance, replace_field

SOURCE = "ml-energy"
# Board of the rows: files that use its host; None: all others.
BOARDS = {"h100-sxm-80gb": None, "b200-sxm": ("b200-sxm",)}
OWN = {stem for stems in BOARDS.values() for stem in stems or ()}
FIELDS = ("loop_step", "loop_sequence")
START = (500.0, 40.0)  # us
NOISE = 0.05  # soft-L1 scale of relative errors
NOTE = "serving loop of vLLM from {} steady states of ml-energy on {}, {:.1f} %, 2026-11"


def with_loop(text, values=(0.0, 0.0)):
    """`text` with the time between steps, in us, in its runtime group."""
    if "loop_step" not in text:
        text = text.replace(" host_norm = ", " loop_step = 0 us, loop_sequence = 0 us, host_norm = ", 1)
    for field, value in zip(FIELDS, values):
        text = replace_field(text, "runtime", field, value)
    return text


def rows_of(data):
    """Trusted rows by board."""
    import validate_serve
    with open(pathlib.Path(data) / validate_serve.FILE, newline="") as file:
        rows = [row for row in csv.DictReader(file)
                if row["dataset"] == SOURCE and row["decode_step_ms"] and validate_serve.trusted(row)]
    return {board: [row for row in rows if row["gpu"].rstrip("?") == board] for board in BOARDS}


def step_times(tool, jobs, rows, text):
    """Predicted GPU ms for each row in `rows`."""
    from e2e_rows import iterations
    from validate_serve import commands
    manifest = pathlib.Path(__file__).resolve().parents[2] / "lab" / "validate" / "manifest.json"
    serving = json.loads(manifest.read_text())["serving"]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "coefficients.mlir")
        path.write_text(text)

        lines = [commands(tool, row, serving)[1] + [f"--coefficients={path}", "--step-gap-us=0"] for row in rows]
        return np.array([one["time_ms"] for one in iterations(lines, jobs)])


def fit_serving(tool, data, jobs, texts):
    """`texts` with the time between steps fitted to rows of a serving loop."""
    changed = {stem: with_loop(text) for stem, text in texts.items()}
    for board, rows in rows_of(data).items():
        batch = np.array([float(row["batch"]) for row in rows])
        measured = np.array([float(row["decode_step_ms"]) for row in rows])
        busy = step_times(tool, jobs, rows, texts[board])

        def errors(values):
            return (busy + values[0] * 1e-3 + values[1] * 1e-3 * batch) / measured - 1
        found = least_squares(errors, START, loss="soft_l1", f_scale=NOISE, bounds=(0, np.inf)).x
        note = NOTE.format(len(rows), board, 100 * np.abs(errors(found)).mean())
        print(f"  {board}: {found[0]:.1f} us and {found[1]:.2f} us per sequence", flush=True)
        for stem in BOARDS[board] or sorted(set(changed) - OWN):
            changed[stem] = add_provenance(with_loop(changed[stem], found), "runtime", note)
    return changed
