# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/AccuracyTables.md: all rows of docs/Accuracy.md by board and model, and the fitted numbers."""
import pathlib
import re

from e2e_report import board, inside, kind, markdown, model
from e2e_rows import coverage

COEFFICIENTS = pathlib.Path(__file__).resolve().parents[2] / "targets" / "coefficients"

PAGE = """# Accuracy: all rows

Written by `utils/validate.py accuracy`; do not edit. The summary: [Accuracy.md](Accuracy.md).

Errors are absolute percentage errors of whole iterations: mean (MAPE), median, 90th percentile, worst; *bias* is the mean
signed error; *inside* is the percentage of rows inside the printed 80 % prediction interval. Baselines, from the same report:
time by roofline (the larger of matrix FLOPs / dense peak and compulsory bytes / bandwidth at the maximum clock), power by
the board limit, energy by their product. In parentheses: why the measurements themselves doubt a label.

## 80 % intervals

{coverage}

## Fitted numbers per GPU

All numbers, constants included, in the groups that were fitted to the GPU's own measurements (of `tensor_gemm`, ten are free
per GPU; tables of tiles, and what all GPUs or a memory class share, are not counted); *transferred*: groups transferred from
another die.

{parameters}

{tables}"""


def coverages(results):
    lines = ["| rows | n | time | power | energy |", "|---|---|---|---|---|"]
    results = [r for r in results if not r.caveat]
    for name in sorted({kind(r.row) for r in results}):
        part = [r for r in results if kind(r.row) == name]
        cells = [inside(part, what) if coverage(part, what) is not None else "" for what in ("time", "power", "energy")]
        lines.append(f"| {name} | {len(part)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def parameters():
    lines = ["| coefficients | fitted numbers | transferred |", "|---|---|---|"]
    skipped = {"tensor_power", "streaming", "issue_slots", "instructions", "per_element", "runtime", "error_bars"}
    for path in sorted(COEFFICIENTS.glob("*.mlir")):
        text, count, transferred = path.read_text(), [], []
        for name, block in re.findall(r"#(\w+) = #gpucost\.\w+<(.*?)>\n\n", text, re.S):
            if "transferred_from" in block:
                transferred.append(name)
            elif name not in skipped:
                block = re.sub(r"(tiles|split_k|voltage|points) = \[.*?\]", "", block, flags=re.S)
                count.append(f"{name} {len(re.findall(r'= -?[0-9.]', block))}")
        lines.append(f"| {path.stem} | {', '.join(count)} | {', '.join(transferred)} |")
    return "\n".join(lines)


def page(found):
    """The page from {protocol: [Prediction]}."""
    committed = found["committed"]
    tables = [markdown("All rows, in fit", committed, kind),
              markdown("Held out by model", found["held-out-model"], kind),
              markdown("Held out by GPU", found["held-out-gpu"], lambda row: f"{kind(row)}, {board(row)}")]
    for title in sorted({kind(r.row) for r in committed}):
        part = [r for r in committed if kind(r.row) == title]
        tables.append(markdown(title + ": by board", part, board))
        tables.append(markdown(title + ": by model", part, model))
    return PAGE.format(coverage=coverages(committed), parameters=parameters(), tables="\n".join(tables))
