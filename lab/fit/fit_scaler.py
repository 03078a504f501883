# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wait for the optimizer behind gradient scaling (H12): a function of refit.py.

GradScaler reads on the host whether the gradients are finite, and only then PyTorch launches the optimizer. The project's own
networks in fp16 with automatic mixed precision have marks on the GPU around the optimizer; what it takes longer than its kernels
is the wait. It depends on the host, not on the network: the median over all boards, for all files.
"""
import csv
import statistics

from coefficient_files import add_provenance, with_field

GROUP, FIELD = "runtime", "optimizer_start"
PRECISION, TABLE = "fp16-amp", "library.csv"


def waits(tool, jobs):
    """us of each network on each board."""
    import e2e_rows
    import validate_measured as measured
    rows = [(board, row) for board in measured.boards() if (path := measured.FOLDER / board / TABLE).exists()
            for row in measured.read(path) if row["precision"] == PRECISION and row["mode"] == "training"]
    rows = [(board, row) for board, row in rows if (e2e_rows.ROOT / "models" / f"{row['model']}.onnx").exists()]
    lines = [measured.command(tool, board, row) for board, row in rows]
    for (_, row), (report, error) in zip(rows, e2e_rows.run_tools(lines, jobs)):
        if error:
            raise SystemExit(f"fit_scaler.py: {error}")
        phase = next(each for each in report["phases"] if each["phase"] == "optimizer")
        yield 1e3 * (float(row["optimizer_ms"]) - phase["gpu_busy_ms"])


def with_start(tool, jobs, texts):
    """`texts` with the wait of all boards."""
    found = list(waits(tool, jobs))
    wait = round(statistics.median(found))
    print(f"  wait for the optimizer {wait} us, of {len(found)} networks: {', '.join(f'{each:.0f}' for each in sorted(found))}", flush=True)
    changed = dict(texts)
    for stem, text in texts.items():
        if f"#{GROUP} = " in text:
            text = with_field(text, GROUP, FIELD, f"{wait} us")
            changed[stem] = add_provenance(text, GROUP, f"wait for the optimizer from {len(found)} networks in fp16 on this project's boards")
    return changed
