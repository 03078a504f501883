# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gap between eager launches of GH100 (H8): a function of refit.py.

The same network eager and as a replayed graph differs by one gap per launch if the GPU never waits for the host. The host can
only add to it: the gap is the lower quartile over the networks of the project's boards that are bound by the GPU.
"""
import statistics

from coefficient_files import add_provenance, replace_field
from fit_boards import DIE, TOP

SETTINGS = ("model", "mode", "precision", "attention", "layout", "batch", "length")
# Replay over the predicted host time, below which eager rows of these hosts wait; launches below which a difference is noise.
LEAST_RATIO, LEAST_LAUNCHES = 2.2, 100


def gaps(tool, jobs):
    """us per launch of each network with both rows, on all boards."""
    from validate_measured import measured_networks
    rows, _ = measured_networks(tool, jobs)

    def key(row):
        return (row.board, *(row.row[name] for name in SETTINGS))
    replays = {key(row): float(row.row["gpu_ms"]) for row in rows if row.row["runtime"] == "cudagraph"}
    for row in rows:
        replay = replays.get(key(row), 0) if row.row["runtime"] == "eager" else 0
        if replay > LEAST_RATIO * row.found["host_ms"] and row.found["launches"] >= LEAST_LAUNCHES:
            yield 1e3 * (float(row.row["wall_ms"]) - replay) / row.found["launches"]


def fit_gap(tool, jobs, texts):
    """`texts` with the gap of GH100."""
    found = sorted(gaps(tool, jobs))
    gap = statistics.quantiles(found, n=4)[0]
    print(f"  gap {gap:.2f} us, {len(found)} pairs of eager rows and replays", flush=True)
    changed = dict(texts)
    for stem in DIE:
        text = replace_field(changed[stem], "runtime", "kernel_gap_cycles", gap * TOP)
        changed[stem] = add_provenance(text, "runtime", f"gap from {len(found)} networks eager and replayed on this project's boards, 2026-11")
    return changed
